/// Full multigrid: the solution of each level as the guess for the next finer one.

#include <algorithm>

#include "hierarchy.hpp"
#include "transfers.hpp"

namespace sparse::poisson::detail {
namespace {

/// What quadratic interpolation along each axis adds for the children on each side. At walls this is linear
/// extrapolation, which is right for all boundary values.
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
      // The parabola through three points. Where one is missing, the slope to the other one is taken.
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

}  // namespace

template <class T, int Dim>
template <class Body>
void Hierarchy<T, Dim>::on_cells(std::size_t l, Body const& body) const {
  parallel_for(levels_[0].matrix.context(), "sparse::poisson::full_multigrid", levels_[l].matrix.cell_count(), body);
}

template <class T, int Dim>
template <class B>
void Hierarchy<T, Dim>::restrict_values(std::size_t l, B const* from, T* zero, T* to) const {
  auto const& fine = levels_[l].matrix;
  on_cells(l, Clear<T>{zero});
  Pipeline pipeline;
  pipeline.add(RestrictResidual<T, B, Dim>{
      fine.view(), fine.groups().data(), from, zero, to, {}, levels_[l + 1].matrix.cell_count()});
  pipeline.run(fine.context(), fine.chain());
}

template <class T, int Dim>
Buffer<T> Hierarchy<T, Dim>::dirichlet_parts(std::size_t l) const {
  auto const& matrix = levels_[l].matrix;
  Buffer<T> parts(matrix.context(), matrix.cell_count());
  Pipeline pipeline;
  pipeline.add(cell_stage(matrix, DirichletParts<T>{parts.data()}));
  pipeline.run(matrix.context(), matrix.chain());
  return parts;
}

/// Sources go to coarser levels as means over the children.
template <class T, int Dim>
template <class B>
void Hierarchy<T, Dim>::restrict_right_side(B const* b, T* x) const {
  for (std::size_t l = 0; l + 1 < levels_.size(); ++l) {
    T* const coarse = levels_[l + 1].b.data();
    if (l == 0)
      restrict_values(l, b, x, coarse);
    else
      restrict_values(l, static_cast<T const*>(levels_[l].b.data()), levels_[l].x.data(), coarse);
    remove_means(l + 1, coarse);
  }
}

/// Adds to right-hand sides of coarser levels what comes from Dirichlet faces: means over the children, scaled like the
/// couplings through these faces, which are further away from a parent's centre than from a child's.
template <class T, int Dim>
template <class B>
void Hierarchy<T, Dim>::add_boundary(B const* boundary, T* x) const {
  auto const context = levels_[0].matrix.context();
  Buffer<T> fine, fine_parts = dirichlet_parts(0);
  for (std::size_t l = 0; l + 1 < levels_.size(); ++l) {
    Index const count = levels_[l + 1].matrix.cell_count();
    T* const zero = l == 0 ? x : levels_[l].x.data();
    Buffer<T> coarse(context, count), known(context, count);
    if (l == 0)
      restrict_values(l, boundary, zero, coarse.data());
    else
      restrict_values(l, static_cast<T const*>(fine.data()), zero, coarse.data());
    restrict_values(l, static_cast<T const*>(fine_parts.data()), zero, known.data());
    fine_parts = dirichlet_parts(l + 1);
    on_cells(l + 1, AddRescaled<T>{coarse.data(), levels_[l + 1].b.data(), fine_parts.data(), known.data()});
    fine = coarse;
  }
}

template <class T, int Dim>
void Hierarchy<T, Dim>::interpolate_solution(std::size_t l, T* x) const {
  auto const& coarse = levels_[l + 1];
  auto const& fine = levels_[l].matrix;
  auto const sides = coarse.arm_values();
  Pipeline slopes, prolong;
  slopes.add(cell_stage(coarse.matrix, QuadraticSlopes<T, Dim>{coarse.x.data(), sides, coarse.offset_values()}));
  slopes.run(fine.context(), coarse.matrix.chain());
  prolong.add(Prolong<T, Dim, false>{fine.view(), fine.groups().data(), x, coarse.x.data(), sides});
  prolong.run(fine.context(), fine.chain());
}

template <class T, int Dim>
template <class B>
void Hierarchy<T, Dim>::full_multigrid(B const* b, B const* boundary, T* x, int cycles) {
  restrict_right_side(b, x);
  Buffer<B> sum;
  if (boundary != nullptr) {
    sum = Buffer<B>(levels_[0].matrix.context(), levels_[0].matrix.cell_count());
    on_cells(0, Add<B>{b, boundary, sum.data()});
    add_boundary(boundary, x);
  }
  B const* const right = boundary != nullptr ? sum.data() : b;

  auto const improve = [&](std::size_t l, bool from_zero) {
    if (l == 0)
      cycle_from<B>(l, right, x, from_zero);
    else
      cycle_from<T>(l, levels_[l].b.data(), levels_[l].x.data(), from_zero);
  };
  auto const options = options_;
  options_.cycle = Cycle::w;
  make_linear();
  std::size_t const last = levels_.size() - 1;
  // One cycle may not solve the coarsest level: it may be large where cells are alone, or have parts below it.
  constexpr Index least_rounds = 1, most_rounds = 64, part_rounds = 8;
  Index const rounds =
      parts_.is_empty() ? std::clamp(levels_[last].matrix.cell_count() / 16, least_rounds, most_rounds) : part_rounds;
  for (Index round = 0; round < rounds; ++round) improve(last, round == 0);
  for (std::size_t l = last; l-- > 0;) {
    interpolate_solution(l, l == 0 ? x : levels_[l].x.data());
    for (int k = 0; k < cycles; ++k) improve(l, false);
  }
  options_ = options;
  uses_linear_ = options.interpolation == Interpolation::linear;
}

#define SPARSE_DEFINE(T, B, Dim) template void Hierarchy<T, Dim>::full_multigrid(B const*, B const*, T*, int);
SPARSE_DEFINE(float, float, 2)
SPARSE_DEFINE(float, float, 3)
SPARSE_DEFINE(float, double, 2)
SPARSE_DEFINE(float, double, 3)
SPARSE_DEFINE(double, double, 2)
SPARSE_DEFINE(double, double, 3)
#undef SPARSE_DEFINE

}  // namespace sparse::poisson::detail
