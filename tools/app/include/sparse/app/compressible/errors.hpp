#pragma once
/// How far a solution is from what it should be.

#include <cmath>

#include <sparse/amr/law.hpp>
#include <sparse/base/grid.hpp>
#include <sparse/fields/field.hpp>
#include <sparse/plans/accumulate.hpp>
#include <sparse/plans/subset.hpp>

namespace sparse::app {

/// Errors of N variables: their mean (an integral while they are summed up) and their greatest one.
template <int N>
struct Errors {
  /// Of each component, over all cells.
  double mean[N] = {}, greatest[N] = {};

  /// Takes in other errors. `add_volatile` is for Kokkos before 4.0.
  KOKKOS_FUNCTION void add(Errors const& b) {
    for (int c = 0; c < N; ++c) {
      mean[c] += b.mean[c];
      greatest[c] = b.greatest[c] > greatest[c] ? b.greatest[c] : greatest[c];
    }
  }
  KOKKOS_FUNCTION static void add_volatile(Errors volatile& a, Errors const volatile& b) {
    for (int c = 0; c < N; ++c) {
      a.mean[c] = a.mean[c] + b.mean[c];
      if (b.greatest[c] > a.greatest[c]) a.greatest[c] = b.greatest[c];
    }
  }
};

namespace detail {

template <class Law, class Exact>
struct FindErrors {
  Law law;
  Exact exact;
  sparse::FieldView<typename Law::Scalar const> state;
  sparse::Grid<Law::dimension> grid;
  double volume;

  template <class Point>
  KOKKOS_FUNCTION void operator()(Point const& p, Errors<Law::component_count>& errors) const {
    auto const cell = p.coordinates();
    sparse::Vec<double, Law::dimension> x;
    for (int axis = 0; axis < Law::dimension; ++axis)
      x[axis] = grid.origin[axis] + (cell[axis] + 0.5) * grid.spacing[axis];
    auto const is = law.primitive(state.template load<Law::component_count>(p.cell));
    typename Law::State const should_be = exact(x);
    for (int c = 0; c < Law::component_count; ++c) {
      double const error = std::abs(static_cast<double>(is[c]) - static_cast<double>(should_be[c]));
      errors.mean[c] += volume * error;
      errors.greatest[c] = error > errors.greatest[c] ? error : errors.greatest[c];
    }
  }
};

}  // namespace detail

/// The mean and the greatest error of each primitive variable at the centres of all leaves, weighted by their volume.
/// @param exact  device function of a position that gives primitive variables
/// Cost: a plan of the leaves, and a pass over them; waits for each level.
template <class Flow, class Exact>
Errors<Flow::component_count> errors_of(Flow const& flow, Exact const& exact) {
  using Law = typename Flow::Law;
  using Sum = Errors<Law::component_count>;
  Sum errors;
  double volume = 0;
  for (int l = 0; l < flow.level_count(); ++l) {
    sparse::Subset<Law::dimension> const leaves(flow.sets(l).leaves, flow.sets(l).storage);
    double const of_cell = flow.domain().cell_volume(l);
    volume += of_cell * static_cast<double>(leaves.cell_count());
    errors.add(sparse::accumulate<Sum>(
        "sparse::diagnostics::errors", leaves,
        detail::FindErrors<Law, Exact>{flow.flux().law, exact, flow.state(l).view(), flow.domain().grid(l), of_cell}));
  }
  for (double& mean : errors.mean) mean /= volume;
  return errors;
}

}  // namespace sparse::app
