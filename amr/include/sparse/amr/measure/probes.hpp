#pragma once
/// Values at points and along lines.

#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include <sparse/amr/domain/domain.hpp>
#include <sparse/amr/law.hpp>
#include <sparse/amr/measure/team_of.hpp>
#include <sparse/base/interpolation.hpp>
#include <sparse/io/files/history.hpp>

namespace sparse::amr {

/// Derives the primitive variables of a state.
template <class Law>
struct PrimitiveVariables {
  /// Gives primitive variables of conserved ones.
  Law law;
  /// The primitive variables of u.
  KOKKOS_FUNCTION Vec<double, Law::component_count> operator()(typename Law::State const& u) const {
    auto const w = law.primitive(u);
    Vec<double, Law::component_count> values;
    for (int c = 0; c < Law::component_count; ++c) values[c] = static_cast<double>(w[c]);
    return values;
  }
};

namespace detail {

template <class Law, class Derive>
using Derived = std::decay_t<decltype(std::declval<Derive const&>()(std::declval<typename Law::State const&>()))>;

template <class Values>
inline constexpr int derived_count = 0;
template <int N>
inline constexpr int derived_count<Vec<double, N>> = N;

/// Writes the values at the points that lie in leaves of a level.
template <class Law, class Derive>
struct ProbeLevel {
  static constexpr int Dim = Law::dimension;
  using Values = Derived<Law, Derive>;
  SetView leaves, storage;
  FieldView<typename Law::Scalar const> state;
  Grid<Dim> grid;  // of the level
  Box<Dim> box;
  Derive derive;
  Interpolation interpolation;
  Vec<double, Dim> const* points;
  Values* out;

  KOKKOS_FUNCTION Values at(Index cell) const { return derive(state.template load<Law::component_count>(cell)); }
  KOKKOS_FUNCTION void operator()(Index i) const {
    Vec<Coord, Dim> cell;
    Vec<double, Dim> from_center;  // in cells
    for (int axis = 0; axis < Dim; ++axis) {
      double const x = (points[i][axis] - grid.origin[axis]) / grid.spacing[axis];
      if (!(x >= box.begin[axis] && x <= box.end[axis])) return;  // also for NaN
      auto const home = static_cast<Coord>(std::floor(x));
      cell[axis] = home == box.end[axis] ? home - 1 : home;
      from_center[axis] = x - (cell[axis] + 0.5);
    }
    if (leaves.find(cell) < 0) return;
    Values const middle = at(storage.find(cell));
    Values value = middle;
    for (int axis = 0; axis < Dim && interpolation == Interpolation::linear; ++axis) {
      bool const is_above = from_center[axis] > 0;
      Index const neighbour = storage.find(cell + Vec<Coord, Dim>::along(axis, is_above ? 1 : -1));
      double const weight = is_above ? from_center[axis] : -from_center[axis];
      if (neighbour >= 0) value += weight * (at(neighbour) - middle);
    }
    out[i] = value;
  }
};

}  // namespace detail

/// Derived values at points. They are NaN outside the box and in solid cells. Points on the upper sides of the box
/// belong to it.
/// @param points  in space [length]
/// @param derive  device function of a state of conserved variables -> Vec<double, N>
/// @return        [points.size()], on the host
/// Collective if there are several ranks, with the same points on each, which also get the same values. Cost:
/// `synchronise`; a search in the leaves of each level per point, and one per axis for neighbours; with several ranks a
/// reduction of all values.
template <class Flow, class Derive>
std::vector<detail::Derived<typename Flow::Law, Derive>>
values_at(Flow& flow, std::vector<Vec<double, Flow::Dim>> const& points, Derive const& derive,
          Interpolation interpolation = Interpolation::linear) {
  using Law = typename Flow::Law;
  using Values = detail::Derived<Law, Derive>;
  static_assert(detail::derived_count<Values> > 0, "derive must return a Vec<double, N>");
  flow.synchronise();
  Context const context = flow.state(0).context();
  auto const places = to_device(context, points);
  Values nowhere;
  for (double& value : nowhere.data) value = std::numeric_limits<double>::quiet_NaN();
  auto const values = to_device(context, std::vector<Values>(points.size(), nowhere));
  for (int l = 0; l < flow.level_count(); ++l) {
    detail::ProbeLevel<Law, Derive> const probe{flow.sets(l).leaves.view(),
                                                flow.sets(l).storage.view(),
                                                flow.state(l).view(),
                                                flow.domain().grid(l),
                                                flow.domain().box(l),
                                                derive,
                                                interpolation,
                                                places.data(),
                                                values.data()};
    parallel_for(context, "sparse::diagnostics::probe", places.size(), probe);
  }
  auto found = to_host(context, static_cast<Values const*>(values.data()), values.size());
  if (auto* const team = team_of(flow)) {
    std::vector<double> numbers;
    for (auto const& value : found) numbers.insert(numbers.end(), std::begin(value.data), std::end(value.data));
    distributed::share(*team, numbers);
    auto next = numbers.begin();
    for (auto& value : found)
      for (double& number : value.data) number = *next++;
  }
  return found;
}

/// The primitive variables at points, in the same way.
template <class Flow>
auto primitive_at(Flow& flow, std::vector<Vec<double, Flow::Dim>> const& points,
                  Interpolation interpolation = Interpolation::linear) {
  return values_at(flow, points, PrimitiveVariables<typename Flow::Law>{flow.flux().law}, interpolation);
}

/// `count` >= 2 points at equal distances from `from` to `to`, both included.
/// @throws std::invalid_argument  if count < 2
template <int Dim>
std::vector<Vec<double, Dim>> points_between(Vec<double, Dim> const& from, Vec<double, Dim> const& to, int count) {
  expects(count >= 2, "points_between: there must be two points at least");
  std::vector<Vec<double, Dim>> points;
  for (int i = 0; i < count; ++i) {
    double const part = static_cast<double>(i) / (count - 1);
    points.push_back((1 - part) * from + part * to);
  }
  return points;
}

/// A CSV file with values at fixed points over time: columns "time", "NAME 0" of the first point, ...
template <int Dim>
class ProbeFile {
public:
  /// @param names  of the derived values
  /// @throws std::invalid_argument  if a name is no name for a column (see `io::History`)
  /// @throws std::runtime_error     with the path and the reason if the file cannot be written
  ProbeFile(std::filesystem::path const& path, std::vector<Vec<double, Dim>> points,
            std::vector<std::string> const& names, Interpolation interpolation = Interpolation::linear)
      : points_(std::move(points)), interpolation_(interpolation), history_(path, columns(points_.size(), names)) {}

  /// Adds a line; it is in the file when this returns.
  /// @param derive  see `values_at`; returns one value per name
  /// @throws std::invalid_argument  unless `derive` returns a value for each name
  /// @throws std::runtime_error     with the path and the reason; the file then ends with the line before
  template <class Flow, class Derive>
  void add(Flow& flow, Derive const& derive) {
    std::vector<double> line = {flow.time()};
    for (auto const& values : values_at(flow, points_, derive, interpolation_))
      for (double value : values.data) line.push_back(value);
    history_.add(line);
  }

private:
  static std::vector<std::string> columns(std::size_t point_count, std::vector<std::string> const& names) {
    std::vector<std::string> all = {"time"};
    for (std::size_t i = 0; i < point_count; ++i)
      for (auto const& name : names) all.push_back(name + " " + std::to_string(i));
    return all;
  }
  std::vector<Vec<double, Dim>> points_;
  Interpolation interpolation_;
  io::History history_;
};

/// Writes derived values at points as CSV, for example along a line. Its columns are "distance", measured from the
/// first point along the others, "x", "y", in 3D "z", and the names.
/// @param derive  see `values_at`; returns one value per name
/// @throws std::invalid_argument  if it does not, or a name is no name for a column
/// @throws std::runtime_error     with the path and the reason if the file cannot be written
template <class Flow, class Derive>
void write_values(std::filesystem::path const& path, Flow& flow, std::vector<Vec<double, Flow::Dim>> const& points,
                  std::vector<std::string> const& names, Derive const& derive,
                  Interpolation interpolation = Interpolation::linear) {
  constexpr int Dim = Flow::Dim;
  std::vector<std::string> columns = {"distance", "x", "y", "z"};
  columns.resize(1 + Dim);
  columns.insert(columns.end(), names.begin(), names.end());
  io::History file(path, columns);
  auto const values = values_at(flow, points, derive, interpolation);
  double distance = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    double square = 0;
    for (int axis = 0; axis < Dim && i > 0; ++axis) square += std::pow(points[i][axis] - points[i - 1][axis], 2);
    distance += std::sqrt(square);
    std::vector<double> line = {distance};
    line.insert(line.end(), points[i].data, points[i].data + Dim);
    for (double value : values[i].data) line.push_back(value);
    file.add(line);
  }
}

}  // namespace sparse::amr
