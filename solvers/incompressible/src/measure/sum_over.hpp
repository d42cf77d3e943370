#pragma once
/// Sums over the cells or faces of all ranks.

#include <string>

#include <sparse/distributed/order_free_sums.hpp>

#include "grid/body.hpp"
#include "grid/ranks.hpp"

namespace sparse::incompressible::detail {

/// The only term of a cell.
template <class Body>
struct OneTerm {
  Body body;
  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point const& point, Vec<double, 1>& terms) const {
    body(point, terms[0]);
  }
};

/// The sum that `body(point, sum)` adds to at the points of a plan, each of which one rank counts. With exact sums it
/// does not depend on the number of ranks. Collective.
template <int Dim, class AnyPlan, class Body>
double sum_over(StaggeredGrid<Dim> const& grid, std::string const& label, AnyPlan const& plan, Body const& body) {
  auto const& ranks = grid.body().ranks;
  if (!ranks || !grid.domain().has_exact_sums) return grid.body().sum(reduce<Kokkos::Sum, double>(label, plan, body));
  std::vector<distributed::SumPart<AnyPlan, OneTerm<Body>>> const parts{{plan, {body}}};
  return distributed::order_free_sums<1>(&ranks->team(), label, parts)[0][0];
}

}  // namespace sparse::incompressible::detail
