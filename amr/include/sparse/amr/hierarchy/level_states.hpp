#pragma once
/// The arrays for a level's states while it steps.

#include <utility>
#include <vector>

#include <sparse/fields/field.hpp>

namespace sparse::amr {

/// Fields of conserved variables on the storage of one level. It keeps three states, some of which may share a field:
///
///   current  the present state
///   old      before the level's last step; ghosts of the finer level are interpolated between old and current
///   start    before the coarse step; a step that fails returns to it
template <class T, int Dim>
class LevelStates {
public:
  LevelStates() = default;
  /// States on `storage`. One field is made now, others when `take` needs them.
  LevelStates(IntervalSet<Dim> const& storage, int component_count)
      : storage_(storage), component_count_(component_count) {
    add();
  }

  /// The state now, and the one before the last step.
  Field<T, Dim>& current() { return fields_[current_]; }
  Field<T, Dim> const& current() const { return fields_[current_]; }
  Field<T, Dim> const& old() const { return fields_[old_]; }

  /// Keeps the current state for `restore`.
  void keep() { start_ = current_; }
  void restore() { current_ = old_ = start_; }
  /// Whether `keep` has stored a state. `take_start` moves it out.
  bool has_start() const { return start_ < fields_.size(); }
  Field<T, Dim> take_start() {
    std::size_t const start = std::exchange(start_, none);
    return std::move(fields_[start]);
  }
  /// Forgets the start: a level made within a step has none.
  void forget_start() { start_ = none; }
  /// A field for new values. It is neither the current state nor the start, and is not the field taken last. Allocates
  /// only if no such field is there yet.
  Field<T, Dim>& take() {
    for (std::size_t i = 0; i < fields_.size(); ++i)
      if (i != current_ && i != start_ && i != taken_) return fields_[taken_ = i];
    add();
    return fields_[taken_ = fields_.size() - 1];
  }
  /// The field taken last becomes the current state.
  void commit() {
    old_ = current_;
    current_ = taken_;
    taken_ = none;
  }

  /// Frees all fields except the current one and that of `keep`.
  void free_others() {
    std::vector<Field<T, Dim>> kept;
    bool const has_other_start = has_start() && start_ != current_;
    kept.push_back(std::move(fields_[current_]));
    if (has_other_start) kept.push_back(std::move(fields_[start_]));
    if (has_start()) start_ = has_other_start ? 1 : 0;
    fields_ = std::move(kept);
    old_ = current_ = 0;
    taken_ = none;
  }

  /// How many fields take memory.
  std::size_t field_count() const { return fields_.size(); }

private:
  static constexpr std::size_t none = ~std::size_t{0};
  void add() { fields_.emplace_back("state", storage_, component_count_); }

  IntervalSet<Dim> storage_;
  int component_count_ = 0;
  std::vector<Field<T, Dim>> fields_;
  std::size_t start_ = 0, old_ = 0, current_ = 0, taken_ = none;
};

}  // namespace sparse::amr
