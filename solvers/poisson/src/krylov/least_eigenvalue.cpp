/// The least eigenvalue of a matrix: SOR and Chebyshev's iteration need it.

#include <algorithm>
#include <cmath>
#include <vector>

#include <sparse/fields/algebra.hpp>

#include "any_solver.hpp"

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
double estimate_least_eigenvalue(AnyMatrix<T, Dim> const& matrix) {
  constexpr int step_limit = 2000;
  constexpr double safety = 0.95;
  auto const context = matrix.context();
  auto const chain = matrix.chain();
  Index const cell_count = matrix.cells().cell_count();
  Field<T, Dim> r("residual", matrix.cells()), x("solution", matrix.cells());
  parallel_for(context, "sparse::poisson::scatter", cell_count, Scatter<T>{r.view().data});
  fill(x, 0);
  matrix.remove_means(r);
  Buffer<T> const p(context, cell_count);
  T* const residual = r.view().data;

  GroupSums first(chain);
  Pipeline begin;
  matrix.add(begin, first, ResidualSums<T, true>{residual});
  matrix.run(begin);
  double const rz_first = first.total(0);
  double rz = rz_first, beta = 0, last_alpha = 0;
  std::vector<double> diagonal, beside;
  for (int step = 0; step < step_limit && rz > 1e-10 * rz_first; ++step) {
    GroupSums curvature(chain), sums(chain);
    Pipeline direct, advance;
    matrix.add(direct, Direction<T, true>{residual, p.data(), static_cast<T>(beta), step == 0});
    matrix.add(direct, curvature, Curvature<T>{p.data()});
    matrix.run(direct);
    double const pq = curvature.total(0), alpha = rz / pq;
    if (!(pq > 0)) break;
    diagonal.push_back(1 / alpha + (step == 0 ? 0 : beta / last_alpha));
    if (step > 0) beside.push_back(std::sqrt(beta) / last_alpha);
    matrix.add(advance, Advance<T>{p.data(), x.view().data, residual, static_cast<T>(alpha)});
    matrix.add(advance, sums, ResidualSums<T, true>{residual});
    matrix.run(advance);
    beta = sums.total(0) / rz;
    rz = sums.total(0);
    last_alpha = alpha;
  }
  if (diagonal.empty()) return 1;  // the only right-hand side is 0
  return safety * std::min(1.0, least_eigenvalue(diagonal, beside));
}

template double estimate_least_eigenvalue(AnyMatrix<float, 2> const&);
template double estimate_least_eigenvalue(AnyMatrix<float, 3> const&);
template double estimate_least_eigenvalue(AnyMatrix<double, 2> const&);
template double estimate_least_eigenvalue(AnyMatrix<double, 3> const&);

}  // namespace sparse::poisson::detail
