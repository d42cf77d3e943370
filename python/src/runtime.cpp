#include "runtime.hpp"

#include <atomic>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include <pthread.h>

#include <sparse/base/compat.hpp>
#include <sparse/base/runtime.hpp>
#include <sparse/version.hpp>

#include "arguments.hpp"

namespace sparse::python {

std::atomic<long> Alive::count_ = 0;

namespace {

// Before 3.7, a thread of the host has no part in Kokkos' OpenMP unless it started Kokkos: its loops run on one core,
// and its sums fail. What the starting thread has can be lent, since one thread at a time runs kernels here.
#if defined(KOKKOS_ENABLE_OPENMP) && KOKKOS_VERSION < 30700
constexpr bool lends_instance = true;
using Instance = Kokkos::Impl::OpenMPExec*;
Instance instance_of_thread() { return Kokkos::Impl::t_openmp_instance; }
void lend(Instance instance) { Kokkos::Impl::t_openmp_instance = instance; }
#else
constexpr bool lends_instance = false;
using Instance = void*;
Instance instance_of_thread() { return nullptr; }
void lend(Instance) {}
#endif

// The runtime is never destroyed by C++: after Python has stopped, sets may still be there.
struct State {
  std::recursive_mutex mutex;
  Runtime* runtime = nullptr;
  std::thread::id thread;  // that started Kokkos
  Instance instance = {};  // of that thread
  int threads = 0;         // wanted; 0: as many as OMP_NUM_THREADS says, else all cores
  bool is_over = false;
  std::atomic<bool> is_started = false, has_warned = false, is_forked = false;
};

State& state() {
  static State* const the = new State;
  return *the;
}

void note_fork() {
  if (state().is_started) state().is_forked = true;
}

/// Kokkos before 4.3 runs kernels of other threads serially, without a word.
void warn_about_thread() {
  if (lends_instance || KOKKOS_VERSION >= 40300 || compat::concurrency() == 1 || state().has_warned.exchange(true))
    return;
  nb::gil_scoped_acquire const gil;
  char const* const text = "this thread did not start Kokkos, and this Kokkos runs kernels of such threads on one "
                           "core; use sparsecells from "
                           "the thread that used it first";
  if (PyErr_WarnEx(PyExc_RuntimeWarning, text, 1) < 0) throw nb::python_error();
}

void start() {
  State& s = state();
  if (s.is_over) throw std::runtime_error("Kokkos has stopped, because the program ends");
  static bool const watches_forks = pthread_atfork(nullptr, nullptr, note_fork) == 0;
  (void)watches_forks;
  s.runtime = new Runtime(s.threads);
  s.thread = std::this_thread::get_id();
  s.instance = instance_of_thread();
  s.is_started = true;
}

void set_threads(nb::handle count) {
  long long const wanted = whole_number(count, "set_threads: count");
  if (wanted < 1 || wanted > 4096) throw std::invalid_argument("set_threads: count must be 1 to 4096");
  if (state().is_started)
    throw std::runtime_error("set_threads: Kokkos has started already; call this before the first set is made");
  state().threads = static_cast<int>(wanted);
}

std::string backend() {
  KernelScope const scope;
  return backend_name();
}

/// Called once at the end of the program, after a collection of garbage.
void stop_if_unused() {
  State& s = state();
  if (s.runtime == nullptr || s.is_forked || s.is_over) return;
  s.is_over = true;
  if (Alive::count() > 0) return;
  lend(s.instance);  // Python may end on another thread than the first one
  delete s.runtime;
  s.runtime = nullptr;
}

}  // namespace

KernelScope::KernelScope() : lock_(state().mutex, std::defer_lock) {
  State& s = state();
  if (s.is_forked)
    throw std::runtime_error(
        "this process was forked after sparsecells had been used, and kernels would never end here; start processes "
        "with multiprocessing.get_context(\"spawn\")");
  lock_.lock();
  if (!s.is_started) {
    start();
  } else if (std::this_thread::get_id() != s.thread) {
    lend(s.instance);
    warn_about_thread();
  }
}

void bind_runtime(nb::module_& m) {
  m.def("set_threads", set_threads, nb::arg("count"), nb::sig("def set_threads(count: int) -> None"),
        "Sets how many threads of the host kernels run on, 1 to 4096.\n\n"
        "Without it they are those of OMP_NUM_THREADS, or as many as there are cores.\n\n"
        "Raises RuntimeError after the first set has been made, since Kokkos has started then.");
  m.def("backend", backend,
        "Says what kernels run on and with how many threads, as in \"OpenMP, 2 threads\". Starts Kokkos.");
  m.def("_is_started", [] { return state().is_started.load(); });
  m.def("_stop_if_unused", stop_if_unused);
  m.def("_alive", [] { return Alive::count(); });
  m.attr("__version__") = SPARSE_VERSION;
  m.attr("kokkos_version") = std::to_string(KOKKOS_VERSION / 10000) + "." + std::to_string(KOKKOS_VERSION / 100 % 100) +
                             "." + std::to_string(KOKKOS_VERSION % 100);
}

}  // namespace sparse::python
