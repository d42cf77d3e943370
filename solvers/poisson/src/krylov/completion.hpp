#pragma once
/// Estimates in place of what options leave open.

#include <algorithm>

#include "any_solver.hpp"

namespace sparse::poisson::detail {

template <class T, int Dim, class Any>
void estimate(AnyMatrix<T, Dim> const&, Any&) {}
template <class T, int Dim>
void estimate(AnyMatrix<T, Dim> const& matrix, Chebyshev& method) {
  if (method.least_eigenvalue) return;
  method.least_eigenvalue = std::min(estimate_least_eigenvalue(matrix), 0.9 * method.greatest_eigenvalue);
}

}  // namespace sparse::poisson::detail
