#pragma once
/// Incompressible flows from the first step to the last.

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <sparse/incompressible/measure/fields.hpp>
#include <sparse/incompressible/measure/sums.hpp>
#include <sparse/incompressible/step/divergence.hpp>
#include <sparse/incompressible/step/time_step.hpp>
#include <sparse/io/levels/field_array.hpp>

#include <sparse/app/incompressible/method.hpp>
#include <sparse/app/incompressible/share.hpp>
#include <sparse/app/run/folder.hpp>
#include <sparse/app/run/keeper.hpp>

namespace sparse::app {

/// A picture of vorticity: of both signs in 2D, of the magnitude in 3D.
Picture vorticity_picture(int dim, double greatest);

/// What a flow does and shows between its steps.
template <int Dim>
struct FlowShow {
  std::vector<Picture> pictures;                      ///< the first one is also NAME.png
  std::vector<std::string> columns = {};              ///< of history.csv, behind the usual ones
  std::function<std::vector<double>()> numbers = {};  ///< in these columns
  /// Before the first step and after each, or each cycle of steps.
  std::function<void()> emit = {};
  std::function<void()> after_step = {};  ///< or cycle of steps
  /// Names all that these functions remember from step to step, for checkpoints.
  std::function<void(Keeper&)> keep = {};
  /// Called when the state is the first one of this run, initial or from a checkpoint. Opens files over time.
  std::function<void()> open = {};
  std::vector<std::size_t> steady = {};  ///< numbers of carried values that a steady flow must not change either
  /// Called before each output.
  std::function<void()> before_output = {};
  /// More values of the cells of the fluid in each output.
  std::function<std::vector<sparse::io::CellArray>()> more_arrays = {};
  /// More pictures at each output, by name.
  std::function<std::vector<std::pair<std::string, sparse::io::Image>>()> draw = {};
  std::string cover = {};  ///< name of the picture that is also NAME.png, if not the first of `pictures`
};

/// The state with the cells of all ranks, on rank 0; on others its fields have no cells. Collective.
template <int Dim>
sparse::incompressible::State<double, Dim> gathered(sparse::incompressible::StaggeredGrid<Dim> const& grid,
                                                    sparse::incompressible::State<double, Dim> const& state);

/// Runs a flow to the end of the options with the method that they choose: `run_steps`, with fields, pictures and
/// history. Goes on from a checkpoint if the options name one; `state` then need not be the initial one.
/// @return  whether the end was reached
/// @throws std::runtime_error  if the method has no way to do what physics asks for, the solver of the pressure
///                             does not converge, velocity is not finite any more, or the checkpoint belongs to
///                             something else
template <int Dim>
bool run(RunFolder& folder, FlowOptions const& options, sparse::incompressible::StaggeredGrid<Dim> const& grid,
         FlowPhysics<Dim> const& physics, sparse::incompressible::State<double, Dim>& state, FlowShow<Dim> const& show);

}  // namespace sparse::app
