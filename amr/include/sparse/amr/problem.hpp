#pragma once
/// The problem to solve, the same for all levels of a simulation.

#include <bit>
#include <cmath>

#include <sparse/amr/domain/boundary.hpp>
#include <sparse/amr/options.hpp>
#include <sparse/amr/sweep/wave_rate.hpp>
#include <sparse/base/error.hpp>

namespace sparse::amr {

/// The states outside the box.
template <class Law>
struct Outside {
  typename Law::State inflow = {};  ///< primitive state beyond `BoundaryKind::inflow`
  Boundary<Law> given = {};         ///< states beyond `BoundaryKind::given`
};

/// A law in a domain, the states outside, and the options.
template <ConservationLaw Law>
struct Problem {
  using Scalar = typename Law::Scalar;
  static constexpr int Dim = Law::dimension;

  /// Where, which law, what lies beyond the sides, and how it is computed.
  Domain<Dim> domain;
  Law law;
  Outside<Law> outside = {};
  SimulationOptions<Law> options = {};

  /// One over the cell width of a level, along each axis.
  Vec<Scalar, Dim> inverse_spacing(int level) const {
    Vec<Scalar, Dim> inverse;
    for (int axis = 0; axis < Dim; ++axis) inverse[axis] = static_cast<Scalar>(1 / domain.spacing(level)[axis]);
    return inverse;
  }
  /// The wave rate of the inflow state, at the cells of a level; not finite if it has no wave speed.
  Scalar inflow_rate(int level) const {
    return std::bit_cast<Scalar>(wave_rate_bits(law, outside.inflow, inverse_spacing(level)));
  }
};

/// @throws std::invalid_argument  for options out of range, an inflow without wave speed, or a missing function
template <class Law>
void expect_valid(Problem<Law> const& problem) {
  SimulationOptions<Law> const& options = problem.options;
  expects(options.cfl > 0 && options.cfl <= 1, "simulation: cfl must be in (0, 1]");
  expects(options.regrid_stride >= 1, "simulation: regrid_stride must be at least 1");
  expects(options.longest_stride >= 1, "simulation: longest_stride must be at least 1");
  expects(!options.buffer || *options.buffer >= 0, "simulation: buffer must not be negative");
  expects(options.excess >= 0, "simulation: excess must not be negative");
  expects(options.minimum_width >= 1, "simulation: minimum_width must be at least 1");
  expects(!problem.domain.has(BoundaryKind::inflow) || std::isfinite(problem.inflow_rate(0)),
          "simulation: the inflow has no finite wave speed");
  expects(!problem.domain.has(BoundaryKind::given) || problem.outside.given,
          "simulation: a side is BoundaryKind::given, but no boundary function is");
}

}  // namespace sparse::amr
