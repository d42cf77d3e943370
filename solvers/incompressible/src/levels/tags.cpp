#include "tags.hpp"

#include <cmath>

#include <sparse/fields/operators.hpp>
#include <sparse/fields/select.hpp>
#include <sparse/incompressible/measure/fields.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>

namespace sparse::incompressible::detail {
namespace {

/// Parts of a threshold that count for children. They are half as wide, and so is their product of vorticity and width.
/// Cells with children are released below the second one.
constexpr double refine_above = 1.0 / 2, release_below = 1.0 / 3;
/// Between interfaces and inflows, in cells of the coarser level.
constexpr Coord inflow_margin = 4;

template <class T, int components>
struct IsLonger {
  FieldView<T const> field;
  T square;
  KOKKOS_FUNCTION bool operator()(Index cell) const {
    T sum = 0;
    for (int c = 0; c < components; ++c) sum += field(c, cell) * field(c, cell);
    return sum > square;
  }
};

/// Leaves where the length of vectors times width exceeds a bound.
template <int components, class T, int Dim>
IntervalSet<Dim> leaves_beyond(Level<T, Dim> const& level, Field<T, Dim> const& vectors, double bound) {
  T const limit = static_cast<T>(bound / level.greatest_width());
  return select(vectors.domain(), IsLonger<T, components>{vectors.view(), limit * limit}) & level.sets.leaves;
}

template <int Dim>
IntervalSet<Dim> without_inflows(amr::Domain<Dim> const& domain, IntervalSet<Dim> tags, int level) {
  auto box = domain.box(level);
  for (int axis = 0; axis < Dim; ++axis) {
    if (domain.has(BoundaryKind::inflow, axis, FaceSide::lower)) box.begin[axis] += inflow_margin;
    if (domain.has(BoundaryKind::inflow, axis, FaceSide::upper)) box.end[axis] -= inflow_margin;
  }
  return amr::inside(tags, box);
}

/// Tags where vectors times width exceed a threshold, and where those of children say so.
/// @param vectors_of  makes them for a level
template <int components, class T, int Dim, class VectorsOf>
void add_beyond(Tags<Dim>& tags, amr::Domain<Dim> const& domain, Levels<T, Dim> const& levels, double threshold,
                VectorsOf const& vectors_of) {
  for (std::size_t l = 0; l < levels.size(); ++l) {
    auto const vectors = vectors_of(*levels[l]);
    auto const beyond = [&](double bound) { return leaves_beyond<components>(*levels[l], vectors, bound); };
    auto const add_to = [&](std::vector<IntervalSet<Dim>>& list, std::size_t at, IntervalSet<Dim> const& cells) {
      list[at] = list[at] | without_inflows(domain, cells, static_cast<int>(at));
    };
    if (l < tags.refined.size()) add_to(tags.refined, l, beyond(threshold));
    if (l == 0) continue;
    add_to(tags.refined, l - 1, coarsen(beyond(refine_above * threshold)));
    add_to(tags.kept, l - 1, coarsen(beyond(release_below * threshold)));
  }
}

template <class T, int Dim>
void add(Tags<Dim>& tags, amr::Domain<Dim> const& domain, VorticityCriterion const& criterion,
         Levels<T, Dim> const& levels, double) {
  add_beyond<Dim == 2 ? 1 : 3>(tags, domain, levels, criterion.threshold,
                               [](Level<T, Dim> const& level) { return level.vorticity(); });
}

template <class T, int Dim>
void add(Tags<Dim>& tags, amr::Domain<Dim> const& domain, InkCriterion const& criterion, Levels<T, Dim> const& levels,
         double) {
  add_beyond<Dim>(tags, domain, levels, criterion.threshold, [&](Level<T, Dim> const& level) {
    Vec<T, Dim> spacing;
    for (int axis = 0; axis < Dim; ++axis) spacing[axis] = static_cast<T>(level.grid.spacing()[axis]);
    return gradient(on_fluid(level.grid, level.state.carried[criterion.ink]), spacing);
  });
}

template <class T, int Dim>
void add(Tags<Dim>& tags, amr::Domain<Dim> const& domain, SurfaceCriterion const& criterion, Levels<T, Dim> const&,
         double) {
  for (std::size_t l = 0; l < tags.refined.size(); ++l) {
    auto const level = static_cast<int>(l);
    auto const& solid = domain.touched_by_solid(level);
    if (solid.is_empty()) continue;
    Vec<Coord, Dim> radii;
    for (int axis = 0; axis < Dim; ++axis)
      radii[axis] = static_cast<Coord>(std::ceil(criterion.distance / domain.spacing(level)[axis]));
    tags.refined[l] = tags.refined[l] | domain.wrapped(expand(solid, radii), level);
  }
}

template <class T, int Dim>
void add(Tags<Dim>& tags, amr::Domain<Dim> const& domain, RegionCriterion<Dim> const& criterion, Levels<T, Dim> const&,
         double time) {
  for (std::size_t l = 0; l < tags.refined.size(); ++l) {
    auto const level = static_cast<int>(l);
    tags.refined[l] =
        tags.refined[l] | domain.wrapped(criterion.cells({domain.grid(level), domain.box(level), level, time}), level);
  }
}

}  // namespace

template <int Dim>
void expect_valid(std::vector<Criterion<Dim>> const& criteria) {
  for (auto const& one : criteria) {
    if (auto const* vorticity = std::get_if<VorticityCriterion>(&one))
      expects(std::isfinite(vorticity->threshold) && vorticity->threshold > 0,
              "incompressible: the threshold of vorticity must be positive");
    if (auto const* ink = std::get_if<InkCriterion>(&one))
      expects(std::isfinite(ink->threshold) && ink->threshold > 0,
              "incompressible: the threshold of an ink must be positive");
    if (auto const* surface = std::get_if<SurfaceCriterion>(&one))
      expects(std::isfinite(surface->distance) && surface->distance >= 0,
              "incompressible: the distance from a surface must not be negative");
    if (auto const* region = std::get_if<RegionCriterion<Dim>>(&one))
      expects(static_cast<bool>(region->cells), "incompressible: a region has no function");
  }
}

template <class T, int Dim>
Tags<Dim> tagged_cells(amr::Domain<Dim> const& domain, std::vector<Criterion<Dim>> const& criteria,
                       Levels<T, Dim> const& levels, double time) {
  std::vector<IntervalSet<Dim>> const none(static_cast<std::size_t>(domain.level_count()) - 1);
  Tags<Dim> tags{none, none};
  for (auto const& one : criteria)
    std::visit([&](auto const& criterion) { add(tags, domain, criterion, levels, time); }, one);
  return tags;
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template Tags<Dim> tagged_cells(amr::Domain<Dim> const&, std::vector<Criterion<Dim>> const&, Levels<T, Dim> const&,  \
                                  double);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)
template void expect_valid(std::vector<Criterion<2>> const&);
template void expect_valid(std::vector<Criterion<3>> const&);

}  // namespace sparse::incompressible::detail
