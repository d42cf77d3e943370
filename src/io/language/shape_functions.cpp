#include <cmath>

#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/polygon.hpp>
#include <sparse/shapes/random.hpp>
#include <sparse/shapes/shapes.hpp>

#include "geometry_functions.hpp"

namespace sparse::io {
namespace {

template <int Dim>
IntervalSet<Dim> make_box(Arguments<Dim> const& a) {
  Box<Dim> const box{a.cell(0), a.cell(Dim)};
  a.expect_rows(box);
  return sparse::box<Dim>(box.begin, box.end, a.options().context);
}

template <int Dim>
IntervalSet<Dim> make_ball(Arguments<Dim> const& a) {
  double const radius = a.number(Dim);
  a.expect_rows(std::pow(2 * radius, Dim - 1));
  return ball<Dim>(a.point(0), radius, a.options().context);
}

template <int Dim>
IntervalSet<Dim> make_ellipsoid(Arguments<Dim> const& a) {
  auto const radii = a.point(Dim);
  double rows = 1;
  for (int axis = 1; axis < Dim; ++axis) rows *= 2 * radii[axis];
  a.expect_rows(rows);
  return ellipsoid<Dim>(a.point(0), radii, a.options().context);
}

template <int Dim>
IntervalSet<Dim> make_capsule(Arguments<Dim> const& a) {
  auto const begin = a.point(0), end = a.point(Dim);
  double const radius = a.number(2 * Dim);
  double rows = 1;
  for (int axis = 1; axis < Dim; ++axis) rows *= std::abs(end[axis] - begin[axis]) + 2 * radius;
  a.expect_rows(rows);
  return capsule<Dim>(begin, end, radius, a.options().context);
}

template <int Dim>
IntervalSet<Dim> part_behind_plane(Arguments<Dim> const& a) {
  auto const& set = a.set(0);
  a.expect_rows(set.bounds());
  return set & half_space<Dim>(a.point(1), a.point(1 + Dim), set.bounds(), a.options().context);
}

template <int Dim>
IntervalSet<Dim> part_on_checkerboard(Arguments<Dim> const& a) {
  auto const& set = a.set(0);
  a.expect_rows(set.bounds());
  return set & checkerboard<Dim>(set.bounds(), a.integer(1), a.options().context);
}

template <int Dim>
IntervalSet<Dim> random_part(Arguments<Dim> const& a) {
  auto const& set = a.set(0);
  a.expect_rows(static_cast<double>(set.bounds().cell_count()) / 8);  // takes about as much memory as this many rows
  return set & random_cells<Dim>(set.bounds(), a.number(1), a.seed(2), a.options().context);
}

template <int Dim>
IntervalSet<Dim> part_in_random_intervals(Arguments<Dim> const& a) {
  auto const& set = a.set(0);
  auto const bounds = set.bounds();
  a.expect_rows(bounds);
  a.expect_rows(static_cast<double>(bounds.cell_count()) / std::max(1.0, a.number(1) + a.number(2)) / 4);
  return set & random_intervals<Dim>(bounds, a.number(1), a.number(2), a.seed(3), a.options().context);
}

IntervalSet<2> make_polygon(Arguments<2> const& a) {
  Loop loop;
  double low = 0, high = 0;
  for (std::size_t p = 0; p < a.size(); p += 2) {
    loop.push_back(a.point(p));
    low = p == 0 ? loop.back()[1] : std::min(low, loop.back()[1]);
    high = p == 0 ? loop.back()[1] : std::max(high, loop.back()[1]);
  }
  a.expect_rows(high - low);
  return polygon(loop, FillRule::even_odd, a.options().context);
}

}  // namespace

template <int Dim>
GeometryFunctions<Dim> shape_functions() {
  GeometryFunctions<Dim> functions = {{"box", make_box<Dim>},
                                      {"ball", make_ball<Dim>},
                                      {"ellipsoid", make_ellipsoid<Dim>},
                                      {"capsule", make_capsule<Dim>},
                                      {"half_space", part_behind_plane<Dim>},
                                      {"checkerboard", part_on_checkerboard<Dim>},
                                      {"random", random_part<Dim>},
                                      {"random_intervals", part_in_random_intervals<Dim>}};
  if constexpr (Dim == 2) functions.emplace("polygon", make_polygon);
  return functions;
}

template GeometryFunctions<2> shape_functions();
template GeometryFunctions<3> shape_functions();

}  // namespace sparse::io
