/// Uniform flow through open boxes: every pressure solver gives it back when a gradient has been added, and steps leave
/// it as it is.

#include <numbers>

#include <sparse/incompressible/method/leapfrog_flow_map.hpp>
#include <sparse/incompressible/method/semi_lagrangian.hpp>
#include <sparse/incompressible/step/divergence.hpp>
#include <support/poisson.hpp>
#include <support/smac.hpp>

#include "step/projection.hpp"

namespace {

using namespace reference;

using std::numbers::pi;

template <class TheCase>
class IncompressibleUniformFlow : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleUniformFlow, RealCases);

/// A box without bodies, and a wind that fits to its sides.
template <int Dim>
struct OpenBox {
  char const* name;
  FlowDomain<Dim> domain;
  Point<Dim> wind;
};

template <int Dim>
constexpr Coord width_of(int axis) {
  return axis == 0 ? 16 : 8;
}

/// With an inflow at the lower and an outflow at the upper end of the first `through` axes; beyond these, periodic or
/// between walls along which fluid slips.
template <int Dim>
OpenBox<Dim> open_box(char const* name, int through, bool is_periodic) {
  OpenBox<Dim> box{name, {}, {}};
  Cell<Dim> end;
  for (int axis = 0; axis < Dim; ++axis) {
    end[axis] = width_of<Dim>(axis);
    box.domain.grid.spacing[axis] = 0.5 + 0.25 * axis;
    box.wind[axis] = is_periodic || axis < through ? 1.5 - 0.5 * axis : 0;
    if (is_periodic && axis >= through) box.domain.period[axis] = end[axis];
  }
  box.domain.fluid = sparse::box<Dim>({}, end);
  box.domain.others = BoundaryKind::wall;
  for (int axis = 0; axis < through; ++axis) {
    box.domain.parts.push_back({BoundaryKind::inflow, side_faces(box.domain.fluid, axis, FaceSide::lower), box.wind});
    box.domain.parts.push_back({BoundaryKind::outflow, side_faces(box.domain.fluid, axis, FaceSide::upper)});
  }
  return box;
}
template <int Dim>
std::vector<OpenBox<Dim>> open_boxes() {
  return {open_box<Dim>("inflow, outflow, walls", 1, false), open_box<Dim>("inflow, outflow, periods", 1, true),
          open_box<Dim>("two inflows and two outflows", 2, false), open_box<Dim>("periods", 0, true)};
}

/// The least eigenvalue of the pressure problem, but for 0: of the smoothest wave along one of the axes.
template <int Dim>
double least_eigenvalue(OpenBox<Dim> const& box) {
  double least = 1e300, given = 0;
  for (int axis = 0; axis < Dim; ++axis) {
    double const h = box.domain.grid.spacing[axis];
    double const n = width_of<Dim>(axis);
    bool const is_open = box.domain.period[axis] == 0 && box.wind[axis] != 0;
    double const wave = is_open ? pi / (2 * n) : box.domain.period[axis] > 0 ? 2 * pi / n : pi / n;
    double const eigenvalue = std::pow(2 / h * std::sin(wave / 2), 2);
    if (is_open)
      given += eigenvalue;  // every wave has at least this part
    else
      least = std::min(least, eigenvalue);
  }
  return given > 0 ? given : least;
}

template <class T, int Dim>
double deviation_from(OpenBox<Dim> const& box, StaggeredGrid<Dim> const& grid, sparse::Field<T, Dim> const& velocity) {
  double greatest = 0;
  for (int axis = 0; axis < Dim; ++axis)
    for (auto const& [face, value] : values_on(velocity, axis, grid.faces(axis)))
      greatest = std::max(greatest, std::abs(value - box.wind[axis]));
  return greatest;
}

}  // namespace

// A gradient g is added to a wind w. What projection leaves of g is the gradient of A^-1 r with the residual r, whose
// energy is at most |r|^2 over the least eigenvalue of A.
TYPED_TEST(IncompressibleUniformFlow, ComesBackFromEverySolver) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (auto const& box : open_boxes<Dim>()) {
    StaggeredGrid<Dim> const grid(box.domain);
    State<T, Dim> start(grid);
    set_velocity(grid, start.velocity, [&](auto const&) { return box.wind; });
    EXPECT_LT(divergence_of(grid, start.velocity).greatest, precise<T>(1e-6, 1e-14)) << box.name;
    auto const potential = uniform_field<T>(grid.fluid(), 3);
    subtract_gradient(grid, potential, 1, start.velocity);
    double const before = deviation_from(box, grid, start.velocity);
    ASSERT_GT(before, 1) << box.name;
    double const divergence = divergence_of(grid, start.velocity).root_mean_square *
                              std::sqrt(static_cast<double>(grid.fluid().cell_count()));
    for (double const tolerance : {1e-3, precise<T>(1e-5, 1e-10)}) {
      double const bound = std::sqrt(2 / least_eigenvalue(box)) * tolerance * divergence + precise<T>(2e-5, 1e-13);
      for (auto const& method : methods) {
        auto velocity = clone(start.velocity);
        sparse::Field<T, Dim> pressure("pressure", grid.fluid(), T(0));
        Projection<T, Dim> projection(grid, {method, {tolerance, 100000}});
        auto const report = projection.project(velocity, pressure, 0.3);
        EXPECT_TRUE(report.has_converged()) << box.name << ", " << name_of(method) << ": " << name_of(report.reason);
        EXPECT_GT(report.iterations, 0) << box.name << ", " << name_of(method);
        double const after = deviation_from(box, grid, velocity);
        EXPECT_LE(after, bound) << box.name << ", " << name_of(method) << ", tolerance " << tolerance;
        EXPECT_LT(after, 0.1 * before) << box.name << ", " << name_of(method);
      }
    }
  }
}

// Steps of uniform flow have nothing to solve but rounding errors, which no solver may amplify.
TYPED_TEST(IncompressibleUniformFlow, StaysInStepsWithEverySolver) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const run = [](auto const& box, auto& step, std::string const& name, double tolerance) {
    State<T, Dim> state(step.grid());
    set_velocity(step.grid(), state.velocity, [&](auto const&) { return box.wind; });
    for (int i = 0; i < 4; ++i) step.advance(state, step.longest_step(state, 0.5));
    EXPECT_LE(deviation_from(box, step.grid(), state.velocity), tolerance) << box.name << ", " << name;
  };
  for (auto const& box : open_boxes<Dim>()) {
    StaggeredGrid<Dim> const grid(box.domain);
    for (auto const& method : methods) {
      auto options = smac_options<T, Dim>(0.1);
      options.pressure = {method, {precise<T>(1e-5, 1e-10), 100000}};
      Smac<T, Dim> smac(grid, options);
      run(box, smac, std::string("SMAC, ") + name_of(method), precise<T>(1e-5, 1e-13));
      StepOptions<Dim> traced{Advection::maccormack, 0.1};
      traced.pressure = options.pressure;
      SemiLagrangian<T, Dim> semi_lagrangian(grid, traced);
      run(box, semi_lagrangian, std::string("semi-Lagrangian, ") + name_of(method), precise<T>(1e-5, 1e-13));
      FlowMapOptions<Dim> mapped{.cycle = 2, .viscosity = 0.1, .pressure = options.pressure};
      LeapfrogFlowMap<T, Dim> flow_map(grid, mapped);
      run(box, flow_map, std::string("flow map, ") + name_of(method), precise<T>(2e-5, 1e-10));
    }
  }
}
