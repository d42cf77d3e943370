#include "ink_transport.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include <sparse/fields/algebra.hpp>
#include <sparse/plans/for_each.hpp>

#include "greatest_size.hpp"
#include "limiter.hpp"

namespace sparse::incompressible {
namespace {

/// A stage: to = of_start start + (1 - of_start) (values - time div(velocity values)).
template <class T, int Dim>
struct InkStage {
  T const *start, *values;
  T* to;
  FieldView<T const> velocity, velocity_after;
  T later, of_start;   // part of the velocity after the step; of the start in the result
  Vec<T, Dim> factor;  // time over spacing

  KOKKOS_FORCEINLINE_FUNCTION T speed(int b, Index face) const {
    T const now = velocity(b, face);
    return now + later * (velocity_after(b, face) - now);
  }
  KOKKOS_FORCEINLINE_FUNCTION static T flux(T speed, T far_below, T below, T above, T far_above, bool has_far_below,
                                            bool has_far_above) {
    bool const is_up = speed > 0;
    T const upstream = is_up ? below : above, step = is_up ? above - below : below - above;
    T const behind = is_up ? (has_far_below ? below - far_below : T(0)) : (has_far_above ? above - far_above : T(0));
    return speed * (upstream + T(0.5) * detail::limited_gain(step, behind));
  }
  KOKKOS_FORCEINLINE_FUNCTION T result(Index position, T after) const {
    return of_start * start[position] + (1 - of_start) * after;
  }
};

/// A run of which no operand is missing.
struct HasAll {
  KOKKOS_FORCEINLINE_FUNCTION bool has(int) const { return true; }
};

/// Where a neighbour is missing the cell itself stands in.
template <class T, int Dim>
struct CarryInk {
  using Operands = CellOperands<Dim>;
  using Point = typename Operands::Plan::Point;
  InkStage<T, Dim> stage;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point const& p) const { carry(p, p); }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point const& p, AllPresent) const { carry(p, HasAll{}); }

  template <class Presence>
  KOKKOS_FORCEINLINE_FUNCTION void carry(Point const& p, Presence const& presence) const {
    T const* const values = stage.values;
    T const here = values[p.operand(0)];
    T sum = 0;
    SPARSE_UNROLL
    for (int b = 0; b < Dim; ++b) {
      int const lower = Operands::near(2 * b), upper = Operands::near(2 * b + 1);
      int const low = Operands::far(2 * b), high = Operands::far(2 * b + 1);
      T const below = values[p.operand(lower)], above = values[p.operand(upper)];
      T const far_below = values[p.operand(low)], far_above = values[p.operand(high)];
      T const in = stage.flux(stage.speed(b, p.operand(0)), far_below, below, here, above,
                              presence.has(low) && presence.has(lower), presence.has(upper));
      T const out = stage.flux(stage.speed(b, p.operand(Operands::upper(b))), below, here, above, far_above,
                               presence.has(lower), presence.has(high) && presence.has(upper));
      sum += stage.factor[b] * (in - out);
    }
    stage.to[p.operand(0)] = stage.result(p.operand(0), here + sum);
  }
};

/// The same for the groups of cells beside curved walls. All cells of a group have one value.
template <class T, int Dim>
struct CarryInkInGroups {
  GridView<Dim> grid;
  detail::GroupCell<Dim> const* cells;
  Index const* begins;
  InkStage<T, Dim> stage;

  /// The neighbour in the fluid, or -1.
  KOKKOS_FUNCTION Index beside(Index position, int axis, bool is_upper) const {
    if (position < 0) return -1;
    Index const next = grid.beside(position, axis, is_upper);
    return grid.is_fluid(next) ? next : -1;
  }
  KOKKOS_FUNCTION T value(Index position, Index otherwise) const {
    return stage.values[position < 0 ? otherwise : position];
  }
  /// Into a cell through a face.
  KOKKOS_FUNCTION T inward(Index here, int arm) const {
    int const b = arm / 2;
    bool const is_upper = arm % 2 == 1;
    Index const below = is_upper ? here : beside(here, b, false), above = is_upper ? beside(here, b, true) : here;
    Index const far_below = beside(below, b, false), far_above = beside(above, b, true);
    T const flux =
        stage.flux(stage.speed(b, is_upper ? grid.beside(here, b, true) : here), value(far_below, here),
                   value(below, here), value(above, here), value(far_above, here), far_below >= 0, far_above >= 0);
    return is_upper ? -flux : flux;
  }
  KOKKOS_FUNCTION void operator()(Index group) const {
    double sum = 0, volume = 0;
    for (Index i = begins[group]; i < begins[group + 1]; ++i) {
      auto const& cell = cells[i];
      volume += cell.volume;
      for (int arm = 0; arm < 2 * Dim; ++arm)
        if (cell.share[arm] > 0)
          sum += cell.share[arm] * static_cast<double>(stage.factor[arm / 2]) *
                 static_cast<double>(inward(cell.position, arm));
    }
    auto const here = static_cast<double>(stage.values[cells[begins[group]].position]);
    auto const after = static_cast<T>(here + sum / volume);
    for (Index i = begins[group]; i < begins[group + 1]; ++i)
      stage.to[cells[i].position] = stage.result(cells[i].position, after);
  }
};

/// All cells of a group get their mean.
template <class T, int Dim>
void join(StaggeredGrid<Dim> const& grid, detail::CellGroups<Dim> const& groups, T* values) {
  detail::GroupCell<Dim> const* const cells = groups.cells.data();
  Index const* const begins = groups.begins.data();
  parallel_for(
      grid.context(), "sparse::incompressible::join_ink", groups.begins.size() - 1, KOKKOS_LAMBDA(Index group) {
        Index const begin = begins[group], end = begins[group + 1];
        if (end - begin == 1) return;
        double sum = 0, volume = 0;
        for (Index i = begin; i < end; ++i) {
          sum += cells[i].volume * static_cast<double>(values[cells[i].position]);
          volume += cells[i].volume;
        }
        for (Index i = begin; i < end; ++i) values[cells[i].position] = static_cast<T>(sum / volume);
      });
}

template <class T, int Dim>
struct GreatestRate {
  using Operands = CellOperands<Dim>;
  FieldView<T const> velocity;
  Vec<T, Dim> inverse;  // of spacing

  KOKKOS_FORCEINLINE_FUNCTION void operator()(typename Operands::Plan::Point const& p,
                                              detail::Bits<T>& greatest) const {
    T sum = 0;
    SPARSE_UNROLL
    for (int b = 0; b < Dim; ++b)
      sum +=
          inverse[b] * (std::fabs(velocity(b, p.operand(0))) + std::fabs(velocity(b, p.operand(Operands::upper(b)))));
    auto const bits = detail::bits_of_size(sum);
    greatest = bits > greatest ? bits : greatest;
  }
};

template <class T, int Dim>
double greatest_rate_of_groups(StaggeredGrid<Dim> const& grid, detail::CellGroups<Dim> const& groups,
                               FieldView<T const> velocity) {
  auto const view = grid.body().view();
  auto const spacing = grid.spacing();
  detail::GroupCell<Dim> const* const cells = groups.cells.data();
  Index const* const begins = groups.begins.data();
  return parallel_reduce<Kokkos::Max, double>(
      grid.context(), "sparse::incompressible::greatest_rate_of_groups", groups.begins.size() - 1,
      KOKKOS_LAMBDA(Index group, double& greatest) {
        double sum = 0, volume = 0;
        for (Index i = begins[group]; i < begins[group + 1]; ++i) {
          volume += cells[i].volume;
          for (int arm = 0; arm < 2 * Dim; ++arm) {
            if (cells[i].share[arm] == 0) continue;
            Index const position = cells[i].position;
            auto const u =
                static_cast<double>(velocity(arm / 2, arm % 2 == 0 ? position : view.beside(position, arm / 2, true)));
            sum += cells[i].share[arm] / spacing[arm / 2] * (u < 0 ? -u : u);
          }
        }
        if (sum > greatest * volume) greatest = sum / volume;
      });
}

}  // namespace

template <class T, int Dim>
InkTransport<T, Dim>::InkTransport(StaggeredGrid<Dim> const& grid)
    : grid_(grid), groups_(detail::cell_groups(grid.body())),
      cells_(CellOperands<Dim>::plan(grid, grid.fluid() - groups_.all)), between_("ink", grid.storage(), 1, 0) {
  if (groups_.cells.size() > 0) joined_ = Field<T, Dim>("ink", grid.storage(), 1, 0);
}

template <class T, int Dim>
double InkTransport<T, Dim>::greatest_rate(Field<T, Dim> const& velocity) const {
  GreatestRate<T, Dim> body{velocity.view(), {}};
  for (int b = 0; b < Dim; ++b) body.inverse[b] = static_cast<T>(1 / grid_.spacing()[b]);
  double rate = detail::size_of_bits<T>(
      reduce<Kokkos::Max, detail::Bits<T>>("sparse::incompressible::greatest_rate", cells_, body));
  if (groups_.cells.size() > 0) rate = std::max(rate, greatest_rate_of_groups<T, Dim>(grid_, groups_, velocity.view()));
  return rate;
}

template <class T, int Dim>
int InkTransport<T, Dim>::operator()(Field<T, Dim> const& values, Field<T, Dim> const& velocity,
                                     Field<T, Dim> const& velocity_after, double time_step, Field<T, Dim>& to) {
  ProfilingRegion const region("sparse::incompressible::ink");
  constexpr double rounding = 1e-6, most_steps = 100000;
  grid_.expect_stored(values, 1, "ink");
  grid_.expect_stored(velocity, Dim, "velocity");
  grid_.expect_stored(velocity_after, Dim, "velocity");
  grid_.expect_stored(to, 1, "result of transport");
  expects(to.view().data != values.view().data, "incompressible: the result of transport must be another field");
  expects(std::isfinite(time_step) && time_step >= 0, "incompressible: the time step must not be negative");
  double rate = greatest_rate(velocity);
  if (velocity_after.view().data != velocity.view().data) rate = std::max(rate, greatest_rate(velocity_after));
  // What is not finite makes values that are not finite; the method that steps reports them.
  double const way = std::isfinite(rate) ? (1 - rounding) * time_step * rate : 0;
  if (way > most_steps)
    throw std::runtime_error("incompressible: ink would cross " + std::to_string(way / 2) + " cells in a step");
  int const step_count = std::max(1, static_cast<int>(std::ceil(way))), stage_count = step_count + 1;

  Field<T, Dim> const* start = &values;
  if (groups_.cells.size() > 0) {
    assign(joined_, values);
    join(grid_, groups_, joined_.component(0));
    start = &joined_;
  }
  Field<T, Dim> const* from = start;
  for (int i = 0; i < stage_count; ++i) {
    bool const is_last = i + 1 == stage_count;
    Field<T, Dim>& result = (stage_count - i) % 2 == 1 ? to : between_;
    InkStage<T, Dim> stage{start->component(0),
                           from->component(0),
                           result.component(0),
                           velocity.view(),
                           velocity_after.view(),
                           static_cast<T>(static_cast<double>(i) / step_count),
                           static_cast<T>(is_last ? 1.0 / stage_count : 0),
                           {}};
    for (int b = 0; b < Dim; ++b) stage.factor[b] = static_cast<T>(time_step / step_count / grid_.spacing()[b]);
    for_each("sparse::incompressible::carry_ink", cells_, CarryInk<T, Dim>{stage});
    if (groups_.cells.size() > 0)
      parallel_for(grid_.context(), "sparse::incompressible::carry_ink_in_groups", groups_.begins.size() - 1,
                   CarryInkInGroups<T, Dim>{grid_.body().view(), groups_.cells.data(), groups_.begins.data(), stage});
    from = &result;
  }
  return stage_count;
}

template class InkTransport<float, 2>;
template class InkTransport<float, 3>;
template class InkTransport<double, 2>;
template class InkTransport<double, 3>;

}  // namespace sparse::incompressible
