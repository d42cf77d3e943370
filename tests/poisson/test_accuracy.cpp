/// Orders of convergence to known solutions, and how far one pass of full multigrid gets.

#include <functional>
#include <numbers>

#include <sparse/poisson/solver.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/faces.hpp>
#include <sparse/sets/morphology.hpp>
#include <support/poisson.hpp>

namespace {

using namespace reference;
using namespace sparse::poisson;

using std::numbers::pi;

template <int Dim>
using Point = Vec<double, Dim>;

/// A solution on the unit square or cube, with its source and coefficient.
template <int Dim>
struct Known {
  std::function<double(Point<Dim> const&)> u, b, coefficient = {};
};

/// The product of f(x[axis]) over the axes. @param second  the second derivative of f
template <int Dim>
Known<Dim> product_of(std::function<double(double)> f, std::function<double(double)> second) {
  auto const u = [f](Point<Dim> const& x) {
    double value = 1;
    for (int axis = 0; axis < Dim; ++axis) value *= f(x[axis]);
    return value;
  };
  auto const b = [f, second](Point<Dim> const& x) {
    double sum = 0;
    for (int along = 0; along < Dim; ++along) {
      double term = -second(x[along]);
      for (int axis = 0; axis < Dim; ++axis) term *= axis == along ? 1 : f(x[axis]);
      sum += term;
    }
    return sum;
  };
  return {u, b};
}
template <int Dim>
Known<Dim> sines(int waves = 1) {
  double const k = waves * pi;
  return product_of<Dim>([k](double x) { return std::sin(k * x); }, [k](double x) { return -k * k * std::sin(k * x); });
}
template <int Dim>
Known<Dim> cosines() {
  return product_of<Dim>([](double x) { return std::cos(pi * x); },
                         [](double x) { return -pi * pi * std::cos(pi * x); });
}
template <int Dim>
Known<Dim> parabolas() {
  return product_of<Dim>([](double x) { return x * (1 - x); }, [](double) { return -2.0; });
}
/// Exponentials, which are constant nowhere on the boundary.
template <int Dim>
Known<Dim> exponentials() {
  return product_of<Dim>([](double x) { return std::exp(x) + x * x * x; },
                         [](double x) { return std::exp(x) + 6 * x; });
}

enum class Sides { given, closed, periodic };

/// The problem for a solution on n cells along x and, in flat cells, half as many along the other axes.
template <class T, int Dim>
struct Setting {
  Known<Dim> known;
  Problem<Dim> problem;

  Setting(Known<Dim> solution, Sides sides, Coord n, bool is_flat = false, bool has_hole = false)
      : known(std::move(solution)) {
    auto size = Cell<Dim>::filled(is_flat ? n / 2 : n);
    size[0] = n;
    problem.cells = sparse::box<Dim>({}, size);
    for (int axis = 0; axis < Dim; ++axis) problem.grid.spacing[axis] = 1.0 / size[axis];
    if (has_hole) problem.cells = problem.cells - sparse::ball<Dim>(Point<Dim>::filled(0.4 * n), 0.2 * n);
    for (int axis = 0; axis < Dim; ++axis) {
      if (sides == Sides::given)
        problem.dirichlet[axis] = boundary_faces(problem.cells, axis, sparse::FaceSide::lower) |
                                  boundary_faces(problem.cells, axis, sparse::FaceSide::upper);
      if (sides == Sides::periodic) problem.period[axis] = size[axis];
      if (!known.coefficient) continue;
      problem.face_coefficient[axis] = std::make_shared<sparse::Field<double, Dim> const>(
          field_of<double>(sparse::faces(problem.cells, axis),
                           [&](Cell<Dim> const& face) { return known.coefficient(position(face, axis)); }));
    }
  }
  /// The centre of a cell, or of a face normal to `face_axis`.
  Point<Dim> position(Cell<Dim> const& cell, int face_axis = -1) const {
    Point<Dim> x{};
    for (int axis = 0; axis < Dim; ++axis)
      x[axis] = (cell[axis] + (axis == face_axis ? 0 : 0.5)) * problem.grid.spacing[axis];
    return x;
  }
  sparse::Field<T, Dim> on_cells(std::function<double(Point<Dim> const&)> const& f) const {
    return field_of<T>(problem.cells, [&](Cell<Dim> const& cell) { return f(position(cell)); });
  }
  sparse::Field<T, Dim> boundary_part(Operator<T, Dim> const& matrix) const {
    auto part = zero_field<T>(problem.cells);
    for (int axis = 0; axis < Dim; ++axis)
      matrix.add_boundary_values(part, axis, field_of<double>(problem.dirichlet[axis], [&](Cell<Dim> const& face) {
                                   return known.u(position(face, axis));
                                 }));
    return part;
  }
  /// Root mean square of the error that a solver leaves.
  double error(Method const& method, StopRule const& stop, bool must_converge = true) const {
    Solver<T, Dim> solver(problem, method, stop);
    auto x = zero_field<T>(problem.cells);
    auto const report = solver.solve(on_cells(known.b), boundary_part(solver.matrix()), x);
    EXPECT_TRUE(report.has_converged() || !must_converge) << name_of(report.reason) << ' ' << report.true_residual;
    auto const wanted = on_cells(known.u);
    return length(difference(values_of(x), values_of(wanted))) / std::sqrt(static_cast<double>(x.cell_count()));
  }
};

/// The order between n and 2 n cells.
template <class T, int Dim>
double order(Known<Dim> const& known, Sides sides, bool is_flat = false, bool has_hole = false, double zeroth = 0) {
  MultigridCg method;
  if (is_flat) method.preconditioner.interpolation = Interpolation::linear;
  double error[2];
  Coord const n = Dim == 2 ? 16 : std::is_same_v<T, float> ? 8 : 16;
  for (int k = 0; k < 2; ++k) {
    Setting<T, Dim> setting(known, sides, n << k, is_flat, has_hole);
    setting.problem.zeroth_order = zeroth;
    error[k] = setting.error(method, {std::is_same_v<T, float> ? 1e-5 : 1e-9});
  }
  double const order = std::log2(error[0] / error[1]);
  std::printf("  errors %.2e, %.2e: order %.3f\n", error[0], error[1], order);
  return order;
}

template <class TheCase>
class PoissonAccuracy : public testing::Test {};
TYPED_TEST_SUITE(PoissonAccuracy, RealCases);

}  // namespace

TYPED_TEST(PoissonAccuracy, IsOfSecondOrderWithGivenValues) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  EXPECT_NEAR((order<T>(sines<Dim>(), Sides::given)), 2, 0.1);
  EXPECT_NEAR((order<T>(parabolas<Dim>(), Sides::given)), 2, 0.1);
  EXPECT_NEAR((order<T>(exponentials<Dim>(), Sides::given)), 2, 0.1);
  EXPECT_NEAR((order<T>(exponentials<Dim>(), Sides::given, true)), 2, 0.1);
  EXPECT_GT((order<T>(exponentials<Dim>(), Sides::given, false, true)), 1.8);
}

TYPED_TEST(PoissonAccuracy, IsOfSecondOrderWithoutFlux) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  EXPECT_NEAR((order<T>(cosines<Dim>(), Sides::closed)), 2, 0.1);
  EXPECT_NEAR((order<T>(cosines<Dim>(), Sides::closed, true)), 2, 0.1);
}

TYPED_TEST(PoissonAccuracy, IsOfSecondOrderWhereThingsRepeat) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  EXPECT_NEAR((order<T>(sines<Dim>(2), Sides::periodic)), 2, 0.1);
  EXPECT_NEAR((order<T>(sines<Dim>(2), Sides::periodic, true)), 2, 0.1);
}

TYPED_TEST(PoissonAccuracy, IsOfSecondOrderWithCoefficientsAndATermOfOrderZero) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto known = cosines<Dim>();
  auto const u = known.u, laplacian = known.b;
  known.coefficient = [](Point<Dim> const& x) { return 1 + 0.5 * x[0]; };
  known.b = [=](Point<Dim> const& x) {
    double slope = -pi * std::sin(pi * x[0]);
    for (int axis = 1; axis < Dim; ++axis) slope *= std::cos(pi * x[axis]);
    return (1 + 0.5 * x[0]) * laplacian(x) - 0.5 * slope + 3 * u(x);
  };
  EXPECT_NEAR((order<T>(known, Sides::closed, false, false, 3)), 2, 0.1);
}

// The error after one pass with one cycle per level is at most 1.5 times that of the discrete solution.
TYPED_TEST(PoissonAccuracy, OfOnePassOfFullMultigridIsThatOfTheDiscretisation) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  bool const is_float = std::is_same_v<T, float>;
  auto const expect_good_pass = [&](char const* name, Known<Dim> const& known, Sides sides, Coord n,
                                    bool has_hole = false) {
    Setting<T, Dim> const setting(known, sides, n, false, has_hole);
    double const best = setting.error(MultigridCg{}, {is_float ? 3e-5 : 1e-8});
    double const got = setting.error(FullMultigrid{}, {1e-300, 1}, false);
    std::printf("  %s, n = %d: %.2e, %.2f times\n", name, n, best, got / best);
    EXPECT_LE(got, 1.5 * best) << name << ", n = " << n;
  };
  using Sizes = std::vector<Coord>;
  Coord const most = is_float ? 64 : 256;
  for (Coord const n : Dim == 2 ? Sizes{16, 48, most} : Sizes{16, 32, 48}) {
    expect_good_pass("parabolas", parabolas<Dim>(), Sides::given, n);
    expect_good_pass("waves", sines<Dim>(2), Sides::periodic, n);
  }
  for (Coord const n : Dim == 2 ? Sizes{16, 49, most - 1} : Sizes{16, 33, 48})
    expect_good_pass("cosines", cosines<Dim>(), Sides::closed, n);
  for (Coord const n : Dim == 2 ? Sizes{16, 17, 48, 49, most - 1, most} : Sizes{16, 17, 33, 47, 48}) {
    expect_good_pass("sines", sines<Dim>(), Sides::given, n);
    expect_good_pass("exponentials", exponentials<Dim>(), Sides::given, n);
  }
  for (Coord const n : Dim == 2 ? Sizes{16, 49, most} : Sizes{16, 33, 48})
    expect_good_pass("exponentials around a body", exponentials<Dim>(), Sides::given, n, true);
}
