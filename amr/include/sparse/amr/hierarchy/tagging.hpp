#pragma once
/// Criteria for refinement.
///
/// A `Criterion` is a value: a function that chooses the cells of a level that should have children. A criterion with a
/// threshold keeps a refined cell until its indicator falls below a lower bound. So cells near the threshold do not
/// alternate. Ready-made criteria are in criteria.hpp.

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <sparse/amr/law.hpp>
#include <sparse/fields/field.hpp>
#include <sparse/fields/select.hpp>
#include <sparse/plans/for_each.hpp>
#include <sparse/plans/stencil.hpp>
#include <sparse/sets/algebra.hpp>

namespace sparse::amr {

/// Cells with their face neighbours in storage, whether they are covered, and their numbers.
template <int Dim>
class TagPlan : public Plan<Dim, 3 + 2 * Dim> {
public:
  static constexpr int covered = 1 + 2 * Dim, number = 2 + 2 * Dim;  ///< operands, behind those of `Stencil`
  /// Cost: a pass over the intervals.
  /// @throws std::invalid_argument  if `storage` lacks a cell
  TagPlan(IntervalSet<Dim> const& cells, IntervalSet<Dim> const& storage, IntervalSet<Dim> const& covered_cells);
};

/// The view of a level for a criterion.
template <class Law>
struct LevelView {
  static constexpr int Dim = Law::dimension;
  /// The level, 0 being the coarsest, and the law.
  int level;
  Law law;
  IntervalSet<Dim> cells, storage, covered;     ///< covered: those with children now
  FieldView<typename Law::Scalar const> state;  ///< conserved variables on storage, valid in cells and face neighbours
  Vec<double, Dim> origin, spacing;             ///< of the level
  /// Of the state.
  double time = 0;
  mutable std::shared_ptr<TagPlan<Dim>> plan = {};  ///< made by the first criterion that needs it

  /// The plan of the level's cells, which is made once.
  TagPlan<Dim> const& tag_plan() const {
    if (!plan) plan = std::make_shared<TagPlan<Dim>>(cells, storage, covered);
    return *plan;
  }
};

/// Chooses the cells of `view.cells` to refine.
template <class Law>
using Criterion = std::function<IntervalSet<Law::dimension>(LevelView<Law> const& view)>;

/// The view of a cell and its face neighbours for an indicator.
template <class Law>
struct IndicatorPoint {
  using Scalar = typename Law::Scalar;
  static constexpr int Dim = Law::dimension;
  /// The law, its state, the grid of the level, the time and the cell.
  Law const& law;
  FieldView<Scalar const> state;
  Vec<double, Dim> const& origin;
  Vec<double, Dim> const& spacing;
  double time;
  RunPoint<Dim, 3 + 2 * Dim> const& place;

  /// Primitive variables of the cell, and of its neighbour along `arm` (see `face_arms`). A missing neighbour is the
  /// cell itself.
  KOKKOS_FORCEINLINE_FUNCTION typename Law::State primitive() const { return at(0); }
  KOKKOS_FORCEINLINE_FUNCTION typename Law::State primitive(int arm) const { return at(1 + arm); }
  KOKKOS_FORCEINLINE_FUNCTION bool has_neighbour(int arm) const { return place.has(1 + arm); }
  /// Position of the cell's centre.
  KOKKOS_FORCEINLINE_FUNCTION Vec<double, Dim> x() const {
    auto const cell = place.coordinates();
    Vec<double, Dim> center;
    SPARSE_UNROLL
    for (int axis = 0; axis < Dim; ++axis) center[axis] = origin[axis] + (cell[axis] + 0.5) * spacing[axis];
    return center;
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION typename Law::State at(int operand) const {
    return law.primitive(state.template load<Law::component_count>(place.operand(operand)));
  }
};

/// Refines cells whose `value(IndicatorPoint<Law> const&)` is above `threshold`. Keeps refined cells while it is above
/// `release`. `value` is a device function. A NaN is not above anything. Cost: a call, and a byte, per cell of the
/// level.
/// @throws std::invalid_argument  if release > threshold
template <class Law, class Indicator>
Criterion<Law> indicator(Indicator const& value, double threshold, double release);

/// The cells that at least one of the criteria refines.
template <class Law>
Criterion<Law> any(std::vector<Criterion<Law>> criteria);

/// The cells that all of the criteria refine; none if there are no criteria.
template <class Law>
Criterion<Law> all(std::vector<Criterion<Law>> criteria);

/// A criterion that makes no level finer than `level`.
template <class Law>
Criterion<Law> up_to(int level, Criterion<Law> criterion);

/// Enlarges `tags`, so that each cell of the result lies in a box of `width` cells per axis inside the result. Wide
/// regions stay as they are. Thin regions grow, also beyond the domain. (`close` fills gaps.) Cost: one `shrink` and
/// two calls of `expand`, by half the width.
/// @throws std::invalid_argument  if width is not positive, or a cell would leave the range of coordinates
template <int Dim>
IntervalSet<Dim> with_minimum_width(IntervalSet<Dim> const& tags, Coord width);

// ---- implementation

namespace detail {

template <class Law, class Indicator>
struct MarkCell {
  using T = typename Law::Scalar;
  static constexpr int Dim = Law::dimension;
  Indicator value;
  Law law;
  FieldView<T const> state;
  Vec<double, Dim> origin, spacing;
  double time;
  T threshold, release;
  bool* marks;  // not bytes: the compiler would assume that they overlap with all data

  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point const& p) const {
    T const bound = p.has(TagPlan<Dim>::covered) ? release : threshold;
    marks[p.operand(TagPlan<Dim>::number)] = value(IndicatorPoint<Law>{law, state, origin, spacing, time, p}) > bound;
  }
};

struct IsMarked {
  bool const* marks;
  KOKKOS_FORCEINLINE_FUNCTION bool operator()(Index cell) const { return marks[cell]; }
};

template <class Law, class Indicator>
IntervalSet<Law::dimension> marked_cells(LevelView<Law> const& view, Indicator const& value, double threshold,
                                         double release) {
  using T = typename Law::Scalar;
  if (view.cells.is_empty()) return {};
  Buffer<bool> const marks(view.cells.context(), view.cells.cell_count());
  for_each("sparse::tagging::mark", view.tag_plan(),
           MarkCell<Law, Indicator>{value, view.law, view.state, view.origin, view.spacing, view.time,
                                    static_cast<T>(threshold), static_cast<T>(release), marks.data()});
  return select(view.cells, IsMarked{marks.data()});
}

}  // namespace detail

template <class Law, class Indicator>
Criterion<Law> indicator(Indicator const& value, double threshold, double release) {
  expects(release <= threshold, "tagging: refined cells must not be released above the threshold");
  return [=](LevelView<Law> const& view) { return detail::marked_cells(view, value, threshold, release); };
}

template <class Law>
Criterion<Law> any(std::vector<Criterion<Law>> criteria) {
  return [criteria = std::move(criteria)](LevelView<Law> const& view) {
    std::vector<IntervalSet<Law::dimension>> tags;
    for (auto const& criterion : criteria) tags.push_back(criterion(view));
    return unite(tags);
  };
}

template <class Law>
Criterion<Law> all(std::vector<Criterion<Law>> criteria) {
  return [criteria = std::move(criteria)](LevelView<Law> const& view) {
    if (criteria.empty()) return IntervalSet<Law::dimension>();
    IntervalSet<Law::dimension> tags = criteria[0](view);
    for (std::size_t i = 1; i < criteria.size(); ++i) tags &= criteria[i](view);
    return tags;
  };
}

template <class Law>
Criterion<Law> up_to(int level, Criterion<Law> criterion) {
  return
      [=](LevelView<Law> const& view) { return view.level < level ? criterion(view) : IntervalSet<Law::dimension>(); };
}

}  // namespace sparse::amr
