#include "fine_velocity.hpp"

#include <algorithm>
#include <limits>

#include <sparse/fields/algebra.hpp>
#include <sparse/plans/for_each.hpp>

#include "grid/beside_boundary.hpp"
#include "grid/body.hpp"

namespace sparse::incompressible::detail {
namespace {

KOKKOS_FORCEINLINE_FUNCTION Coord floor_divided(Coord a, Coord b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

template <int Dim>
void find_parents(StaggeredGrid<Dim> const& grid, int factor, Field<std::int32_t, Dim>& parents) {
  auto const view = grid.body().view();
  std::int32_t* const to = parents.component(0);
  for_each(
      "sparse::incompressible::find_parents", Subset<Dim>(parents.domain(), parents.domain()),
      KOKKOS_LAMBDA(SubsetPoint<Dim> const& p) {
        auto cell = p.coordinates();
        for (int b = 0; b < Dim; ++b) cell[b] = floor_divided(cell[b], factor);
        to[p.cell] = static_cast<std::int32_t>(view.find(cell));
      });
}

template <class T, int Dim>
struct AddImage {
  T* sum;
  KOKKOS_FUNCTION void operator()(T share, Mirror const&, T value, Vec<Coord, Dim> const&) const {
    *sum += share * value;
  }
};

/// Differences of velocity along its face, per cell width. 0 where velocity is given: nothing leaks through walls.
template <class T, int Dim>
struct FindSlopes {
  GridView<Dim> grid;
  FieldView<T const> velocity;
  FieldView<T> slopes;
  int axis;

  KOKKOS_FUNCTION T beside(Index position, Vec<Coord, Dim> const& face, int across, bool is_upper) const {
    Index const next = grid.beside(position, across, is_upper);
    if (grid.kind(axis, next) != FaceKind::absent) return velocity(axis, next);
    T image = 0;
    visit_images(grid, face, position, axis, across, is_upper ? 1 : -1, velocity(axis, position),
                 AddImage<T, Dim>{&image});
    return image;
  }
  KOKKOS_FUNCTION void operator()(SubsetPoint<Dim> const& p) const {
    auto const face = p.coordinates();
    for (int t = 0; t < Dim; ++t)
      if (t != axis)
        slopes(Dim * axis + t, p.cell) = T(0.5) * (beside(p.cell, face, t, true) - beside(p.cell, face, t, false));
  }
};

template <class T, int Dim>
struct FillFaces {
  GridView<Dim> grid;
  FieldView<T const> velocity, slopes;
  FieldView<T> to;
  std::int32_t const* parents;
  int axis, factor;
  T speed;

  KOKKOS_FUNCTION void operator()(SubsetPoint<Dim> const& p) const {
    auto const face = p.coordinates();
    Index const cell = parents[p.cell];
    Vec<T, Dim> at;  // in the cell, from -1/2 to 1/2
    int step = 0;    // from the lower face
    for (int b = 0; b < Dim; ++b) {
      int const rest = face[b] - factor * floor_divided(face[b], factor);
      if (b == axis) step = rest;
      at[b] = (static_cast<T>(rest) + (b == axis ? T(0) : T(0.5))) / static_cast<T>(factor) - T(0.5);
    }
    T const lower = velocity(axis, cell);
    if (step == 0) {  // on a face of the flow
      T value = lower;
      for (int t = 0; t < Dim; ++t)
        if (t != axis) value += slopes(Dim * axis + t, cell) * at[t];
      to(axis, p.cell) = speed * value;
      return;
    }
    Index const above = grid.beside(cell, axis, true);
    T const upper = velocity(axis, above), s = at[axis];
    T value = T(0.5) * (lower + upper) + (upper - lower) * s, bend = 0;
    for (int t = 0; t < Dim; ++t) {
      if (t == axis) continue;
      T const low = slopes(Dim * axis + t, cell), high = slopes(Dim * axis + t, above);
      value += (T(0.5) * (low + high) + (high - low) * s) * at[t];
      Index const across = grid.beside(cell, t, true);
      bend += static_cast<T>(grid.spacing[axis] / grid.spacing[t]) *
              (slopes(Dim * t + axis, across) - slopes(Dim * t + axis, cell));
    }
    to(axis, p.cell) = speed * (value - T(0.5) * bend * (s * s - T(0.25)));
  }
};

}  // namespace

template <int Dim>
IntervalSet<Dim> divided(IntervalSet<Dim> const& set, int factor) {
  auto const rows = set.to_host();
  std::vector<std::pair<RowKey, std::size_t>> order;
  for (std::size_t r = 0; r < rows.row_keys.size(); ++r) {
    auto const cell = cell_at<Dim>(rows.row_keys[r], 0);
    for (Coord y = 0; y < factor; ++y)
      for (Coord z = 0; z < (Dim == 3 ? factor : 1); ++z) {
        auto fine = factor * cell;
        fine[1] += y;
        if constexpr (Dim == 3) fine[2] += z;
        order.emplace_back(row_key(fine), r);
      }
  }
  std::sort(order.begin(), order.end());
  HostSet<Dim> result;
  for (auto const& [key, r] : order) {
    result.row_keys.push_back(key);
    result.row_ptr.push_back(static_cast<Index>(result.intervals.size()));
    for (auto i = rows.row_ptr[r]; i < rows.row_ptr[r + 1]; ++i) {
      auto const& one = rows.intervals[static_cast<std::size_t>(i)];
      result.intervals.push_back({factor * one.begin, factor * one.end});
    }
  }
  result.row_ptr.push_back(static_cast<Index>(result.intervals.size()));
  return from_host(result, set.context());
}

template <int Dim>
StaggeredGrid<Dim> divided(StaggeredGrid<Dim> const& grid, int factor) {
  FlowDomain<Dim> domain;
  domain.fluid = divided(grid.fluid(), factor);
  domain.grid = grid.space();
  for (int b = 0; b < Dim; ++b) domain.grid.spacing[b] /= factor;
  domain.period = factor * grid.domain().period;
  domain.others = BoundaryKind::wall;
  return StaggeredGrid<Dim>(domain);
}

template <class T, int Dim>
FineVelocity<T, Dim>::FineVelocity(StaggeredGrid<Dim> const& grid, StaggeredGrid<Dim> const& fine, int factor)
    : grid_(grid), fine_(fine), factor_(factor), parents_("parents", fine.storage()),
      slopes_("slopes", grid.storage(), Dim * Dim, 0) {
  find_parents(grid, factor, parents_);
}

template <class T, int Dim>
void FineVelocity<T, Dim>::operator()(Field<T, Dim> const& velocity, double speed, Field<T, Dim>& to) {
  grid_.expect_stored(velocity, Dim, "velocity");
  fine_.expect_stored(to, Dim, "fine velocity");
  auto const view = grid_.body().view();
  for (int axis = 0; axis < Dim; ++axis)
    for_each("sparse::incompressible::find_slopes", grid_.body().computed_plan(axis),
             FindSlopes<T, Dim>{view, velocity.view(), slopes_.view(), axis});
  for (int axis = 0; axis < Dim; ++axis)
    for_each("sparse::incompressible::fill_faces", fine_.body().all_faces(axis),
             FillFaces<T, Dim>{view, velocity.view(), slopes_.view(), to.view(), parents_.component(0), axis, factor_,
                               static_cast<T>(speed)});
}

template IntervalSet<2> divided(IntervalSet<2> const&, int);
template IntervalSet<3> divided(IntervalSet<3> const&, int);
template StaggeredGrid<2> divided(StaggeredGrid<2> const&, int);
template StaggeredGrid<3> divided(StaggeredGrid<3> const&, int);
template class FineVelocity<float, 2>;
template class FineVelocity<float, 3>;
template class FineVelocity<double, 2>;
template class FineVelocity<double, 3>;

}  // namespace sparse::incompressible::detail
