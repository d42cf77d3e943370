#include <sparse/app/cases/lines.hpp>

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include <sparse/incompressible/measure/stream_function.hpp>

namespace sparse::app {
namespace {

using namespace sparse;
using namespace sparse::incompressible;

template <int Dim>
void add_vector(Vec<double, Dim> const& vector, std::vector<double>& line) {
  line.insert(line.end(), vector.data, vector.data + Dim);
}

}  // namespace

void add_axis_names(std::string const& prefix, int dim, std::vector<std::string>& names) {
  for (int axis = 0; axis < dim; ++axis) names.push_back(prefix + "xyz"[axis]);
}

template <int Dim>
std::vector<Vec<double, Dim>> probes_of(FlowCase const& c) {
  std::vector<Vec<double, Dim>> points;
  for (Triple const& probe : c.probes) points.push_back(vec_of<Dim>(probe));
  for (Probe const& probe : c.flow.run.probes) {
    if (probe.at.size() != Dim)
      throw std::runtime_error(fmt::format("--probe {} is not of {} numbers", probe.text, Dim));
    points.emplace_back();
    std::copy(probe.at.begin(), probe.at.end(), points.back().data);
  }
  return points;
}

template <int Dim>
std::vector<Vec<double, Dim>> points_of(CaseProfile const& profile) {
  auto const& [from, to, count] = profile;
  std::vector<Vec<double, Dim>> points;
  for (int k = 0; k < count; ++k) {
    double const part = static_cast<double>(k) / (count - 1);
    points.push_back((1 - part) * vec_of<Dim>(from) + part * vec_of<Dim>(to));
  }
  return points;
}

template <int Dim>
void write_profile(std::filesystem::path const& path, Profile<Dim> const& profile) {
  std::vector<std::string> columns;
  add_axis_names("", Dim, columns);
  add_axis_names("velocity_", Dim, columns);
  io::History lines(path, columns);
  for (std::size_t i = 0; i < profile.points.size(); ++i) {
    std::vector<double> line;
    add_vector(profile.points[i], line);
    add_vector(profile.velocity[i], line);
    lines.add(line);
  }
}

template <int Dim>
FlowLines<Dim>::FlowLines(FlowCase const& flow_case, FlowScene<Dim> const& scene, StaggeredGrid<Dim> const& grid,
                          RunFolder const& folder)
    : c_(flow_case), scene_(scene), grid_(grid), folder_(folder), points_(probes_of<Dim>(flow_case)) {
  for (std::size_t i = 0; i < points_.size(); ++i)
    if (!grid.whole_fluid().contains(scene.grid.cell_of(points_[i])))
      throw std::runtime_error(fmt::format("probe {} is not in the fluid", i));
}

template <int Dim>
void FlowLines<Dim>::open(Flow const& state) {
  if (Dim == 2)
    stream_ = folder_.open_over_time("stream_function.csv",
                                     {"time", "least", "least_x", "least_y", "greatest", "greatest_x", "greatest_y"},
                                     state.time);
  std::vector<std::string> columns = {"time"};
  add_axis_names("", Dim, columns);
  add_axis_names("velocity_", Dim, columns);
  columns.emplace_back("pressure");
  for (auto const& values : state.carried) columns.push_back(values.name());
  for (std::size_t i = 0; i < points_.size(); ++i)
    probes_.push_back(folder_.open_over_time(fmt::format("probe_{}.csv", i), columns, state.time,
                                             std::vector<double>(points_[i].data, points_[i].data + Dim)));
}

template <int Dim>
void FlowLines<Dim>::add_probes(Flow const& state) {
  if (points_.empty()) return;
  auto const velocity = sample_velocity(grid_, state.velocity, points_);
  std::vector<std::vector<double>> carried;
  for (auto const& values : state.carried) carried.push_back(sample_cells(grid_, values, points_));
  for (std::size_t i = 0; i < points_.size(); ++i) {
    std::vector<double> line = {state.time};
    add_vector(points_[i], line);
    add_vector(velocity[i], line);
    auto const found =
        find(grid_.fluid(), to_device<Vec<Coord, Dim>>(grid_.context(), {scene_.grid.cell_of(points_[i])}));
    auto const cell = read_back(grid_.context(), static_cast<Index const*>(found.data()));
    line.push_back(read_back(grid_.context(), static_cast<double const*>(state.pressure.component(0) + cell)));
    for (auto const& values : carried) line.push_back(values[i]);
    probes_[i].lines.add(line);
  }
}

template <int Dim>
void FlowLines<Dim>::add_stream_function(Flow const& state) {
  if constexpr (Dim == 2) {
    auto const [least, greatest] = stream_extrema(grid_, stream_function(grid_, state.velocity));
    stream_->lines.add(
        {state.time, least.value, least.at[0], least.at[1], greatest.value, greatest.at[0], greatest.at[1]});
  }
}

template <int Dim>
void FlowLines<Dim>::write_eddies(Flow const& state) const {
  if constexpr (Dim == 2) {
    io::History lines(folder_.path("eddies.csv"), {"stream_function", "x", "y", "counterclockwise"});
    for (auto const& [centre, is_counterclockwise] : eddies(grid_, stream_function(grid_, state.velocity)))
      lines.add({centre.value, centre.at[0], centre.at[1], is_counterclockwise ? 1.0 : 0.0});
  }
}

template <int Dim>
void FlowLines<Dim>::write_profiles(Flow const& state) const {
  for (int axis = 0; axis < Dim; ++axis)
    write_profile(folder_.path(fmt::format("centre_line_{}.csv", "xyz"[axis])),
                  centre_line(grid_, state.velocity, axis));
  for (std::size_t i = 0; i < c_.profiles.size(); ++i)
    write_profile(folder_.path(fmt::format("profile_{}.csv", i)),
                  velocity_along(grid_, state.velocity, points_of<Dim>(c_.profiles[i])));
}

template <int Dim>
WallShear FlowLines<Dim>::shear_of_wall(Flow const& state, std::size_t number) const {
  CaseWall const& wall = c_.measured_walls[number];
  try {
    return wall_shear(grid_, state.velocity,
                      WallLine<Dim>{wall.normal, wall.side, vec_of<Dim>(wall.from), vec_of<Dim>(wall.to)});
  } catch (std::invalid_argument const& error) {
    throw std::runtime_error(fmt::format("wall '{}': {}", wall.name, error.what()));
  }
}

template <int Dim>
void FlowLines<Dim>::write_walls(Flow const& state) const {
  for (std::size_t i = 0; i < c_.measured_walls.size(); ++i) {
    CaseWall const& wall = c_.measured_walls[i];
    std::size_t along = 0;
    while (wall.from[along] == wall.to[along]) ++along;
    auto const shear = shear_of_wall(state, i);
    io::History lines(folder_.path(fmt::format("wall_{}.csv", i)), {std::string(1, "xyz"[along]), "shear_rate"});
    for (std::size_t k = 0; k < shear.rates.size(); ++k) lines.add({shear.positions[k], shear.rates[k]});
  }
}

#define SPARSE_DEFINE(Dim)                                                                                             \
  template std::vector<Vec<double, Dim>> probes_of(FlowCase const&);                                                   \
  template std::vector<Vec<double, Dim>> points_of(CaseProfile const&);                                                \
  template void write_profile(std::filesystem::path const&, Profile<Dim> const&);                                      \
  template class FlowLines<Dim>;
SPARSE_DEFINE(2)
SPARSE_DEFINE(3)

}  // namespace sparse::app
