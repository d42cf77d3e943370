#pragma once
/// The work of a sweep in one tile.

#include <type_traits>

#include <sparse/amr/law.hpp>
#include <sparse/amr/sweep/diffusion.hpp>
#include <sparse/amr/sweep/flush_subnormals.hpp>
#include <sparse/amr/sweep/values.hpp>
#include <sparse/amr/sweep/wave_rate.hpp>

namespace sparse::amr {

/// Calls `body(flux)`. For a choice of fluxes (see `NumericalFlux`), calls it with the chosen one, so that loops do not
/// test for each cell.
template <class Flux, class Body>
KOKKOS_FORCEINLINE_FUNCTION void with_flux(Flux const& flux, Body const& body) {
  if constexpr (requires { flux.visit(body); })
    flux.visit(body);
  else
    body(flux);
}

/// The kernel of a sweep: a team runs the loops of one tile, in the order of the plan.
template <class Flux, int Dim>
struct SweepTile {
  using T = typename Flux::Scalar;
  using Law = typename Flux::Law;
  using State = typename Law::State;
  /// Bits of rates, ordered as the rates are; values of cells.
  using Bits = OrderedBits<T>;
  using Cells = FieldView<T>;
  /// Components, and numbers in a vector register.
  static constexpr int N = Law::component_count, lanes = vector_lanes<T>;
  /// The memory of a team.
  using Scratch = SweepScratch<T, N, Dim>;

  /// What to compute, the loops of each tile, the order of tiles, and where the greatest rates go.
  SweepValues<Flux, Dim> values;
  Index const *starts, *order;
  SweepLoop const* loops;
  Bits* rates;  // greatest rate of each tile's new states

  /// Runs all loops of the member's tile.
  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& member) const {
    FlushSubnormals const while_sweeping;
    Index const tile = order[member.league_rank()];
    constexpr std::size_t bytes = Scratch::bytes;  // a local copy, because nvcc cannot refer to static members
    Scratch const scratch(member.team_scratch(1).get_shmem_aligned(bytes - 64, 64));
    Bits rate = 0;
    Index const end = starts[tile + 1];
    for (Index i = starts[tile]; i < end; ++i) {
      SweepLoop const loop = loops[i];
      if constexpr (is_host_backend) {
        constexpr Index ahead = 24;
        if (i + ahead < end) fetch(loops[i + ahead]);
      }
      switch (loop.kind) {
      case SweepLoop::load:
        load(member, loop, scratch);
        break;
      case SweepLoop::predict:
      case SweepLoop::predict_minmod:
        predict(member, loop, scratch);
        break;
      case SweepLoop::record_coarse:
        record(member, loop, scratch, values.coarse_register[loop.axis]);
        break;
      case SweepLoop::record_fine:
        record(member, loop, scratch, values.fine_register[loop.axis]);
        break;
      case SweepLoop::update:
        update(member, loop, scratch, rate);
        break;
      default:
        if (loop.axis == 0) at_faces_of<0>(member, loop, scratch);
        if (loop.axis == 1) at_faces_of<1>(member, loop, scratch);
        if constexpr (Dim == 3)
          if (loop.axis == 2) at_faces_of<2>(member, loop, scratch);
      }
    }
    if (is_host_backend) {
      rates[tile] = rate;
    } else {
      Bits greatest = 0;
      Kokkos::parallel_reduce(
          Kokkos::TeamThreadRange(member, member.team_size()),
          [&](int, Bits& partial) { partial = partial < rate ? rate : partial; }, Kokkos::Max<Bits>(greatest));
      Kokkos::single(Kokkos::PerTeam(member), [&] { rates[tile] = greatest; });
    }
  }

  /// Prefetches for a short loop. Rows of coarse levels are short, lie apart, and have left the caches since the last
  /// step. Processors foresee only long rows.
  KOKKOS_FORCEINLINE_FUNCTION void fetch(SweepLoop const& loop) const {
    constexpr int longest = 64;
    if (loop.count > longest) return;
    if (loop.kind == SweepLoop::load) fetch<false>(values.in, loop);
    if (loop.kind == SweepLoop::update) fetch<true>(values.out, loop);
    if (loop.kind == SweepLoop::record_coarse) fetch<true>(values.coarse_register[loop.axis], loop);
    if (loop.kind == SweepLoop::record_fine) fetch<true>(values.fine_register[loop.axis], loop);
  }
  template <bool writes, class AnyCells>
  KOKKOS_FORCEINLINE_FUNCTION static void fetch(AnyCells const& cells, SweepLoop const& loop) {
    if (cells.data == nullptr) return;
    for (int c = 0; c < N; ++c)
      for (int i = 0; i < loop.count; i += lanes) __builtin_prefetch(&cells(c, loop.offset + i), writes);
  }

  /// The steps of a tile, each a kind of loop: states into scratch; slopes and values at half a step.
  template <class Member>
  KOKKOS_FUNCTION void load(Member const& member, SweepLoop const& loop, Scratch const& scratch) const {
    auto const in = values.in;
    Cells const w = scratch.primitives(loop);
    Law const law = values.flux.law;
    // Loading may run over the end: fields end with at least one vector beyond the last cell.
    along(member, whole_vectors<T>(loop.count),
          [=](int i) SPARSE_INLINE_LAMBDA { w.store(i, law.primitive(in.template load<N>(loop.offset + i))); });
  }

  /// Slopes, and primitive values at half the step.
  template <class Member>
  KOKKOS_FUNCTION void predict(Member const& member, SweepLoop const& loop, Scratch const& scratch) const {
    bool const replaces = loop.kind == SweepLoop::predict_minmod;
    if (values.reconstruction == Reconstruction::constant) return;
    if (replaces && values.limiter == Limiter::minmod) return;  // they have this limiter already
    bool const is_hancock = values.reconstruction == Reconstruction::hancock;
    auto const with = [&](auto kind) {
      if (is_hancock)
        predict_with<decltype(kind)::value, true>(member, loop, scratch);
      else
        predict_with<decltype(kind)::value, false>(member, loop, scratch);
    };
    switch (replaces ? Limiter::minmod : values.limiter) {
    case Limiter::minmod:
      with(std::integral_constant<Limiter, Limiter::minmod>());
      break;
    case Limiter::van_leer:
      with(std::integral_constant<Limiter, Limiter::van_leer>());
      break;
    case Limiter::mc:
      with(std::integral_constant<Limiter, Limiter::mc>());
      break;
    }
  }

  /// `predict` with one limiter.
  template <Limiter limiter, bool is_hancock, class Member>
  KOKKOS_FUNCTION void predict_with(Member const& member, SweepLoop const& loop, Scratch const& scratch) const {
    Cells const w = scratch.primitives(loop), half = scratch.halves(loop);
    Vec<Cells, Dim> below, above, slope;
    for (int axis = 0; axis < Dim; ++axis) {
      below[axis] = scratch.primitives(loop, axis, -1);
      above[axis] = scratch.primitives(loop, axis, 1);
      slope[axis] = scratch.slopes(axis, loop);
    }
    Law const law = values.flux.law;
    Vec<T, Dim> const part = (T(0.5) * values.dt) * values.inverse_spacing;
    // A loop that replaces slopes must not run over its end.
    int const count = loop.kind == SweepLoop::predict ? whole_vectors<T>(loop.count) : loop.count;
    along(member, count, [=](int i) SPARSE_INLINE_LAMBDA {
      State const here = w.template load<N>(i);
      Vec<State, Dim> difference;
      SPARSE_UNROLL
      for (int axis = 0; axis < Dim; ++axis) {
        State const before = below[axis].template load<N>(i), after = above[axis].template load<N>(i);
        SPARSE_UNROLL
        for (int c = 0; c < N; ++c) difference[axis][c] = limited<limiter>(here[c] - before[c], after[c] - here[c]);
      }
      if constexpr (is_hancock) {
        State const later = here + change_over(law, here, difference, part);
        // If its faces would get impossible states, a cell keeps its mean.
        State lowest = later;
        SPARSE_UNROLL
        for (int c = 0; c < N; ++c) {
          T greatest = 0;
          SPARSE_UNROLL
          for (int axis = 0; axis < Dim; ++axis) {
            T const size = difference[axis][c] < 0 ? -difference[axis][c] : difference[axis][c];
            greatest = greatest < size ? size : greatest;
          }
          lowest[c] -= T(0.5) * greatest;
        }
        bool const is_possible = law.is_admissible(lowest);
        SPARSE_UNROLL
        for (int c = 0; c < N; ++c) {
          half(c, i) = is_possible ? later[c] : here[c];
          SPARSE_UNROLL
          for (int axis = 0; axis < Dim; ++axis) slope[axis](c, i) = is_possible ? difference[axis][c] : T(0);
        }
      } else {
        SPARSE_UNROLL
        for (int axis = 0; axis < Dim; ++axis) slope[axis].store(i, difference[axis]);
      }
    });
  }

  /// The change of primitive variables in half a step; `part` is half a step over the cell width.
  KOKKOS_FORCEINLINE_FUNCTION static State change_over(Law const& law, State const& w,
                                                       Vec<State, Dim> const& difference, Vec<T, Dim> const& part) {
    if constexpr (requires(Vec<State, Dim> const& slopes_of) { law.change(w, slopes_of); }) {
      Vec<State, Dim> scaled;
      SPARSE_UNROLL
      for (int axis = 0; axis < Dim; ++axis) scaled[axis] = part[axis] * difference[axis];
      return law.change(w, scaled);
    } else {
      State u = law.conserved(w);
      SPARSE_UNROLL
      for (int axis = 0; axis < Dim; ++axis)
        u += part[axis] *
             (law.flux(w - T(0.5) * difference[axis], axis) - law.flux(w + T(0.5) * difference[axis], axis));
      return law.primitive(u) - w;
    }
  }

  /// States at faces, and the fluxes of them.
  template <int axis, class Member>
  KOKKOS_FUNCTION void at_faces_of(Member const& member, SweepLoop const& loop, Scratch const& scratch) const {
    bool const is_half_later = values.reconstruction == Reconstruction::hancock;
    Cells const below = is_half_later ? scratch.halves(loop, axis, -1) : scratch.primitives(loop, axis, -1);
    Cells const above = is_half_later ? scratch.halves(loop) : scratch.primitives(loop);
    if (values.reconstruction == Reconstruction::constant)
      at_faces_with<axis, false>(member, loop, scratch, below, above);
    else
      at_faces_with<axis, true>(member, loop, scratch, below, above);
    if constexpr (is_diffusive<Law>) {
      if (loop.kind == SweepLoop::flux)
        diffuse<axis>(member, loop, scratch, values.flux.law, values.inverse_spacing);
      else
        diffuse_at_walls<axis>(member, loop, scratch, values.flux.law, values.inverse_spacing);
    }
  }

  /// The same for one flux.
  template <int axis, bool has_slopes, class Member>
  KOKKOS_FUNCTION void at_faces_with(Member const& member, SweepLoop const& loop, Scratch const& scratch,
                                     Cells const& below, Cells const& above) const {
    Cells const slope_below = scratch.slopes(axis, loop, axis, -1), slope_above = scratch.slopes(axis, loop),
                out = scratch.fluxes(axis, loop);
    auto const left = [=](int i) SPARSE_INLINE_LAMBDA {
      State w = below.template load<N>(i);
      if constexpr (has_slopes) w += T(0.5) * slope_below.template load<N>(i);
      return w;
    };
    auto const right = [=](int i) SPARSE_INLINE_LAMBDA {
      State w = above.template load<N>(i);
      if constexpr (has_slopes) w -= T(0.5) * slope_above.template load<N>(i);
      return w;
    };
    with_flux(values.flux, [&](auto const flux) {
      if (loop.kind == SweepLoop::flux) {
        along(member, whole_vectors<T>(loop.count),
              [=](int i) SPARSE_INLINE_LAMBDA { out.store(i, flux(left(i), right(i), axis)); });
      } else if (loop.kind == SweepLoop::wall_below) {
        along(member, loop.count, [=](int i) SPARSE_INLINE_LAMBDA {
          State const w = right(i);
          out.store(i, flux(flux.law.mirrored(w, axis, T(-1)), w, axis));
        });
      } else {
        along(member, loop.count, [=](int i) SPARSE_INLINE_LAMBDA {
          State const w = left(i);
          out.store(i, flux(w, flux.law.mirrored(w, axis, T(-1)), axis));
        });
      }
    });
  }

  /// Adds fluxes to registers.
  template <class Member>
  KOKKOS_FUNCTION void record(Member const& member, SweepLoop const& loop, Scratch const& scratch,
                              Cells const& face_register) const {
    if (face_register.data == nullptr) return;
    Cells const flux = scratch.fluxes(loop.axis, loop);
    T const weight = values.record_weight;
    along(member, loop.count, [=](int i) SPARSE_INLINE_LAMBDA {
      SPARSE_UNROLL
      for (int c = 0; c < N; ++c) face_register(c, loop.offset + i) += weight * flux(c, i);
    });
  }

  /// New states of cells, and the greatest wave rate of them.
  template <class Member>
  KOKKOS_FUNCTION void update(Member const& member, SweepLoop const& loop, Scratch const& scratch, Bits& rate) const {
    Vec<Cells, Dim> below, above;
    for (int axis = 0; axis < Dim; ++axis) {
      below[axis] = scratch.fluxes(axis, loop);
      above[axis] = scratch.fluxes(axis, loop, axis, 1);
    }
    Law const law = values.flux.law;
    auto const inverse_spacing = values.inverse_spacing;
    Vec<T, Dim> const dt_over_dx = values.dt * inverse_spacing;
    auto const in = values.in, base = values.base;
    Cells const out = values.out;
    T const base_weight = values.base_weight, in_weight = values.in_weight;
    Bits greatest = rate;
    auto const next = [=](int i) SPARSE_INLINE_LAMBDA {
      State value = in.template load<N>(loop.offset + i);
      SPARSE_UNROLL
      for (int axis = 0; axis < Dim; ++axis)
        value += dt_over_dx[axis] * (below[axis].template load<N>(i) - above[axis].template load<N>(i));
      return value;
    };
    auto const weighted = [=](int i) SPARSE_INLINE_LAMBDA {
      return base_weight * base.template load<N>(loop.offset + i) + in_weight * next(i);
    };
    auto const run = [&](int first, int count, Cells const& to, Bits counted) SPARSE_INLINE_LAMBDA {
      auto const keep = [&](int i, State const& value) SPARSE_INLINE_LAMBDA {
        to.store(i, value);
        Bits const bits = wave_rate_bits(law, law.primitive(value), inverse_spacing);
        Bits const of_cell = static_cast<Bits>(i) < counted ? bits : Bits(0);
        greatest = of_cell > greatest ? of_cell : greatest;
      };
      if (base_weight == 0)
        along(member, count, [&](int i) SPARSE_INLINE_LAMBDA { keep(i, next(first + i)); });
      else
        along(member, count, [&](int i) SPARSE_INLINE_LAMBDA { keep(i, weighted(first + i)); });
    };
    auto const out_at = [&](int first) { return Cells{out.data + loop.offset + first, out.stride}; };
    int const whole = is_host_backend ? loop.count & ~(lanes - 1) : loop.count;
    if (whole > 0) run(0, whole, out_at(0), whole);
    if (is_host_backend && whole < loop.count) {
      int const last = loop.count - lanes;
      if (last > 0) {  // the last vector computes some cells twice; it reads nothing that this loop writes
        run(last, lanes, out_at(last), lanes);
      } else {
        T few[N * lanes];
        run(0, lanes, {few, lanes}, loop.count);
        SPARSE_UNROLL
        for (int c = 0; c < N; ++c)
          for (int i = 0; i < loop.count; ++i) out(c, loop.offset + i) = few[c * lanes + i];
      }
    }
    rate = greatest;
  }
};

}  // namespace sparse::amr
