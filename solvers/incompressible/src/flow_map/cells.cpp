#include "kernels.hpp"

namespace sparse::incompressible {
namespace {

using namespace detail;

template <Interpolation interpolation, class T, int Dim>
struct MapCells {
  Follow<interpolation, T, Dim> follow;
  Kept<T, Dim> back, forth;
  bool goes_forth;

  KOKKOS_FUNCTION void operator()(SubsetPoint<Dim> const& p) const {
    auto const here = padded_middle_of<T>(follow.view, p.cell, Dim);
    // One loop for both directions, so that the compiler generates the code of a step only once.
    for (int way = 0; way < (goes_forth ? 2 : 1); ++way) {
      auto there = follow.travelled({here, {}}, way == 0);
      if (way == 1 && there.left_along >= 0) there.place.position = -1;
      (way == 0 ? back : forth).store(p.cell, there);
    }
  }
};

template <Interpolation interpolation, class T, int Dim>
struct TakeCells {
  using Point = SplinePoint<interpolation, T, Dim>;
  PaddedView<Dim> view;
  Kept<T, Dim> kept;
  T const* from;
  T* to;

  KOKKOS_FUNCTION void operator()(SubsetPoint<Dim> const& p) const {
    to[p.cell] = Point(view, kept.load(p.cell).place).value(from, Dim);
  }
};

template <Interpolation interpolation, class T, int Dim>
struct LoseCells {
  using Point = SplinePoint<interpolation, T, Dim>;
  PaddedView<Dim> view;
  Kept<T, Dim> kept;
  T const *start, *end;
  T* lost;

  KOKKOS_FUNCTION void operator()(SubsetPoint<Dim> const& p) const {
    auto const place = kept.load(p.cell).place;
    Index const here = view.padded[p.cell];
    lost[p.cell] = place.position < 0 ? smoothing_twice<interpolation>(view, here, start)
                                      : Point(view, place).value(end, Dim) - start[here];
  }
};

template <Interpolation interpolation, class T, int Dim>
struct CompensateCells {
  using Point = SplinePoint<interpolation, T, Dim>;
  PaddedView<Dim> view;
  Kept<T, Dim> kept;
  T const *start, *lost, *end;
  bool is_limited;
  T* to;

  KOKKOS_FUNCTION void operator()(SubsetPoint<Dim> const& p) const {
    auto const place = kept.load(p.cell).place;
    T const value = end[view.padded[p.cell]] - T(0.5) * Point(view, place).value(lost, Dim);
    to[p.cell] = is_limited ? limited(view, start, place.position, value) : value;
  }
};

}  // namespace

template <class T, int Dim>
void FlowMaps<T, Dim>::map_cells(double time_step, bool has_compensation) {
  with_interpolation(interpolation_, [&](auto kind) {
    for_each("sparse::incompressible::map_cells", begun_[Dim],
             MapCells<kind(), T, Dim>{follow<kind()>(time_step), kept_in<T>(position_, at_, nullptr, 0),
                                      kept_in<T>(position_, at_, nullptr, 1), has_compensation});
  });
}

template <class T, int Dim>
void FlowMaps<T, Dim>::pull_back_cells(Field<T, Dim> const& from, bool has_compensation, Field<T, Dim>& to) {
  auto const& grid = padded_.grid();
  grid.expect_stored(from, 1, "carried field");
  grid.expect_stored(to, 1, "field that is pulled back");
  auto const view = padded_.view();
  auto const back = kept_in<T>(position_, at_, nullptr, 0), forth = kept_in<T>(position_, at_, nullptr, 1);
  // `start_` and `back_` may be overwritten: the velocities in them are no longer needed.
  padded_.load_cells(from, start_);
  with_interpolation(interpolation_, [&](auto kind) {
    for_each("sparse::incompressible::take_cells", begun_[Dim],
             TakeCells<kind(), T, Dim>{view, back, start_.component(0), to.component(0)});
    grid.exchange(to);
    if (!has_compensation) return;
    padded_.load_cells(to, back_);
    for_each("sparse::incompressible::lose_cells", begun_[Dim],
             LoseCells<kind(), T, Dim>{view, forth, start_.component(0), back_.component(0), to.component(0)});
    grid.exchange(to);
    padded_.load_cells(to, lost_);
    for_each("sparse::incompressible::compensate_cells", begun_[Dim],
             CompensateCells<kind(), T, Dim>{view, back, start_.component(0), lost_.component(0), back_.component(0),
                                             limiter_ != Clamping::none, to.component(0)});
    grid.exchange(to);
  });
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template void FlowMaps<T, Dim>::map_cells(double, bool);                                                             \
  template void FlowMaps<T, Dim>::pull_back_cells(Field<T, Dim> const&, bool, Field<T, Dim>&);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible
