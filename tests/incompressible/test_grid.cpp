/// The staggered grid: which faces are what, and what is refused.

#include <sparse/incompressible/measure/sample.hpp>
#include <sparse/incompressible/measure/sums.hpp>
#include <support/incompressible.hpp>

#include "grid/body.hpp"

namespace {

using namespace reference;

template <class Dimension>
class IncompressibleGrid : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleGrid, Dimensions);

template <int Dim>
FlowDomain<Dim> channel(Coord length, Coord width) {
  FlowDomain<Dim> domain;
  auto end = Cell<Dim>::filled(width);
  end[0] = length;
  domain.fluid = sparse::box<Dim>({}, end);
  domain.parts.push_back({BoundaryKind::inflow, side_faces(domain.fluid, 0, FaceSide::lower), {1}});
  domain.parts.push_back({BoundaryKind::outflow, side_faces(domain.fluid, 0, FaceSide::upper)});
  return domain;
}

}  // namespace

TYPED_TEST(IncompressibleGrid, SortsFacesByWhatLiesBesideThem) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count / 4; ++seed) {
    auto const domain = random_domain<Dim>(seed);
    StaggeredGrid<Dim> const grid(domain);
    auto const fluid = cells_of(domain.fluid);
    Cells<Dim> stored;
    for (int axis = 0; axis < Dim; ++axis) {
      Cells<Dim> open, all, outflow;
      for (auto const& cell : fluid) {
        auto next = cell, last = cell;
        ++next[axis];
        --last[axis];
        all.insert(cell);
        all.insert(next);
        if (fluid.count(last) > 0) open.insert(cell);
      }
      if (domain.parts.size() > 1) outflow = cells_of(domain.parts[1].faces[axis]);
      EXPECT_EQ(cells_of(grid.faces(axis)), all) << "seed " << seed;
      EXPECT_EQ(cells_of(grid.open_faces(axis)), open) << "seed " << seed;
      EXPECT_EQ(cells_of(grid.faces_of(BoundaryKind::outflow, axis)), outflow) << "seed " << seed;
      open.insert(outflow.begin(), outflow.end());
      EXPECT_EQ(cells_of(grid.computed_faces(axis)), open) << "seed " << seed;
      stored.insert(all.begin(), all.end());
      Index boundary_count = 0;
      for (auto const kind : {BoundaryKind::no_slip, BoundaryKind::wall, BoundaryKind::inflow, BoundaryKind::outflow})
        boundary_count += grid.faces_of(kind, axis).cell_count();
      EXPECT_EQ(boundary_count, grid.faces(axis).cell_count() - grid.open_faces(axis).cell_count());
    }
    EXPECT_EQ(cells_of(grid.storage()), stored) << "seed " << seed;
    EXPECT_EQ(grid.has_outflow(), domain.parts.size() > 1);
  }
}

TYPED_TEST(IncompressibleGrid, SidesAndBodiesAreFacesOnTheBoundary) {
  constexpr int Dim = TypeParam::value;
  auto const all = sparse::box<Dim>({}, Cell<Dim>::filled(9));
  auto const solid = sparse::ball<Dim>(Point<Dim>::filled(4.5), 2.1);
  auto const fluid = all - solid;
  Index const side = Dim == 2 ? 9 : 81;
  for (int axis = 0; axis < Dim; ++axis)
    for (auto const end : {FaceSide::lower, FaceSide::upper}) {
      auto const faces = side_faces(fluid, axis, end);
      EXPECT_EQ(faces.face_count(), side);
      EXPECT_EQ(faces[axis].cell_count(), side);
      EXPECT_EQ(faces[axis].bounds().begin[axis], end == FaceSide::lower ? 0 : 9);
    }
  auto const body = faces_between(fluid, solid);
  EXPECT_EQ(body.face_count(), boundary(solid).face_count());
  EXPECT_EQ(faces_between(fluid, IntervalSet<Dim>()).face_count(), 0);
}

// Rows that lie far apart have no table; the same cells are found.
TYPED_TEST(IncompressibleGrid, FindsCellsFarApart) {
  constexpr int Dim = TypeParam::value;
  auto far = Cell<Dim>::filled(3);
  far[1] = far[Dim - 1] = 1000000;
  auto const one = sparse::box<Dim>({}, Cell<Dim>::filled(3));
  FlowDomain<Dim> domain;
  domain.fluid = one | shift(one, far);
  StaggeredGrid<Dim> const grid(domain);
  EXPECT_EQ(grid.body().view().row_table, nullptr);
  State<double, Dim> state(grid);
  set_velocity(grid, state.velocity, [](Point<Dim> const& x) { return x; });
  auto middle = Point<Dim>::filled(1.5);
  for (int b = 0; b < Dim; ++b) middle[b] += far[b];
  auto const u = sample_velocity(grid, state.velocity, {middle});
  for (int b = 0; b < Dim; ++b) EXPECT_DOUBLE_EQ(u[0][b], middle[b]);
}

TYPED_TEST(IncompressibleGrid, WritesGivenVelocities) {
  constexpr int Dim = TypeParam::value;
  auto domain = channel<Dim>(6, 4);
  domain.grid.spacing[1] = 0.5;
  domain.parts[0].profile = [](Point<Dim> const& x) { return 1 + x[1]; };
  StaggeredGrid<Dim> const grid(domain);
  State<double, Dim> const state(grid);
  double flux = 0;
  for (auto const& [face, u] : values_on(state.velocity, 0, grid.faces(0))) {
    EXPECT_EQ(u, face[0] == 0 ? 1 + 0.5 * (face[1] + 0.5) : 0) << face;
    flux += u * grid.face_area(0);
  }
  EXPECT_NEAR(outward_flux(grid, state.velocity, BoundaryKind::inflow), -flux, 1e-12);
  EXPECT_GT(flux, 1);
}

TYPED_TEST(IncompressibleGrid, RefusesWhatMakesNoSense) {
  constexpr int Dim = TypeParam::value;
  auto const good = channel<Dim>(6, 4);
  auto const refused = [&](auto const& change, char const* part) {
    auto domain = good;
    change(domain);
    return is_refused([&] { StaggeredGrid<Dim> const grid(domain); }, part);
  };
  EXPECT_NO_THROW(StaggeredGrid<Dim>{good});
  EXPECT_TRUE(refused([](auto& d) { d = {}; }, "no fluid"));
  for (double const wrong : {0.0, -1.0, std::nan(""), HUGE_VAL})
    EXPECT_TRUE(refused([=](auto& d) { d.grid.spacing[1] = wrong; }, "spacing"));
  for (double const wrong : {std::nan(""), HUGE_VAL})
    EXPECT_TRUE(refused([=](auto& d) { d.grid.origin[0] = wrong; }, "origin"));
  EXPECT_TRUE(refused([](auto& d) { d.others = BoundaryKind::inflow; }, "must be walls"));
  EXPECT_TRUE(
      refused([](auto& d) { d.parts[1].kind = BoundaryKind::periodic; }, "part 1 of the boundary must be a wall"));
  EXPECT_TRUE(refused([](auto& d) { d.parts[0].kind = BoundaryKind::given; }, "part 0 of the boundary must be a wall"));
  EXPECT_TRUE(refused([](auto& d) { d.parts.push_back(d.parts[0]); }, "in another part"));
  EXPECT_TRUE(refused([](auto& d) { d.parts[1].faces[0] = shift(d.parts[1].faces[0], 0, -1); }, "not on the boundary"));
  EXPECT_TRUE(refused([](auto& d) { d.parts[0].velocity[1] = std::nan(""); }, "not finite"));
  EXPECT_TRUE(refused([](auto& d) { d.parts[0].profile = [](auto const&) { return HUGE_VAL; }; }, "not finite"));
  EXPECT_TRUE(refused([](auto& d) { d.parts.resize(300); }, "too many"));
  EXPECT_TRUE(is_refused([&] { side_faces(good.fluid, Dim, FaceSide::lower); }, "axis"));
  auto const grid = StaggeredGrid<Dim>(good);
  for (auto const kind : {BoundaryKind::periodic, BoundaryKind::given})
    EXPECT_TRUE(is_refused([&] { grid.faces_of(kind, 0); }, "no faces"));
  sparse::Field<double, Dim> wrong("wrong", good.fluid, Dim);
  EXPECT_TRUE(is_refused([&] { grid.set_boundary(wrong); }, "velocity, field 'wrong'"));
}

// What flows in must be able to leave, from each connected part of the fluid.
TYPED_TEST(IncompressibleGrid, RefusesNetInflowWithoutOutflow) {
  constexpr int Dim = TypeParam::value;
  auto domain = channel<Dim>(6, 4);
  domain.parts[1].kind = BoundaryKind::wall;
  auto const is_rejected = [&] { return is_refused([&] { StaggeredGrid<Dim> const grid(domain); }, "into"); };
  EXPECT_TRUE(is_rejected());
  domain.parts[1].kind = BoundaryKind::inflow;  // what comes in leaves
  domain.parts[1].velocity = {1};
  EXPECT_NO_THROW(StaggeredGrid<Dim>{domain});
  domain.parts[1].velocity = {2};
  EXPECT_TRUE(is_refused([&] { StaggeredGrid<Dim> const grid(domain); }, "out of"));

  domain = channel<Dim>(9, 4);
  auto wall = sparse::box<Dim>(Vec<Coord, Dim>::along(0, 4), Cell<Dim>::filled(5));
  domain.fluid = domain.fluid - wall;
  EXPECT_TRUE(is_rejected());
  domain.parts[0].velocity = {0};
  EXPECT_NO_THROW(StaggeredGrid<Dim>{domain});
}
