#pragma once
/// Random composite Poisson problems, and values on their leaves and faces.

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>
#include <support/composite_rows.hpp>

namespace reference {

using sparse::poisson::LevelFaceFields;
using sparse::poisson::LevelFields;

// ---- levels

/// The set with its images a period away.
template <int Dim>
IntervalSet<Dim> with_images(IntervalSet<Dim> set, Cell<Dim> const& period) {
  for (int axis = 0; axis < Dim; ++axis)
    if (period[axis] > 0) set = set | shift(set, axis, period[axis]) | shift(set, axis, -period[axis]);
  return set;
}

/// Makes levels of which each but the finest has at least the cells `wanted[level]` refined.
/// @param domain  [level] all cells that are not solid
template <int Dim>
std::vector<IntervalSet<Dim>> nested_levels(std::vector<IntervalSet<Dim>> const& domain,
                                            std::vector<IntervalSet<Dim>> const& wanted, Cell<Dim> const& period = {}) {
  std::size_t const finest = wanted.size();
  std::vector<IntervalSet<Dim>> refined(finest), cells(finest + 1);
  for (std::size_t l = finest; l-- > 0;) {
    refined[l] = wanted[l];
    if (l + 1 < finest)
      refined[l] =
          refined[l] | coarsen(with_images(expand(refined[l + 1], 2), static_cast<Coord>(1 << (l + 1)) * period));
    refined[l] = refined[l] & domain[l];
  }
  cells[0] = domain[0];
  for (std::size_t l = 0; l < finest; ++l) cells[l + 1] = refine(refined[l]) & domain[l + 1];
  while (cells.size() > 1 && cells.back().is_empty()) cells.pop_back();
  return cells;
}

// ---- problems

/// Gives c = `function(level, axis, face)` on the faces of all leaves.
template <int Dim, class Function>
void set_coefficients(CompositeProblem<Dim>& problem, Function function) {
  auto const leaves = sparse::poisson::leaves_of(problem.cells);
  problem.face_coefficient.resize(leaves.size());
  for (std::size_t l = 0; l < leaves.size(); ++l)
    for (int axis = 0; axis < Dim; ++axis)
      problem.face_coefficient[l][axis] = std::make_shared<sparse::Field<double, Dim>>(field_of<double>(
          faces(leaves[l], axis), [&](Cell<Dim> const& face) { return function(static_cast<int>(l), axis, face); }));
}

/// Two to four levels in a small box, some with bodies, of whole coarse cells or of single fine ones; with or without
/// periods, Dirichlet faces, a term of order zero, unequal widths, a place away from the origin.
template <int Dim>
CompositeProblem<Dim> random_composite(unsigned seed) {
  auto engine = random_engine(seed);
  CompositeProblem<Dim> problem;
  std::size_t const finest = static_cast<std::size_t>(random_int(engine, 1, Dim == 2 ? 3 : 2));
  Cell<Dim> begin, size;
  for (int axis = 0; axis < Dim; ++axis) {
    begin[axis] = random_int(engine, 0, 2) == 0 ? -1003 : random_int(engine, -3, 3);
    size[axis] = random_int(engine, Dim == 2 ? 3 : 2, Dim == 2 ? 6 : 4);
    problem.grid.spacing[axis] = random_int(engine, 0, 1) == 0 ? 1 : 0.25 * random_int(engine, 1, 8);
    if (random_int(engine, 0, 2) == 0) problem.period[axis] = size[axis] + random_int(engine, 0, 1);
  }
  std::vector<IntervalSet<Dim>> domain(finest + 1);
  auto const thinned = [&](IntervalSet<Dim> const& set, double share) {
    std::bernoulli_distribution is_in(share);
    Cells<Dim> kept;
    for (auto const& cell : cells_of(set))
      if (is_in(engine)) kept.insert(cell);
    return kept.empty() ? set : set_of(kept);
  };
  domain[0] = set_of(reference::box<Dim>(begin, begin + size));
  int const kind = static_cast<int>(seed % 4);  // 0 and 1: no bodies
  if (kind == 2) domain[0] = thinned(domain[0], random_int(engine, 0, 1) == 0 ? 0.8 : 0.5);
  for (std::size_t l = 1; l <= finest; ++l) domain[l] = refine(domain[l - 1]);
  if (kind == 3) {
    domain[finest] = thinned(domain[finest], 0.9);
    for (std::size_t l = finest; l-- > 0;) domain[l] = coarsen(domain[l + 1]);
  }
  std::vector<IntervalSet<Dim>> wanted(finest);
  for (std::size_t l = 0; l < finest; ++l) {
    auto const all = cells_of(domain[l]);
    Cells<Dim> some;
    for (int k = 0; k < 2; ++k) {
      auto place = all.begin();
      std::advance(place, random_int(engine, 0, static_cast<int>(all.size()) - 1));
      some.insert(*place);
    }
    wanted[l] = set_of(some);
  }
  problem.cells = nested_levels(domain, wanted, problem.period);
  double const probabilities[] = {0, 0.1, 1};
  CompositeReference<Dim>(problem).draw_dirichlet_faces(problem, probabilities[random_int(engine, 0, 2)], engine);
  problem.coefficient = 0.5 * random_int(engine, 1, 4);
  if (random_int(engine, 0, 2) == 0) problem.zeroth_order = 0.125;
  if (random_int(engine, 0, 2) == 0) {
    CompositeReference<Dim> const levels(problem);
    std::uniform_real_distribution<double> uniform(0.5, 2);
    set_coefficients(problem, [&, drawn = std::map<std::pair<int, std::vector<Coord>>, double>()](
                                  int level, int axis, Cell<Dim> const& face) mutable {
      auto const place = levels.inside(level, face);
      std::pair<int, std::vector<Coord>> key(level * Dim + axis, {});
      for (int a = 0; a < Dim; ++a) key.second.push_back(place[a]);
      return drawn.try_emplace(key, uniform(engine)).first->second;
    });
  }
  return problem;
}

// ---- values

/// Fields of `function(level, cell)` on the leaves.
template <class T, int Dim, class Function>
LevelFields<T, Dim> leaf_fields(CompositeProblem<Dim> const& problem, Function const& function) {
  LevelFields<T, Dim> fields;
  auto const leaves = sparse::poisson::leaves_of(problem.cells);
  for (std::size_t l = 0; l < leaves.size(); ++l)
    fields.push_back(
        field_of<T>(leaves[l], [&](Cell<Dim> const& cell) { return function(static_cast<int>(l), cell); }));
  return fields;
}

/// Values of all faces, axis by axis of each level.
Values face_values(auto const& fields) {
  Values all;
  for (auto const& of_level : fields)
    for (auto const& of_axis : of_level)
      for (double const value : values_of(of_axis)) all.push_back(value);
  return all;
}

/// Values of all levels, one after the other.
template <class T, int Dim>
Values values_of(LevelFields<T, Dim> const& fields) {
  Values all;
  for (auto const& field : fields)
    for (double const value : values_of(field)) all.push_back(value);
  return all;
}

template <class T, int Dim>
LevelFields<T, Dim> uniform_fields(CompositeProblem<Dim> const& problem, unsigned seed) {
  auto engine = random_engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  return leaf_fields<T>(problem, [&](int, Cell<Dim> const&) { return uniform(engine); });
}

/// Fields of `function(level, axis, face)` on the Dirichlet faces.
template <int Dim, class Function>
LevelFaceFields<double, Dim> given_fields(CompositeProblem<Dim> const& problem, Function const& function) {
  LevelFaceFields<double, Dim> fields(problem.dirichlet.size());
  for (std::size_t l = 0; l < fields.size(); ++l)
    for (int axis = 0; axis < Dim; ++axis)
      fields[l][axis] = field_of<double>(
          problem.dirichlet[l][axis], [&](Cell<Dim> const& face) { return function(static_cast<int>(l), axis, face); });
  return fields;
}

/// The middle of a cell or, with an axis, of a face, in space.
template <int Dim>
Vec<double, Dim> middle(CompositeProblem<Dim> const& problem, int level, Cell<Dim> const& cell, int axis = -1) {
  Vec<double, Dim> x;
  for (int a = 0; a < Dim; ++a)
    x[a] = problem.grid.origin[a] + (cell[a] + (a == axis ? 0 : 0.5)) * problem.grid.spacing[a] / std::pow(2.0, level);
  return x;
}

}  // namespace reference
