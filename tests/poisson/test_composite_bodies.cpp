/// Bodies on the finest of several levels: errors beside those of a uniform grid of the finest cells.

#include <sparse/poisson/composite_solver.hpp>
#include <support/composite.hpp>

namespace {

using namespace reference;
using sparse::poisson::CompositeSolver;

/// A hill around the middle of the unit square or cube, so narrow that coarse cells far away are fine enough. It is
/// given on the sides and on a body.
template <int Dim>
struct Hill {
  static constexpr double width = 0.06;
  static double square(Vec<double, Dim> const& x) {
    double sum = 0;
    for (int axis = 0; axis < Dim; ++axis) sum += (x[axis] - 0.5) * (x[axis] - 0.5);
    return sum;
  }
  static double value(Vec<double, Dim> const& x) { return std::exp(-square(x) / (2 * width * width)); }
  static double source(Vec<double, Dim> const& x) {
    double const w = width * width;
    return (Dim / w - square(x) / (w * w)) * value(x);
  }
};

/// All boundary faces of cells that lie on the sides of the box or on the body.
template <int Dim>
std::array<IntervalSet<Dim>, Dim> outer_faces(IntervalSet<Dim> const& leaves, IntervalSet<Dim> const& all) {
  std::array<IntervalSet<Dim>, Dim> faces;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const lower = leaves - shift(all, axis, 1), upper = leaves - shift(all, axis, -1);
    faces[static_cast<std::size_t>(axis)] = lower | shift(upper, axis, 1);
  }
  return faces;
}

struct Outcome {
  double error;
  int iterations;
  Index cells;
};

/// @param finer  0: a uniform grid. @param body  its radius
template <int Dim>
Outcome on_levels(Coord n, int finer, double body) {
  CompositeProblem<Dim> problem;
  problem.grid.spacing = Vec<double, Dim>::filled(1.0 / n);
  auto const middle_ball = [&](int l, double radius) {
    double const cells = std::ldexp(n, l);
    return sparse::ball<Dim>(Vec<double, Dim>::filled(0.5 * cells), radius * cells);
  };
  std::vector<IntervalSet<Dim>> domain(static_cast<std::size_t>(finer) + 1), wanted;
  domain.back() = sparse::box<Dim>({}, Cell<Dim>::filled(n << finer)) - middle_ball(finer, body);
  for (int l = finer; l-- > 0;) domain[static_cast<std::size_t>(l)] = coarsen(domain[static_cast<std::size_t>(l) + 1]);
  for (int l = 0; l < finer; ++l) wanted.push_back(middle_ball(l, 0.3 - 0.07 * l));
  problem.cells = nested_levels(domain, wanted);
  auto const leaves = sparse::poisson::leaves_of(problem.cells);
  for (std::size_t l = 0; l < leaves.size(); ++l) problem.dirichlet.push_back(outer_faces(leaves[l], domain[l]));
  CompositeSolver<double, Dim> solver(problem, {1e-9, 30});
  auto b = leaf_fields<double>(
      problem, [&](int level, Cell<Dim> const& cell) { return Hill<Dim>::source(middle(problem, level, cell)); });
  solver.matrix().add_boundary_values(b, given_fields(problem, [&](int level, int axis, Cell<Dim> const& face) {
                                        return Hill<Dim>::value(middle(problem, level, face, axis));
                                      }));
  auto x = solver.matrix().fields("x");
  auto const report = solver.solve(b, x);
  EXPECT_TRUE(report.has_converged());
  auto const exact = values_of(leaf_fields<double>(
      problem, [&](int level, Cell<Dim> const& cell) { return Hill<Dim>::value(middle(problem, level, cell)); }));
  auto const found = values_of(x);
  double error = 0;
  for (std::size_t i = 0; i < found.size(); ++i) error = std::max(error, std::abs(found[i] - exact[i]));
  return {error, report.iterations, solver.matrix().leaf_count()};
}

template <int Dim>
void expect_errors_of_the_finest_grid(Coord n, int finer) {
  auto const levels = on_levels<Dim>(n, finer, 0.05), uniform = on_levels<Dim>(n << finer, 0, 0.05);
  EXPECT_LE(levels.error, 1.2 * uniform.error) << n << " with " << finer << " finer levels";
  EXPECT_LT(levels.cells, 0.5 * static_cast<double>(uniform.cells));
  EXPECT_LE(levels.iterations, 12);
}

/// The potential of a flow around a cylinder or a ball, through whose surface nothing flows: known in the whole space,
/// and given on the sides. Cells are cut where the body is, so faces are as wide as their open share.
template <int Dim>
struct AroundBody {
  static constexpr double radius = 0.1;
  static Vec<double, Dim> centre() {
    auto at = Vec<double, Dim>::filled(0.498);
    at[0] = 0.503;
    return at;
  }
  static double distance(Vec<double, Dim> const& x) {
    double square = 0;
    for (int axis = 0; axis < Dim; ++axis) square += std::pow(x[axis] - centre()[axis], 2);
    return std::sqrt(square);
  }
  static double value(Vec<double, Dim> const& x) {
    return (x[0] - centre()[0]) * (1 + std::pow(radius / distance(x), Dim) / (Dim - 1));
  }
  /// The open part of a line of length `width` around x, `away` from the centre in the other directions.
  static double open_part(double x, double away, double width) {
    double const half = std::sqrt(std::max(0.0, radius * radius - away * away));
    return 1 - std::max(0.0, std::min(half, x + width / 2) - std::max(-half, x - width / 2)) / width;
  }
  /// The open share of a face normal to `axis` with its middle at x; in 3D from strips.
  static double share(Vec<double, Dim> const& x, int axis, double width) {
    auto const from = x - centre();
    if constexpr (Dim == 2) return open_part(from[1 - axis], from[axis], width);
    int const a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2, strips = 64;
    double sum = 0;
    for (int k = 0; k < strips; ++k)
      sum += open_part(from[a], std::hypot(from[axis], from[b] + ((k + 0.5) / strips - 0.5) * width), width);
    return sum / strips;
  }
};

template <int Dim>
Outcome around_body(Coord n, int finer) {
  using Body = AroundBody<Dim>;
  constexpr double least_share = 1e-3;
  CompositeProblem<Dim> problem;
  problem.grid.spacing = Vec<double, Dim>::filled(1.0 / n);
  auto const ball = [&](int l, double radius) {
    double const cells = std::ldexp(n, l);
    return sparse::ball<Dim>(cells * Body::centre(), radius * cells);
  };
  double const h = 1.0 / (n << finer);
  Cells<Dim> closed;
  for (auto const& cell : cells_of(ball(finer, Body::radius))) {
    double open = 0;
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      auto x = Vec<double, Dim>::filled(0.5 * h);
      for (int axis = 0; axis < Dim; ++axis) x[axis] += cell[axis] * h;
      x[arm / 2] += (arm % 2 - 0.5) * h;
      open = std::max(open, Body::share(x, arm / 2, h));
    }
    if (open < least_share) closed.insert(cell);
  }
  std::vector<IntervalSet<Dim>> domain(static_cast<std::size_t>(finer) + 1), wanted, boxes;
  for (int l = 0; l <= finer; ++l) boxes.push_back(sparse::box<Dim>({}, Cell<Dim>::filled(n << l)));
  domain.back() = boxes.back() - set_of(closed);
  for (int l = finer; l-- > 0;) domain[static_cast<std::size_t>(l)] = coarsen(domain[static_cast<std::size_t>(l) + 1]);
  for (int l = 0; l < finer; ++l) wanted.push_back(ball(l, 0.36 - 0.08 * l));
  problem.cells = nested_levels(domain, wanted);
  auto const leaves = sparse::poisson::leaves_of(problem.cells);
  for (std::size_t l = 0; l < leaves.size(); ++l) problem.dirichlet.push_back(outer_faces(leaves[l], boxes[l]));
  set_coefficients(problem, [&](int level, int axis, Cell<Dim> const& face) {
    return std::max(least_share, Body::share(middle(problem, level, face, axis), axis, std::ldexp(1.0 / n, -level)));
  });
  CompositeSolver<double, Dim> solver(problem, {1e-9, 30});
  auto b = solver.matrix().fields("b", 0), x = solver.matrix().fields("x");
  solver.matrix().add_boundary_values(b, given_fields(problem, [&](int level, int axis, Cell<Dim> const& face) {
                                        return Body::value(middle(problem, level, face, axis));
                                      }));
  auto const report = solver.solve(b, x);
  EXPECT_TRUE(report.has_converged());
  double error = 0;
  for (std::size_t l = 0; l < x.size(); ++l)
    for (auto const& [cell, value] : value_map(x[l])) {
      auto const place = middle(problem, static_cast<int>(l), cell);
      if (Body::distance(place) > Body::radius + h) error = std::max(error, std::abs(value - Body::value(place)));
    }
  return {error, report.iterations, solver.matrix().leaf_count()};
}

template <int Dim>
void expect_errors_of_the_finest_cut_grid(Coord n, int finer) {
  auto const levels = around_body<Dim>(n, finer), uniform = around_body<Dim>(n << finer, 0);
  std::printf("  %dD, %d cells, %d finer levels: %.2e beside %.2e, %d and %d iterations\n", Dim, n, finer, levels.error,
              uniform.error, levels.iterations, uniform.iterations);
  EXPECT_LE(levels.error, 1.2 * uniform.error);
  EXPECT_LT(levels.cells, 0.7 * static_cast<double>(uniform.cells));
  EXPECT_LE(levels.iterations, 12);
}

}  // namespace

TEST(CompositeBodies, ErrorsAreThoseOfTheFinestGrid) {
  expect_errors_of_the_finest_grid<2>(64, 1);
  expect_errors_of_the_finest_grid<2>(48, 2);
  expect_errors_of_the_finest_grid<3>(20, 1);
}

TEST(CompositeBodies, ErrorsAtCutCellsAreThoseOfTheFinestGrid) {
  expect_errors_of_the_finest_cut_grid<2>(64, 1);
  expect_errors_of_the_finest_cut_grid<2>(48, 2);
  expect_errors_of_the_finest_cut_grid<2>(96, 2);
  expect_errors_of_the_finest_cut_grid<3>(24, 1);
}
