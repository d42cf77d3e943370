#pragma once
/// Flows for tests: domains with all kinds of boundary, and velocities from functions.

#include <cmath>
#include <random>

#include <sparse/base/interpolation.hpp>
#include <sparse/fields/algebra.hpp>
#include <sparse/incompressible/grid/state.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/components.hpp>
#include <sparse/sets/locate.hpp>
#include <sparse/shapes/shapes.hpp>
#include <support/fields.hpp>
#include <support/refused.hpp>

namespace reference {

using namespace sparse::incompressible;
using sparse::BoundaryKind;
using sparse::FaceSide;
using sparse::Interpolation;
using sparse::SignedDistance;

template <int Dim>
using Point = Vec<double, Dim>;

/// What a test tolerates in single and in double precision.
template <class T>
double precise(double single, double with_double) {
  return std::is_same_v<T, float> ? single : with_double;
}

/// The middle of a face normal to `axis`, or of a cell for axis Dim.
template <int Dim>
Point<Dim> middle_of(Cell<Dim> const& cell, int axis, Point<Dim> const& spacing) {
  Point<Dim> x;
  for (int b = 0; b < Dim; ++b) x[b] = spacing[b] * (cell[b] + (b == axis ? 0 : 0.5));
  return x;
}

/// Writes `function(cell, position)` to the cells or faces of a set that lies in the field's domain.
template <class T, int Dim, class Function>
void set_where(sparse::Field<T, Dim>& field, int component, IntervalSet<Dim> const& where, Function const& function) {
  std::vector<Cell<Dim>> cells;
  where.to_host().for_each_cell([&](Cell<Dim> const& cell, Index) { cells.push_back(cell); });
  auto const found = sparse::find(field.domain(), to_device(field.context(), cells));
  auto const positions = to_host(field.context(), static_cast<Index const*>(found.data()), found.size());
  auto values = to_host(field, component);
  for (std::size_t i = 0; i < cells.size(); ++i)
    values[static_cast<std::size_t>(positions[i])] = static_cast<T>(function(cells[i]));
  set_values(field, values, component);
}

/// Random velocities between -1 and 1 on the computed faces.
template <class T, int Dim>
void set_random_velocity(StaggeredGrid<Dim> const& grid, sparse::Field<T, Dim>& velocity, unsigned seed) {
  auto engine = random_engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int axis = 0; axis < Dim; ++axis)
    set_where(velocity, axis, grid.computed_faces(axis), [&](Cell<Dim> const&) { return uniform(engine); });
}

/// Random values between -1 and 1 on the fluid.
template <class T, int Dim>
void set_random_cells(StaggeredGrid<Dim> const& grid, sparse::Field<T, Dim>& values, unsigned seed) {
  auto engine = random_engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  set_where(values, 0, grid.fluid(), [&](Cell<Dim> const&) { return uniform(engine); });
}

/// The value of one component at each face of a set.
template <class T, int Dim>
std::map<Cell<Dim>, double, StorageOrder> values_on(sparse::Field<T, Dim> const& field, int component,
                                                    IntervalSet<Dim> const& where) {
  std::map<Cell<Dim>, double, StorageOrder> result;
  auto const all = value_map(field, component);
  where.to_host().for_each_cell(
      [&](Cell<Dim> const& cell, Index) { result[cell] = static_cast<double>(all.at(cell)); });
  return result;
}

/// A box of cells of width 1 between walls.
template <int Dim>
FlowDomain<Dim> channel(Coord length, Coord width, BoundaryKind walls) {
  FlowDomain<Dim> domain;
  auto end = Cell<Dim>::filled(width);
  end[0] = length;
  domain.fluid = sparse::box<Dim>({}, end);
  domain.others = walls;
  return domain;
}

/// Adds an inflow at the lower and an outflow at the upper end of x.
template <int Dim>
void open_ends(FlowDomain<Dim>& domain, Vec<double, Dim> const& velocity) {
  domain.parts.push_back({BoundaryKind::inflow, side_faces(domain.fluid, 0, FaceSide::lower), velocity});
  domain.parts.push_back({BoundaryKind::outflow, side_faces(domain.fluid, 0, FaceSide::upper)});
}

/// A flow from an inflow to an outflow around a ball starts as its own mirror image, along each axis across it in turn,
/// and stays that.
/// @param run  run(grid, state) advances the state, which carries one field
template <class T, int Dim, class Run>
void expect_mirror_symmetry(BoundaryKind walls, double tolerance, Run const& run) {
  for (int axis = 1; axis < Dim; ++axis) {
    auto domain = channel<Dim>(20, 12, walls);
    domain.fluid = domain.fluid - sparse::ball<Dim>(Point<Dim>::filled(6), 2.4);
    open_ends<Dim>(domain, {1});
    StaggeredGrid<Dim> const grid(domain);
    State<T, Dim> state(grid, {"ink"});
    set_cells(grid, state.carried[0],
              [&](Point<Dim> const& x) { return std::cos(0.7 * x[0]) + std::cos(x[axis] - 6); });
    run(grid, state);
    auto const mirrored = [&](Cell<Dim> cell, int of) {
      cell[axis] = 11 - cell[axis] + (of == axis ? 1 : 0);
      return cell;
    };
    for (int a = 0; a < Dim; ++a) {
      auto const u = values_on(state.velocity, a, grid.faces(a));
      for (auto const& [face, value] : u)
        ASSERT_NEAR(value, (a == axis ? -1 : 1) * u.at(mirrored(face, a)), tolerance) << a << face;
    }
    auto const ink = values_on(state.carried[0], 0, grid.fluid());
    for (auto const& [cell, value] : ink) ASSERT_NEAR(value, ink.at(mirrored(cell, Dim)), tolerance) << cell;
  }
}

/// A box of random width with balls removed, or scattered cells. There are thin walls, enclosed parts, and cells with
/// walls on all sides.
template <int Dim>
IntervalSet<Dim> random_fluid(unsigned seed) {
  auto engine = random_engine(seed);
  Cell<Dim> begin, end;
  for (int axis = 0; axis < Dim; ++axis) {
    begin[axis] = random_int(engine, -20, 20);
    end[axis] = begin[axis] + random_int(engine, Dim == 2 ? 8 : 6, Dim == 2 ? 20 : 11);
  }
  auto fluid = sparse::box<Dim>(begin, end);
  if (seed % 3 == 1) {
    Point<Dim> center;
    for (int axis = 0; axis < Dim; ++axis) center[axis] = 0.5 * (begin[axis] + end[axis]);
    fluid = fluid - sparse::ball<Dim>(center, 2.2);
  } else if (seed % 3 == 2) {
    Cells<Dim> solid;
    std::bernoulli_distribution is_solid(0.15);
    for (auto const& cell : reference::box<Dim>(begin, end))
      if (is_solid(engine)) solid.insert(cell);
    fluid = fluid - set_of(solid);
  }
  return fluid;
}

/// The fluid of a seed with an outflow at its upper x end, an inflow at the lower one, and walls of both kinds.
template <int Dim>
FlowDomain<Dim> random_domain(unsigned seed) {
  auto engine = random_engine(seed + 7777);
  FlowDomain<Dim> domain;
  domain.fluid = random_fluid<Dim>(seed);
  for (int axis = 0; axis < Dim; ++axis) domain.grid.spacing[axis] = 0.25 * random_int(engine, 1, 6);
  domain.others = seed % 2 == 0 ? BoundaryKind::no_slip : BoundaryKind::wall;
  if (seed % 4 == 3) return domain;
  auto velocity = Vec<double, Dim>::filled(0.25);
  velocity[0] = 0.5;
  domain.parts.push_back({BoundaryKind::inflow, side_faces(domain.fluid, 0, FaceSide::lower), velocity});
  domain.parts.push_back({BoundaryKind::outflow, side_faces(domain.fluid, 0, FaceSide::upper)});
  domain.parts.push_back({BoundaryKind::wall, side_faces(domain.fluid, 1, FaceSide::lower)});
  // What the balls or the scattered cells cut off from the outflow must have no inflow.
  auto const out = domain.parts[1].faces[0];
  auto const reached =
      components_touching(sparse::connected_components(domain.fluid), domain.fluid & shift(out, 0, -1));
  auto& in = domain.parts[0].faces[0];
  in = in & reached;
  return domain;
}

}  // namespace reference
