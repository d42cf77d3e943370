#pragma once
/// Where fluid comes from, and goes to, in several time steps at once; and what it takes along.

#include <sparse/incompressible/flow_map/clamping.hpp>

#include "spline.hpp"

namespace sparse::incompressible {
namespace detail {
template <Interpolation interpolation, class T, int Dim>
struct Follow;
}

/// Where a map takes a point, and what it makes of a vector there.
template <int Dim>
struct MappedPoint {
  Vec<double, Dim> position;
  Vec<double, Dim> tangent;  ///< the map's derivative along the vector
  bool has_left = false;     ///< through an inflow or an outflow, where it stays
};

/// Which way a map goes: to the start of its steps, or to their end.
enum class Direction { backward, forward };

/// The flow maps of a number of steps of equal length, each with the velocity at its middle.
///
/// A map follows places by Runge and Kutta's fourth-order rule (RK4), and with each place one column of its Jacobian,
/// by the derivatives of the same splines that velocities are taken with. What would leave the fluid stops at walls and
/// slides along them; at inflows and outflows it stays, and the map goes on as if the velocity there reached beyond
/// them unchanged. All velocities are kept: a map is not put together from maps of steps, but followed from its first
/// to its last step at once, so maps take no memory but their results. Walls of one or two cells share ghost values
/// between both sides, so nearby samples are of first order only.
///
/// Memory, in values per cell: (step_count + 3) Dim of velocity (with increments step_count Dim + Dim more) and 2 Dim^2
/// of the backward map, and Dim positions. Source: Deng, Yu, Liu, Ni, Jin, Fluid simulation on neural flow maps, ACM
/// Trans. Graph. 42 (2023); Sun, Ni, Chen, Zhu, Leapfrog flow maps for real-time fluid simulation, ACM Trans. Graph. 44
/// (2025).
template <class T, int Dim>
class FlowMaps {
public:
  /// @param has_increments  whether something acts on the velocity on its way
  /// @throws std::invalid_argument  unless step_count is positive
  FlowMaps(StaggeredGrid<Dim> const& grid, int step_count, Interpolation interpolation,
           Clamping limiter = Clamping::none, bool has_increments = false);

  PaddedGrid<Dim> const& padded() const { return padded_; }
  int step_count() const { return step_count_; }

  /// All take Dim components on the grid's storage, boundary values included, and throw std::invalid_argument if they
  /// do not fit, or there is no such step.
  void set_start(Field<T, Dim> const& velocity);
  void set_velocity(int step, Field<T, Dim> const& velocity);
  /// What a step adds to the velocity, at its middle.
  void set_increment(int step, Field<T, Dim> const& increment);

  /// What the semi-Lagrangian midpoint rule brings to the computed faces: step 0 carries the start along with itself,
  /// step 1 the velocity of step 0 with itself, others that of the last but one with the last. Quadratic splines take
  /// values that are sharpened before by most of what the spline smooths.
  void advect(int step, double time, Field<T, Dim>& to);
  /// The same of cell values on the padded storage, with the velocity that carries a step.
  void advect_cells(int step, double time, Field<T, Dim> const& values, Field<T, Dim>& to);

  /// The velocity that the start, taken for a one-form, becomes on the computed faces, what the increments add on the
  /// way included: up to a gradient. Where there is an outflow, that gradient is made to fit to pressures of 0 there,
  /// but for those on the way.
  ///
  /// With compensation, half of what a way there and back loses, itself taken back, is given back (BFECC), within the
  /// limiter's bounds; of what leaves on the way, what splines smooth.
  /// @param time_step  of one step
  void pull_back(double time_step, bool has_compensation, Field<T, Dim>& to);
  /// Cell values at the places that cells come from, likewise; unless the limiter is Clamping::none, they stay within
  /// what they were around there (a box of 3^Dim). Call `map_cells` before, after `pull_back`.
  void map_cells(double time_step, bool has_compensation);
  void pull_back_cells(Field<T, Dim> const& from, bool has_compensation, Field<T, Dim>& to);

  /// Where points go. For tests and particles: in host memory, with a search for each point.
  /// @param points, vectors  in the units of the grid's spacing
  /// @throws std::invalid_argument  naming the first point that is in no cell of the fluid
  std::vector<MappedPoint<Dim>> map(std::vector<Vec<double, Dim>> const& points,
                                    std::vector<Vec<double, Dim>> const& vectors, double time_step,
                                    Direction direction) const;
  /// Velocity of the start at points, and its derivatives along vectors.
  struct Sample {
    Vec<double, Dim> velocity, change;
  };
  std::vector<Sample> sample_start(std::vector<Vec<double, Dim>> const& points,
                                   std::vector<Vec<double, Dim>> const& vectors) const;

private:
  void expect_step(int step) const;
  void give_back_heads(double time_step, Field<T, Dim>& to);
  FieldView<T const> carrier(int step) const;
  template <Interpolation interpolation>
  detail::Follow<interpolation, T, Dim> follow(double time_step) const;

  PaddedGrid<Dim> padded_;
  int step_count_;
  Interpolation interpolation_;
  Clamping limiter_;
  Field<T, Dim> start_, velocities_, increments_, back_, lost_;  // padded
  Field<Index, Dim> position_;                                   // padded; of the places below
  Field<T, Dim> at_, tangent_, impulse_;
  std::array<Subset<Dim>, Dim + 1> limited_, free_;
};

}  // namespace sparse::incompressible
