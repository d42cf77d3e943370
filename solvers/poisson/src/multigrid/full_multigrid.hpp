#pragma once
/// Full multigrid: the solution of each level as the guess for the next finer one.

#include <algorithm>
#include <type_traits>

#include <sparse/poisson/multigrid.hpp>
#include <sparse/poisson/transfers.hpp>

namespace sparse::poisson::detail {

/// What quadratic interpolation along each axis adds for the children on each side; at walls, linear extrapolation,
/// which holds whatever is given there.
template <class T, int Dim>
struct QuadraticSlopes {
  T const* x;
  ArmValues<T> sides, offsets;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    Index const cell = rows.run.first + step;
    T const here = x[cell];
    SPARSE_UNROLL
    for (int arm = 0; arm < 2 * Dim; arm += 2) {
      T const below = offsets.of(2 * Dim + arm)[cell], above = offsets.of(2 * Dim + arm + 1)[cell];
      T const lower = below > 0 ? (here - x[cell + rows.run.offset[arm]]) / below : T(0);
      T const upper = above > 0 ? (x[cell + rows.run.offset[arm + 1]] - here) / above : T(0);
      // the parabola through three points; a missing one's slope is that on the other side
      T slope = lower + upper, curvature = 0;
      if (below > 0 && above > 0) {
        curvature = (upper - lower) / (below + above);
        slope = lower + below * curvature;
      }
      T const down = offsets.of(arm)[cell], up = offsets.of(arm + 1)[cell];
      sides.of(arm)[cell] = down * (down * curvature - slope);
      sides.of(arm + 1)[cell] = up * (up * curvature + slope);
    }
  }
};

/// to = a + b, value by value
template <class T>
struct Add {
  T const *a, *b;
  T* to;
  KOKKOS_FUNCTION void operator()(Index i) const { to[i] = a[i] + b[i]; }
};

/// to = what Dirichlet faces add to the diagonal
template <class T>
struct DirichletParts {
  T* to;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    to[rows.run.first + step] = rows.dirichlet_part(step);
  }
};

/// values *= wanted / known, value by value, and b += the result
template <class T>
struct AddRescaled {
  T *values, *b;
  T const *wanted, *known;
  KOKKOS_FUNCTION void operator()(Index i) const {
    values[i] *= known[i] > 0 ? wanted[i] / known[i] : T(0);
    b[i] += values[i];
  }
};

/// See Multigrid::full_multigrid. Sources go to coarser levels as means over the children. So does what comes from
/// Dirichlet faces, but scaled like the couplings through them: these are further away from a parent's centre than from
/// a child's.
/// Whatever the options, cycles are W-cycles with linear interpolation: V-cycles, and constant interpolation in 3D,
/// leave so much of smooth errors that these grow from level to level in units of the discretisation's.
/// @param impl  the levels and their cycles
template <int Dim, class Impl, class B, class T>
void full_multigrid(Impl& impl, B const* b, B const* boundary, T* x, int cycles) {
  auto& levels = impl.levels;
  auto const context = levels[0].matrix.context();
  auto const on_cells = [&](std::size_t l, auto const& body) {
    parallel_for(context, "sparse::poisson::full_multigrid", levels[l].matrix.cell_count(), body);
  };
  auto const restrict_from = [&](std::size_t l, auto const* from, T* to) {
    auto const& fine = levels[l].matrix;
    T* const zero = l == 0 ? x : levels[l].x.data();
    on_cells(l, Clear<T>{zero});
    Pipeline pipeline;
    pipeline.add(RestrictResidual<T, std::remove_cvref_t<decltype(*from)>, Dim>{
        fine.view(), fine.groups().data(), from, zero, to, {}, levels[l + 1].matrix.cell_count()});
    pipeline.run(context, fine.chain());
  };
  auto const dirichlet_parts = [&](std::size_t l) {
    auto const& matrix = levels[l].matrix;
    Buffer<T> parts(context, matrix.cell_count());
    Pipeline pipeline;
    pipeline.add(cell_stage(matrix, DirichletParts<T>{parts.data()}));
    pipeline.run(context, matrix.chain());
    return parts;
  };
  std::size_t const last = levels.size() - 1;
  for (std::size_t l = 0; l < last; ++l) {
    T* const coarse = levels[l + 1].b.data();
    if (l == 0)
      restrict_from(l, b, coarse);
    else
      restrict_from(l, static_cast<T const*>(levels[l].b.data()), coarse);
    impl.remove_means(l + 1, coarse);
  }
  Buffer<B> sum;
  if (boundary != nullptr) {
    sum = Buffer<B>(context, levels[0].matrix.cell_count());
    on_cells(0, Add<B>{b, boundary, sum.data()});
    Buffer<T> fine, fine_parts = dirichlet_parts(0);
    for (std::size_t l = 0; l < last; ++l) {
      Index const count = levels[l + 1].matrix.cell_count();
      Buffer<T> coarse(context, count), known(context, count);
      if (l == 0)
        restrict_from(l, boundary, coarse.data());
      else
        restrict_from(l, static_cast<T const*>(fine.data()), coarse.data());
      restrict_from(l, static_cast<T const*>(fine_parts.data()), known.data());
      fine_parts = dirichlet_parts(l + 1);
      on_cells(l + 1, AddRescaled<T>{coarse.data(), levels[l + 1].b.data(), fine_parts.data(), known.data()});
      fine = coarse;
    }
  }
  B const* const right = boundary != nullptr ? sum.data() : b;

  auto const cycle = [&](std::size_t l, bool from_zero) {
    if (l == 0)
      impl.template cycle<B>(l, right, x, from_zero);
    else
      impl.template cycle<T>(l, levels[l].b.data(), levels[l].x.data(), from_zero);
  };
  auto const options = impl.options;
  impl.options.cycle = Cycle::w;
  impl.make_linear();
  // Odd periods may have left a coarsest level that is not solved in one go, and parts do not solve it in one either.
  constexpr Index least_rounds = 1, most_rounds = 64, part_rounds = 8;
  Index const rounds = impl.parts.is_empty()
                           ? std::clamp(levels[last].matrix.cell_count() / 16, least_rounds, most_rounds)
                           : part_rounds;
  for (Index round = 0; round < rounds; ++round) cycle(last, round == 0);
  for (std::size_t l = last; l-- > 0;) {
    auto const& coarse = levels[l + 1];
    auto const& fine = levels[l].matrix;
    auto const sides = coarse.arm_values();
    Pipeline slopes, prolong;
    slopes.add(cell_stage(coarse.matrix, QuadraticSlopes<T, Dim>{coarse.x.data(), sides, coarse.offset_values()}));
    slopes.run(context, coarse.matrix.chain());
    prolong.add(Prolong<T, Dim, false>{fine.view(), fine.groups().data(), l == 0 ? x : levels[l].x.data(),
                                       coarse.x.data(), sides});
    prolong.run(context, fine.chain());
    for (int k = 0; k < cycles; ++k) cycle(l, false);
  }
  impl.options = options;
  impl.uses_linear = options.interpolation == Interpolation::linear;
}

}  // namespace sparse::poisson::detail
