/// Pressures of the last steps say what the next one will be.

#include <gtest/gtest.h>

#include <sparse/fields/algebra.hpp>
#include <sparse/fields/transfer.hpp>
#include <sparse/shapes/shapes.hpp>

#include "method/pressure_guess.hpp"

namespace {

using namespace sparse;
using namespace sparse::incompressible;
using sparse::incompressible::detail::PressureGuess;

StaggeredGrid<2> small_grid() {
  FlowDomain<2> domain;
  domain.fluid = box<2>({0, 0}, {5, 4});
  return StaggeredGrid<2>(domain);
}

/// Steps of length 1 whose pressures are given.
struct Steps {
  StaggeredGrid<2> grid = small_grid();
  PressureGuess<double, 2> guess{grid, true, 1e-6};
  Field<double, 2> pressure{"pressure", grid.fluid(), 0.0};
  Index count = 0;

  /// @return  the guess
  double step(double solution) {
    auto& field = guess.extrapolate(pressure, 1);
    double const guessed = to_host(field)[0];
    fill(field, solution);
    guess.accept(pressure, 1, ++count);
    return guessed;
  }
};

double parabola(double time) { return 5 + 2 * time + 3 * time * time; }

}  // namespace

TEST(PressureGuess, FollowsAParabola) {
  Steps steps;
  for (int t = 0; t < 3; ++t) steps.step(parabola(t));
  for (int t = 3; t < 6; ++t) EXPECT_NEAR(steps.step(parabola(t)), parabola(t), 1e-10) << t;
}

// What other cells make of pressure is no change in time.
TEST(PressureGuess, GoesOnFromOtherCells) {
  constexpr double of_cells = 0.7;
  Steps steps;
  for (int t = 0; t < 3; ++t) steps.step(parabola(t));
  steps.guess.come_from_other_cells();
  EXPECT_NEAR(steps.step(parabola(3) + of_cells), parabola(3), 1e-10);
  for (int t = 4; t < 7; ++t) EXPECT_NEAR(steps.step(parabola(t) + of_cells), parabola(t) + of_cells, 1e-10) << t;
  // Cells that stay make no difference: what comes then is a change in time.
  EXPECT_NEAR(steps.step(parabola(7)), parabola(7) + of_cells, 1e-10);
  EXPECT_NEAR(steps.step(parabola(8)), parabola(8) - 2 * of_cells, 1e-10);
}

TEST(PressureGuess, RemembersThatItComesFromOtherCells) {
  Steps steps, others;
  for (int t = 0; t < 3; ++t) steps.step(parabola(t));
  steps.guess.come_from_other_cells();
  others.guess.set_numbers(steps.guess.numbers());
  auto const from = steps.guess.past(), to = others.guess.past();
  for (std::size_t i = 0; i < from.size(); ++i) assign(*to[i], *from[i]);
  assign(others.pressure, steps.pressure);
  others.count = steps.count;
  for (int t = 3; t < 6; ++t) EXPECT_EQ(others.step(parabola(t) + 1), steps.step(parabola(t) + 1)) << t;
  EXPECT_EQ(others.guess.numbers(), steps.guess.numbers());
}
