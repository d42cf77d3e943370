#pragma once
/// The memory that sets, plans, fields and temporaries share, so that loops allocate nothing once they are warm.

#include <cstddef>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace sparse {

/// Takes device memory from Kokkos in a few large slabs and hands out pieces of them. Returned pieces join their free
/// neighbours.
///
/// Takes the smallest free piece that fits, and the first of equal ones. A few small pieces of each size are kept apart
/// for the next request of that size, until memory is short. Large pieces have slabs of their own: small ones would
/// settle in the gaps that they leave. Slabs go back to Kokkos when the arena dies.
///
/// Thread-safe on the host. Kernels of one execution space instance run in order, so its next kernel may reuse a piece
/// without a fence. Pieces shared between instances need one.
class Arena {
public:
  /// @param first_slab_bytes  size of the first slab for small pieces; that for large ones is four times as large.
  ///                          Later slabs at least double the total.
  explicit Arena(std::size_t first_slab_bytes = std::size_t{64} << 20)
      : small_{{}, first_slab_bytes}, large_{{}, 4 * first_slab_bytes} {}
  ~Arena();
  Arena(Arena const&) = delete;
  Arena& operator=(Arena const&) = delete;

  /// Returns `bytes` of memory, aligned to `alignment`; nullptr for 0 bytes. Throws the exception of Kokkos, or
  /// `std::bad_alloc`, when memory runs out; the arena stays usable. Cost: host only, at most logarithmic in the number
  /// of free pieces.
  void* allocate(std::size_t bytes);
  /// As `allocate`, but with room behind it for four times as much, or from the largest free piece. So `resize` can
  /// probably make the piece longer. The largest piece would always do, but then little sets would soon lie all over
  /// the memory.
  void* allocate_growable(std::size_t bytes);
  /// Makes a piece longer or shorter where it lies. Returns false, and changes nothing, when the memory behind it is
  /// taken. Making it shorter always succeeds. `to` must not be 0.
  bool resize(void* piece, std::size_t from, std::size_t to) noexcept;
  /// Returns a piece to the arena. `bytes` is its present size: that of `allocate`, or of the last `resize`.
  void release(void* piece, std::size_t bytes) noexcept;

  /// Bytes handed out now. The peak is their maximum so far, or since `forget_peak`.
  std::size_t bytes_in_use() const;
  std::size_t peak_bytes() const;
  void forget_peak();

  /// Of every block [bytes].
  static constexpr std::size_t alignment = 256;
  /// Pieces of `allocate` with as much are large.
  static constexpr std::size_t large_bytes = std::size_t{512} << 10;

private:
  using Piece = std::pair<std::size_t, std::byte*>;  // size, address
  struct Slabs {
    std::set<Piece> free_by_size;
    std::size_t next_bytes;
  };

  void* take(std::size_t bytes, bool growable);
  Slabs& slabs_of(std::byte* address) { return *std::prev(slabs_.upper_bound(address))->second; }
  void add_free(std::byte* address, std::size_t bytes);
  void remove_free(std::map<std::byte*, std::size_t>::iterator piece);
  std::byte* take_kept(std::size_t size);
  std::byte* take_free(std::size_t size, bool growable);
  void join_free(std::byte* address, std::size_t size);
  void change_free(std::map<std::byte*, std::size_t>::iterator piece, std::byte* address, std::size_t bytes);
  void add_slab(Slabs& slabs, std::size_t bytes);

  static constexpr std::size_t kept_sizes = 256, kept_count = 8;
  struct Kept {
    std::size_t count = 0;
    std::byte* pieces[kept_count];
  };

  mutable std::mutex mutex_;
  Slabs small_, large_;
  std::map<std::byte*, Slabs*> slabs_;  // by address
  std::map<std::byte*, std::size_t> free_by_address_;
  std::vector<Kept> kept_ = std::vector<Kept>(kept_sizes);  // [size / alignment]
  std::size_t in_use_ = 0, peak_ = 0;
};

}  // namespace sparse
