#include <sparse/base/arena.hpp>

#include <algorithm>
#include <limits>
#include <new>

#include <sparse/base/config.hpp>

#if defined(__linux__)
#include <sys/mman.h>
#endif

// g++ reports the address sanitizer by a macro, clang by a feature.
#if defined(__SANITIZE_ADDRESS__)
#define SPARSE_ADDRESS_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SPARSE_ADDRESS_SANITIZER
#endif
#endif
#if defined(SPARSE_ADDRESS_SANITIZER)
#include <sanitizer/asan_interface.h>
#endif

namespace sparse {
namespace {

#if defined(SPARSE_ADDRESS_SANITIZER)
// A guard follows each piece, and free memory is poisoned. So the sanitizer finds errors inside of slabs.
constexpr std::size_t guard_bytes = is_host_backend ? 64 : 0;
void poison(void* p, std::size_t n) {
  if constexpr (is_host_backend) ASAN_POISON_MEMORY_REGION(p, n);
}
void unpoison(void* p, std::size_t n) {
  if constexpr (is_host_backend) ASAN_UNPOISON_MEMORY_REGION(p, n);
}
#else
constexpr std::size_t guard_bytes = 0;
void poison(void*, std::size_t) {}
void unpoison(void*, std::size_t) {}
#endif

std::size_t padded(std::size_t bytes) {
  return (bytes + guard_bytes + Arena::alignment - 1) / Arena::alignment * Arena::alignment;
}

/// Asks for pages of 2 MiB, which many systems give on request only. Large pages cause fewer misses in the page table,
/// so large arrays are copied a fifth faster. A system without them ignores the request.
void ask_for_large_pages([[maybe_unused]] void* start, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t page = std::uintptr_t{1} << 21;
  auto const address = reinterpret_cast<std::uintptr_t>(start);
  auto const first = (address + page - 1) / page * page, end = (address + bytes) / page * page;
  if (is_host_backend && first < end) ::madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
#endif
}

}  // namespace

Arena::~Arena() {
  for (auto const& [slab, kind] : slabs_) Kokkos::kokkos_free<MemorySpace>(slab);
}

void Arena::add_free(std::byte* address, std::size_t bytes) {
  free_by_address_.emplace(address, bytes);
  slabs_of(address).free_by_size.emplace(bytes, address);
}

void Arena::remove_free(std::map<std::byte*, std::size_t>::iterator piece) {
  slabs_of(piece->first).free_by_size.erase(Piece{piece->second, piece->first});
  free_by_address_.erase(piece);
}

/// A free piece becomes another that lies between the same neighbours. Cheaper than to remove it and add that one.
void Arena::change_free(std::map<std::byte*, std::size_t>::iterator piece, std::byte* address, std::size_t bytes) {
  auto& by_size = slabs_of(address).free_by_size;
  auto sized = by_size.extract({piece->second, piece->first});
  sized.value() = {bytes, address};
  by_size.insert(std::move(sized));
  auto const next = std::next(piece);
  auto placed = free_by_address_.extract(piece);
  placed.key() = address;
  placed.mapped() = bytes;
  free_by_address_.insert(next, std::move(placed));
}

void Arena::add_slab(Slabs& slabs, std::size_t bytes) {
  bytes = std::max(bytes, slabs.next_bytes);
  // The extra bytes leave room to align the start, because not every memory space aligns.
  auto* const slab = static_cast<std::byte*>(Kokkos::kokkos_malloc<MemorySpace>("sparse::arena", bytes + alignment));
  ask_for_large_pages(slab, bytes);
  slabs_.emplace(slab, &slabs);
  slabs.next_bytes += bytes;
  auto const offset = (alignment - reinterpret_cast<std::uintptr_t>(slab) % alignment) % alignment;
  poison(slab, bytes + alignment);
  add_free(slab + offset, bytes / alignment * alignment);
}

void* Arena::allocate(std::size_t bytes) { return take(bytes, false); }
void* Arena::allocate_growable(std::size_t bytes) { return take(bytes, true); }

void* Arena::take(std::size_t bytes, bool growable) {
  if (bytes == 0) return nullptr;
  if (bytes > std::numeric_limits<std::size_t>::max() / 2) throw std::bad_alloc();  // a negative or overflowed size
  std::size_t const size = padded(bytes);
  std::lock_guard lock(mutex_);
  std::byte* address = growable ? nullptr : take_kept(size);
  if (address == nullptr) address = take_free(size, growable);
  in_use_ += size;
  peak_ = std::max(peak_, in_use_);
  unpoison(address, bytes);
  return address;
}

std::byte* Arena::take_kept(std::size_t size) {
  if (size / alignment >= kept_sizes) return nullptr;
  Kept& kept = kept_[size / alignment];
  return kept.count == 0 ? nullptr : kept.pieces[--kept.count];
}

std::byte* Arena::take_free(std::size_t size, bool growable) {
  Slabs* slabs = size < large_bytes || growable ? &small_ : &large_;
  auto const smallest = [&](std::size_t fitting) { return slabs->free_by_size.lower_bound(Piece{fitting, nullptr}); };
  auto const is_full = [&] { return smallest(size) == slabs->free_by_size.end(); };
  if (is_full()) {
    for (std::size_t i = 0; i < kept_sizes; ++i)
      while (std::byte* const piece = take_kept(i * alignment)) join_free(piece, i * alignment);
  }
  if (is_full()) {
    try {
      add_slab(*slabs, size);
    } catch (...) {
      slabs = slabs == &small_ ? &large_ : &small_;
      if (is_full()) throw;
    }
  }
  auto best = smallest(growable ? 4 * size : size);
  if (best == slabs->free_by_size.end()) --best;
  auto const [free_size, address] = *best;
  auto const piece = free_by_address_.find(address);
  if (free_size > size)
    change_free(piece, address + size, free_size - size);
  else
    remove_free(piece);
  return address;
}

bool Arena::resize(void* piece, std::size_t from, std::size_t to) noexcept {
  auto* const address = static_cast<std::byte*>(piece);
  std::size_t const old_size = padded(from), new_size = padded(to);
  std::lock_guard lock(mutex_);
  auto const next = free_by_address_.find(address + old_size);
  std::size_t const free_size = next == free_by_address_.end() ? 0 : next->second;
  if (new_size > old_size + free_size) return false;
  std::size_t const rest = old_size + free_size - new_size;
  if (free_size == 0) {
    if (rest > 0) add_free(address + new_size, rest);
  } else if (rest > 0) {
    change_free(next, address + new_size, rest);
  } else {
    remove_free(next);
  }
  in_use_ += new_size;
  in_use_ -= old_size;
  peak_ = std::max(peak_, in_use_);
  poison(address, old_size);
  unpoison(address, to);
  return true;
}

void Arena::release(void* piece, std::size_t bytes) noexcept {
  if (piece == nullptr) return;
  auto* const address = static_cast<std::byte*>(piece);
  std::size_t const size = padded(bytes);
  std::lock_guard lock(mutex_);
  in_use_ -= size;
  poison(address, size);
  Kept* const kept = size / alignment < kept_sizes ? &kept_[size / alignment] : nullptr;
  if (kept != nullptr && kept->count < kept_count)
    kept->pieces[kept->count++] = address;
  else
    join_free(address, size);
}

void Arena::join_free(std::byte* address, std::size_t size) {
  auto const after = free_by_address_.lower_bound(address);
  bool const joins_after = after != free_by_address_.end() && after->first == address + size;
  if (after != free_by_address_.begin()) {
    auto const previous = std::prev(after);
    if (previous->first + previous->second == address) {
      size += previous->second;
      if (joins_after) {
        size += after->second;
        remove_free(after);
      }
      change_free(previous, previous->first, size);
      return;
    }
  }
  if (joins_after)
    change_free(after, address, size + after->second);
  else
    add_free(address, size);
}

std::size_t Arena::bytes_in_use() const {
  std::lock_guard lock(mutex_);
  return in_use_;
}

std::size_t Arena::peak_bytes() const {
  std::lock_guard lock(mutex_);
  return peak_;
}

void Arena::forget_peak() {
  std::lock_guard lock(mutex_);
  peak_ = in_use_;
}

}  // namespace sparse
