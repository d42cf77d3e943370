/// Functions of the position as initial values; grids with an origin.

#include <sparse/incompressible/measure/profiles.hpp>
#include <sparse/incompressible/measure/stream_function.hpp>
#include <sparse/incompressible/measure/sums.hpp>
#include <support/smac.hpp>

#include "flow_map/maps.hpp"

namespace {

using namespace reference;

template <class TheCase>
class IncompressiblePositions : public testing::Test {};
TYPED_TEST_SUITE(IncompressiblePositions, RealCases);

template <int Dim>
Point<Dim> wave(Point<Dim> const& x) {
  Point<Dim> u;
  for (int i = 0; i < Dim; ++i) u[i] = 0.5 + std::sin(x[i] + 0.3 * x[(i + 1) % Dim]);
  return u;
}

/// The domain of a seed, and the same elsewhere: its positions are rounded nowhere.
template <int Dim>
struct Elsewhere {
  FlowDomain<Dim> domain, moved;
  Point<Dim> origin;

  explicit Elsewhere(unsigned seed) : domain(random_domain<Dim>(seed)) {
    for (int axis = 0; axis < Dim; ++axis) origin[axis] = 4 * axis - 7.25;
    for (auto& part : domain.parts)
      if (part.kind == BoundaryKind::inflow)
        part.profile = [](Point<Dim> const& x) { return 1 + 0.5 * std::sin(x[1]); };
    moved = domain;
    moved.grid.origin = origin;
    for (auto& part : moved.parts)
      if (part.profile) part.profile = [f = part.profile, o = origin](Point<Dim> const& x) { return f(x - o); };
  }
  template <class Function>
  auto there(Function const& function) const {
    return [function, o = origin](Point<Dim> const& x) { return function(x - o); };
  }
};

}  // namespace

TYPED_TEST(IncompressiblePositions, SetVelocitiesInTheMiddleOfFaces) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    auto domain = random_domain<Dim>(seed);
    domain.grid.origin = Point<Dim>::filled(0.3);
    StaggeredGrid<Dim> const grid(domain);
    State<T, Dim> state(grid);
    State<T, Dim> const at_rest(grid);
    set_velocity(grid, state, wave<Dim>);
    auto everywhere = clone(state.velocity);
    set_velocity(grid, everywhere, wave<Dim>);
    for (int axis = 0; axis < Dim; ++axis) {
      auto const all = values_on(everywhere, axis, grid.faces(axis));
      auto const given = values_on(at_rest.velocity, axis, grid.faces(axis));
      for (auto const& [face, u] : values_on(state.velocity, axis, grid.faces(axis))) {
        auto const x = middle_of<Dim>(face, axis, grid.spacing()) + domain.grid.origin;
        ASSERT_NEAR(all.at(face), wave(x)[axis], precise<T>(1e-5, 1e-13)) << "seed " << seed << face;
        ASSERT_EQ(u, grid.computed_faces(axis).contains(face) ? all.at(face) : given.at(face))
            << "seed " << seed << face;
      }
    }
  }
}

TYPED_TEST(IncompressiblePositions, SetCellsInTheirMiddle) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto domain = random_domain<Dim>(2);
  domain.grid.origin = Point<Dim>::filled(-1.5);
  StaggeredGrid<Dim> const grid(domain);
  State<T, Dim> state(grid, {"temperature"});
  set_cells(grid, state.carried[0], [](Point<Dim> const& x) { return wave(x)[0]; });
  for (auto const& [cell, value] : values_on(state.carried[0], 0, grid.fluid()))
    ASSERT_NEAR(value, wave(domain.grid.center(cell))[0], precise<T>(1e-5, 1e-13)) << cell;
}

TYPED_TEST(IncompressiblePositions, RefuseFieldsThatDoNotFit) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  StaggeredGrid<Dim> const grid(random_domain<Dim>(1));
  State<T, Dim> state(grid, {"ink"});
  auto const zero = [](auto const&) { return 0.0; };
  EXPECT_TRUE(is_refused([&] { set_velocity(grid, state.carried[0], wave<Dim>); }, "velocity, field 'ink'"));
  EXPECT_TRUE(is_refused([&] { set_cells(grid, state.velocity, zero); }, "cell field, field 'velocity'"));
  EXPECT_TRUE(is_refused([&] { set_velocity(grid, state, {}); }, "no function"));
  EXPECT_TRUE(is_refused([&] { set_cells(grid, state.carried[0], {}); }, "no function"));
}

// A flow is the same wherever it is, and all positions are there.
TYPED_TEST(IncompressiblePositions, HeedTheOrigin) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    Elsewhere<Dim> const both(seed);
    StaggeredGrid<Dim> const grid(both.domain), moved(both.moved);
    State<T, Dim> state(grid, {"ink"}), other(moved, {"ink"});
    EXPECT_EQ(greatest_difference(state.velocity, other.velocity), 0) << "profiles, seed " << seed;
    set_velocity(grid, state, wave<Dim>);
    set_velocity(moved, other, both.there(wave<Dim>));
    set_cells(grid, state.carried[0], [](Point<Dim> const& x) { return wave(x)[0]; });
    set_cells(moved, other.carried[0], both.there([](Point<Dim> const& x) { return wave(x)[0]; }));
    EXPECT_EQ(greatest_difference(state.velocity, other.velocity), 0) << "velocity, seed " << seed;
    EXPECT_EQ(greatest_difference(state.carried[0], other.carried[0]), 0) << "cells, seed " << seed;

    std::vector<Point<Dim>> here, there;
    grid.fluid().to_host().for_each_cell([&](Cell<Dim> const& cell, Index) {
      Point<Dim> x;
      for (int b = 0; b < Dim; ++b) x[b] = grid.spacing()[b] * (cell[b] + 0.375);
      here.push_back(x);
      there.push_back(x + both.origin);
    });
    EXPECT_EQ(sample_velocity(grid, state.velocity, here), sample_velocity(moved, other.velocity, there));
    EXPECT_EQ(sample_cells(grid, state.carried[0], here), sample_cells(moved, other.carried[0], there));
    for (int axis = 0; axis < Dim; ++axis) {
      auto const line = centre_line(grid, state.velocity, axis), other_line = centre_line(moved, other.velocity, axis);
      EXPECT_EQ(line.velocity, other_line.velocity);
      ASSERT_EQ(line.points.size(), other_line.points.size());
      for (std::size_t i = 0; i < line.points.size(); ++i)
        EXPECT_EQ(line.points[i] + both.origin, other_line.points[i]);
    }
    if constexpr (Dim == 2) {
      auto const extrema = stream_extrema(grid, stream_function(grid, state.velocity));
      auto const other_extrema = stream_extrema(moved, stream_function(moved, other.velocity));
      EXPECT_EQ(extrema.least.value, other_extrema.least.value);
      for (int b = 0; b < 2; ++b)
        EXPECT_NEAR(extrema.least.at[b] + both.origin[b], other_extrema.least.at[b], 1e-12) << "seed " << seed;
    }

    FlowMaps<T, Dim> maps(grid, 1, Interpolation::quadratic);
    FlowMaps<T, Dim> other_maps(moved, 1, Interpolation::quadratic);
    maps.set_velocity(0, state.velocity);
    other_maps.set_velocity(0, other.velocity);
    auto const from = maps.map(here, here, 0.25, Direction::backward);
    auto const other_from = other_maps.map(there, here, 0.25, Direction::backward);
    for (std::size_t i = 0; i < from.size(); ++i)
      for (int b = 0; b < Dim; ++b)
        ASSERT_NEAR(from[i].position[b] + both.origin[b], other_from[i].position[b], 1e-12) << "seed " << seed;
  }
}

// Curved walls are where the distance is 0 in space.
TYPED_TEST(IncompressiblePositions, OfCurvedWallsHeedTheOrigin) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const flow_at = [](Point<Dim> const& origin, IntervalSet<Dim>& fluid) {
    FlowDomain<Dim> domain;
    auto cells = Cell<Dim>::filled(12);
    cells[0] = 18;
    domain.grid = {origin, Point<Dim>::filled(0.25)};
    domain.distance = [=](Point<Dim> const& x) {
      double square = 0;
      for (int b = 0; b < Dim; ++b) square += (x[b] - origin[b] - 1.53) * (x[b] - origin[b] - 1.53);
      return std::sqrt(square) - 0.61;
    };
    fluid = domain.fluid = open_cells(sparse::box<Dim>({}, cells), domain.grid, domain.distance);
    open_ends<Dim>(domain, {1});
    StaggeredGrid<Dim> const grid(domain);
    State<T, Dim> state(grid);
    set_velocity(grid, state, [](auto const&) { return Point<Dim>::along(0, 1); });
    Smac<T, Dim> method(grid, smac_options<T, Dim>(0.05));
    for (int step = 0; step < 3; ++step) method.advance(state, method.longest_step(state, 0.3));
    return kinetic_energy(grid, state.velocity);
  };
  IntervalSet<Dim> fluid, moved;
  double const energy = flow_at({}, fluid);
  EXPECT_NEAR(energy, flow_at(Point<Dim>::filled(-3.5), moved), precise<T>(1e-4, 1e-8) * energy);
  EXPECT_EQ(fluid, moved);
  EXPECT_GT(fluid.cell_count(), 0);
}
