#pragma once
/// How a step ended.

#include <variant>

#include <sparse/amr/hierarchy/rates.hpp>

namespace sparse::amr {

/// Waves have become so fast since the time step was chosen that they would cross more of a cell than allowed.
struct StepTooLong {
  double excess;  ///< cells that waves would cross, over the allowed number
};

/// A step has succeeded, was too long, or has given an impossible state. After a failure the levels are at different
/// times, and must return to their start.
template <int Dim>
class StepOutcome {
public:
  /// A step that is done; one that was `excess` times too long; one that found an impossible state.
  static StepOutcome ok() { return StepOutcome(Ok{}); }
  static StepOutcome too_long(double excess) { return StepOutcome(StepTooLong{excess}); }
  static StepOutcome impossible(ImpossibleCell<Dim> const& where) { return StepOutcome(where); }

  /// Whether the step is done.
  bool is_ok() const { return std::holds_alternative<Ok>(result_); }
  /// The failure, if it is of this type; else nullptr.
  StepTooLong const* too_long() const { return std::get_if<StepTooLong>(&result_); }
  ImpossibleCell<Dim> const* impossible() const { return std::get_if<ImpossibleCell<Dim>>(&result_); }

private:
  struct Ok {};
  using Result = std::variant<Ok, StepTooLong, ImpossibleCell<Dim>>;
  explicit StepOutcome(Result const& result) : result_(result) {}
  Result result_;
};

}  // namespace sparse::amr
