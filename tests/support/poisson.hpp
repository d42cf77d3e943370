#pragma once
/// Poisson problems the slow way: dense matrices, made by loops over cells, and exact solutions.

#include <cmath>

#include <sparse/fields/algebra.hpp>
#include <sparse/poisson/problem.hpp>
#include <sparse/poisson/solver.hpp>
#include <sparse/shapes/shapes.hpp>
#include <support/fields.hpp>
#include <support/refused.hpp>

namespace reference {

using sparse::Interpolation;
using sparse::poisson::Problem;
using Values = std::vector<double>;
using Matrix = std::vector<Values>;

// ---- problems

/// The coefficient at a face, for problems with coefficients: between 1/4 and 4, the same in every period.
template <int Dim>
double coefficient_at(Problem<Dim> const& problem, int axis, Cell<Dim> face) {
  unsigned hash = 7u + static_cast<unsigned>(axis);
  for (int k = 0; k < Dim; ++k) {
    Coord at = face[k] - problem.cells.bounds().begin[k];
    if (problem.period[k] > 0) at %= problem.period[k];
    hash = (hash ^ static_cast<unsigned>(at)) * 2654435761u;
    hash ^= hash >> 15;
  }
  return std::pow(2.0, 4.0 * (hash % 1000u) / 1000 - 2);
}

/// A field of `function(cell)` on a set.
template <class T, int Dim, class Function>
sparse::Field<T, Dim> field_of(IntervalSet<Dim> const& cells, Function const& function) {
  sparse::Field<T, Dim> field("field", cells);
  std::vector<T> values;
  cells.to_host().for_each_cell(
      [&](Cell<Dim> const& cell, Index) { values.push_back(static_cast<T>(function(cell))); });
  set_values(field, values);
  return field;
}

/// The cell on the other side of a face of `cell`: beside it or a period away.
template <int Dim, class Map>
auto neighbour_of(Problem<Dim> const& problem, Map const& position, Cell<Dim> cell, int axis, int side) {
  cell[axis] += side;
  auto found = position.find(cell);
  cell[axis] -= side * problem.period[axis];
  return found == position.end() && problem.period[axis] > 0 ? position.find(cell) : found;
}

template <int Dim>
Cell<Dim> face_of(Cell<Dim> cell, int axis, int side) {
  cell[axis] += side > 0 ? 1 : 0;
  return cell;
}

/// Gives p on each boundary face with a probability.
template <int Dim>
void draw_dirichlet_faces(Problem<Dim>& problem, double probability, std::mt19937& engine) {
  auto const cells = cells_of(problem.cells);
  auto const position = positions(cells);
  std::bernoulli_distribution is_given(probability);
  for (int axis = 0; axis < Dim; ++axis) {
    Cells<Dim> faces;
    for (auto const& cell : cells)
      for (int side : {-1, 1})
        if (neighbour_of(problem, position, cell, axis, side) == position.end() && is_given(engine))
          faces.insert(face_of(cell, axis, side));
    problem.dirichlet[axis] = set_of(faces);
  }
}

template <int Dim>
void add_coefficients(Problem<Dim>& problem) {
  auto const cells = cells_of(problem.cells);
  for (int axis = 0; axis < Dim; ++axis) {
    Cells<Dim> faces;
    for (auto const& cell : cells)
      for (int side : {-1, 1}) faces.insert(face_of(cell, axis, side));
    problem.face_coefficient[axis] = std::make_shared<sparse::Field<double, Dim> const>(
        field_of<double>(set_of(faces), [&](Cell<Dim> const& face) { return coefficient_at(problem, axis, face); }));
  }
}

/// Up to some hundred cells in a box of random, often odd size: all, many, few, a channel one cell wide, or one cell.
/// With or without: a place far from the origin, periods, Dirichlet faces, coefficients, a term of order zero, unequal
/// widths.
template <int Dim>
Problem<Dim> random_problem(unsigned seed, bool may_have_odd_periods = true) {
  auto engine = random_engine(seed);
  Problem<Dim> problem;
  Cell<Dim> begin, size;
  int const greatest = Dim == 2 ? 13 : 6;
  for (int axis = 0; axis < Dim; ++axis) {
    begin[axis] = random_int(engine, 0, 2) == 0 ? -1000003 : random_int(engine, -9, 9);
    size[axis] = random_int(engine, 1, greatest);
    problem.grid.spacing[axis] = random_int(engine, 0, 1) == 0 ? 1 : 0.25 * random_int(engine, 1, 8);
  }
  int const kind = static_cast<int>(seed % 6);
  if (kind == 0) size = Cell<Dim>::filled(1);
  if (kind == 1)
    for (int axis = 1; axis < Dim; ++axis) size[axis] = 1;
  double const densities[] = {1, 1, 1, 0.9, 0.6, 0.3};
  std::bernoulli_distribution is_in(densities[kind]);
  Cells<Dim> cells;
  for (auto const& cell : reference::box<Dim>(begin, begin + size))
    if (is_in(engine)) cells.insert(cell);
  if (cells.empty()) cells.insert(begin);
  problem.cells = set_of(cells);
  auto const bounds = problem.cells.bounds();
  for (int axis = 0; axis < Dim; ++axis) {
    if (random_int(engine, 0, 2) != 0) continue;
    Coord const width = bounds.end[axis] - bounds.begin[axis];
    Coord period = std::max<Coord>(2, width + (random_int(engine, 0, 2) == 0 ? 1 : 0));
    if (!may_have_odd_periods) period += period % 2;
    problem.period[axis] = period;
  }
  double const probabilities[] = {0, 0.1, 1};
  draw_dirichlet_faces(problem, probabilities[random_int(engine, 0, 2)], engine);
  if (random_int(engine, 0, 1) == 0)
    add_coefficients(problem);
  else
    problem.coefficient = 0.5 * random_int(engine, 1, 4);
  if (random_int(engine, 0, 2) == 0) problem.zeroth_order = 0.125;
  return problem;
}

// ---- methods

using sparse::poisson::Method;

/// All there are, with their defaults.
inline std::vector<Method> const methods = {
    sparse::poisson::Jacobi{},
    sparse::poisson::GaussSeidel{},
    sparse::poisson::Sor{},
    sparse::poisson::Chebyshev{},
    sparse::poisson::ConjugateGradients{},
    sparse::poisson::ConjugateGradients{sparse::poisson::Preconditioner::diagonal},
    sparse::poisson::Multigrid{},
    sparse::poisson::FullMultigrid{},
    sparse::poisson::MultigridCg{},
    sparse::poisson::FlexibleCg{},
    sparse::poisson::TiledMultigridCg{}};

template <class One>
bool is(Method const& method) {
  return std::holds_alternative<One>(method);
}

/// Whether a method knows the problem's periods: two colours of cells need even ones, tiles multiples of 8 cells.
template <int Dim>
bool can_do(Method const& method, Problem<Dim> const& problem) {
  bool const has_two_colours = is<sparse::poisson::GaussSeidel>(method) || is<sparse::poisson::Sor>(method);
  Coord const factor = is<sparse::poisson::TiledMultigridCg>(method) ? 8 : has_two_colours ? 2 : 1;
  for (int axis = 0; axis < Dim; ++axis)
    if (problem.period[axis] % factor != 0) return false;
  return true;
}

/// The method with such cycles, as far as it has the options.
inline Method with_cycles(Method method, sparse::poisson::Multigrid const& cycles) {
  std::visit(
      [&]<class One>(One& one) {
        if constexpr (std::is_same_v<One, sparse::poisson::Multigrid>) {
          one = cycles;
        } else if constexpr (requires { one.preconditioner.cycle; }) {
          one.preconditioner = cycles;
        } else if constexpr (requires { one.multigrid; }) {
          one.multigrid = cycles;
        } else if constexpr (requires { one.coarsest; }) {
          one.sweeps = cycles.sweeps;
          one.precision = cycles.precision;
          one.coarsest = cycles.coarsest;
        }
      },
      method);
  return method;
}

// ---- matrices

template <int Dim>
double face_weight(Problem<Dim> const& problem, int axis, Cell<Dim> const& face) {
  double const c = problem.face_coefficient[axis] ? coefficient_at(problem, axis, face) : problem.coefficient;
  return c / (problem.grid.spacing[axis] * problem.grid.spacing[axis]);
}

template <int Dim>
Matrix dense_matrix(Problem<Dim> const& problem) {
  auto const cells = cells_of(problem.cells);
  auto const position = positions(cells);
  Matrix a(cells.size(), Values(cells.size(), 0));
  for (auto const& [cell, index] : position) {
    auto const i = static_cast<std::size_t>(index);
    a[i][i] += problem.zeroth_order;
    for (int axis = 0; axis < Dim; ++axis) {
      auto const given = cells_of(problem.dirichlet[axis]);
      for (int side : {-1, 1}) {
        auto const face = face_of(cell, axis, side);
        double const weight = face_weight(problem, axis, face);
        auto const neighbour = neighbour_of(problem, position, cell, axis, side);
        if (given.count(face) > 0) a[i][i] += 2 * weight;
        if (neighbour == position.end()) continue;
        a[i][i] += weight;
        a[i][static_cast<std::size_t>(neighbour->second)] -= weight;
      }
    }
  }
  return a;
}

inline Values product(Matrix const& a, Values const& x) {
  Values y(x.size(), 0);
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) y[i] += a[i][j] * x[j];
  return y;
}
inline double product(Values const& x, Values const& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}
inline double length(Values const& x) { return std::sqrt(product(x, x)); }
inline Values difference(Values x, Values const& y) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] -= y[i];
  return x;
}

/// Sets of unknowns that are coupled to each other and whose rows add up to 0.
inline std::vector<std::vector<std::size_t>> singular_components(Matrix const& a) {
  std::vector<std::vector<std::size_t>> components;
  std::vector<char> is_seen(a.size(), 0);
  for (std::size_t first = 0; first < a.size(); ++first) {
    if (is_seen[first]) continue;
    std::vector<std::size_t> component{first};
    is_seen[first] = 1;
    double rest = 0, size = 0;
    for (std::size_t k = 0; k < component.size(); ++k)
      for (std::size_t j = 0; j < a.size(); ++j) {
        double const entry = a[component[k]][j];
        rest += entry;
        size += std::abs(entry);
        if (entry == 0 || is_seen[j]) continue;
        is_seen[j] = 1;
        component.push_back(j);
      }
    if (std::abs(rest) <= 1e-12 * size) components.push_back(component);
  }
  return components;
}

/// Takes the mean from each component. @return  the greatest mean, without sign
inline double remove_means(std::vector<std::vector<std::size_t>> const& components, Values& x) {
  double greatest = 0;
  for (auto const& component : components) {
    double mean = 0;
    for (auto const i : component) mean += x[i] / static_cast<double>(component.size());
    for (auto const i : component) x[i] -= mean;
    greatest = std::max(greatest, std::abs(mean));
  }
  return greatest;
}

/// The Cholesky factor of a Poisson matrix. On singular components the matrix is made definite, with solutions of mean
/// 0.
class DenseSolver {
public:
  explicit DenseSolver(Matrix const& a) : factor_(a), singular_(reference::singular_components(a)) {
    for (auto const& component : singular_)
      for (auto const i : component)
        for (auto const j : component) factor_[i][j] += std::max(a[component[0]][component[0]], 1.0);
    for (std::size_t j = 0; j < a.size(); ++j)
      for (std::size_t i = j; i < a.size(); ++i) {
        double sum = factor_[i][j];
        for (std::size_t k = 0; k < j; ++k) sum -= factor_[i][k] * factor_[j][k];
        factor_[i][j] = i == j ? std::sqrt(sum) : sum / factor_[j][j];
      }
  }
  std::vector<std::vector<std::size_t>> const& singular_components() const { return singular_; }

  Values solve(Values b) const {
    remove_means(singular_, b);
    for (std::size_t i = 0; i < b.size(); ++i) {
      for (std::size_t k = 0; k < i; ++k) b[i] -= factor_[i][k] * b[k];
      b[i] /= factor_[i][i];
    }
    for (std::size_t i = b.size(); i-- > 0;) {
      for (std::size_t k = i + 1; k < b.size(); ++k) b[i] -= factor_[k][i] * b[k];
      b[i] /= factor_[i][i];
    }
    remove_means(singular_, b);
    return b;
  }
  /// About the greatest length of a solution, for right-hand sides of length 1.
  double inverse_norm() const {
    Values x(factor_.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::sin(1.0 + 3.7 * static_cast<double>(i));
    double norm = 0;
    for (int step = 0; step < 20; ++step) {
      remove_means(singular_, x);
      double const size = length(x);
      if (size == 0) return 0;
      for (auto& value : x) value /= size;
      x = solve(std::move(x));
      norm = length(x);
    }
    return norm;
  }

private:
  Matrix factor_;
  std::vector<std::vector<std::size_t>> singular_;
};

// ---- values

/// The values of a field as double.
template <class T, int Dim>
Values values_of(sparse::Field<T, Dim> const& field) {
  auto const values = to_host(field);
  return Values(values.begin(), values.end());
}

/// Values uniform between -1 and 1.
template <class T, int Dim>
sparse::Field<T, Dim> uniform_field(IntervalSet<Dim> const& cells, unsigned seed) {
  auto engine = random_engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  return field_of<T>(cells, [&](Cell<Dim> const&) { return uniform(engine); });
}

template <class T, int Dim>
sparse::Field<T, Dim> zero_field(IntervalSet<Dim> const& cells) {
  return field_of<T>(cells, [](Cell<Dim> const&) { return 0; });
}

}  // namespace reference
