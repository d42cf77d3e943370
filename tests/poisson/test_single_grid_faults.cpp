/// What the single-grid method refuses, and how it says that it has not converged.

#include <limits>

#include <sparse/fields/algebra.hpp>
#include <sparse/poisson/single_grid.hpp>
#include <sparse/sets/algebra.hpp>
#include <support/node_fields.hpp>
#include <support/refused.hpp>

namespace {

using namespace reference;
using namespace sparse::poisson;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Dimension>
class SingleGridFaults : public testing::Test {};
TYPED_TEST_SUITE(SingleGridFaults, Dimensions);

/// `field` with one value of it replaced.
template <int Dim>
sparse::Field<double, Dim> with_value(sparse::Field<double, Dim> const& field, Index at, double value) {
  auto values = to_host(field);
  values[static_cast<std::size_t>(at)] = value;
  auto changed = sparse::clone(field);
  set_values(changed, values);
  return changed;
}

}  // namespace

TYPED_TEST(SingleGridFaults, NodesThatAreNoCubeOfPowersOfTwoAreRefused) {
  constexpr int Dim = TypeParam::value;
  using Solver = SingleGrid<double, Dim>;
  auto const begin = Vec<Coord, Dim>::filled(2);
  for (Coord const count : {1, 2, 4, 8, 10, 16, 32, 100}) {
    auto const nodes = sparse::box<Dim>(begin, begin + Vec<Coord, Dim>::filled(count));
    EXPECT_TRUE(is_refused([&] { Solver(nodes, 1); }, std::to_string(count) + " nodes")) << count;
  }
  for (Coord const count : {3, 5, 9, 17, 33})
    EXPECT_NO_THROW(Solver(sparse::box<Dim>(begin, begin + Vec<Coord, Dim>::filled(count)), 1)) << count;
  auto longer = begin + Vec<Coord, Dim>::filled(9);
  longer[Dim - 1] += 8;
  EXPECT_TRUE(is_refused([&] { Solver(sparse::box<Dim>(begin, longer), 1); }, "different numbers"));
  auto const cube = cube_of_nodes<Dim>(3);
  auto const middle = Vec<Coord, Dim>::filled(-4);
  EXPECT_TRUE(is_refused([&] { Solver(cube - sparse::box<Dim>(middle, middle + Vec<Coord, Dim>::filled(1)), 1); },
                         "do not fill their box"));
  EXPECT_TRUE(is_refused([&] { Solver(IntervalSet<Dim>(), 1); }, "no nodes"));
}

TYPED_TEST(SingleGridFaults, OptionsOutOfRangeAreRefused) {
  constexpr int Dim = TypeParam::value;
  auto const nodes = cube_of_nodes<Dim>(2);
  auto const refused = [&](auto const& change, char const* part) {
    SingleGridOptions<Dim> options;
    change(options);
    return is_refused([&] { SingleGrid<double, Dim>(nodes, 1, options); }, part);
  };
  using Options = SingleGridOptions<Dim>;
  for (double const tolerance : {0.0, -1e-6, not_a_number, infinity})
    EXPECT_TRUE(refused([=](Options& options) { options.stop.tolerance = tolerance; }, "tolerance")) << tolerance;
  EXPECT_TRUE(refused([](Options& options) { options.stop.iteration_limit = -1; }, "iteration limit"));
  for (int const count : {0, -2})
    EXPECT_TRUE(refused([=](Options& options) { options.relaxation_count = count; }, "relaxations")) << count;
  for (double const step : {-0.1, 0.51, not_a_number, infinity})
    EXPECT_TRUE(refused([=](Options& options) { options.step = step; }, "step")) << step;
  auto const axes_step = [](double step) {
    return [=](Options& options) {
      options.stencil = NodeStencil::axes;
      options.step = step;
    };
  };
  EXPECT_TRUE(refused(axes_step(Dim == 2 ? 0.26 : 0.17), "step"));
  EXPECT_FALSE(refused(axes_step(Dim == 2 ? 0.25 : 0.16), "step"));
  for (double const spacing : {0.0, -1.0, not_a_number, infinity})
    EXPECT_TRUE(is_refused([&] { SingleGrid<double, Dim>(nodes, spacing); }, "spacing")) << spacing;
}

TYPED_TEST(SingleGridFaults, CoefficientsThatAreNotPositiveOrFiniteAreRefused) {
  constexpr int Dim = TypeParam::value;
  auto const nodes = cube_of_nodes<Dim>(2);
  auto const one = constant_field<double>(nodes, 1);
  Index const last = nodes.cell_count() - 1;
  using Solver = SingleGrid<double, Dim>;
  for (double const bad : {0.0, -1.0, not_a_number, infinity}) {
    EXPECT_TRUE(is_refused([&] { Solver(nodes, 1, {}, bad); }, "coefficient s")) << bad;
    for (Index const at : {Index{0}, last})
      EXPECT_TRUE(is_refused([&] { Solver(nodes, 1, {}, with_value(one, at, bad)); }, "coefficient s")) << bad;
  }
  for (double const bad : {not_a_number, -infinity}) {
    EXPECT_TRUE(is_refused([&] { Solver(nodes, 1, {}, 1, bad); }, "coefficient a")) << bad;
    EXPECT_TRUE(is_refused([&] { Solver(nodes, 1, {}, 1, with_value(one, last, bad)); }, "coefficient a")) << bad;
  }
  auto const elsewhere = constant_field<double>(cube_of_nodes<Dim>(3), 1);
  EXPECT_TRUE(is_refused([&] { Solver(nodes, 1, {}, elsewhere); }, "one value per node"));
  EXPECT_TRUE(is_refused([&] { Solver(nodes, 1, {}, one, elsewhere); }, "one value per node"));
}

TYPED_TEST(SingleGridFaults, FieldsThatDoNotFitAreRefused) {
  constexpr int Dim = TypeParam::value;
  auto const nodes = cube_of_nodes<Dim>(2);
  SingleGrid<double, Dim> solver(nodes, 1);
  auto const good = constant_field<double>(nodes, 1);
  auto elsewhere = constant_field<double>(cube_of_nodes<Dim>(3), 1);
  auto u = constant_field<double>(nodes, 0);
  auto pair = sparse::Field<double, Dim>("pair", nodes, 2);
  EXPECT_TRUE(is_refused([&] { solver.solve(elsewhere, u); }, "f (field"));
  EXPECT_TRUE(is_refused([&] { solver.solve(good, elsewhere); }, "u (field"));
  EXPECT_TRUE(is_refused([&] { solver.solve(pair, u); }, "one value per node"));
  EXPECT_TRUE(is_refused([&] { solver.apply(elsewhere); }, "u (field"));
  for (double const bad : {not_a_number, infinity, -infinity})
    for (Index const at : {Index{0}, nodes.cell_count() / 2}) {
      EXPECT_TRUE(is_refused([&] { solver.solve(with_value(good, at, bad), u); }, "f has values"));
      auto start = with_value(u, at, bad);
      EXPECT_TRUE(is_refused([&] { solver.solve(good, start); }, "u has values"));
    }
  EXPECT_EQ(greatest_magnitude(u), 0);
}

TYPED_TEST(SingleGridFaults, StoppingEarlyIsReported) {
  constexpr int Dim = TypeParam::value;
  auto const nodes = cube_of_nodes<Dim>(4);
  std::mt19937 engine(1);
  auto const f = random_field<double>(nodes, engine);
  for (int const limit : {0, 1, 3}) {
    SingleGridOptions<Dim> options;
    options.stop = {1e-12, limit};
    SingleGrid<double, Dim> solver(nodes, 1, options);
    auto u = constant_field<double>(nodes, 0);
    auto const report = solver.solve(f, u);
    EXPECT_EQ(report.reason, StopReason::iteration_limit);
    EXPECT_EQ(report.iterations, limit);
    EXPECT_EQ(report.residuals.size(), static_cast<std::size_t>(limit) + 1);
    auto residual = solver.apply(u);  // with the boundary, where f does not count
    auto const source = to_host(f);
    auto values = to_host(residual);
    double r = 0, b = 0;
    auto const inside = node_values<double>(nodes, 1, [](Vec<double, Dim> const& x) {
      for (int axis = 0; axis < Dim; ++axis)
        if (x[axis] == 0 || x[axis] == 16) return 0.0;
      return 1.0;
    });
    for (std::size_t i = 0; i < values.size(); ++i) {
      r += inside[i] * (source[i] - values[i]) * (source[i] - values[i]);
      b += inside[i] * source[i] * source[i];
    }
    EXPECT_NEAR(report.true_residual, std::sqrt(r / b), 1e-12);
    EXPECT_EQ(report.true_residual, report.residuals.back());
  }
}

TYPED_TEST(SingleGridFaults, WhatCannotConvergeIsReported) {
  constexpr int Dim = TypeParam::value;
  auto const nodes = cube_of_nodes<Dim>(4);
  std::mt19937 engine(1);
  auto const f = random_field<double>(nodes, engine);
  auto u = constant_field<double>(nodes, 0);
  SingleGridOptions<Dim> options;
  options.stop = {1e-30, 100};
  auto const rounding = SingleGrid<double, Dim>(nodes, 1, options).solve(f, u);
  EXPECT_EQ(rounding.reason, StopReason::stagnated);
  EXPECT_LT(rounding.true_residual, 1e-13);
  EXPECT_LT(rounding.iterations, 25);

  fill(u, 0);  // an indefinite operator
  auto const growing = SingleGrid<double, Dim>(nodes, 1, options, 1, 0.5).solve(f, u);
  EXPECT_FALSE(growing.has_converged());
  EXPECT_NE(growing.reason, StopReason::iteration_limit);

  auto const huge = constant_field<double>(nodes, 1e300);
  fill(u, 0);
  auto const overflown = SingleGrid<double, Dim>(nodes, 1, options).solve(huge, u);
  EXPECT_EQ(overflown.reason, StopReason::not_finite);
}

/// No source, or one that only has a mean: the solution is 0, whatever the guess.
TYPED_TEST(SingleGridFaults, NothingToBalanceIsSolvedByZero) {
  constexpr int Dim = TypeParam::value;
  auto const nodes = cube_of_nodes<Dim>(4);
  SingleGridOptions<Dim> options;
  for (double const value : {0.0, 0.3}) {
    auto const f = constant_field<double>(nodes, value);
    auto u = node_field<double>(nodes, 1, [](Vec<double, Dim> const& x) {
      bool is_inside = true;
      for (int axis = 0; axis < Dim; ++axis)
        if (x[axis] == 0 || x[axis] == 16) is_inside = false;
      return is_inside ? 5.0 : 0.0;
    });
    auto const report = SingleGrid<double, Dim>(nodes, 1, options).solve(f, u);
    EXPECT_TRUE(report.has_converged());
    EXPECT_NEAR(report.incompatibility, value == 0 ? 0 : 1, 1e-14);
    EXPECT_LT(report.true_residual, 1e-10);
    EXPECT_EQ(greatest_magnitude(u), 0);
    options.sides.fill(NodeSide::neumann);
  }
}
