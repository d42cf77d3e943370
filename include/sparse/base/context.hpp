#pragma once
/// Where work runs and where its memory comes from.

#include <memory>

#include <sparse/base/arena.hpp>
#include <sparse/base/config.hpp>

namespace sparse {

/// An execution space instance and the arena its data live in. Cheap to copy; copies share both.
///
/// Sets and fields remember the context that they were made in, and results of operations take it from their operands.
class Context {
public:
  /// The default context, made at first use and destroyed by `Kokkos::finalize`. Sets and fields use it by default.
  /// @throws std::invalid_argument  before Kokkos is initialised (see `Runtime`)
  Context();
  /// A context of its own: kernels run on `execution`, memory comes from `arena`.
  Context(ExecutionSpace const& execution, std::shared_ptr<Arena> arena);

  /// Where kernels run, and where memory comes from.
  ExecutionSpace const& execution() const { return state_->execution; }
  std::shared_ptr<Arena> const& arena() const { return state_->arena; }
  /// Waits for everything submitted here.
  void fence() const { execution().fence(); }

private:
  struct State {
    ExecutionSpace execution;
    std::shared_ptr<Arena> arena;
  };
  static std::shared_ptr<State const>& default_state();
  std::shared_ptr<State const> state_;
};

}  // namespace sparse
