#pragma once
/// Values at the points and along the lines that a command line names.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <sparse/amr/domain/domain.hpp>
#include <sparse/amr/measure/probes.hpp>

#include <sparse/app/compressible/ranks.hpp>
#include <sparse/app/run/folder.hpp>

namespace sparse::app {

/// Where a run takes samples.
template <int Dim>
struct SamplePlaces {
  /// Points, and for each line its points [m].
  std::vector<sparse::Vec<double, Dim>> probes;
  std::vector<std::vector<sparse::Vec<double, Dim>>> lines;
};

namespace detail {

template <int Dim>
sparse::Vec<double, Dim> point_of(std::vector<double> const& numbers, std::string const& option,
                                  sparse::amr::Domain<Dim> const& domain) {
  if (numbers.size() != Dim) throw std::runtime_error(fmt::format("{}: points have {} coordinates", option, Dim));
  auto const& box = domain.options();
  sparse::Vec<double, Dim> point;
  for (int axis = 0; axis < Dim; ++axis) {
    point[axis] = numbers[static_cast<std::size_t>(axis)];
    double const begin = box.grid.origin[axis], end = begin + box.cells[axis] * box.grid.spacing[axis];
    if (!(point[axis] >= begin && point[axis] <= end))
      throw std::runtime_error(
          fmt::format("{}: outside of the domain, where {} is from {:.6g} to {:.6g}", option, "xyz"[axis], begin, end));
  }
  return point;
}

template <int Dim>
bool is_in_fluid(sparse::Vec<double, Dim> const& point, sparse::amr::Domain<Dim> const& domain) {
  int const finest = domain.level_count() - 1;
  auto const grid = domain.grid(finest);
  sparse::Vec<sparse::Coord, Dim> cell;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const at = static_cast<sparse::Coord>(std::floor((point[axis] - grid.origin[axis]) / grid.spacing[axis]));
    cell[axis] = std::min(at, domain.box(finest).end[axis] - 1);
  }
  return !domain.solid(finest).contains(cell);
}

/// Names of the primitive variables, in their order.
template <class Law>
std::vector<std::string> names_of_primitive() {
  if constexpr (requires { typename Law::Carrier; }) {
    auto names = names_of_primitive<typename Law::Carrier>();
    names.push_back("tracer");
    return names;
  } else if constexpr (requires { Law::pressure_index; }) {
    std::vector<std::string> names = {"density", "velocity_x", "velocity_y", "velocity_z"};
    names.resize(1 + Law::dimension);
    names.push_back("pressure");
    return names;
  } else {
    return {"value"};
  }
}

}  // namespace detail

/// The points of all probes and lines of the options.
/// @throws std::runtime_error  naming the option, for points with another dimension or outside of the domain, and for
///                             probes in a body
template <int Dim>
SamplePlaces<Dim> places_of(RunOptions const& o, sparse::amr::Domain<Dim> const& domain) {
  SamplePlaces<Dim> places;
  for (Probe const& probe : o.probes) {
    std::string const option = "--probe " + probe.text;
    auto const point = detail::point_of(probe.at, option, domain);
    if (!detail::is_in_fluid(point, domain)) throw std::runtime_error(option + ": in a body, where there is no fluid");
    places.probes.push_back(point);
  }
  auto const spacing = domain.spacing(domain.level_count() - 1);
  for (Line const& line : o.lines) {
    std::string const option = "--line " + line.text;
    auto const from = detail::point_of(line.from, option, domain), to = detail::point_of(line.to, option, domain);
    double cells = 1;
    for (int axis = 0; axis < Dim; ++axis) cells = std::max(cells, std::abs(to[axis] - from[axis]) / spacing[axis]);
    int const count = line.count > 0 ? line.count : 1 + static_cast<int>(std::lround(cells));
    places.lines.push_back(sparse::amr::points_between(from, to, count));
  }
  return places;
}

/// Writes probe_0.csv, ..., with the values of one point over time, and line_0.csv, ..., with those of a line at one.
template <class Flow>
class Samples {
public:
  static constexpr int Dim = Flow::Dim;

  /// Starts the files of the probes with the present values. A run that goes on keeps their lines instead.
  Samples(RunFolder& folder, Flow& flow)
      : folder_(folder), places_(places_of(folder.options(), flow.domain())), values_{flow.flux().law},
        names_(detail::names_of_primitive<typename Flow::Law>()) {
    std::vector<std::string> columns = {"time", "x", "y", "z"};
    columns.resize(1 + Dim);
    columns.insert(columns.end(), names_.begin(), names_.end());
    for (auto const& point : places_.probes)
      files_.push_back(folder.open_over_time(fmt::format("probe_{}.csv", files_.size()), columns, flow.time(),
                                             std::vector<double>(point.data, point.data + Dim)));
    add_lines(flow, [](TimeFile const& file) { return !file.last_time; });
  }

  /// Whether a step that began at time `before` adds lines.
  bool are_due(double time, double before) const {
    double const interval = folder_.options().probe_interval;
    auto const count = [&](double t) { return std::floor(t / interval + 1e-9); };
    return !files_.empty() && !(interval > 0 && count(time) == count(before));
  }
  /// Adds lines after a step that began at time `before`. Without an interval each step has a line; with one, the first
  /// step at or after each multiple of it. This depends on times alone, so a run that goes on has the same lines.
  void write_probes(Flow& flow, double before) {
    if (!are_due(flow.time(), before)) return;
    add_lines(flow, [](TimeFile const&) { return true; });
  }

  /// Writes line_N_STEP.csv and, of the last output, line_N.csv; NaN stands where a line runs through a body.
  void write_lines(Flow& flow) const {
    for (std::size_t i = 0; i < places_.lines.size(); ++i) {
      auto const path = folder_.path(fmt::format("line_{}_{:06}.csv", i, flow.step_count()));
      sparse::amr::write_values(path, flow, places_.lines[i], names_, values_);
      std::filesystem::copy_file(path, folder_.path(fmt::format("line_{}.csv", i)),
                                 std::filesystem::copy_options::overwrite_existing);
    }
  }

private:
  using Values = sparse::amr::PrimitiveVariables<typename Flow::Law>;

  template <class IsWanted>
  void add_lines(Flow& flow, IsWanted const& is_wanted) {
    if (std::none_of(files_.begin(), files_.end(), is_wanted)) return;
    tell(folder_.team(), Order::sample);
    auto const values = sparse::amr::values_at(flow, places_.probes, values_);
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (!is_wanted(files_[i])) continue;
      std::vector<double> line = {flow.time()};
      line.insert(line.end(), places_.probes[i].data, places_.probes[i].data + Dim);
      line.insert(line.end(), values[i].data, values[i].data + Flow::component_count);
      files_[i].lines.add(line);
    }
  }

  RunFolder& folder_;
  SamplePlaces<Dim> places_;
  Values values_;
  std::vector<std::string> names_;
  std::vector<TimeFile> files_;
};

}  // namespace sparse::app
