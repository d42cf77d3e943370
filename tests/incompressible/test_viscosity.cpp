/// Viscosity and forces: compared with loops over faces, with exact solutions, and with the momentum that is lost.

#include <sparse/incompressible/measure/forces.hpp>
#include <sparse/incompressible/step/time_step.hpp>
#include <sparse/sets/morphology.hpp>
#include <support/incompressible.hpp>

#include "step/buoyancy.hpp"
#include "step/diffusion.hpp"
#include "step/projection.hpp"

namespace {

using namespace reference;

template <class TheCase>
class IncompressibleViscosity : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleViscosity, RealCases);

/// The condition at a boundary face, found by looking through all parts.
template <int Dim>
BoundaryPart<Dim> part_at(FlowDomain<Dim> const& domain, Cell<Dim> const& face, int axis) {
  for (auto const& part : domain.parts)
    if (part.faces[axis].contains(face)) return part;
  return {domain.others};
}

/// The same as `diffuse`, one face after the other.
template <class T, int Dim>
double diffused(StaggeredGrid<Dim> const& grid, std::map<Cell<Dim>, T, StorageOrder> const& u, Cells<Dim> const& fluid,
                Cell<Dim> const& face, int axis, double amount) {
  double sum = u.at(face);
  for (int b = 0; b < Dim; ++b)
    for (int const side : {-1, 1}) {
      double const weight = amount / (grid.spacing()[b] * grid.spacing()[b]);
      auto beside = face;
      beside[b] += side;
      bool const has_face = fluid.count(beside) > 0 || fluid.count(beside - Vec<Coord, Dim>::along(axis, 1)) > 0;
      if (has_face) {
        sum += weight * (u.at(beside) - u.at(face));
      } else if (b != axis) {
        double total = 0;
        int count = 0;
        for (auto const& cell : {face, face - Vec<Coord, Dim>::along(axis, 1)}) {
          if (fluid.count(cell) == 0) continue;
          auto wall = cell;
          wall[b] += side > 0 ? 1 : 0;
          auto const part = part_at(grid.domain(), wall, b);
          bool const sticks = part.kind == BoundaryKind::no_slip || part.kind == BoundaryKind::inflow;
          total += sticks ? 2 * (part.velocity[axis] - u.at(face)) : 0;
          ++count;
        }
        sum += weight * total / count;
      }
    }
  return sum;
}

}  // namespace

TYPED_TEST(IncompressibleViscosity, IsThatOfLoopsOverFaces) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 16; ++seed) {
    StaggeredGrid<Dim> const grid(random_domain<Dim>(seed));
    State<T, Dim> state(grid);
    set_random_velocity(grid, state.velocity, seed);
    auto next = clone(state.velocity);
    diffuse(grid, state.velocity, 0.01, next);
    auto const fluid = cells_of(grid.fluid());
    for (int axis = 0; axis < Dim; ++axis) {
      auto const u = value_map(state.velocity, axis);
      for (auto const& [face, value] : values_on(next, axis, grid.computed_faces(axis)))
        ASSERT_NEAR(value, (diffused<T, Dim>(grid, u, fluid, face, axis, 0.01)), precise<T>(1e-5, 1e-13))
            << "seed " << seed << ", axis " << axis << " at " << face;
      auto const given = grid.faces(axis) - grid.computed_faces(axis);
      EXPECT_EQ(values_on(next, axis, given), values_on(state.velocity, axis, given)) << "seed " << seed;
    }
  }
}

// What the fluid loses to viscosity and pressure, the walls get: to rounding, whatever their shape.
TYPED_TEST(IncompressibleViscosity, ForcesAreTheMomentumThatIsLost) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 16; ++seed) {
    auto domain = random_domain<Dim>(seed);
    domain.parts.clear();
    auto wind = Point<Dim>::filled(0.5);
    wind[1] = 0;
    domain.parts.push_back({BoundaryKind::no_slip, side_faces(domain.fluid, 1, FaceSide::upper), wind});
    StaggeredGrid<Dim> const grid(domain);
    BodyForces<Dim> const forces(grid, expand(grid.fluid(), 1) - grid.fluid(), WallFriction::images);
    State<T, Dim> state(grid);
    set_random_velocity(grid, state.velocity, seed);
    double const viscosity = 0.05, step = 0.2;
    auto next = clone(state.velocity);
    diffuse(grid, state.velocity, viscosity * step, next);
    auto const viscous = forces(state.velocity, state.pressure, viscosity).viscous;
    auto after = clone(next);
    set_where(state.pressure, 0, grid.fluid(), [](Cell<Dim> const& cell) { return std::cos(cell[0] + 3 * cell[1]); });
    subtract_gradient(grid, state.pressure, step, after);
    auto const pressure = forces(state.velocity, state.pressure, 0).pressure;
    for (int axis = 0; axis < Dim; ++axis) {
      double const before = sum(state.velocity, axis), between = sum(next, axis), end = sum(after, axis);
      double const scale = grid.cell_volume() * static_cast<double>(grid.fluid().cell_count());
      EXPECT_NEAR(grid.cell_volume() * (before - between), step * viscous[axis], precise<T>(1e-5, 1e-13) * scale);
      EXPECT_NEAR(grid.cell_volume() * (between - end), step * pressure[axis], precise<T>(1e-5, 1e-13) * scale);
      EXPECT_GT(std::abs(viscous[axis]) + std::abs(pressure[axis]), 1e-6 * scale);
    }
  }
}

// Archimedes: in still fluid pressure carries a body as it would carry the fluid in its place. The body counts half a
// cell more above and below, because the pressure at a face is that of the cell beside it.
TYPED_TEST(IncompressibleViscosity, StillFluidLiftsABodyByItsVolume) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const all = sparse::box<Dim>({}, Cell<Dim>::filled(12));
  auto const solid = sparse::ball<Dim>(Point<Dim>::filled(6.2), 2.7);
  FlowDomain<Dim> domain;
  domain.fluid = all - solid;
  domain.grid.spacing[0] = 0.5;
  domain.parts.push_back({BoundaryKind::outflow, side_faces(domain.fluid, 1, FaceSide::upper)});
  StaggeredGrid<Dim> const grid(domain);
  State<T, Dim> state(grid, {"one"});
  sparse::fill(state.carried[0], 1);
  auto gravity = Point<Dim>{};
  gravity[1] = -2;
  add_buoyancy(grid, state.carried[0], gravity, 0.5, state.velocity);
  sparse::poisson::SolverOptions options;
  options.stop.tolerance = precise<T>(1e-5, 1e-12);
  Projection<T, Dim> projection(grid, options);
  projection.project(state.velocity, state.pressure, 0.5);
  EXPECT_LT(norm_max(state.velocity), precise<T>(1e-3, 1e-9));
  auto const force = BodyForces<Dim>(grid, solid)(state.velocity, state.pressure, 0.1);
  double const volume =
      0.5 * static_cast<double>(solid.cell_count() + faces_between(grid.fluid(), solid)[1].cell_count() / 2);
  for (int axis = 0; axis < Dim; ++axis)
    EXPECT_NEAR(force.pressure[axis], axis == 1 ? 2 * volume : 0, precise<T>(1e-2, 1e-8) * volume);
  EXPECT_LT(std::abs(force.viscous[0]) + std::abs(force.viscous[1]), precise<T>(1e-2, 1e-8) * volume);
}

TYPED_TEST(IncompressibleViscosity, RefusesWhatMakesNoSense) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  StaggeredGrid<Dim> const grid(random_domain<Dim>(1));
  State<T, Dim> state(grid, {"ink"});
  auto next = clone(state.velocity);
  for (double const wrong : {-1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_TRUE(is_refused([&] { diffuse(grid, state.velocity, wrong, next); }, "viscosity"));
    EXPECT_TRUE(is_refused([&] { diffusive_time_step(grid, wrong); }, "viscosity"));
  }
  EXPECT_EQ(diffusive_time_step(grid, 0), HUGE_VAL);
  EXPECT_TRUE(is_refused([&] { diffuse(grid, state.velocity, 1, state.velocity); }, "another field"));
  EXPECT_TRUE(is_refused([&] { diffuse(grid, state.carried[0], 1, next); }, "velocity"));
  EXPECT_TRUE(is_refused([&] { BodyForces<Dim>(grid, grid.fluid()); }, "share"));
  EXPECT_TRUE(is_refused([&] { add_buoyancy(grid, next, {}, 1, state.velocity); }, "buoyant"));
}
