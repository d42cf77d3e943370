/// Stream functions: what velocities were made of, and where flows turn.

#include <numbers>

#include <sparse/incompressible/measure/stream_function.hpp>
#include <sparse/sets/faces.hpp>
#include <support/incompressible.hpp>

namespace {

using namespace reference;

template <class T>
class IncompressibleStream : public testing::Test {};
using Reals = testing::Types<double, float>;
TYPED_TEST_SUITE(IncompressibleStream, Reals);

using Nodes = std::map<Cell<2>, double, StorageOrder>;

/// The velocity that is exactly free of divergence because of a stream function on all nodes.
template <class T>
void set_from_nodes(StaggeredGrid<2> const& grid, Nodes const& psi, sparse::Field<T, 2>& velocity) {
  set_where(velocity, 0, grid.faces(0), [&](Cell<2> const& face) {
    return (psi.at(face + Cell<2>{0, 1}) - psi.at(face)) / grid.spacing()[1];
  });
  set_where(velocity, 1, grid.faces(1), [&](Cell<2> const& face) {
    return (psi.at(face) - psi.at(face + Cell<2>{1, 0})) / grid.spacing()[0];
  });
}

/// The pieces that cells around a fluid form which touch at corners, by flood: numbers from 1 on, 0 for fluid. The
/// first is what surrounds everything.
std::map<Cell<2>, int, StorageOrder> bodies_around(IntervalSet<2> const& fluid) {
  auto const inside = cells_of(fluid);
  auto const box = fluid.bounds();
  std::map<Cell<2>, int, StorageOrder> body;
  int count = 0;
  for (auto const& start : reference::box<2>(box.begin - Cell<2>{1, 1}, box.end + Cell<2>{1, 1})) {
    if (inside.count(start) > 0) body[start] = 0;
    if (body.count(start) > 0) continue;
    std::vector<Cell<2>> queue = {start};
    body[start] = ++count;
    while (!queue.empty()) {
      auto const cell = queue.back();
      queue.pop_back();
      for (Coord dy = -1; dy <= 1; ++dy)
        for (Coord dx = -1; dx <= 1; ++dx) {
          auto const next = cell + Cell<2>{dx, dy};
          bool const is_near = next[0] >= box.begin[0] - 1 && next[0] <= box.end[0] && next[1] >= box.begin[1] - 1 &&
                               next[1] <= box.end[1];
          if (!is_near || inside.count(next) > 0 || body.count(next) > 0) continue;
          body[next] = count;
          queue.push_back(next);
        }
    }
  }
  return body;
}

}  // namespace

// A random stream function that is constant on bodies gives a flow that passes none of them, and is found again.
TYPED_TEST(IncompressibleStream, IsWhatTheVelocityWasMadeOf) {
  using T = TypeParam;
  for (unsigned seed = 1; seed <= 24; ++seed) {
    FlowDomain<2> domain;
    domain.fluid = random_fluid<2>(seed);
    domain.grid.spacing = {0.25 * (1 + seed % 3), 0.5};
    StaggeredGrid<2> const grid(domain);
    auto engine = random_engine(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::map<int, double> of_body;
    auto const body = bodies_around(grid.fluid());
    Nodes psi;
    sparse::nodes(grid.fluid()).to_host().for_each_cell([&](Cell<2> const& node, Index) {
      int touched = 0;
      for (Coord dy = -1; dy <= 0; ++dy)
        for (Coord dx = -1; dx <= 0; ++dx) touched = std::max(touched, body.at(node + Cell<2>{dx, dy}));
      double const value = uniform(engine);
      psi[node] = touched == 0 ? value : of_body.emplace(touched, value).first->second;
    });
    State<T, 2> state(grid);
    set_from_nodes(grid, psi, state.velocity);
    for (int axis = 0; axis < 2; ++axis)
      for (auto const& [face, value] : values_on(state.velocity, axis, grid.faces(axis) - grid.open_faces(axis)))
        ASSERT_EQ(value, 0) << "seed " << seed;

    auto const found = stream_function(grid, state.velocity);
    auto const values = value_map(found);
    EXPECT_EQ(values.begin()->second, 0);
    auto const parts = sparse::connected_components(grid.fluid());
    for (Index k = 0; k < parts.count(); ++k) {
      auto const all = values_on(found, 0, sparse::nodes(component(parts, k)));
      double const shift = all.begin()->second - psi.at(all.begin()->first);
      for (auto const& [node, value] : all)
        ASSERT_NEAR(value, psi.at(node) + shift, precise<T>(1e-5, 1e-13)) << "seed " << seed << " at " << node;
    }
  }
}

// Through a channel, what flows below a height.
TYPED_TEST(IncompressibleStream, OfAParabolaIsItsIntegral) {
  using T = TypeParam;
  FlowDomain<2> domain;
  domain.fluid = sparse::box<2>({-3, 2}, {30, 22});
  domain.grid.spacing = {0.1, 0.05};
  auto const exact = [](double y) { return y * y / 2 - y * y * y / 3; };  // of y (1 - y)
  // The mean over a face, so that the sum is the integral.
  auto const inflow = [&](Point<2> const& x) { return (exact(x[1] - 0.075) - exact(x[1] - 0.125)) / 0.05; };
  domain.parts.push_back({BoundaryKind::inflow, side_faces(domain.fluid, 0, FaceSide::lower), {}, inflow});
  domain.parts.push_back({BoundaryKind::outflow, side_faces(domain.fluid, 0, FaceSide::upper)});
  StaggeredGrid<2> const grid(domain);
  State<T, 2> state(grid);
  set_velocity(grid, state.velocity, [&](Point<2> const& x) { return Point<2>{inflow(x), 0}; });
  auto const psi = stream_function(grid, state.velocity);
  // In the middle of a cell it is the mean of what it is at the cell's lower and upper edge.
  for (auto const& [cell, value] : value_map(on_cells(grid, psi))) {
    double const lower = 0.05 * (cell[1] - 2);
    ASSERT_NEAR(value, (exact(lower) + exact(lower + 0.05)) / 2, precise<T>(1e-5, 1e-13)) << cell;
  }
  for (auto const& [node, value] : value_map(psi))
    ASSERT_NEAR(value, exact((node[1] - 2) * 0.05), precise<T>(1e-7, 1e-14)) << node;
  auto const extrema = stream_extrema(grid, psi);
  EXPECT_NEAR(extrema.least.value, 0, precise<T>(1e-7, 1e-14));
  EXPECT_NEAR(extrema.greatest.value, 1.0 / 6, precise<T>(1e-7, 1e-14));
}

// Two vortices side by side that turn against each other: extrema of the nodes alone would be wrong by h^2.
TYPED_TEST(IncompressibleStream, ExtremaLieBetweenNodes) {
  double error[2] = {}, distance[2] = {};
  for (int level = 0; level < 2; ++level)
    for (int skew = 1; skew <= 12; ++skew) {  // which moves the extrema over several nodes
      Coord const n = 16 << level;
      double const h = 1.0 / n, pi = std::numbers::pi, rate[2] = {0.17 * skew, 0.23 * skew};
      FlowDomain<2> domain;
      domain.fluid = sparse::box<2>({0, 0}, {2 * n, n});
      domain.grid.spacing = {h, h};
      StaggeredGrid<2> const grid(domain);
      auto const function = [&](double x, double y) {  // 0 on all walls
        return -std::sin(pi * x) * std::exp(rate[0] * x) * std::sin(pi * y) * std::exp(rate[1] * y);
      };
      Nodes nodes;
      sparse::nodes(grid.fluid()).to_host().for_each_cell([&](Cell<2> const& node, Index) {
        nodes[node] = function(node[0] * h, node[1] * h);
      });
      State<TypeParam, 2> state(grid);
      set_from_nodes(grid, nodes, state.velocity);
      auto const [least, greatest] = stream_extrema(grid, stream_function(grid, state.velocity));
      // Along each axis the derivative is 0 where tan(pi s) = -pi / rate.
      double const x = 1 - std::atan(pi / rate[0]) / pi, y = 1 - std::atan(pi / rate[1]) / pi;
      error[level] = std::fmax(error[level], std::fmax(std::abs(least.value / function(x, y) - 1),
                                                       std::abs(greatest.value / function(1 + x, y) - 1)));
      distance[level] = std::fmax(distance[level], std::fmax(std::hypot(least.at[0] - x, least.at[1] - y),
                                                             std::hypot(greatest.at[0] - 1 - x, greatest.at[1] - y)));
    }
  EXPECT_LT(error[0], 2e-3);
  EXPECT_LT(error[1], 0.2 * error[0]);
  EXPECT_LT(distance[0], 1e-2);
  EXPECT_LT(distance[1], 0.4 * distance[0]);
}

// Cells of sin(3 pi x) sin(2 pi y): six eddies that turn against their neighbours. Beside a body that replaces one of
// them there are five. Where nothing flows there is none, whatever rounding leaves.
TYPED_TEST(IncompressibleStream, FindsAllEddies) {
  using std::numbers::pi;
  Coord const n = 60;
  for (bool const has_body : {false, true}) {
    FlowDomain<2> domain;
    domain.fluid = sparse::box<2>({0, 0}, {n, n});
    if (has_body) domain.fluid = domain.fluid - sparse::box<2>({20, 0}, {40, 30});
    domain.grid.spacing = {1.0 / n, 1.0 / n};
    StaggeredGrid<2> const grid(domain);
    Nodes nodes;
    sparse::nodes(grid.fluid()).to_host().for_each_cell([&](Cell<2> const& node, Index) {
      nodes[node] = std::sin(3 * pi * node[0] / n) * std::sin(2 * pi * node[1] / n);
    });
    State<TypeParam, 2> state(grid);
    set_from_nodes(grid, nodes, state.velocity);
    auto const found = eddies(grid, stream_function(grid, state.velocity));
    ASSERT_EQ(found.size(), has_body ? 5u : 6u);
    std::size_t k = 0;
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 3; ++i) {
        if (has_body && i == 1 && j == 0) continue;
        auto const& [centre, is_counterclockwise] = found[k++];
        EXPECT_EQ(is_counterclockwise, (i + j) % 2 == 0);
        EXPECT_NEAR(centre.value, (i + j) % 2 == 0 ? 1 : -1, precise<TypeParam>(1e-5, 1e-8));
        EXPECT_NEAR(centre.at[0], (2 * i + 1) / 6.0, precise<TypeParam>(1e-4, 1e-8));
        EXPECT_NEAR(centre.at[1], (2 * j + 1) / 4.0, precise<TypeParam>(1e-4, 1e-8));
      }
    State<TypeParam, 2> const rest(grid);
    EXPECT_TRUE(eddies(grid, stream_function(grid, rest.velocity)).empty());
  }
}

TYPED_TEST(IncompressibleStream, RefusesFieldsOfOtherGrids) {
  using T = TypeParam;
  FlowDomain<2> domain;
  domain.fluid = sparse::box<2>({0, 0}, {4, 4});
  StaggeredGrid<2> const grid(domain);
  EXPECT_TRUE(is_refused([&] { stream_function(grid, sparse::Field<T, 2>("u", domain.fluid, 2)); }, "velocity"));
  EXPECT_TRUE(is_refused([&] { stream_extrema(grid, sparse::Field<double, 2>("psi", domain.fluid)); }, "nodes"));
  EXPECT_TRUE(is_refused([&] { eddies(grid, sparse::Field<double, 2>("psi", domain.fluid)); }, "nodes"));
}
