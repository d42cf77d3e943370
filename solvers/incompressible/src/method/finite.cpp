#include "finite.hpp"

#include <limits>
#include <stdexcept>
#include <string>

#include <sparse/fields/gather.hpp>
#include <sparse/sets/locate.hpp>

#include "grid/body.hpp"
#include "grid/ranks.hpp"
#include "step/greatest_size.hpp"

namespace sparse::incompressible::detail {
namespace {

/// A maximum of whole numbers vectorises; whether one value is finite after the other would not.
template <class T, int Dim>
bool are_finite(Subset<Dim> const& where, T const* values) {
  return reduce<Kokkos::Max, Bits<T>>(
             "sparse::incompressible::are_finite", where,
             KOKKOS_LAMBDA(SubsetPoint<Dim> const& p, Bits<T>& partial) SPARSE_INLINE_LAMBDA {
               Bits<T> const bits = bits_of_magnitude(values[p.cell]);
               partial = bits > partial ? bits : partial;
             }) < bits_of_magnitude(std::numeric_limits<T>::infinity());
}

template <class T, int Dim>
Index first_not_finite(Subset<Dim> const& where, T const* values) {
  Bits<T> const limit = bits_of_magnitude(std::numeric_limits<T>::infinity());
  return reduce<Kokkos::Min, Index>(
      "sparse::incompressible::first_not_finite", where, KOKKOS_LAMBDA(SubsetPoint<Dim> const& p, Index& first) {
        if (p.cell < first && bits_of_magnitude(values[p.cell]) >= limit) first = p.cell;
      });
}

/// Throws if a component is not finite somewhere.
/// @param what, place  of the message: "the velocity along axis 0 is nan at face (1, 2)"
template <class T, int Dim>
void expect_component(Subset<Dim> const& where, Field<T, Dim> const& field, int component, std::string const& what,
                      std::string const& place, std::string const& when) {
  if (are_finite(where, field.component(component))) return;
  Index const first = first_not_finite(where, field.component(component));
  auto const cell = cell_of(field.domain(), first);
  auto const value = gather(field, std::vector<Vec<Coord, Dim>>{cell}, component)[0];
  std::string at;
  for (int axis = 0; axis < Dim; ++axis) at += (axis > 0 ? ", " : "") + std::to_string(cell[axis]);
  throw std::runtime_error("incompressible: " + what + " is " + std::to_string(value) + " at " + place + " (" + at +
                           ") " + when);
}

template <class T, int Dim>
void expect_all(StaggeredGrid<Dim> const& grid, State<T, Dim> const& state, Field<T, Dim> const& velocity,
                std::vector<Field<T, Dim>> const& carried, std::string const& when) {
  for (int axis = 0; axis < Dim; ++axis)
    expect_component(grid.body().computed_plan(axis), velocity, axis, "the velocity along axis " + std::to_string(axis),
                     "face", when);
  for (std::size_t i = 0; i < state.carried.size() && i < carried.size(); ++i)
    expect_component(grid.body().computed_plan(Dim), carried[i], 0, "'" + state.carried[i].name() + "'", "cell", when);
}

}  // namespace

template <class T, int Dim>
void fail_not_finite(StaggeredGrid<Dim> const& grid, State<T, Dim> const& before, Field<T, Dim> const& velocity,
                     std::vector<Field<T, Dim>> const& carried) {
  std::string const time = "time " + std::to_string(before.time);
  distributed::Team* const team = grid.body().ranks ? &grid.body().ranks->team() : nullptr;
  distributed::together(team, [&] { expect_all(grid, before, before.velocity, before.carried, "at " + time); });
  distributed::together(team, [&] { expect_all(grid, before, velocity, carried, "after a step from " + time); });
  throw std::runtime_error("incompressible: divergence or pressure is not finite after a step from " + time);
}

template <class T, int Dim>
void expect_finite(StaggeredGrid<Dim> const& grid, State<T, Dim> const& before, Field<T, Dim> const& velocity,
                   std::vector<Field<T, Dim>> const& carried) {
  bool is_finite = true;
  for (std::size_t i = 0; i < before.carried.size(); ++i)
    is_finite = is_finite && are_finite(grid.body().computed_plan(Dim), carried[i].component(0));
  if (grid.body().greatest(is_finite ? 0 : 1) > 0) fail_not_finite(grid, before, velocity, carried);
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template void fail_not_finite(StaggeredGrid<Dim> const&, State<T, Dim> const&, Field<T, Dim> const&,                 \
                                std::vector<Field<T, Dim>> const&);                                                    \
  template void expect_finite(StaggeredGrid<Dim> const&, State<T, Dim> const&, Field<T, Dim> const&,                   \
                              std::vector<Field<T, Dim>> const&);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible::detail
