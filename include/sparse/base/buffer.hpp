#pragma once
/// Arrays in the arena.

#include <memory>
#include <type_traits>
#include <vector>

#include <sparse/base/context.hpp>

namespace sparse {

/// `size` uninitialised values in device memory, owned together by all copies of the buffer.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  Buffer() = default;
  /// `size` values, uninitialised. Cost: a look into the arena's free lists, when it has such a block.
  /// Throws what `Arena::allocate` throws when memory runs out.
  Buffer(Context const& context, Index size) : Buffer(context, size, context.arena()->allocate(bytes_of(size))) {}
  /// Makes a buffer that can probably grow in place.
  static Buffer growable(Context const& context, Index size) {
    return Buffer(context, size, context.arena()->allocate_growable(bytes_of(size)));
  }

  /// The values, in device memory, and how many there are.
  T* data() const { return data_.get(); }
  Index size() const { return size_; }

  /// Changes the size in place. Returns false, and changes nothing, when the memory behind it is taken. Making it
  /// smaller, but not empty, always succeeds. Precondition: the buffer is not empty and has no other copies.
  bool resize(Index size) {
    auto* const release = std::get_deleter<Release>(data_);
    if (!release->arena->resize(data_.get(), release->bytes, bytes_of(size))) return false;
    release->bytes = bytes_of(size);
    size_ = size;
    return true;
  }

private:
  struct Release {
    std::shared_ptr<Arena> arena;
    std::size_t bytes;
    void operator()(void* piece) const { arena->release(piece, bytes); }
  };
  static std::size_t bytes_of(Index size) { return static_cast<std::size_t>(size) * sizeof(T); }
  Buffer(Context const& context, Index size, void* piece) : size_(size) {
    if (piece != nullptr) data_ = std::shared_ptr<T>(static_cast<T*>(piece), Release{context.arena(), bytes_of(size)});
  }

  std::shared_ptr<T> data_;
  Index size_ = 0;
};

namespace detail {
// Bytes, so that Kokkos compiles a copy once and not for each type. In the order of the context's kernels.
void copy_bytes(Context const& context, void* to, void const* from, std::size_t bytes);
void copy_bytes_to_host(Context const& context, void* to, void const* from, std::size_t bytes);
void copy_bytes_to_device(Context const& context, void* to, void const* from, std::size_t bytes);
}  // namespace detail

/// Copies `count` values from the host. The kernels after it see them; the host's may change after a fence.
template <class T>
void copy_to_device(Context const& context, T* to, T const* from, Index count) {
  static_assert(std::is_trivially_copyable_v<T>);
  detail::copy_bytes_to_device(context, to, from, static_cast<std::size_t>(count) * sizeof(T));
}

/// Makes `buffer` longer and keeps its first `used` values. Grows in place where possible; else costs a copy of these.
template <class T>
void grow(Context const& context, Buffer<T>& buffer, Index used, Index size) {
  if (buffer.size() > 0 && buffer.resize(size)) return;
  auto longer = Buffer<T>::growable(context, size);
  detail::copy_bytes(context, longer.data(), buffer.data(), static_cast<std::size_t>(used) * sizeof(T));
  buffer = std::move(longer);
}

/// Copies `count` values to the host and waits for them.
template <class T>
std::vector<T> to_host(Context const& context, T const* data, Index count) {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<T> copy(static_cast<std::size_t>(count));
  detail::copy_bytes_to_host(context, copy.data(), data, copy.size() * sizeof(T));
  context.fence();
  return copy;
}

/// Copies host values to a new buffer and waits until they have left the host.
template <class T>
Buffer<T> to_device(Context const& context, std::vector<T> const& values) {
  Buffer<T> buffer(context, static_cast<Index>(values.size()));
  copy_to_device(context, buffer.data(), values.data(), std::ssize(values));
  context.fence();
  return buffer;
}

/// One value read back from the device. Waits for the kernels before it.
template <class T>
T read_back(Context const& context, T const* data) {
  static_assert(std::is_trivially_copyable_v<T>);
  T value;
  detail::copy_bytes_to_host(context, &value, data, sizeof(T));
  context.fence();
  return value;
}

}  // namespace sparse
