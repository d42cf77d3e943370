#pragma once
/// Flow maps: where fluid comes from and goes to in several time steps at once, and what it carries.

#include <sparse/incompressible/flow_map/clamping.hpp>

#include "spline.hpp"

namespace sparse::incompressible {
namespace detail {
template <Interpolation interpolation, class T, int Dim>
struct Follow;
}

/// A point after a map, with a mapped vector.
template <int Dim>
struct MappedPoint {
  Vec<double, Dim> position;
  Vec<double, Dim> tangent;  ///< the map's derivative along the vector
  bool has_left = false;     ///< through an inflow or an outflow, where it stays
};

/// The direction of a map: to the start of its steps, or to their end.
enum class Direction { backward, forward };

/// The flow maps of a number of steps of equal length, each with the velocity at its middle.
///
/// A map follows places by the fourth-order Runge-Kutta method (RK4). With each place it follows one column of its
/// Jacobian, using the derivatives of the splines that also give the velocities. At walls a place stops and slides
/// along them. At inflows and outflows it stays, and the map goes on as if the velocity there continued unchanged
/// beyond. All velocities are kept. A map is followed through all steps at once, instead of composing maps of single
/// steps. So a map needs memory only for its results. The two sides of a wall that is one or two cells thick share
/// ghost values; samples near such a wall are of first order only.
///
/// Ranks can share the grid. Each follows the places that begin at its own faces and cells, or beside them. Further
/// away what `advect` and `pull_back` give to faces means nothing; cells get values from their owners. What carries
/// values is collective. No place may come from further than `farthest`.
///
/// Memory, in values per cell: (step_count + 3) Dim of velocity, 2 Dim^2 of the backward map, and Dim positions. With
/// increments there are (step_count + 1) Dim more. Source: Deng, Yu, Liu, Ni, Jin, Fluid simulation on neural flow
/// maps, ACM Trans. Graph. 42 (2023); Sun, Ni, Chen, Zhu, Leapfrog flow maps for real-time fluid simulation, ACM Trans.
/// Graph. 44 (2025).
template <class T, int Dim>
class FlowMaps {
public:
  /// @param has_increments  whether forces change the velocity during the steps
  /// @throws std::invalid_argument  unless step_count is positive
  FlowMaps(StaggeredGrid<Dim> const& grid, int step_count, Interpolation interpolation,
           Clamping limiter = Clamping::none, bool has_increments = false);

  PaddedGrid<Dim> const& padded() const { return padded_; }
  int step_count() const { return step_count_; }
  /// How many cells places may move along an axis: infinite, unless ranks share the grid.
  double farthest() const;

  /// Sets velocities: at the start, and at the middle of a step. These functions take Dim components on the grid's
  /// storage, boundary values included. They throw std::invalid_argument if a field does not fit, or there is no such
  /// step.
  void set_start(Field<T, Dim> const& velocity);
  void set_velocity(int step, Field<T, Dim> const& velocity);
  /// Sets what a step adds to the velocity, at the middle of the step.
  void set_increment(int step, Field<T, Dim> const& increment);

  /// Carries velocity to the computed faces by the semi-Lagrangian midpoint rule. In step 0 the start carries itself.
  /// In step 1 the velocity of step 0 carries itself. In later steps the last velocity carries the one before it
  /// (leapfrog). Values for quadratic splines are sharpened first, to make up for most of the smoothing.
  void advect(int step, double time, Field<T, Dim>& to);
  /// The same for cell values on the padded storage.
  void advect_cells(int step, double time, Field<T, Dim> const& values, Field<T, Dim>& to);

  /// Pulls the start back to the computed faces as a one-form, and adds the increments on the way. The result is a
  /// velocity up to a gradient. At an outflow that gradient is changed so that it fits to a pressure of 0 there.
  ///
  /// Compensation (BFECC) maps the result forward again and compares it with the start. Half of the difference is
  /// pulled back and added, within the limiter's bounds. For fluid that leaves on the way, the difference is estimated
  /// from the smoothing of the splines.
  /// @param time_step  of one step
  void pull_back(double time_step, bool has_compensation, Field<T, Dim>& to);
  /// The same for cell values. They are clamped to the values around the place they come from (a box of 3^Dim), except
  /// with Clamping::none. Call `map_cells` first, after `pull_back`.
  void map_cells(double time_step, bool has_compensation);
  void pull_back_cells(Field<T, Dim> const& from, bool has_compensation, Field<T, Dim>& to);

  /// Maps points. For tests and particles: in host memory, with a search for each point.
  /// @param points, vectors  in space, according to the grid's origin and spacing
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
  Field<Index, Dim> position_;                                   // padded; cells of the places below
  Field<T, Dim> at_, tangent_, impulse_;
  std::array<Subset<Dim>, Dim + 1> begun_;           // faces (cells) where places begin
  std::array<Subset<Dim>, Dim + 1> limited_, free_;  // a partition of these
  std::array<Subset<Dim>, Dim> with_given_;          // and those with a given velocity
};

}  // namespace sparse::incompressible
