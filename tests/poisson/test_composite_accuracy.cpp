/// Orders, iterations and means of composite solutions.

#include <numbers>

#include <sparse/poisson/composite_solver.hpp>
#include <support/composite.hpp>

namespace {

using namespace reference;
using sparse::poisson::CompositeSolver;
using sparse::poisson::Report;
using sparse::poisson::StopReason;

enum class Side { dirichlet, neumann, periodic };

/// The unit square or cube with finer levels, and a function whose derivatives on the sides fit.
template <int Dim>
struct Manufactured {
  CompositeProblem<Dim> problem;
  Side side;
  Coord width;
  double constant = 0;  // -laplacian(u) = constant u
  bool is_varied = false;

  /// @param wants  whether a cell of a level, with its middle at x, has children
  template <class Wants>
  Manufactured(Side kind, Coord n, int finer, Wants const& wants) : side(kind), width(n) {
    problem.grid.spacing = Vec<double, Dim>::filled(1.0 / n);
    if (side == Side::periodic) problem.period = Cell<Dim>::filled(n);
    std::vector<IntervalSet<Dim>> domain, wanted;
    for (int l = 0; l <= finer; ++l) domain.push_back(sparse::box<Dim>({}, Cell<Dim>::filled(n << l)));
    for (int l = 0; l < finer; ++l) {
      Cells<Dim> some;
      for (auto const& cell : cells_of(domain[static_cast<std::size_t>(l)]))
        if (wants(l, middle(problem, l, cell))) some.insert(cell);
      wanted.push_back(set_of(some));
    }
    problem.cells = nested_levels(domain, wanted, problem.period);
    if (side == Side::dirichlet) {
      auto const leaves = sparse::poisson::leaves_of(problem.cells);
      problem.dirichlet.resize(leaves.size());
      for (std::size_t l = 0; l < leaves.size(); ++l)
        for (int axis = 0; axis < Dim; ++axis) {
          Coord const end = n << l;
          auto sides = Cell<Dim>::filled(end);
          sides[axis] = 1;
          auto const lower = sparse::box<Dim>({}, sides);
          problem.dirichlet[l][axis] = (lower & leaves[l]) | shift(shift(lower, axis, end - 1) & leaves[l], axis, 1);
        }
    }
    for (int axis = 0; axis < Dim; ++axis) constant += rate(axis) * rate(axis);
  }
  /// Makes the coefficient vary.
  void vary() {
    is_varied = true;
    set_coefficients(problem, [&](int level, int axis, Cell<Dim> const& face) {
      return coefficient(middle(problem, level, face, axis));
    });
  }
  double coefficient(Vec<double, Dim> const& x) const {
    double c = 1;
    for (int axis = 0; axis < Dim; ++axis) c += 0.3 * std::sin(2 * std::numbers::pi * x[axis] + axis);
    return c;
  }
  /// -div(c grad u)
  double source(Vec<double, Dim> const& x) const {
    if (!is_varied) return constant * (*this)(x);
    double b = coefficient(x) * constant * (*this)(x);
    for (int axis = 0; axis < Dim; ++axis)
      b -= 0.6 * std::numbers::pi * std::cos(2 * std::numbers::pi * x[axis] + axis) * (*this)(x, axis);
    return b;
  }
  double rate(int axis) const {
    using std::numbers::pi;
    return side == Side::periodic ? 2 * pi * (axis == 0 ? 2 : 1) : pi * (axis == 0 ? 3 : axis == 1 ? 2 : 1);
  }
  double factor(double x, int axis, bool is_derivative) const {
    double const phase = side == Side::neumann ? 0 : 0.3 + 0.1 * axis, k = rate(axis);
    return is_derivative ? -k * std::sin(k * x + phase) : std::cos(k * x + phase);
  }
  /// The function, or its derivative along an axis.
  double operator()(Vec<double, Dim> const& x, int derivative = -1) const {
    double value = 1;
    for (int axis = 0; axis < Dim; ++axis) value *= factor(x[axis], axis, axis == derivative);
    return value;
  }
};

struct Errors {
  double greatest = 0, mean = 0, greatest_gradient = 0, mean_gradient = 0;
  int iterations = 0;
};

/// On sides where p is given, gradients are first order, as on a uniform grid; so they are left out, and the greatest
/// error is that away from sides.
template <int Dim>
Errors errors_of(Manufactured<Dim> const& u, double tolerance = 1e-9) {
  auto const& problem = u.problem;
  CompositeSolver<double, Dim> solver(problem, {tolerance, 30});
  auto const& matrix = solver.matrix();
  auto b = leaf_fields<double>(
      problem, [&](int level, Cell<Dim> const& cell) { return u.source(middle(problem, level, cell)); });
  auto const given = given_fields(
      problem, [&](int level, int axis, Cell<Dim> const& face) { return u(middle(problem, level, face, axis)); });
  matrix.add_boundary_values(b, given);
  auto x = matrix.fields("x"), exact = leaf_fields<double>(problem, [&](int level, Cell<Dim> const&cell) {
                                 return u(middle(problem, level, cell));
                               });
  matrix.remove_means(exact);
  Report const report = solver.solve(b, x);
  EXPECT_TRUE(report.has_converged()) << name_of(report.reason);
  auto gradient = matrix.face_fields("gradient");
  matrix.gradient(gradient, x, given);

  Errors errors;
  errors.iterations = report.iterations;
  double volume = 0, area = 0;
  for (std::size_t l = 0; l < x.size(); ++l) {
    double const weight = std::pow(0.5, Dim * static_cast<double>(l));
    auto const found = values_of(x[l]), wanted = values_of(exact[l]);
    for (std::size_t i = 0; i < found.size(); ++i) {
      double const error = std::abs(found[i] - wanted[i]);
      errors.greatest = std::max(errors.greatest, error);
      errors.mean += weight * error;
      volume += weight;
    }
    for (int axis = 0; axis < Dim; ++axis)
      for (auto const& [face, value] : value_map(gradient[l][axis])) {
        auto const place = middle(problem, static_cast<int>(l), face, axis);
        bool is_on_side = false, is_near_side = false;
        for (int a = 0; a < Dim; ++a) {
          double const away = 0.5 - std::abs(place[a] - 0.5);
          is_on_side |= u.side != Side::periodic && away < 1e-6;
          is_near_side |= u.side != Side::periodic && away < 0.07;
        }
        if (is_on_side) continue;
        double const error = std::abs(value - u(place, axis));
        if (!is_near_side) errors.greatest_gradient = std::max(errors.greatest_gradient, error);
        errors.mean_gradient += weight * error;
        area += weight;
      }
  }
  errors.mean /= volume;
  errors.mean_gradient /= area;
  return errors;
}

template <int Dim>
double distance(Vec<double, Dim> const& x) {
  double square = 0;
  for (int axis = 0; axis < Dim; ++axis) square += std::pow(x[axis] - (axis == 0 ? 0.47 : 0.52), 2);
  return std::sqrt(square);
}

template <int Dim>
bool in_disc(int level, Vec<double, Dim> const& x) {
  return distance<Dim>(x) < 0.3 * std::pow(0.6, level);
}
template <int Dim>
bool in_notch(int level, Vec<double, Dim> const& x) {
  return in_disc<Dim>(level, x) && !(level == 0 && x[0] > 0.5 && x[1] > 0.55);
}
template <int Dim>
bool at_side(int level, Vec<double, Dim> const& x) {
  double const scale = std::pow(0.6, level);
  return x[0] < 0.25 * scale && std::abs(x[1] - 0.5) < 0.3 * scale;
}
template <int Dim>
bool in_slanted(int level, Vec<double, Dim> const& x) {
  return std::abs(x[0] + 0.4 * x[1] - 0.7) < 0.15 * std::pow(0.6, level);
}

template <int Dim>
struct Shape {
  char const* name;
  bool (*wants)(int, Vec<double, Dim> const&);
  double least_gradient_ratio;  ///< of the greatest errors
};

template <int Dim>
void expect_second_order(std::vector<Shape<Dim>> const& shapes, Coord n, int finer, bool is_varied = false) {
  for (auto const& shape : shapes)
    for (Side const side : {Side::dirichlet, Side::neumann, Side::periodic}) {
      SCOPED_TRACE(testing::Message() << shape.name << ", side " << static_cast<int>(side) << ", " << finer
                                      << " finer");
      auto const solved = [&](Coord width) {
        Manufactured<Dim> u(side, width, finer, shape.wants);
        if (is_varied) u.vary();
        return errors_of(u);
      };
      auto const coarse = solved(n), fine = solved(2 * n);
      EXPECT_GE(coarse.greatest, 3.6 * fine.greatest);
      EXPECT_GE(coarse.mean, 3.6 * fine.mean);
      EXPECT_GE(coarse.mean_gradient, 3.6 * fine.mean_gradient);
      EXPECT_GE(coarse.greatest_gradient, shape.least_gradient_ratio * fine.greatest_gradient);
      EXPECT_LE(fine.iterations, 10);
    }
}

}  // namespace

TEST(CompositeAccuracy, IsSecondOrderInThePlane) {
  std::vector<Shape<2>> const shapes = {{"disc", in_disc<2>, 3.3},
                                        {"notch", in_notch<2>, 3.3},
                                        {"patch at a side", at_side<2>, 1.9},
                                        {"slanted band", in_slanted<2>, 1.9}};
  expect_second_order<2>(shapes, 48, 1);
  expect_second_order<2>(shapes, 48, 2);
}

TEST(CompositeAccuracy, IsSecondOrderInSpace) {
  expect_second_order<3>({{"ball", in_disc<3>, 3.3}, {"patch at a side", at_side<3>, 1.9}}, 16, 1);
}

TEST(CompositeAccuracy, IsSecondOrderWhereTheCoefficientVaries) {
  expect_second_order<2>({{"disc", in_disc<2>, 3.3}, {"patch at a side", at_side<2>, 1.9}}, 48, 2, true);
  expect_second_order<3>({{"ball", in_disc<3>, 3.3}}, 16, 1, true);
}

TEST(CompositeAccuracy, IterationsDoNotDependOnTheNumberOfLevels) {
  for (Side const side : {Side::dirichlet, Side::neumann, Side::periodic}) {
    int least = 100, most = 0;
    for (int const finer : {2, 4, 6, 8, 10, 12}) {
      auto const nested = [](int level, Vec<double, 2> const& x) {
        return distance<2>(x) < 0.3 * std::pow(0.5, level);
      };
      Manufactured<2> u(side, 16, 0, nested);
      // As `Manufactured` makes them, but without sets of whole fine grids.
      std::vector<IntervalSet<2>> refined(static_cast<std::size_t>(finer));
      for (std::size_t l = refined.size(); l-- > 0;) {
        double const h = 1.0 / (16 * std::pow(2.0, static_cast<double>(l)));
        refined[l] = sparse::ball<2>({0.47 / h, 0.52 / h}, 0.3 * std::pow(0.5, static_cast<double>(l)) / h);
        if (l + 1 < refined.size()) refined[l] = refined[l] | coarsen(expand(refined[l + 1], 2));
      }
      for (auto const& set : refined) u.problem.cells.push_back(refine(set));
      u.problem.dirichlet.resize(side == Side::dirichlet ? 1 : 0);
      int const iterations = errors_of(u, 1e-6).iterations;
      least = std::min(least, iterations);
      most = std::max(most, iterations);
    }
    EXPECT_LE(most, side == Side::neumann ? 8 : 7) << static_cast<int>(side);
    EXPECT_LE(most - least, 2) << static_cast<int>(side);
  }
}

TEST(CompositeAccuracy, MeansStayWhereSeveralComponentsAreClosed) {
  // Two closed boxes and one with a side where p is given, apart from each other, each with finer cells.
  CompositeProblem<2> problem;
  std::vector<IntervalSet<2>> domain(2), wanted(1);
  for (Coord const begin : {0, 20, 40}) {
    domain[0] = domain[0] | sparse::box<2>({begin, 0}, {begin + 16, 16});
    wanted[0] = wanted[0] | sparse::box<2>({begin + 5, 5}, {begin + 9, 9});
  }
  domain[1] = refine(domain[0]);
  problem.cells = nested_levels(domain, wanted);
  problem.dirichlet = {{sparse::box<2>({40, 0}, {41, 16}), {}}};
  CompositeSolver<double, 2> solver(problem, {.tolerance = 1e-8, .least_iterations = 1});
  ASSERT_EQ(solver.matrix().component_count(), 3);
  ASSERT_EQ(solver.matrix().singular_count(), 2);
  auto b = uniform_fields<double>(problem, 1), x = solver.matrix().fields("x");
  Report const first = solver.solve(b, x);
  EXPECT_GT(first.incompatibility, 1e-3);
  solver.matrix().remove_means(b);
  auto const before = values_of(x);
  for (int step = 0; step < 1000; ++step) {
    Report const report = solver.solve(b, x);
    ASSERT_TRUE(report.has_converged());
    EXPECT_LE(report.incompatibility, 1e-12);
  }
  EXPECT_LE(solver.matrix().remove_means(x), 1e-13);
  EXPECT_LE(length(difference(values_of(x), before)), 1e-6 * length(before));
}
