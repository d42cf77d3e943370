/// The least eigenvalue of a matrix: SOR and Chebyshev's iteration need it.

#include <algorithm>
#include <cmath>
#include <vector>

#include <sparse/fields/algebra.hpp>

#include "any_solver.hpp"
#include "kernels.hpp"

namespace sparse::poisson::detail {
namespace {

/// Values between -1 and 1 that look random.
template <class T>
struct Scatter {
  T* x;
  KOKKOS_FUNCTION void operator()(Index i) const {
    auto hash = static_cast<std::uint32_t>(i) * 2654435761u + 12345u;
    hash = (hash ^ (hash >> 15)) * 2246822519u;
    hash ^= hash >> 13;
    x[i] = static_cast<T>(hash) / T(2147483648.0) - T(1);
  }
};

/// The least eigenvalue of a symmetric tridiagonal matrix, by bisection.
double least_eigenvalue(std::vector<double> const& diagonal, std::vector<double> const& beside) {
  double lower = 0, upper = diagonal[0];
  for (double const entry : diagonal) upper = std::min(upper, entry);
  for (int halving = 0; halving < 60; ++halving) {
    double const middle = 0.5 * (lower + upper);
    bool has_smaller = false;  // than `middle`: a pivot is negative
    double pivot = 1;
    for (std::size_t i = 0; i < diagonal.size() && !has_smaller; ++i) {
      pivot = diagonal[i] - middle - (i == 0 ? 0 : beside[i - 1] * beside[i - 1] / pivot);
      has_smaller = pivot <= 0;
    }
    (has_smaller ? upper : lower) = middle;
  }
  return upper;
}

}  // namespace

template <class T, int Dim>
double estimate_least_eigenvalue(Matrix<T, Dim> const& matrix) {
  constexpr int step_limit = 2000;
  constexpr double safety = 0.95;
  auto const& level = matrix.couplings();
  auto const context = level.context();
  auto const chain = level.chain();
  Field<T, Dim> r("residual", matrix.cells()), x("solution", matrix.cells());
  parallel_for(context, "sparse::poisson::scatter", level.cell_count(), Scatter<T>{r.view().data});
  fill(x, 0);
  matrix.remove_means(r);
  Buffer<T> const p(context, level.cell_count());
  T* const residual = r.view().data;

  GroupSums first(chain);
  Pipeline begin;
  begin.add(sum_stage(level, first, ResidualSums<T, true>{residual}));
  begin.run(context, chain);
  double const rz_first = first.total(0);
  double rz = rz_first, beta = 0, last_alpha = 0;
  std::vector<double> diagonal, beside;
  for (int step = 0; step < step_limit && rz > 1e-10 * rz_first; ++step) {
    GroupSums curvature(chain), sums(chain);
    Pipeline direct, advance;
    direct.add(cell_stage(level, Direction<T, true>{residual, p.data(), static_cast<T>(beta), step == 0}));
    direct.add(sum_stage(level, curvature, Curvature<T>{p.data()}));
    direct.run(context, chain);
    double const pq = curvature.total(0), alpha = rz / pq;
    if (!(pq > 0)) break;
    diagonal.push_back(1 / alpha + (step == 0 ? 0 : beta / last_alpha));
    if (step > 0) beside.push_back(std::sqrt(beta) / last_alpha);
    advance.add(cell_stage(level, Advance<T>{p.data(), x.view().data, residual, static_cast<T>(alpha)}));
    advance.add(sum_stage(level, sums, ResidualSums<T, true>{residual}));
    advance.run(context, chain);
    beta = sums.total(0) / rz;
    rz = sums.total(0);
    last_alpha = alpha;
  }
  if (diagonal.empty()) return 1;  // the only right-hand side is 0
  return safety * std::min(1.0, least_eigenvalue(diagonal, beside));
}

template double estimate_least_eigenvalue(Matrix<float, 2> const&);
template double estimate_least_eigenvalue(Matrix<float, 3> const&);
template double estimate_least_eigenvalue(Matrix<double, 2> const&);
template double estimate_least_eigenvalue(Matrix<double, 3> const&);

}  // namespace sparse::poisson::detail
