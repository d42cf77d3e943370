#pragma once
/// The simplest scheme for an incompressible flow: all values at the same nodes, Euler's method, sweeps of Jacobi's.

#include <memory>

#include <sparse/fields/field.hpp>
#include <sparse/incompressible/method/shared.hpp>

namespace sparse::incompressible {

/// How the values of nodes lie in memory. Results are the same.
enum class NodeLayout {
  arrays,  ///< an array for each value
  /// A record for each node, as large as that of the source: 23 values, of which this scheme uses 8. It is slower, and
  /// there to be compared.
  cells,
};

/// How the scheme at nodes computes.
struct CollocatedOptions {
  double density = 1;             ///< > 0 [mass / length^2]
  double viscosity = 0.1;         ///< kinematic, > 0 [length^2 / time]
  double time_step = 0.001;       ///< > 0
  int sweep_count = 50;           ///< sweeps of Jacobi's method for the pressure, in each step; >= 1
  double stability_factor = 0.5;  ///< see `Collocated::longest_step`; > 0
  bool allow_unstable = false;    ///< whether a longer step is taken all the same
  /// How values lie in memory.
  NodeLayout layout = NodeLayout::arrays;
  /// If more than 1, blocks of nodes go to scratch memory, and take this many sweeps before they come back; 1 to 16.
  int sweeps_per_tile = 1;
};

/// A method that teaches and is compared with: nodes with velocity and pressure on any set, at rest in the beginning.
///
/// A cell of the set is a node. An inside node has all four neighbours; the others are boundary nodes. A step has four
/// parts. Euler's method with central differences makes a tentative velocity at inside nodes. Its divergence is the
/// source of the pressure. The pressure takes a fixed number of sweeps, from that of the last step. Its gradient
/// corrects the velocity. So divergence and pressure are what few sweeps leave; nothing is solved to a tolerance.
///
/// Velocities of boundary nodes stay 0 unless they are given. Given velocities are set at the end of a step. So a lid
/// begins to move at the end of the first step, as in the source. Where pressure is not given on the boundary, its
/// normal derivative is 0: the inside node stands in for its neighbour, separately for each inside node.
///
/// First order in time, second order in space but for the pressure at boundaries. Pressures may alternate from node to
/// node, because central differences do not see that. For flows to be relied on, take `Smac`.
///
/// Memory, in values per node: 8 in arrays, 23 in cells, and 1 for each component that is given somewhere. Once warm, a
/// step allocates nothing. It reads one value back.
/// Source: D. J. Vickers, fluid_simulation, an educational example in Python, C++ and CUDA (2024), after F. Koehler,
/// lid-driven cavity in simple Python. Chorin (1968) is where the split of a step comes from.
template <class T>
class Collocated {
public:
  /// @param nodes    at least one of them must be inside
  /// @param spacing  distance of neighbouring nodes along each axis, > 0
  /// @throws std::invalid_argument  if one of these, or an option, does not make sense
  Collocated(IntervalSet<2> const& nodes, Vec<double, 2> const& spacing, CollocatedOptions const& options = {});
  Collocated(Collocated&&) noexcept;
  Collocated& operator=(Collocated&&) noexcept;
  ~Collocated();

  /// Gives a value on a set of nodes, inside or on the boundary. Where nodes were given before, the new value counts.
  /// Pressures hold at once, velocities from the end of the next step on.
  /// @throws std::invalid_argument  if a node is not one of the flow, there is none, or the value is not finite
  void fix_u(IntervalSet<2> const& nodes, double value);
  void fix_v(IntervalSet<2> const& nodes, double value);
  void fix_p(IntervalSet<2> const& nodes, double value);
  /// Gives each node of the field's domain a value of its own. Errors as above.
  void fix_u(Field<T, 2> const& values);
  void fix_v(Field<T, 2> const& values);
  void fix_p(Field<T, 2> const& values);

  /// Changes the parameters from the next step on.
  /// @throws std::invalid_argument  as the constructor, or if the layout changes
  void set_options(CollocatedOptions const& options);

  /// The longest time step that `advance` takes without `allow_unstable`. It is the lesser of two limits: that of
  /// diffusion, `stability_factor` / (viscosity (1 / dx^2 + 1 / dy^2)), and that of central differences with Euler's
  /// method, 2 viscosity / (greatest given velocity)^2 [time]. With factors up to 0.5, diffusion is stable.
  double longest_step() const;

  /// Takes `step_count` steps of `time_step`. Cost of a step: `sweep_count` sweeps of the pressure (fewer passes over
  /// memory with `sweeps_per_tile`), and a few passes more.
  /// @throws std::invalid_argument  with the limit, if the time step is more than `longest_step` and that is
  ///                                not allowed
  /// @throws std::runtime_error     naming the step and the first node, if a value is no longer finite; the state
  ///                                is then that before this step
  void advance(Index step_count = 1);

  /// The values at all nodes, as copies on `nodes()`: [length / time], and for p [mass / time^2]. The pressure of a
  /// boundary node where it is not given is the mean of what its inside neighbours see. In corners, which no inside
  /// node sees, it is the mean of the values beside.
  Field<T, 2> u() const;
  Field<T, 2> v() const;
  Field<T, 2> p() const;

  /// The nodes that were given.
  IntervalSet<2> const& nodes() const;
  /// The nodes with four neighbours. A sweep visits those where pressure is not given.
  IntervalSet<2> const& inside() const;
  /// What was given, steps and time until now, and where the time of the steps went.
  Vec<double, 2> const& spacing() const;
  CollocatedOptions const& options() const;
  Index step_count() const;
  double time() const;
  StepSeconds const& seconds() const;

private:
  struct Body;
  std::unique_ptr<Body> body_;
};

}  // namespace sparse::incompressible
