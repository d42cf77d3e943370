#include <sparse/base/runtime.hpp>

#include <sparse/base/compat.hpp>

namespace sparse {

Runtime::Runtime(int threads) {
  // Disables the advice of Kokkos to bind threads to cores. That slows programs down where several share the cores.
#if KOKKOS_VERSION >= 30700
  Kokkos::InitializationSettings settings;
  if (threads > 0) settings.set_num_threads(threads);
  settings.set_disable_warnings(true);
#else
  Kokkos::InitArguments settings;
  if (threads > 0) settings.num_threads = threads;
  settings.disable_warnings = true;
#endif
  kokkos_ = std::make_unique<Kokkos::ScopeGuard>(settings);
}

std::string backend_name() {
  std::string name = ExecutionSpace::name();
  if constexpr (is_host_backend) {
    int const threads = compat::concurrency();
    name += ", " + std::to_string(threads) + (threads == 1 ? " thread" : " threads");
  }
  return name;
}

}  // namespace sparse
