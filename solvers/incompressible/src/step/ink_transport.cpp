#include "ink_transport.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include <sparse/fields/algebra.hpp>
#include <sparse/plans/for_each.hpp>

#include "greatest_size.hpp"
#include "ink_stage.hpp"

namespace sparse::incompressible {
namespace {

using detail::conductance_of;
using detail::InkStage;

/// Fields of one ink.
template <class T>
struct InkFields {
  T const *start, *values;
  T* to;
};

/// A run of which no operand is missing.
struct HasAll {
  KOKKOS_FORCEINLINE_FUNCTION bool has(int) const { return true; }
};

/// Carries several inks at once, since reading velocities takes as long as carrying. Where a neighbour is missing the
/// cell itself stands in.
/// @tparam spreads  whether an ink is diffusive
template <class T, int Dim, int Count, bool spreads>
struct CarryInks {
  using Operands = CellOperands<Dim>;
  using Point = typename Operands::Plan::Point;
  InkStage<T, Dim> stage;
  InkFields<T> inks[Count];
  Vec<T, Dim> conductance[spreads ? Count : 1];

  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point const& p) const { carry(p, p); }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point const& p, AllPresent) const { carry(p, HasAll{}); }

  template <class Presence>
  KOKKOS_FORCEINLINE_FUNCTION void carry(Point const& p, Presence const& presence) const {
    T sums[Count] = {};
    SPARSE_UNROLL
    for (int b = 0; b < Dim; ++b) {
      T const in = stage.speed(b, p.operand(0)), out = stage.speed(b, p.operand(Operands::upper(b)));
      SPARSE_UNROLL
      for (int k = 0; k < Count; ++k) {
        T sum = gain(p, presence, b, inks[k].values, in, out);
        if constexpr (spreads) sum += spread(p, b, inks[k].values, conductance[k][b]);
        sums[k] += stage.factor[b] * sum;
      }
    }
    SPARSE_UNROLL
    for (int k = 0; k < Count; ++k) {
      Index const i = p.operand(0);
      inks[k].to[i] = stage.result(inks[k].start[i], inks[k].values[i] + sums[k]);
    }
  }

  /// What comes in by diffusion through the faces across an axis.
  KOKKOS_FORCEINLINE_FUNCTION T spread(Point const& p, int b, T const* values, T conduct) const {
    T const here = values[p.operand(0)];
    T const below = values[p.operand(Operands::near(2 * b))], above = values[p.operand(Operands::near(2 * b + 1))];
    return conduct * ((below - here) - (here - above));
  }

  /// What flows in through the faces across an axis.
  template <class Presence>
  KOKKOS_FORCEINLINE_FUNCTION T gain(Point const& p, Presence const& presence, int b, T const* values, T in,
                                     T out) const {
    int const lower = Operands::near(2 * b), upper = Operands::near(2 * b + 1);
    int const low = Operands::far(2 * b), high = Operands::far(2 * b + 1);
    T const here = values[p.operand(0)], below = values[p.operand(lower)], above = values[p.operand(upper)];
    T const far_below = values[p.operand(low)], far_above = values[p.operand(high)];
    // Each difference serves both faces, and is 0 where a neighbour is missing.
    T const before = presence.has(low) && presence.has(lower) ? below - far_below : T(0);
    T const after = presence.has(high) && presence.has(upper) ? far_above - above : T(0);
    return sum_of_products(in, stage.carried(in, below, here, before, above - here), -out,
                           stage.carried(out, here, above, here - below, after));
  }
};

/// The same for the groups of cells beside curved walls. All cells of a group get one value.
template <class T, int Dim, bool spreads>
struct CarryInkInGroups {
  GridView<Dim> grid;
  detail::GroupCell<Dim> const* cells;
  Index const* begins;
  InkStage<T, Dim> stage;
  InkFields<T> ink;
  Vec<T, Dim> conductance;

  /// The neighbour in the fluid, or -1.
  KOKKOS_FUNCTION Index beside(Index position, int axis, bool is_upper) const {
    if (position < 0) return -1;
    Index const next = grid.beside(position, axis, is_upper);
    return grid.is_fluid(next) ? next : -1;
  }
  KOKKOS_FUNCTION T value(Index position, Index otherwise) const {
    return ink.values[position < 0 ? otherwise : position];
  }
  /// Into a cell through a face.
  KOKKOS_FUNCTION T inward(Index here, int arm) const {
    int const b = arm / 2;
    bool const is_upper = arm % 2 == 1;
    Index const below = is_upper ? here : beside(here, b, false), above = is_upper ? beside(here, b, true) : here;
    Index const far_below = beside(below, b, false), far_above = beside(above, b, true);
    T const of_below = value(below, here), of_above = value(above, here);
    T flux = stage.flux(stage.speed(b, is_upper ? grid.beside(here, b, true) : here), of_below, of_above,
                        far_below < 0 ? T(0) : of_below - value(far_below, here),
                        far_above < 0 ? T(0) : value(far_above, here) - of_above);
    if constexpr (spreads) flux += stage.diffusive_flux(conductance[b], of_below, of_above);
    return is_upper ? -flux : flux;
  }
  KOKKOS_FUNCTION void operator()(Index group) const {
    double sum = 0, volume = 0, total = 0;
    for (Index i = begins[group]; i < begins[group + 1]; ++i) {
      auto const& cell = cells[i];
      volume += cell.volume;
      total += cell.volume * static_cast<double>(ink.values[cell.position]);  // a source may have given to one alone
      for (int arm = 0; arm < 2 * Dim; ++arm)
        if (cell.share[arm] > 0)
          sum += cell.share[arm] * static_cast<double>(stage.factor[arm / 2]) *
                 static_cast<double>(inward(cell.position, arm));
    }
    bool const is_one = begins[group + 1] - begins[group] == 1;
    double const here = is_one ? static_cast<double>(ink.values[cells[begins[group]].position]) : total / volume;
    auto const after = static_cast<T>(here + sum / volume);
    for (Index i = begins[group]; i < begins[group + 1]; ++i)
      ink.to[cells[i].position] = stage.result(ink.start[cells[i].position], after);
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
InkTransport<T, Dim>::InkTransport(StaggeredGrid<Dim> const& grid) : grid_(grid), in_groups_(cells(0.5)) {}

template <class T, int Dim>
auto InkTransport<T, Dim>::cells(double least_volume) const -> Cells {
  auto groups = detail::cell_groups(grid_.body(), least_volume);
  auto others = CellOperands<Dim>::plan(grid_, grid_.fluid() - groups.all);
  return {std::move(groups), std::move(others)};
}

template <class T, int Dim>
auto InkTransport<T, Dim>::cells_of(bool spreads) -> Cells const& {
  if (!spreads || in_groups_.groups.cells.size() == 0) return in_groups_;
  if (!alone_) alone_ = cells(0);
  return *alone_;
}

template <class T, int Dim>
double InkTransport<T, Dim>::greatest_rate(std::vector<Ink> const& inks, Field<T, Dim> const& velocity) {
  GreatestRate<T, Dim> body{velocity.view(), {}};
  for (int b = 0; b < Dim; ++b) body.inverse[b] = static_cast<T>(1 / grid_.spacing()[b]);
  double rate = 0;
  Cells const* counted = nullptr;
  for (bool const spreads : {false, true}) {
    auto const is_one = [&](Ink const& ink) { return (ink.diffusivity > 0) == spreads; };
    if (std::none_of(inks.begin(), inks.end(), is_one)) continue;
    auto const& cells = cells_of(spreads);
    if (&cells == counted) continue;
    counted = &cells;
    rate = std::max<double>(rate, detail::size_of_bits<T>(reduce<Kokkos::Max, detail::Bits<T>>(
                                      "sparse::incompressible::greatest_rate", cells.others, body)));
    if (cells.groups.cells.size() > 0)
      rate = std::max(rate, greatest_rate_of_groups<T, Dim>(grid_, cells.groups, velocity.view()));
  }
  return rate;
}

template <class T, int Dim>
double InkTransport<T, Dim>::greatest_rate(std::vector<Ink> const& inks) const {
  double diffusivity = 0, rate = 0;
  for (Ink const& ink : inks) diffusivity = std::max(diffusivity, ink.diffusivity);
  for (int b = 0; b < Dim; ++b) rate += 2 * diffusivity / (grid_.spacing()[b] * grid_.spacing()[b]);
  return grid_.has_curved_walls() ? detail::greatest_exchange * rate : rate;
}

template <class T, int Dim>
int InkTransport<T, Dim>::stage_count(double rate, double time_step) {
  constexpr double rounding = 1e-6, most_steps = 100000;
  // What is not finite makes values that are not finite; the method that steps reports them.
  double const way = std::isfinite(rate) ? (1 - rounding) * time_step * rate : 0;
  if (way > most_steps)
    throw std::runtime_error("incompressible: ink would cross " + std::to_string(way / 2) + " cells in a step");
  return std::max(1, static_cast<int>(std::ceil(way))) + 1;
}

template <class T, int Dim>
InkStage<T, Dim> InkTransport<T, Dim>::kernel_of(Step const& step, int stage) const {
  int const step_count = step.stage_count - 1;
  bool const is_last = stage == step_count;
  InkStage<T, Dim> result{step.velocity.view(),
                          step.velocity_after.view(),
                          static_cast<T>(static_cast<double>(stage) / step_count),
                          static_cast<T>(is_last ? 1.0 / step.stage_count : 0),
                          {}};
  for (int b = 0; b < Dim; ++b) result.factor[b] = static_cast<T>(step.time_step / step_count / grid_.spacing()[b]);
  return result;
}

template <class T, int Dim>
Field<T, Dim>& InkTransport<T, Dim>::after(std::vector<Ink> const& inks, Step const& step, int stage, std::size_t k) {
  make_room(inks.size());  // also on levels without leaves, which take no stages
  return (step.stage_count - stage) % 2 == 1 ? inks[k].to : between_[k];
}

template <class T, int Dim>
template <int Count, bool spreads>
void InkTransport<T, Dim>::run(std::vector<Ink> const& inks, std::size_t first, Step const& step, int stage) {
  auto const& [groups, others] = cells_of(spreads);
  bool const is_last = stage + 1 == step.stage_count, has_groups = groups.cells.size() > 0;
  CarryInks<T, Dim, Count, spreads> carry{kernel_of(step, stage), {}, {}};
  for (int i = 0; i < Count; ++i) {
    std::size_t const k = first + static_cast<std::size_t>(i);
    if constexpr (spreads) carry.conductance[i] = conductance_of<T, Dim>(inks[k].diffusivity, grid_.spacing());
    Field<T, Dim> const* start = &inks[k].values;
    if (has_groups && !spreads) {
      if (stage == 0) {
        if (joined_[k].component_count() == 0) joined_[k] = Field<T, Dim>("ink", grid_.storage(), 1, 0);
        assign(joined_[k], *start);
        join(grid_, groups, joined_[k].component(0));
      }
      start = &joined_[k];
    }
    T const* const values = stage == 0 ? start->component(0) : after(inks, step, stage - 1, k).component(0);
    carry.inks[i] = {is_last ? start->component(0) : values, values, after(inks, step, stage, k).component(0)};
  }
  for_each("sparse::incompressible::carry_ink", others, carry);
  for (int i = 0; i < Count && has_groups; ++i)
    parallel_for(grid_.context(), "sparse::incompressible::carry_ink_in_groups", groups.begins.size() - 1,
                 CarryInkInGroups<T, Dim, spreads>{grid_.body().view(), groups.cells.data(), groups.begins.data(),
                                                   carry.stage, carry.inks[i], carry.conductance[spreads ? i : 0]});
}

template <class T, int Dim>
void InkTransport<T, Dim>::make_room(std::size_t count) {
  for (std::size_t k = between_.size(); k < count; ++k) between_.emplace_back("ink", grid_.storage(), 1, 0);
  joined_.resize(between_.size());
}

template <class T, int Dim>
void InkTransport<T, Dim>::take_stage(std::vector<Ink> const& inks, Step const& step, int stage) {
  make_room(inks.size());
  auto const spreads = [](Ink const& ink) { return ink.diffusivity > 0; };
  if (std::none_of(inks.begin(), inks.end(), spreads)) {
    std::size_t k = 0;
    for (; k + 3 <= inks.size(); k += 3) run<3, false>(inks, k, step, stage);
    for (; k < inks.size(); ++k) run<1, false>(inks, k, step, stage);
    return;
  }
  for (std::size_t k = 0; k < inks.size(); ++k)
    spreads(inks[k]) ? run<1, true>(inks, k, step, stage) : run<1, false>(inks, k, step, stage);
}

template <class T, int Dim>
int InkTransport<T, Dim>::operator()(std::vector<Ink> const& inks, Field<T, Dim> const& velocity,
                                     Field<T, Dim> const& velocity_after, double time_step) {
  ProfilingRegion const region("sparse::incompressible::ink");
  for (Ink const& ink : inks) {
    grid_.expect_stored(ink.values, 1, "ink");
    grid_.expect_stored(ink.to, 1, "result of transport");
    expects(ink.to.view().data != ink.values.view().data,
            "incompressible: the result of transport must be another field");
    expects(std::isfinite(ink.diffusivity) && ink.diffusivity >= 0,
            "incompressible: a diffusivity must not be negative");
  }
  grid_.expect_stored(velocity, Dim, "velocity");
  grid_.expect_stored(velocity_after, Dim, "velocity");
  expects(std::isfinite(time_step) && time_step >= 0, "incompressible: the time step must not be negative");
  double rate = greatest_rate(inks, velocity);
  if (velocity_after.view().data != velocity.view().data) rate = std::max(rate, greatest_rate(inks, velocity_after));
  rate = grid_.body().greatest(rate);
  Step const step{velocity, velocity_after, time_step, stage_count(rate + greatest_rate(inks), time_step)};
  for (int stage = 0; stage < step.stage_count; ++stage) {
    take_stage(inks, step, stage);
    if (!grid_.is_shared()) continue;
    for (std::size_t k = 0; k < inks.size(); ++k) grid_.exchange(after(inks, step, stage, k));
  }
  return step.stage_count;
}

template class InkTransport<float, 2>;
template class InkTransport<float, 3>;
template class InkTransport<double, 2>;
template class InkTransport<double, 3>;

}  // namespace sparse::incompressible
