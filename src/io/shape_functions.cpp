#include <cmath>

#include <sparse/set_algebra.hpp>
#include <sparse/shapes.hpp>

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

}  // namespace

template <int Dim>
GeometryFunctions<Dim> shape_functions() {
  return {{"box", make_box<Dim>},
          {"ball", make_ball<Dim>},
          {"ellipsoid", make_ellipsoid<Dim>},
          {"capsule", make_capsule<Dim>},
          {"half_space", part_behind_plane<Dim>},
          {"checkerboard", part_on_checkerboard<Dim>}};
}

template GeometryFunctions<2> shape_functions();
template GeometryFunctions<3> shape_functions();

}  // namespace sparse::io
