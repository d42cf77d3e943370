#pragma once
/// The CSV files of a case: probes, profiles, walls, extrema of the stream function.

#include <optional>
#include <string>
#include <vector>

#include <sparse/incompressible/grid/state.hpp>
#include <sparse/incompressible/measure/profiles.hpp>
#include <sparse/incompressible/measure/wall_shear.hpp>
#include <sparse/io/files/history.hpp>

#include <sparse/app/cases/flow_case.hpp>
#include <sparse/app/cases/flow_scene.hpp>
#include <sparse/app/run/folder.hpp>

namespace sparse::app {

/// The points of the probes of a case and of its options.
/// @throws std::runtime_error  if an option has another dimension
template <int Dim>
std::vector<sparse::Vec<double, Dim>> probes_of(FlowCase const& flow_case);
/// The points of a profile.
template <int Dim>
std::vector<sparse::Vec<double, Dim>> points_of(CaseProfile const& profile);
/// Appends prefix + axis name for each axis.
void add_axis_names(std::string const& prefix, int dim, std::vector<std::string>& names);
/// Writes points and velocities as CSV, in place of an earlier file.
template <int Dim>
void write_profile(std::filesystem::path const& path, sparse::incompressible::Profile<Dim> const& profile);

/// Writes values at probes and along lines, and flows through sides.
template <int Dim>
class FlowLines {
public:
  /// The state that values are taken of.
  using Flow = sparse::incompressible::State<double, Dim>;
  /// All arguments must outlive the object.
  /// @throws std::runtime_error  if a probe is not in the fluid
  FlowLines(FlowCase const& flow_case, FlowScene<Dim> const& scene,
            sparse::incompressible::StaggeredGrid<Dim> const& grid, RunFolder const& folder);

  /// Opens the files over time. A restarted run keeps their lines.
  void open(Flow const& state);
  /// Writes a line for each probe.
  void add_probes(Flow const& state);
  /// Writes a line of the extrema; nothing in 3D. Call `open` before.
  void add_stream_function(Flow const& state);
  /// Writes the centres of all eddies; nothing in 3D. The file replaces the last one.
  void write_eddies(Flow const& state) const;
  /// Writes the centre lines and the profiles of the case. The files replace earlier ones.
  void write_profiles(Flow const& state) const;
  /// The shear rates along the wall of this number in the case.
  /// @throws std::runtime_error  naming the wall if it has no point
  sparse::incompressible::WallShear shear_of_wall(Flow const& state, std::size_t number) const;
  /// Writes the shear rates along all walls of the case. The files replace earlier ones.
  void write_walls(Flow const& state) const;

private:
  FlowCase const& c_;
  FlowScene<Dim> const& scene_;
  sparse::incompressible::StaggeredGrid<Dim> const& grid_;
  RunFolder const& folder_;
  std::vector<sparse::Vec<double, Dim>> points_;
  std::vector<TimeFile> probes_;
  std::optional<TimeFile> stream_;
};

}  // namespace sparse::app
