#pragma once
/// The problems: sources, exact solutions, boundaries.

#include <cmath>
#include <numbers>

#include <sparse/base/grid.hpp>
#include <sparse/fields/field.hpp>
#include <sparse/plans/for_each.hpp>
#include <sparse/plans/subset.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/faces.hpp>
#include <sparse/shapes/physical.hpp>

#include <sparse/poisson/operator.hpp>

#include "options.hpp"

/// -div(s grad u) - a u = source in the unit square or cube.
template <int Dim>
struct Case {
  using Point = sparse::Vec<double, Dim>;
  Source kind;
  Point wave, phase;  // sine: u is the product of sin(wave x + phase)
  double spacing;
  std::uint64_t seed;
  Conductivity s;
  double a;
  double softening;
  int charge_count = 0;
  Point charges[most_charges];

  Case(Options const& o, int n)
      : kind(o.source), spacing(1.0 / n), seed(o.seed), s(o.sgml.s), a(o.sgml.a), softening(o.softening) {
    for (int axis = 0; axis < Dim; ++axis) {
      bool const is_given = o.boundary == Boundary::dirichlet || (o.boundary == Boundary::one_side && axis == 0);
      wave[axis] = o.boundary == Boundary::periodic                ? 2 * pi
                   : o.boundary == Boundary::one_side && axis == 0 ? pi / 2
                                                                   : pi;
      phase[axis] = is_given || o.boundary == Boundary::periodic ? 0 : pi / 2;
    }
    if (kind != Source::charges) return;
    charge_count = o.charge_count;
    for (int k = 0; k < charge_count; ++k)
      for (int axis = 0; axis < Dim; ++axis)
        charges[k][axis] = 0.5 + 0.4 * uniform(hash(seed, static_cast<std::uint64_t>(Dim * k + axis + 1)));
  }

  /// The exact solution is a product of functions of one coordinate each: a derivative of one of them.
  KOKKOS_FUNCTION double factor(int axis, double x, int order) const {
    double const sine = wave[axis] * x + phase[axis];
    switch (kind) {
    case Source::sine:
      return order == 0   ? std::sin(sine)
             : order == 1 ? wave[axis] * std::cos(sine)
                          : -wave[axis] * wave[axis] * std::sin(sine);
    case Source::polynomial:
      return order == 0 ? x * (1 - x) : order == 1 ? 1 - 2 * x : -2;
    case Source::quartic:
      return order == 0 ? x * x * (1 - x * x) : order == 1 ? x * (2 - 4 * x * x) : 2 - 12 * x * x;
    case Source::exponential:
      return std::exp(x);
    default:
      return 0;
    }
  }
  /// A derivative along an axis; 0 where no exact solution is known.
  KOKKOS_FUNCTION double derivative(Point const& x, int axis, int order) const {
    double product = 1;
    for (int k = 0; k < Dim; ++k) product *= factor(k, x[k], k == axis ? order : 0);
    return product;
  }
  KOKKOS_FUNCTION double solution(Point const& x) const {
    return kind == Source::charges ? potential(x) : derivative(x, 0, 0);
  }
  /// s, and the factor of x - middle in its gradient.
  KOKKOS_FUNCTION double conductivity(Point const& x, double& slope) const {
    slope = 0;
    if (!s.is_ball) return s.value;
    double square = 0;
    for (int axis = 0; axis < Dim; ++axis) square += (x[axis] - 0.5) * (x[axis] - 0.5);
    double const r = std::sqrt(square), t = std::tanh((r - 0.2) / 0.1);
    if (r > 0) slope = 4.5 * (1 - t * t) / r;
    return 0.55 + 0.45 * t;
  }
  KOKKOS_FUNCTION double source(Point const& x) const {
    if (kind == Source::constant) return 1;
    if (kind == Source::random) return random(x);
    if (kind == Source::charges) return charge_density(x);
    double slope;
    double const here = conductivity(x, slope);
    double sum = -a * solution(x);
    for (int axis = 0; axis < Dim; ++axis)
      sum -= here * derivative(x, axis, 2) + slope * (x[axis] - 0.5) * derivative(x, axis, 1);
    return sum;
  }

  /// Of charges in free space. Source: Plummer, Monthly Notices of the Royal Astronomical Society 71 (1911) 460.
  KOKKOS_FUNCTION double potential(Point const& x) const {
    double sum = 0;
    for (int k = 0; k < charge_count; ++k) {
      double square = softening * softening;
      for (int axis = 0; axis < Dim; ++axis) square += (x[axis] - charges[k][axis]) * (x[axis] - charges[k][axis]);
      sum += sign(k) * (Dim == 2 ? -0.5 * std::log(square) : 1 / std::sqrt(square));
    }
    return sum / (Dim == 2 ? 2 * pi : 4 * pi);
  }
  /// The mean over a cell: what flows out of its faces, over its volume. So charges count that are smaller than cells.
  KOKKOS_FUNCTION double charge_density(Point const& x) const {
    double sum = 0;
    for (int k = 0; k < charge_count; ++k) {
      double flux = 0;
      for (int axis = 0; axis < Dim; ++axis)
        for (int side = -1; side <= 1; side += 2) {
          Point from;  // the charge, to the middle of the face
          for (int b = 0; b < Dim; ++b) from[b] = x[b] - charges[k][b] + (b == axis ? side * spacing / 2 : 0);
          flux += side * flux_through(from, axis);
        }
      sum += sign(k) * flux;
    }
    return sum / (Dim == 2 ? 2 * pi : 4 * pi) / std::pow(spacing, Dim);
  }
  /// What flows from a charge of 2 pi (3D: 4 pi) through a face in upward direction: an angle, if it were a point.
  KOKKOS_FUNCTION double flux_through(Point const& from, int axis) const {
    double const away = from[axis], soft = std::sqrt(away * away + softening * softening);
    double sum = 0;
    for (int corner = 0; corner < 1 << (Dim - 1); ++corner) {
      double product = 1, square = soft * soft;
      int turn = 1;
      for (int b = 0, bit = 0; b < Dim; ++b) {
        if (b == axis) continue;
        int const upper = (corner >> bit++) & 1;
        double const edge = from[b] + (upper - 0.5) * spacing;
        product *= edge;
        square += edge * edge;
        turn *= upper == 1 ? 1 : -1;
      }
      sum += turn * std::atan(product / (Dim == 2 ? soft : soft * std::sqrt(square)));
    }
    return away / soft * sum;
  }
  KOKKOS_FUNCTION static double sign(int k) { return k % 2 == 0 ? 1 : -1; }

  /// Uniform in [-1, 1], from a hash of the seed and of where a cell, or a node, lies.
  KOKKOS_FUNCTION double random(Point const& x) const {
    std::uint64_t h = seed;
    for (int axis = 0; axis < Dim; ++axis) h = hash(h, 1 + static_cast<std::uint64_t>(2 * x[axis] / spacing + 0.5));
    return uniform(h);
  }
  /// Source: splitmix64 (Steele, Lea and Flood, 2014).
  KOKKOS_FUNCTION static std::uint64_t hash(std::uint64_t h, std::uint64_t value) {
    h += 0x9e3779b97f4a7c15U * value;
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9U;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebU;
    return h ^ (h >> 31);
  }
  /// In [-1, 1).
  KOKKOS_FUNCTION static double uniform(std::uint64_t h) { return static_cast<double>(h >> 11) * 0x1p-52 - 1; }

  static constexpr double pi = std::numbers::pi;
};

enum class What { source, solution, conductivity };

/// Puts values into a field whose cell c stands for the point (c + offset) * spacing.
template <class T, int Dim>
struct Evaluate {
  Case<Dim> problem;
  What what;
  sparse::Vec<double, Dim> offset;
  sparse::FieldView<T> values;

  KOKKOS_FUNCTION void operator()(sparse::SubsetPoint<Dim> const& p) const {
    auto const cell = p.coordinates();
    sparse::Vec<double, Dim> x;
    for (int axis = 0; axis < Dim; ++axis) x[axis] = (cell[axis] + offset[axis]) * problem.spacing;
    double slope;
    values(p.cell) = static_cast<T>(what == What::source     ? problem.source(x)
                                    : what == What::solution ? problem.solution(x)
                                                             : problem.conductivity(x, slope));
  }
};

template <class T, int Dim>
sparse::Field<T, Dim> field_of(Case<Dim> const& problem, What what, sparse::IntervalSet<Dim> const& cells,
                               sparse::Vec<double, Dim> const& offset) {
  sparse::Field<T, Dim> field(what == What::source     ? "source"
                              : what == What::solution ? "solution"
                                                       : "conductivity",
                              cells);
  sparse::for_each("sparse::poisson::evaluate", sparse::Subset<Dim>(cells, cells),
                   Evaluate<T, Dim>{problem, what, offset, field.view()});
  return field;
}

/// Adds to b what the values of the solution on Dirichlet faces contribute.
template <class T, int Dim>
void add_boundary_values(sparse::poisson::Operator<T, Dim> const& matrix, Case<Dim> const& the_case,
                         sparse::Field<T, Dim>& b) {
  for (int axis = 0; axis < Dim; ++axis) {
    auto const& faces = matrix.problem().dirichlet[static_cast<std::size_t>(axis)];
    if (faces.is_empty()) continue;
    auto on_face = sparse::Vec<double, Dim>::filled(0.5);
    on_face[axis] = 0;
    matrix.add_boundary_values(b, axis, field_of<double>(the_case, What::solution, faces, on_face));
  }
}

/// The cells, and the faces on which u is given.
/// @throws std::runtime_error  for solids that remove nothing or all
template <int Dim>
sparse::poisson::Problem<Dim> problem_of(Options const& o, int n) {
  using Cell = sparse::Vec<sparse::Coord, Dim>;
  sparse::poisson::Problem<Dim> problem;
  problem.grid.spacing = sparse::Vec<double, Dim>::filled(1.0 / n);
  problem.cells = sparse::box<Dim>(Cell::filled(0), Cell::filled(n));
  for (Ball const& solid : o.solids) {
    sparse::Vec<double, Dim> center;
    for (int axis = 0; axis < Dim; ++axis) center[axis] = solid.center[static_cast<std::size_t>(axis)];
    auto const rest = problem.cells - sparse::ball<Dim>(problem.grid, center, solid.radius);
    if (rest.cell_count() == problem.cells.cell_count())
      throw std::runtime_error("--solid " + solid.text + ": no cell of the domain that is still there is in it");
    problem.cells = rest;
  }
  if (problem.cells.is_empty()) throw std::runtime_error("--solid: nothing is left of the domain");
  if (o.boundary == Boundary::periodic) problem.period = Cell::filled(n);
  for (int axis = 0; axis < Dim; ++axis)
    for (auto const side : {sparse::FaceSide::lower, sparse::FaceSide::upper}) {
      bool const is_first = axis == 0 && side == sparse::FaceSide::lower;
      if (o.boundary != Boundary::dirichlet && !(o.boundary == Boundary::one_side && is_first)) continue;
      Cell begin = Cell::filled(0), end = Cell::filled(n);
      begin[axis] = side == sparse::FaceSide::lower ? 0 : n;
      end[axis] = begin[axis] + 1;
      problem.dirichlet[static_cast<std::size_t>(axis)] =
          problem.dirichlet[static_cast<std::size_t>(axis)] |
          (sparse::boundary_faces(problem.cells, axis, side) & sparse::box<Dim>(begin, end));
    }
  return problem;
}
