#include <sparse/incompressible/levels/profiles.hpp>

#include <algorithm>
#include <string>

#include <sparse/distributed/team.hpp>
#include <sparse/incompressible/measure/sample.hpp>
#include <sparse/sets/locate.hpp>

namespace sparse::incompressible {
namespace {

/// Where the points are in a set of cells of a level; -1: nowhere.
template <class T, int Dim>
std::vector<Index> places_in(IntervalSet<Dim> const& cells, AdaptiveFlow<T, Dim> const& flow, int level,
                             std::vector<Vec<double, Dim>> const& points) {
  std::vector<Vec<Coord, Dim>> of_points;
  for (auto const& point : points) of_points.push_back(flow.domain().grid(level).cell_of(point));
  auto const found = find(cells, to_device(cells.context(), of_points));
  return to_host(cells.context(), static_cast<Index const*>(found.data()), found.size());
}

/// The points on a level, and which of all they are.
template <int Dim>
struct PointsOfLevel {
  std::vector<Vec<double, Dim>> points;
  std::vector<std::size_t> numbers;
};
template <int Dim>
PointsOfLevel<Dim> points_of(int level, std::vector<int> const& levels, std::vector<Vec<double, Dim>> const& points) {
  PointsOfLevel<Dim> result;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (levels[i] != level) continue;
    result.points.push_back(points[i]);
    result.numbers.push_back(i);
  }
  return result;
}

/// The same as `levels_at` for the leaves of this rank.
template <class T, int Dim>
std::vector<int> own_levels_at(AdaptiveFlow<T, Dim> const& flow, std::vector<Vec<double, Dim>> const& points) {
  std::vector<int> levels(points.size(), -1);
  for (int l = 0; l < flow.level_count() && !points.empty(); ++l) {
    auto const places = places_in(flow.leaves(l), flow, l, points);
    for (std::size_t i = 0; i < places.size(); ++i)
      if (places[i] >= 0) levels[i] = l;
  }
  return levels;
}

/// The greatest level of each point among those that the ranks know.
std::vector<int> of_all_ranks(distributed::Team* team, std::vector<int> levels) {
  if (team == nullptr) return levels;
  std::vector<double> numbers(levels.begin(), levels.end());
  maximise(*team, numbers);
  for (std::size_t i = 0; i < levels.size(); ++i) levels[i] = static_cast<int>(numbers[i]);
  return levels;
}

/// The same for points that must lie in the fluid. @return  those of this rank
template <class T, int Dim>
std::vector<int> levels_in_fluid(AdaptiveFlow<T, Dim> const& flow, std::vector<Vec<double, Dim>> const& points) {
  auto const levels = own_levels_at(flow, points), all = of_all_ranks(flow.options().team, levels);
  for (std::size_t i = 0; i < points.size(); ++i)
    if (all[i] < 0) fail("incompressible: point " + std::to_string(i) + " is in no cell of the fluid");
  return levels;
}

/// Of each value one rank has it, and the others 0.
void gather_values(distributed::Team* team, std::vector<double>& values) {
  if (team != nullptr) team->add(values);
}

}  // namespace

template <class T, int Dim>
std::vector<int> levels_at(AdaptiveFlow<T, Dim> const& flow, std::vector<Vec<double, Dim>> const& points) {
  return of_all_ranks(flow.options().team, own_levels_at(flow, points));
}

template <class T, int Dim>
Profile<Dim> velocity_along(AdaptiveFlow<T, Dim> const& flow, std::vector<Vec<double, Dim>> const& points) {
  auto* const team = flow.options().team;
  auto const own = own_levels_at(flow, points), levels = of_all_ranks(team, own);
  std::vector<double> velocity(Dim * points.size());
  for (int l = 0; l < flow.level_count(); ++l) {
    auto const here = points_of(l, own, points);
    auto const values = sample_velocity(flow.grid(l), flow.state(l).velocity, here.points);
    for (std::size_t k = 0; k < values.size(); ++k)
      for (std::size_t axis = 0; axis < Dim; ++axis)
        velocity[Dim * here.numbers[k] + axis] = static_cast<double>(values[k][static_cast<int>(axis)]);
  }
  gather_values(team, velocity);
  Profile<Dim> profile;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (levels[i] < 0) continue;
    profile.points.push_back(points[i]);
    auto& at = profile.velocity.emplace_back();
    for (std::size_t axis = 0; axis < Dim; ++axis) at[static_cast<int>(axis)] = velocity[Dim * i + axis];
  }
  return profile;
}

template <class T, int Dim>
Profile<Dim> centre_line(AdaptiveFlow<T, Dim> const& flow, int axis) {
  expects(axis >= 0 && axis < Dim, "incompressible: there is no such axis");
  std::vector<Vec<double, Dim>> points;
  for (int l = 0; l < flow.level_count(); ++l) {
    auto const box = flow.domain().box(l);
    Vec<double, Dim> at;
    for (int b = 0; b < Dim; ++b) at[b] = 0.5 * (static_cast<double>(box.begin[b]) + static_cast<double>(box.end[b]));
    std::vector<Vec<double, Dim>> of_level;
    for (Coord i = box.begin[axis]; i < box.end[axis]; ++i) {
      at[axis] = i + 0.5;
      of_level.push_back(flow.domain().grid(l).to_physical(at));
    }
    auto const places = places_in(flow.all_leaves(l), flow, l, of_level);
    for (std::size_t i = 0; i < places.size(); ++i)
      if (places[i] >= 0) points.push_back(of_level[i]);
  }
  std::sort(points.begin(), points.end(), [&](auto const& a, auto const& b) { return a[axis] < b[axis]; });
  return velocity_along(flow, points);
}

template <class T, int Dim>
std::vector<double> pressure_at(AdaptiveFlow<T, Dim> const& flow, std::vector<Vec<double, Dim>> const& points) {
  auto const levels = levels_in_fluid(flow, points);
  std::vector<double> pressure(points.size());
  for (int l = 0; l < flow.level_count(); ++l) {
    auto const here = points_of(l, levels, points);
    if (here.points.empty()) continue;
    auto const& field = flow.state(l).pressure;
    auto const places = places_in(field.domain(), flow, l, here.points);
    for (std::size_t k = 0; k < places.size(); ++k)
      pressure[here.numbers[k]] =
          static_cast<double>(read_back(field.context(), static_cast<T const*>(field.component(0) + places[k])));
  }
  gather_values(flow.options().team, pressure);
  return pressure;
}

template <class T, int Dim>
std::vector<double> ink_at(AdaptiveFlow<T, Dim> const& flow, std::size_t ink,
                           std::vector<Vec<double, Dim>> const& points) {
  expects(ink < flow.options().inks.size(), "incompressible: there is no such ink");
  auto const levels = levels_in_fluid(flow, points);
  std::vector<double> values(points.size());
  for (int l = 0; l < flow.level_count(); ++l) {
    auto const here = points_of(l, levels, points);
    auto const of_level = sample_cells(flow.grid(l), flow.state(l).carried[ink], here.points);
    for (std::size_t k = 0; k < of_level.size(); ++k) values[here.numbers[k]] = static_cast<double>(of_level[k]);
  }
  gather_values(flow.options().team, values);
  return values;
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template std::vector<int> levels_at(AdaptiveFlow<T, Dim> const&, std::vector<Vec<double, Dim>> const&);              \
  template Profile<Dim> velocity_along(AdaptiveFlow<T, Dim> const&, std::vector<Vec<double, Dim>> const&);             \
  template Profile<Dim> centre_line(AdaptiveFlow<T, Dim> const&, int);                                                 \
  template std::vector<double> pressure_at(AdaptiveFlow<T, Dim> const&, std::vector<Vec<double, Dim>> const&);         \
  template std::vector<double> ink_at(AdaptiveFlow<T, Dim> const&, std::size_t, std::vector<Vec<double, Dim>> const&);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible
