#include <sparse/incompressible/measure/profiles.hpp>

#include <sparse/sets/locate.hpp>

#include "grid/body.hpp"
#include "parabola.hpp"

namespace sparse::incompressible {

template <class T, int Dim>
Profile<Dim> velocity_along(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity,
                            std::vector<Vec<double, Dim>> const& points) {
  detail::expect_alone(grid, "a profile");
  grid.expect_stored(velocity, Dim, "velocity");
  std::vector<Vec<Coord, Dim>> cells;
  for (auto const& point : points) cells.push_back(grid.space().cell_of(point));
  auto const found = find(grid.fluid(), to_device(grid.context(), cells));
  auto const positions = to_host(grid.context(), static_cast<Index const*>(found.data()), found.size());
  Profile<Dim> profile;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (positions[i] >= 0) profile.points.push_back(points[i]);
  for (auto const& value : sample_velocity(grid, velocity, profile.points)) {
    Vec<double, Dim> u;
    for (int axis = 0; axis < Dim; ++axis) u[axis] = static_cast<double>(value[axis]);
    profile.velocity.push_back(u);
  }
  return profile;
}

template <class T, int Dim>
Profile<Dim> centre_line(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity, int axis) {
  expects(axis >= 0 && axis < Dim, "incompressible: there is no such axis");
  auto const box = grid.fluid().bounds();
  Vec<double, Dim> middle;  // in cell widths
  for (int b = 0; b < Dim; ++b) middle[b] = 0.5 * (static_cast<double>(box.begin[b]) + static_cast<double>(box.end[b]));
  std::vector<Vec<double, Dim>> points;
  for (Coord i = box.begin[axis]; i < box.end[axis]; ++i) {
    middle[axis] = i + 0.5;
    points.push_back(grid.space().to_physical(middle));
  }
  return velocity_along(grid, velocity, points);
}

template <int Dim>
ProfileExtrema extrema_of(Profile<Dim> const& profile, int axis, int component) {
  expects(axis >= 0 && axis < Dim && component >= 0 && component < Dim,
          "incompressible: there is no such axis or component");
  expects(!profile.points.empty(), "incompressible: the profile has no points");
  auto const value = [&](std::size_t i) { return profile.velocity[i][component]; };
  auto const position = [&](std::size_t i) { return profile.points[i][axis]; };
  std::size_t const count = profile.points.size();
  std::size_t least = 0, greatest = 0;
  for (std::size_t i = 1; i < count; ++i) {
    if (value(i) < value(least)) least = i;
    if (value(i) > value(greatest)) greatest = i;
  }
  auto const refined = [&](std::size_t i) {
    ProfileExtremum extremum{value(i), position(i)};
    if (i == 0 || i + 1 == count) return extremum;
    double const before = position(i) - position(i - 1), after = position(i + 1) - position(i);
    if (!(after - before <= 1e-9 * after && before - after <= 1e-9 * after)) return extremum;  // unequal spacing
    auto const vertex = detail::vertex_of_parabola(value(i - 1), value(i), value(i + 1));
    extremum.value += vertex.rise;
    extremum.position += vertex.offset * after;
    return extremum;
  };
  return {refined(least), refined(greatest)};
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template Profile<Dim> velocity_along(StaggeredGrid<Dim> const&, Field<T, Dim> const&,                                \
                                       std::vector<Vec<double, Dim>> const&);                                          \
  template Profile<Dim> centre_line(StaggeredGrid<Dim> const&, Field<T, Dim> const&, int);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)
template ProfileExtrema extrema_of(Profile<2> const&, int, int);
template ProfileExtrema extrema_of(Profile<3> const&, int, int);

}  // namespace sparse::incompressible
