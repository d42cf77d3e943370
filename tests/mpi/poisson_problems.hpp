#pragma once
/// Poisson problems that ranks share, each hard in another way.

#include <string>
#include <vector>

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/shapes/random.hpp>
#include <sparse/shapes/shapes.hpp>
#include <support/poisson.hpp>

namespace reference {

constexpr Index least_shared = 2048;  // cells of a level that ranks share

/// A box that is shared on two levels.
template <int Dim>
Cell<Dim> wide() {
  Cell<Dim> size;
  for (int axis = 0; axis < Dim; ++axis) size[axis] = Dim == 2 ? 96 - 8 * axis : 28 - 2 * axis;
  return size;
}

/// A problem with a name.
template <int Dim>
struct Named {
  std::string name;
  Problem<Dim> problem;
};

/// Gives p on the outer faces of the cells normal to an axis.
template <int Dim>
void give_sides(Problem<Dim>& problem, int axis, int side) {
  auto const bounds = problem.cells.bounds();
  auto begin = bounds.begin, end = bounds.end;
  begin[axis] = side == 0 ? bounds.begin[axis] : bounds.end[axis];
  end[axis] = begin[axis] + 1;
  auto const faces = sparse::box<Dim>(begin, end) & sparse::faces(problem.cells, axis);
  problem.dirichlet[axis] = problem.dirichlet[axis] | faces;
}

template <int Dim>
Vec<double, Dim> middle(Cell<Dim> const& size) {
  Vec<double, Dim> point;
  for (int axis = 0; axis < Dim; ++axis) point[axis] = 0.45 * size[axis];
  return point;
}

/// Walls one cell thick across a box, with a hole in each.
template <int Dim>
IntervalSet<Dim> between_walls(Cell<Dim> const& size, Coord pitch) {
  auto cells = sparse::box<Dim>({}, size);
  for (Coord at = pitch; at < size[1]; at += pitch) {
    Cell<Dim> begin{}, end = size;
    begin[1] = at;
    end[1] = at + 1;
    begin[0] = at % (2 * pitch) == 0 ? 3 : 0;
    end[0] = size[0] - 3 + begin[0];
    cells = cells - sparse::box<Dim>(begin, end);
  }
  return cells;
}

template <int Dim>
std::vector<Named<Dim>> problems() {
  auto const size = wide<Dim>();
  auto const box = sparse::box<Dim>({}, size);
  Problem<Dim> plain;
  plain.cells = box;
  plain.least_shared_cells = least_shared;
  std::vector<Named<Dim>> all;

  auto walled = plain;
  for (int axis = 0; axis < Dim; ++axis)
    for (int const side : {0, 1}) give_sides(walled, axis, side);
  all.push_back({"p given on all sides", walled});

  auto outlet = plain;
  outlet.cells = sparse::shift(box - sparse::ball<Dim>(middle(size), 0.2 * size[Dim - 1]), Cell<Dim>::filled(-1001));
  give_sides(outlet, 0, 1);
  outlet.grid.spacing[0] = 0.5;
  all.push_back({"a ball cut out, an outlet, unequal widths, odd origin", outlet});

  auto closed = plain;
  closed.cells = box - sparse::ball<Dim>(middle(size), 0.2 * size[Dim - 1]);
  all.push_back({"a ball cut out, closed", closed});

  auto periodic = plain;
  for (int axis = 0; axis < Dim; ++axis) periodic.period[axis] = size[axis];
  all.push_back({"all axes periodic", periodic});

  auto channel = plain;
  channel.cells = box - sparse::ball<Dim>(middle(size), 0.1 * size[Dim - 1]);
  channel.period[Dim - 1] = size[Dim - 1];
  give_sides(channel, 0, 0);
  channel.zeroth_order = 1e-4;
  all.push_back({"the last axis periodic, a term of order zero", channel});

  auto odd = plain;
  odd.period[0] = size[0] + 1;
  odd.cells = sparse::box<Dim>({}, size + Cell<Dim>::along(0, 1));
  give_sides(odd, 1, 0);
  all.push_back({"an odd period", odd});

  auto rooms = plain;  // one with an outlet, and closed ones of different sizes
  for (Coord const at : {size[0] / 4, size[0] / 2 + 3, size[0] - 9}) {
    auto begin = Cell<Dim>{}, end = size;
    begin[0] = at;
    end[0] = at + 1;
    rooms.cells -= sparse::box<Dim>(begin, end);
  }
  give_sides(rooms, 0, 0);
  all.push_back({"several rooms, closed but for one", rooms});

  auto walls = plain;
  walls.cells = between_walls<Dim>(size, 7);
  walls.zeroth_order = 1e-3;  // the way through is so long that floats could not hold the solution
  give_sides(walls, 1, 0);
  all.push_back({"thin walls", walls});

  auto holes = plain;
  holes.cells = box - sparse::random_cells<Dim>({{}, size}, 0.02, 5);
  all.push_back({"random holes", holes});

  auto dust = plain;
  dust.cells = sparse::random_cells<Dim>({{}, size}, 0.3, 7);
  dust.zeroth_order = 0.5;
  all.push_back({"dust", dust});

  auto small = plain;
  small.cells = sparse::box<Dim>({}, Cell<Dim>::filled(Dim == 2 ? 40 : 12));
  give_sides(small, 0, 0);
  all.push_back({"fewer cells than are shared", small});

  auto tiny = plain;
  tiny.cells = sparse::box<Dim>({}, Cell<Dim>::filled(2));
  give_sides(tiny, 0, 0);
  all.push_back({"fewer cells than ranks", tiny});
  return all;
}

}  // namespace reference
