#pragma once
/// Arrays in the arena.

#include <memory>
#include <type_traits>
#include <vector>

#include <sparse/context.hpp>

namespace sparse {

/// `size` uninitialised values in device memory, owned together by all copies of the buffer.
template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

public:
  Buffer() = default;
  Buffer(Context const& context, Index size) : size_(size) {
    auto const bytes = static_cast<std::size_t>(size) * sizeof(T);
    auto release = [arena = context.arena(), bytes](void* p) { arena->release(p, bytes); };
    if (bytes != 0) data_ = std::shared_ptr<T>(static_cast<T*>(context.arena()->allocate(bytes)), release);
  }

  T* data() const { return data_.get(); }
  Index size() const { return size_; }

private:
  std::shared_ptr<T> data_;
  Index size_ = 0;
};

namespace detail {
template <class T, class Space>
using Unmanaged = Kokkos::View<T*, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
}  // namespace detail

/// Copies `count` values to the host and waits for them.
template <class T>
std::vector<T> to_host(Context const& context, T const* data, Index count) {
  std::vector<T> copy(static_cast<std::size_t>(count));
  if (count > 0) {
    auto const n = static_cast<std::size_t>(count);
    Kokkos::deep_copy(context.execution(), detail::Unmanaged<T, Kokkos::HostSpace>(copy.data(), n),
                      detail::Unmanaged<T const, MemorySpace>(data, n));
  }
  context.fence();
  return copy;
}

/// Copies host values to a new buffer and waits until they have left the host.
template <class T>
Buffer<T> to_device(Context const& context, std::vector<T> const& values) {
  Buffer<T> buffer(context, static_cast<Index>(values.size()));
  if (!values.empty())
    Kokkos::deep_copy(context.execution(), detail::Unmanaged<T, MemorySpace>(buffer.data(), values.size()),
                      detail::Unmanaged<T const, Kokkos::HostSpace>(values.data(), values.size()));
  context.fence();
  return buffer;
}

/// One value read back from the device.
template <class T>
T read_back(Context const& context, T const* data) {
  T value;
  Kokkos::deep_copy(context.execution(), detail::Unmanaged<T, Kokkos::HostSpace>(&value, 1),
                    detail::Unmanaged<T const, MemorySpace>(data, 1));
  context.fence();
  return value;
}

}  // namespace sparse
