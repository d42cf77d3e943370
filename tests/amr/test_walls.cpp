/// The ghosts in bodies, against exact mirror images.

#include <cmath>

#include <sparse/amr/hierarchy/ghosts.hpp>
#include <support/amr_levels.hpp>
#include <support/dust.hpp>
#include <support/meshes.hpp>

using namespace reference;
using sparse::BallDistance;
using sparse::CapsuleDistance;
using sparse::HalfSpaceDistance;
using sparse::amr::Ghosts;

namespace {

template <int Dim>
double dot(Vec<double, Dim> const& a, Vec<double, Dim> const& b) {
  double sum = 0;
  for (int axis = 0; axis < Dim; ++axis) sum += a[axis] * b[axis];
  return sum;
}

template <int Dim>
Vec<double, Dim> random_direction(std::mt19937& engine) {
  std::normal_distribution<double> draw;
  Vec<double, Dim> n;
  for (int axis = 0; axis < Dim; ++axis) n[axis] = draw(engine);
  return (1 / std::sqrt(dot(n, n))) * n;
}

/// One level of a domain with bodies in it, and the states around them.
template <int Dim>
struct Flow {
  using Law = Dust<double, Dim>;
  using State = typename Law::State;
  Law law;
  Domain<Dim> domain;
  LevelSets<Dim> sets;
  Ghosts<Dim> ghosts;
  Cells<Dim> fluid;

  explicit Flow(DomainOptions<Dim> const& options)
      : domain(options), sets(level_sets(domain, {domain.fluid(0)})[0]), ghosts(domain, sets, nullptr, 0),
        fluid(cells_of(domain.fluid(0))) {}

  /// All states, from those of fluid cells and what lies outside the box.
  States<Dim> filled(std::function<State(Vec<double, Dim> const&)> const& primitive) const {
    auto const solid = cells_of(domain.solid(0));
    auto state = state_of<Dim>(sets.storage, [&](Cell<Dim> const& cell) {
      return solid.count(cell) != 0 ? unknown<Dim>(cell) : law.conserved(primitive(domain.grid(0).center(cell)));
    });
    fill_walls(state.view(), law, ghosts.walls);
    sparse::amr::fill_behind_walls<Law>(state.view(), ghosts.walls);
    return states_of(state);
  }
  /// Whether all cells around a point are fluid ones in the box.
  bool is_in_fluid(Vec<double, Dim> const& x) const {
    auto const point = domain.grid(0).to_cells(x);
    bool result = true;
    for (int corner = 0; corner < 1 << Dim; ++corner) {
      Cell<Dim> cell;
      for (int axis = 0; axis < Dim; ++axis)
        cell[axis] = static_cast<Coord>(std::floor(point[axis] - 0.5)) + ((corner >> axis) & 1);
      result = result && fluid.count(cell) != 0;
    }
    return result;
  }
};

/// A box of `count` cells of different widths along the axes.
template <int Dim>
DomainOptions<Dim> box_of(Coord count, std::vector<sparse::Body<Dim>> bodies) {
  DomainOptions<Dim> options;
  options.cells = Cell<Dim>::filled(count);
  for (int axis = 0; axis < Dim; ++axis) {
    options.grid.spacing[axis] = (1 + 0.1 * axis) / count;
    options.grid.origin[axis] = -0.5 * options.grid.spacing[axis] * count;
  }
  options.bodies = std::move(bodies);
  return options;
}

/// Zero on the sphere of radius 1, and elsewhere anything but a distance.
template <int Dim>
struct NotADistance {
  KOKKOS_FUNCTION double operator()(Vec<double, Dim> const& x) const {
    double square = 0;
    for (int axis = 0; axis < Dim; ++axis) square += x[axis] * x[axis];
    return 7 * (square - 1);
  }
};

template <class Dimension>
class Walls : public testing::Test {};
TYPED_TEST_SUITE(Walls, Dimensions);

}  // namespace

TYPED_TEST(Walls, OfPlanesMirrorLinearStatesExactly) {
  constexpr int Dim = TypeParam::value;
  int checked = 0;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    auto const normal = random_direction<Dim>(engine);
    Vec<double, Dim> const point = 0.1 * random_direction<Dim>(engine);
    auto const wall = seed % 2 == 0 ? BoundaryKind::wall : BoundaryKind::no_slip;
    Flow<Dim> const flow(
        box_of<Dim>(12, {body_from_distance<Dim>("plane", HalfSpaceDistance<Dim>{point, normal}, wall)}));
    Vec<double, 1 + Dim> slopes[Dim];
    for (auto& slope : slopes) slope = random_state<Dim>(engine);
    auto const linear = [&](Vec<double, Dim> const& x) {
      auto w = Vec<double, 1 + Dim>::filled(5);
      for (int axis = 0; axis < Dim; ++axis) w += x[axis] * slopes[axis];
      return w;
    };
    auto const states = flow.filled(linear);
    for (auto const& cell : cells_of(flow.sets.curved_ghosts)) {
      auto const x = flow.domain.grid(0).center(cell);
      auto const image = x - (2 * dot(x - point, normal)) * normal;
      if (!flow.is_in_fluid(image)) continue;
      ++checked;
      auto const w = linear(image);
      auto const expected = wall == BoundaryKind::wall ? flow.law.reflected(w, normal) : flow.law.reversed(w);
      ASSERT_LE(distance(flow.law.primitive(states.at(cell)), expected), 1e-11) << "seed " << seed << " cell " << cell;
    }
  }
  EXPECT_GT(checked, 5 * static_cast<int>(seed_count));
}

TYPED_TEST(Walls, LeaveUniformFlowAlongThemAlone) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    auto const normal = random_direction<Dim>(engine);
    Flow<Dim> const flow(box_of<Dim>(9, {body_from_distance<Dim>("plane", HalfSpaceDistance<Dim>{{}, normal})}));
    auto velocity = random_direction<Dim>(engine);
    velocity -= dot(velocity, normal) * normal;
    Vec<double, 1 + Dim> w{1.5};
    for (int axis = 0; axis < Dim; ++axis) w[1 + axis] = velocity[axis];
    for (auto const& [cell, value] : flow.filled([&](auto const&) { return w; }))
      ASSERT_LE(distance(flow.law.primitive(value), w), 1e-9) << "seed " << seed << " cell " << cell;
  }
}

TYPED_TEST(Walls, NeedDistancesNearTheSurfaceOnly) {
  constexpr int Dim = TypeParam::value;
  sparse::Grid<Dim> const grid{{}, Vec<double, Dim>::filled(1 / 16.0)};
  sparse::Box<Dim> const box{Cell<Dim>::filled(-20), Cell<Dim>::filled(20)};
  auto const body = body_from_distance<Dim>("sphere", NotADistance<Dim>{});
  auto const ball = body_from_distance<Dim>("ball", BallDistance<Dim>{{}, 1});
  auto const cells = body.cells(grid, box, {});
  EXPECT_EQ(cells, ball.cells(grid, box, {}));
  EXPECT_EQ(cells, sparse::ball<Dim>({}, 16));
  auto const surface = body.surface(grid, cells);
  auto const points =
      to_host(cells.context(), static_cast<sparse::SurfacePoint<Dim> const*>(surface.data()), surface.size());
  for (auto const& [cell, index] : positions(cells_of(cells))) {
    auto const& [distance, normal] = points[static_cast<std::size_t>(index)];
    auto const x = grid.center(cell);
    double const r = std::sqrt(dot(x, x));
    EXPECT_NEAR(distance, r - 1, 0.6 * (1 - r) * (1 - r) / r);
    for (int axis = 0; axis < Dim; ++axis) EXPECT_NEAR(normal[axis], x[axis] / r, 1e-10);
  }
}

/// Of a polygon in the plane, of triangles in space.
sparse::Body<2> block_of_edges(Vec<double, 2> const& a, Vec<double, 2> const& b) {
  return sparse::body_from_polygon("block", {{a, {b[0], a[1]}, b, {a[0], b[1]}}});
}
sparse::Body<3> block_of_edges(Vec<double, 3> const& a, Vec<double, 3> const& b) {
  return sparse::body_from_mesh("block", meshes::box(a, b));
}

TYPED_TEST(Walls, OfPolygonsAndMeshesAreThoseOfTheShapeTheyAre) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    auto engine = random_engine(seed);
    std::uniform_real_distribution<double> draw(0.11, 0.23);
    Vec<double, Dim> low, high;
    for (int axis = 0; axis < Dim; ++axis) {
      low[axis] = -draw(engine);
      high[axis] = draw(engine);
    }
    Flow<Dim> const flow(box_of<Dim>(14, {block_of_edges(low, high)}));
    Flow<Dim> const expected(box_of<Dim>(14, {body_from_distance<Dim>("box", sparse::BoxDistance<Dim>{low, high})}));
    ASSERT_EQ(flow.sets.curved_ghosts, expected.sets.curved_ghosts) << "seed " << seed;
    ASSERT_FALSE(flow.sets.curved_ghosts.is_empty());
    auto const linear = [](Vec<double, Dim> const& x) {
      auto w = Vec<double, 1 + Dim>::filled(2);
      for (int axis = 0; axis < Dim; ++axis) w[1 + axis] += x[axis], w[0] += 0.3 * x[axis];
      return w;
    };
    auto const states = flow.filled(linear), expected_states = expected.filled(linear);
    for (auto const& cell : cells_of(flow.sets.curved_ghosts))
      ASSERT_LE(distance(flow.law.primitive(states.at(cell)), flow.law.primitive(expected_states.at(cell))), 1e-9)
          << "seed " << seed << " cell " << cell;
  }
}

TYPED_TEST(Walls, OfBallsConvergeWithSecondOrder) {
  constexpr int Dim = TypeParam::value;
  double const radius = 0.3;
  auto const smooth = [](Vec<double, Dim> const& x) {
    Vec<double, 1 + Dim> w{2 + std::sin(3 * x[0]) * std::cos(2 * x[1])};
    for (int axis = 0; axis < Dim; ++axis) w[1 + axis] = std::sin(2 * x[axis] + axis) * std::cos(x[Dim - 1]);
    return w;
  };
  double errors[2];
  for (int i = 0; i < 2; ++i) {
    auto const ball = body_from_distance<Dim>("ball", BallDistance<Dim>{{}, radius});
    Flow<Dim> const flow(box_of<Dim>(Dim == 2 ? 64 << i : 24 << i, {ball}));
    auto const states = flow.filled(smooth);
    errors[i] = 0;
    for (auto const& cell : cells_of(flow.sets.curved_ghosts)) {
      auto const x = flow.domain.grid(0).center(cell);
      double const r = std::sqrt(dot(x, x));
      auto const normal = (1 / r) * x, image = ((2 * radius - r) / r) * x;
      if (!flow.is_in_fluid(image)) continue;
      auto const expected = flow.law.reflected(smooth(image), normal);
      errors[i] = std::max(errors[i], distance(flow.law.primitive(states.at(cell)), expected));
    }
  }
  EXPECT_GT(errors[1], 0);
  EXPECT_GT(std::log2(errors[0] / errors[1]), 1.7) << errors[0] << " " << errors[1];
}

TYPED_TEST(Walls, TakeValuesFromFluidNearby) {
  constexpr int Dim = TypeParam::value;
  // Density counts cells from one corner to the other: what comes from far away shows.
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    std::vector<sparse::Body<Dim>> bodies;
    for (int count = random_int(engine, 1, 4); count > 0; --count) {
      Vec<double, Dim> const a = 0.5 * random_direction<Dim>(engine), b = a + 0.2 * random_direction<Dim>(engine);
      double const size = random_int(engine, 3, 20) / 100.0;
      switch (random_int(engine, 0, 2)) {
      case 0:
        bodies.push_back(body_from_distance<Dim>("ball", BallDistance<Dim>{a, size}));
        break;
      case 1:
        bodies.push_back(body_from_distance<Dim>("capsule", CapsuleDistance<Dim>{a, b, size}));
        break;
      default:
        Vec<double, Dim> const half = Vec<double, Dim>::filled(size);
        bodies.push_back(body_from_distance<Dim>("box", BoxDistance<Dim>{a - half, a + half}));
      }
    }
    Flow<Dim> const flow(box_of<Dim>(16, bodies));
    auto const position = [&](Vec<double, Dim> const& x) {
      auto const cells = flow.domain.grid(0).to_cells(x);
      Vec<double, 1 + Dim> w{100};
      for (int axis = 0; axis < Dim; ++axis) w[0] += cells[axis];
      return w;
    };
    auto const states = flow.filled(position);
    for (auto const& cell : cells_of(flow.sets.curved_ghosts)) {
      double const own = position(flow.domain.grid(0).center(cell))[0];
      ASSERT_LE(std::abs(states.at(cell)[0] - own), 7) << "seed " << seed << " cell " << cell;
    }
  }
}

TYPED_TEST(Walls, OfPlatesOneCellThickTurnTheFlowAround) {
  constexpr int Dim = TypeParam::value;
  for (int axis = 0; axis < Dim; ++axis) {
    auto lower = Vec<double, Dim>::filled(-9), upper = Vec<double, Dim>::filled(9);
    DomainOptions<Dim> options = box_of<Dim>(9, {});
    lower[axis] = -0.5 * options.grid.spacing[axis];
    upper[axis] = 0.5 * options.grid.spacing[axis];
    options.bodies = {body_from_distance<Dim>("plate", BoxDistance<Dim>{lower, upper})};
    Flow<Dim> const flow(options);
    auto w = Vec<double, 1 + Dim>::filled(1);
    auto const states = flow.filled([&](auto const&) { return w; });
    w[1 + axis] = -1;
    EXPECT_EQ(flow.sets.curved_ghosts.cell_count(), Index(std::pow(9, Dim - 1)));
    for (auto const& cell : cells_of(flow.sets.curved_ghosts))
      ASSERT_LE(distance(flow.law.primitive(states.at(cell)), w), 1e-12) << "axis " << axis << " cell " << cell;
  }
}

TYPED_TEST(Walls, OfCellsAreMirrorsOfTheirFaces) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    Cells<Dim> bodies[2];
    for (auto const& cell : reference::box<Dim>({}, Cell<Dim>::filled(8)))
      if (random_int(engine, 0, 2) == 0) bodies[random_int(engine, 0, 3) == 0].insert(cell);
    DomainOptions<Dim> options =
        box_of<Dim>(8, {body_from_cells<Dim>("slip", set_of(bodies[0])),
                        body_from_cells<Dim>("no slip", set_of(bodies[1]), BoundaryKind::no_slip)});
    Flow<Dim> const flow(options);
    auto const states = flow.filled([&](auto const&) { return random_state<Dim>(engine); });
    auto const is_fluid = [&](Cell<Dim> const& cell) { return flow.fluid.count(cell) != 0; };
    States<Dim> known;
    for (auto const& cell : cells_of(flow.sets.face_ghosts)) {
      Vec<double, 1 + Dim> sum{};
      int count = 0;
      for_each_neighbour<Dim>(cell, [&](Cell<Dim> const& neighbour) {
        if (!is_fluid(neighbour)) return;
        auto w = flow.law.primitive(states.at(neighbour));
        for (int axis = 0; axis < Dim; ++axis)
          if (bodies[1].count(cell) != 0 || neighbour[axis] != cell[axis]) w[1 + axis] = -w[1 + axis];
        sum += w;
        ++count;
      });
      if (count > 0) known[cell] = flow.law.conserved((1.0 / count) * sum);
    }
    for (auto const& cell : cells_of(flow.sets.face_ghosts)) {
      auto expected = known[cell];
      if (expected[0] == 0) {
        known.erase(cell);
        int count = 0;
        for_each_neighbour<Dim>(cell, [&](Cell<Dim> const& neighbour) {
          auto const found = known.find(neighbour);
          if (found == known.end() || found->second[0] == 0) return;
          expected += found->second;
          ++count;
        });
        ASSERT_GT(count, 0);
        expected = (1.0 / count) * expected;
      }
      ASSERT_LE(distance(states.at(cell), expected), 1e-13) << "seed " << seed << " cell " << cell;
    }
  }
}

TYPED_TEST(Walls, AcrossPeriodicSidesAreTheSameAsInside) {
  constexpr int Dim = TypeParam::value;
  constexpr Coord count = 12;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    // The same bodies and states, moved along with the periodic box.
    Cells<Dim> cells;
    for (int i = 0; i < 2; ++i) {
      Cell<Dim> from, to;
      for (int axis = 0; axis < Dim; ++axis) {
        from[axis] = random_int(engine, 0, count - 4);
        to[axis] = from[axis] + random_int(engine, 1, 4);
      }
      cells = either(cells, reference::box<Dim>(from, to));
    }
    Cell<Dim> offset;
    for (int axis = 0; axis < Dim; ++axis) offset[axis] = random_int(engine, 0, count - 1);
    auto const moved_in = [&](Cell<Dim> cell, int sign) {
      for (int axis = 0; axis < Dim; ++axis) cell[axis] = (cell[axis] + sign * offset[axis] + 2 * count) % count;
      return cell;
    };
    Cells<Dim> moved_cells;
    for (auto const& cell : cells) moved_cells.insert(moved_in(cell, 1));
    States<Dim> values;
    for (auto const& cell : reference::box<Dim>({}, Cell<Dim>::filled(count))) values[cell] = random_state<Dim>(engine);
    auto const filled = [&](Cells<Dim> const& solid, int sign) {
      DomainOptions<Dim> options = box_of<Dim>(count, {body_from_cells<Dim>("cells", set_of(solid))});
      for (int axis = 0; axis < Dim; ++axis) options.sides[axis] = {BoundaryKind::periodic, BoundaryKind::periodic};
      Flow<Dim> const flow(options);
      auto state = state_of<Dim>(flow.sets.storage, [&](Cell<Dim> const& cell) {
        return flow.fluid.count(cell) == 0 ? unknown<Dim>(cell) : values.at(moved_in(cell, sign));
      });
      fill_boundaries(state.view(), flow.law, flow.ghosts, {}, {}, 0);
      return states_of(state);
    };
    auto const here = filled(cells, 0), there = filled(moved_cells, -1);
    for (auto const& [cell, value] : there) {
      auto const found = here.find(moved_in(cell, -1));
      ASSERT_TRUE(found != here.end()) << "seed " << seed << " cell " << cell;
      ASSERT_LE(distance(value, found->second), 1e-14) << "seed " << seed << " cell " << cell;
    }
  }
}
