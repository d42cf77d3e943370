#include <sparse/base/runtime.hpp>

#include <cstdlib>
#include <thread>
#include <type_traits>

#include <sparse/base/compat.hpp>

namespace sparse {
namespace {

/// The threads that Kokkos should start; 0 leaves it the choice. Its backend Threads would choose one alone.
int wanted_threads(int threads) {
#if defined(KOKKOS_ENABLE_THREADS)
  if (threads == 0 && std::is_same_v<ExecutionSpace, Kokkos::Threads> && std::getenv("KOKKOS_NUM_THREADS") == nullptr) {
    char const* const text = std::getenv("OMP_NUM_THREADS");
    threads = text == nullptr ? 0 : std::atoi(text);
    if (threads <= 0) threads = static_cast<int>(std::thread::hardware_concurrency());
  }
#endif
  return threads;
}

}  // namespace

Runtime::Runtime(int threads) {
  threads = wanted_threads(threads);
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
