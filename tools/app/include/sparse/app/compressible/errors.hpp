#pragma once
/// How far a solution is from what it should be.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <sparse/amr/law.hpp>
#include <sparse/amr/measure/team_of.hpp>
#include <sparse/base/grid.hpp>
#include <sparse/distributed/order_free_sums.hpp>
#include <sparse/fields/field.hpp>
#include <sparse/plans/subset.hpp>

namespace sparse::app {

/// Errors of N variables: their means and their greatest ones.
template <int N>
struct Errors {
  /// Of each component, over all cells.
  Vec<double, N> mean = {}, greatest = {};
};

namespace detail {

template <class Law, class Exact>
struct ErrorsAt {
  Law law;
  Exact exact;
  sparse::FieldView<typename Law::Scalar const> state;
  sparse::Grid<Law::dimension> grid;

  template <class Point>
  KOKKOS_FUNCTION void operator()(Point const& p, Vec<double, Law::component_count>& errors) const {
    auto const cell = p.coordinates();
    sparse::Vec<double, Law::dimension> x;
    for (int axis = 0; axis < Law::dimension; ++axis)
      x[axis] = grid.origin[axis] + (cell[axis] + 0.5) * grid.spacing[axis];
    auto const is = law.primitive(state.template load<Law::component_count>(p.cell));
    typename Law::State const should_be = exact(x);
    for (int c = 0; c < Law::component_count; ++c)
      errors[c] = std::abs(static_cast<double>(is[c]) - static_cast<double>(should_be[c]));
  }
};

}  // namespace detail

/// The mean and the greatest error of each primitive variable at the centres of all leaves, weighted by their volume.
/// Collective if there are several ranks. Cost: plans of the leaves, and three passes over them; waits for each level.
/// @param exact  device function of a position that gives primitive variables
template <class Flow, class Exact>
Errors<Flow::component_count> errors_of(Flow const& flow, Exact const& exact) {
  using Law = typename Flow::Law;
  constexpr int Dim = Flow::Dim, N = Flow::component_count;
  using At = detail::ErrorsAt<Law, Exact>;
  std::vector<distributed::SumPart<sparse::Subset<Dim>, At>> parts;
  for (int l = 0; l < flow.level_count(); ++l)
    parts.push_back({sparse::Subset<Dim>(flow.sets(l).leaves, flow.sets(l).storage),
                     At{flow.flux().law, exact, flow.state(l).view(), flow.domain().grid(l)}});
  std::string const label = "sparse::diagnostics::errors";
  auto const sums = distributed::order_free_sums<N>(amr::team_of(flow), label, parts);
  auto const greatest = distributed::greatest_magnitudes<N>(amr::team_of(flow), label, parts);
  Errors<N> errors;
  double volume = 0;
  for (int l = 0; l < flow.level_count(); ++l) {
    double const of_cell = flow.domain().cell_volume(l);
    volume += of_cell * static_cast<double>(flow.leaf_count(l));
    errors.mean += of_cell * sums[static_cast<std::size_t>(l)];
    for (int c = 0; c < N; ++c)
      errors.greatest[c] = std::max(errors.greatest[c], greatest[static_cast<std::size_t>(l)][c]);
  }
  errors.mean *= 1 / volume;
  return errors;
}

}  // namespace sparse::app
