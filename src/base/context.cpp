#include <sparse/base/context.hpp>

#include <mutex>
#include <stdexcept>
#include <utility>

#include <sparse/base/error.hpp>

namespace sparse {

void fail(std::string const& what, Location where) {
  throw std::invalid_argument(std::string(where.file) + ":" + std::to_string(where.line) + ": " + what);
}

std::shared_ptr<Context::State const>& Context::default_state() {
  // Never destroyed: Kokkos may end after static objects, and its hook below needs this one.
  static auto& state = *new std::shared_ptr<State const>;
  return state;
}

Context::Context() {
  static std::mutex mutex;
  std::lock_guard const lock(mutex);
  auto& shared = default_state();
  if (!shared) {
    expects(Kokkos::is_initialized(), "Kokkos must be initialised before sets and fields are made");
    shared = std::make_shared<State const>(State{ExecutionSpace(), std::make_shared<Arena>()});
    Kokkos::push_finalize_hook([] { default_state().reset(); });
  }
  state_ = shared;
}

Context::Context(ExecutionSpace const& execution, std::shared_ptr<Arena> arena)
    : state_(std::make_shared<State const>(State{execution, std::move(arena)})) {}

}  // namespace sparse
