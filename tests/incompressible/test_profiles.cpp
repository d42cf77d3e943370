/// Velocity along lines, and the heat that walls give.

#include <sparse/incompressible/measure/nusselt.hpp>
#include <sparse/incompressible/measure/profiles.hpp>
#include <support/incompressible.hpp>

namespace {

using namespace reference;

template <class TheCase>
class IncompressibleProfiles : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleProfiles, RealCases);

}  // namespace

// Of a flow that is linear across the line the samples are exact; where a body is in the way there are none.
TYPED_TEST(IncompressibleProfiles, FollowTheMiddleOfTheDomain) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (int axis = 0; axis < Dim; ++axis) {
    FlowDomain<Dim> domain;
    auto const begin = Cell<Dim>::filled(-4), end = Cell<Dim>::filled(8);
    auto body_begin = Cell<Dim>::filled(-1), body_end = Cell<Dim>::filled(5);
    body_begin[axis] = 2;
    domain.fluid = sparse::box<Dim>(begin, end) - sparse::box<Dim>(body_begin, body_end);
    domain.grid.spacing = Vec<double, Dim>::filled(0.5);
    domain.grid.spacing[axis] = 0.25;
    StaggeredGrid<Dim> const grid(domain);
    State<T, Dim> state(grid);
    auto const exact = [&](Point<Dim> const& x) {
      Point<Dim> u;
      for (int i = 0; i < Dim; ++i) u[i] = 0.3 * i - 0.7 * x[i] + x[axis];
      return u;
    };
    set_velocity(grid, state.velocity, exact);
    auto const profile = centre_line(grid, state.velocity, axis);
    ASSERT_EQ(profile.points.size(), 12u - 3u);
    for (std::size_t i = 0; i < profile.points.size(); ++i) {
      auto const& x = profile.points[i];
      double const cell = i < 6 ? static_cast<double>(i) - 4 : static_cast<double>(i) - 1;
      EXPECT_NEAR(x[axis], 0.25 * (cell + 0.5), 1e-12);
      for (int b = 0; b < Dim; ++b) {
        if (b != axis) {
          EXPECT_NEAR(x[b], 1, 1e-12);
        }
        EXPECT_NEAR(profile.velocity[i][b], exact(x)[b], precise<T>(1e-5, 1e-12)) << i;
      }
    }
  }
}

TYPED_TEST(IncompressibleProfiles, HaveExtremaBetweenPoints) {
  constexpr int Dim = TypeParam::value;
  sparse::incompressible::Profile<Dim> profile;
  for (int i = 0; i < 20; ++i) {
    auto point = Point<Dim>::filled(3);
    point[1] = 0.1 * i;
    profile.points.push_back(point);
    profile.velocity.push_back(Point<Dim>{(point[1] - 0.73) * (point[1] - 0.73) - 2, -point[1]});
  }
  auto const extrema = extrema_of(profile, 1, 0);
  EXPECT_NEAR(extrema.least.value, -2, 1e-12);
  EXPECT_NEAR(extrema.least.position, 0.73, 1e-12);
  EXPECT_NEAR(extrema.greatest.position, 1.9, 1e-12);  // at the end there is nothing to fit
  EXPECT_NEAR(extrema_of(profile, 1, 1).least.value, -1.9, 1e-12);
  profile.points.erase(profile.points.begin() + 8);  // a gap beside the least one: that of the points
  profile.velocity.erase(profile.velocity.begin() + 8);
  EXPECT_NEAR(extrema_of(profile, 1, 0).least.value, 0.03 * 0.03 - 2, 1e-12);
  EXPECT_TRUE(is_refused([&] { extrema_of(profile, Dim, 0); }, "axis"));
  EXPECT_TRUE(is_refused([&] { extrema_of(sparse::incompressible::Profile<Dim>(), 0, 0); }, "no points"));
}

// Conduction between two walls at different temperatures: 1, whatever the height of the cells; with opposite signs.
TYPED_TEST(IncompressibleProfiles, NusseltNumberOfConductionIsOne) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (int axis = 0; axis < Dim; ++axis) {
    FlowDomain<Dim> domain;
    domain.fluid = sparse::box<Dim>(Cell<Dim>::filled(1), Cell<Dim>::filled(9));
    for (int b = 0; b < Dim; ++b) domain.grid.spacing[b] = 0.25 * (1 + b);
    double const begin = domain.grid.spacing[axis], length = 8 * domain.grid.spacing[axis];
    for (auto const side : {FaceSide::lower, FaceSide::upper}) {
      BoundaryPart<Dim> wall{BoundaryKind::no_slip, side_faces(domain.fluid, axis, side)};
      wall.temperature = side == FaceSide::lower ? 5 : 3;
      domain.parts.push_back(wall);
    }
    StaggeredGrid<Dim> const grid(domain);
    State<T, Dim> state(grid, {"temperature"});
    auto& temperature = state.carried[0];
    set_cells(grid, temperature, [&](Point<Dim> const& x) { return 5 - 2 * (x[axis] - begin) / length; });
    EXPECT_NEAR(mean_nusselt(grid, temperature, 0, length, 2), 1, precise<T>(1e-5, 1e-12));
    EXPECT_NEAR(mean_nusselt(grid, temperature, 1, length, 2), -1, precise<T>(1e-5, 1e-12));
    // The mean over all faces, also where they differ: a temperature that grows along the wall.
    int const along = (axis + 1) % Dim;
    double const middle = 5 * domain.grid.spacing[along];
    set_cells(grid, temperature,
              [&](Point<Dim> const& x) { return 5 - (2 + 0.5 * (x[along] - middle)) * (x[axis] - begin) / length; });
    EXPECT_NEAR(mean_nusselt(grid, temperature, 0, length, 2), 1, precise<T>(1e-5, 1e-12));
  }
}

// Around a body: what goes through its faces, of all axes.
TYPED_TEST(IncompressibleProfiles, NusseltNumberOfABodyIsTheMeanOverItsFaces) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  FlowDomain<Dim> domain;
  auto const body = sparse::box<Dim>(Cell<Dim>::filled(3), Cell<Dim>::filled(5));
  domain.fluid = sparse::box<Dim>({}, Cell<Dim>::filled(8)) - body;
  for (int b = 0; b < Dim; ++b) domain.grid.spacing[b] = 0.5 * (1 + b);
  BoundaryPart<Dim> part{BoundaryKind::no_slip, faces_between(domain.fluid, body)};
  part.temperature = 1;
  domain.parts = {part, {BoundaryKind::wall, side_faces(domain.fluid, 0, FaceSide::lower)}};
  StaggeredGrid<Dim> const grid(domain);
  State<T, Dim> state(grid, {"temperature"});
  set_cells(grid, state.carried[0], [](Point<Dim> const&) { return 0.5; });
  double heat = 0, area = 0;
  for (int b = 0; b < Dim; ++b) {
    heat += grid.face_area(b) * 0.5 / (0.5 * domain.grid.spacing[b]);
    area += grid.face_area(b);
  }
  EXPECT_NEAR(mean_nusselt(grid, state.carried[0], 0, 3.0, 2.0), heat / area * 1.5, 1e-6);
  EXPECT_TRUE(is_refused([&] { mean_nusselt(grid, state.carried[0], 1, 1.0, 1.0); }, "no temperature"));
  EXPECT_TRUE(is_refused([&] { mean_nusselt(grid, state.carried[0], 2, 1.0, 1.0); }, "no such part"));
  EXPECT_TRUE(is_refused([&] { mean_nusselt(grid, state.carried[0], 0, 0.0, 1.0); }, "must not be 0"));
}
