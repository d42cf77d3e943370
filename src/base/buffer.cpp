#include <sparse/base/buffer.hpp>

#include <sparse/base/config.hpp>

namespace sparse::detail {
namespace {

template <class To, class From>
void copy(Context const& context, void* to, void const* from, std::size_t bytes) {
  if (bytes == 0) return;
  Kokkos::deep_copy(
      context.execution(),
      Kokkos::View<char*, To, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(static_cast<char*>(to), bytes),
      Kokkos::View<char const*, From, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(static_cast<char const*>(from), bytes));
}

}  // namespace

void copy_bytes(Context const& context, void* to, void const* from, std::size_t bytes) {
  copy<MemorySpace, MemorySpace>(context, to, from, bytes);
}
void copy_bytes_to_host(Context const& context, void* to, void const* from, std::size_t bytes) {
  copy<Kokkos::HostSpace, MemorySpace>(context, to, from, bytes);
}
void copy_bytes_to_device(Context const& context, void* to, void const* from, std::size_t bytes) {
  copy<MemorySpace, Kokkos::HostSpace>(context, to, from, bytes);
}

}  // namespace sparse::detail
