#pragma once
/// The choice of a method for incompressible flow, and its options.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <sparse/incompressible/method/leapfrog_flow_map.hpp>
#include <sparse/incompressible/method/semi_lagrangian.hpp>
#include <sparse/incompressible/method/smac.hpp>

#include <sparse/app/options/options.hpp>

namespace sparse::app {

/// The methods of sparse/incompressible, by the names of their classes.
enum class FlowMethod { smac, leapfrog_flow_map, semi_lagrangian };

/// How to compute an incompressible flow, and what to show of it.
struct FlowOptions {
  /// What all flows have, and the method.
  RunOptions run;
  FlowMethod method = FlowMethod::semi_lagrangian;

  sparse::poisson::Method solver = {};  ///< of the pressure
  /// Of the pressure solver; 0 iterations: as many as it needs.
  double tolerance = 1e-6;
  int iteration_limit = 0;

  sparse::incompressible::Integrator integrator = sparse::incompressible::Integrator::runge_kutta;  ///< of SMAC
  double upstream = 1;         ///< see `SmacOptions`
  std::string gamma = "auto";  ///< the paper's step: the part from upstream; a number, or "auto": what each step needs
  double safety = 0.5;         ///< SMAC: time step over the longest stable one
  double cfl = 1;              ///< others: no particle crosses more cells in a step
  sparse::incompressible::Advection advection = sparse::incompressible::Advection::maccormack;  ///< of `SemiLagrangian`
  /// Of leapfrog flow maps, as in `FlowMapOptions`.
  int cycle = 5;
  sparse::Interpolation interpolation = sparse::Interpolation::quadratic;
  sparse::incompressible::Clamping limiter = sparse::incompressible::Clamping::near_bodies;
  bool has_compensation = true;

  /// How ink is carried.
  sparse::incompressible::InkMethod ink = sparse::incompressible::InkMethod::fluxes;

  int ink_supersampling = 1;  ///< of flow cases: cells of ink in a cell of the flow, along each axis
  double ink_speed = 1;       ///< of flow cases: velocity of ink over that of the flow

  bool has_curved_walls = false;  ///< SMAC: bodies cut cells, see `FlowDomain::distance`

  /// The change per time at which a run ends; 0: never.
  double steady_tolerance = 0;

  /// Whether ink lives on a finer grid.
  bool has_fine_ink() const { return ink_supersampling != 1 || ink_speed != 1; }
  /// The second argument of the method's `longest_step`.
  double step_size() const { return method == FlowMethod::smac ? safety : cfl; }
  /// No particle crosses more cells in one call of the method's `advance`.
  double longest_way() const {
    return method == FlowMethod::smac ? safety : method == FlowMethod::leapfrog_flow_map ? cycle * cfl : cfl;
  }
};

/// Adds the choice of the method, the options of all methods, and those of `RunOptions` that need no levels. Options of
/// one method say so, and are refused with the others.
void add_flow_options(CLI::App& app, FlowOptions& o);
/// Refuses options that were given but have no effect with the others, and gives others the values that suit.
/// @param of_file  options whose values a case file gives: these stay; those of another method are refused, too
/// @throws CLI::ValidationError  naming the option
void settle(CLI::App& app, FlowOptions& o, std::set<std::string> const& of_file = {});
/// Refuses options that flows on levels have no use for, and other methods than SMAC.
/// @param of_file  options whose values a case file gives: these are refused, too
/// @throws CLI::ValidationError  naming the option
void expect_levels(CLI::App& app, FlowOptions const& o, std::set<std::string> const& of_file = {});
/// For programs with bodies whose distance is known. Call it after `add_flow_options`.
void add_surface_option(CLI::App& app, FlowOptions& o);
/// For programs with ink. Call it after `add_flow_options`.
void add_ink_option(CLI::App& app, FlowOptions& o);
/// For programs that carry ink by `FineInk` where these options ask for it. Call it after `add_ink_option`.
void add_fine_ink_options(CLI::App& app, FlowOptions& o);

/// What makes a fluid move, whatever the method.
template <int Dim>
struct FlowPhysics {
  /// Of the fluid, and what accelerates all of it.
  double viscosity = 0;
  sparse::Vec<double, Dim> acceleration = {};
  /// Carried values with an energy equation of their own.
  std::vector<sparse::incompressible::Transport<Dim>> transported = {};
  std::vector<sparse::incompressible::Buoyancy<Dim>> buoyancy = {};
};

/// One of the methods, chosen when the program runs.
template <int Dim>
class AnyMethod {
public:
  /// What the method advances.
  using State = sparse::incompressible::State<double, Dim>;
  virtual ~AnyMethod() = default;

  /// As in the classes of sparse/incompressible: the longest stable step by `FlowOptions::step_size`; a step; a
  /// projection; and what the method remembers, and gets back.
  /// @throws std::invalid_argument  if the state does not fit, or a number is not positive
  /// @throws std::runtime_error     if there is no next state
  virtual double longest_step(State const& state, double size) const = 0;
  virtual sparse::poisson::Report advance(State& state, double time_step) = 0;
  virtual sparse::poisson::Report project(State& state) = 0;
  virtual sparse::incompressible::MethodMemory<double, Dim> memory() const = 0;
  virtual void restore(sparse::incompressible::MethodMemory<double, Dim> const& memory) = 0;
  /// The greatest change of a velocity per time in the last step; infinite if the method does not measure it.
  virtual double greatest_change(State const& state) const = 0;
  /// The grid, and where the time of the steps went.
  virtual sparse::incompressible::StaggeredGrid<Dim> const& grid() const = 0;
  virtual sparse::incompressible::StepSeconds const& seconds() const = 0;
};

/// The method of the options.
/// @throws std::runtime_error  if the method cannot compute this physics
template <int Dim>
std::unique_ptr<AnyMethod<Dim>> make_method(FlowOptions const& o,
                                            sparse::incompressible::StaggeredGrid<Dim> const& grid,
                                            FlowPhysics<Dim> const& physics);

}  // namespace sparse::app
