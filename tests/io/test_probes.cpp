#include <cmath>
#include <sstream>

#include <sparse/amr/measure/probes.hpp>
#include <sparse/shapes/shapes.hpp>

#include "support/frozen_flow.hpp"
#include "support/io_levels.hpp"

using namespace sparse;
using namespace sparse::amr;
using reference::Cell;

namespace {

template <class TheCase>
class Probes : public testing::Test {
public:
  static constexpr double rounding = std::is_same_v<typename TheCase::T, double> ? 1e-12 : 1e-5;
};
TYPED_TEST_SUITE(Probes, reference::RealCases);

template <int Dim>
constexpr Coord size = 12;

/// Three levels in a box, and a ball.
template <class T, int Dim>
FrozenFlow<T, Dim> flow_with_levels() {
  auto options = frozen::options<Dim>(size<Dim>, 3, {});
  auto const grid = options.grid;
  options.bodies = {body_from_distance<Dim>(
      "ball", BallDistance<Dim>{grid.to_physical(Vec<double, Dim>::filled(0.8 * size<Dim>)), 0.3})};
  options.body_level = 1;
  std::vector<IntervalSet<Dim>> const tagged = {
      box<Dim>(Cell<Dim>::filled(0), Cell<Dim>::filled(4)), box<Dim>(Cell<Dim>::filled(0), Cell<Dim>::filled(2)), {}};
  FrozenFlow<T, Dim> flow(Domain<Dim>(options), tagged);
  EXPECT_EQ(flow.level_count(), 3);
  for (int l = 0; l < flow.level_count(); ++l) EXPECT_FALSE(flow.sets(l).leaves.is_empty()) << l;
  return flow;
}

template <class T, int Dim>
frozen::Linear<T, Dim> linear_state() {
  frozen::Linear<T, Dim> state{20, 40, {}, {}, {}};
  for (int axis = 0; axis < Dim; ++axis) {
    state.pressure_slope[axis] = 1 - 1.5 * axis;
    state.density_slope[axis] = -1 + 0.5 * axis;
  }
  return state;
}

template <int Dim>
std::vector<Vec<double, Dim>> random_points(Domain<Dim> const& domain, int count) {
  auto engine = reference::random_engine(11);
  std::uniform_real_distribution<double> number(0, size<Dim>);
  std::vector<Vec<double, Dim>> points;
  for (int i = 0; i < count; ++i) {
    Vec<double, Dim> cells;
    for (double& x : cells.data) x = number(engine);
    points.push_back(domain.grid(0).to_physical(cells));
  }
  return points;
}

template <class T, int Dim>
struct DensityAndPressure {
  compressible::Euler<T, Dim> law;
  KOKKOS_FUNCTION Vec<double, 2> operator()(typename compressible::Euler<T, Dim>::State const& u) const {
    return {static_cast<double>(u[0]), static_cast<double>(law.pressure(u))};
  }
};

std::vector<std::vector<std::string>> table_of(std::filesystem::path const& path) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream file(io_test::contents(path));
  for (std::string line; std::getline(file, line);) {
    rows.emplace_back();
    std::istringstream values(line);
    for (std::string value; std::getline(values, value, ',');) rows.back().push_back(value);
  }
  return rows;
}

}  // namespace

TYPED_TEST(Probes, FindTheLeafOfEachPoint) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto flow = flow_with_levels<T, Dim>();
  auto const state = linear_state<T, Dim>();
  flow.fill(state);
  auto const points = random_points(flow.domain(), 2000);
  auto const constant = primitive_at(flow, points, Interpolation::constant);
  auto const linear = primitive_at(flow, points);
  ASSERT_EQ(constant.size(), points.size());
  int missing_count = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    Vec<double, Dim> center{};
    int leaf_count = 0;
    for (int l = 0; l < flow.level_count(); ++l) {
      auto const cell = flow.domain().grid(l).cell_of(points[i]);
      if (!flow.sets(l).leaves.contains(cell)) continue;
      center = flow.domain().grid(l).center(cell);
      ++leaf_count;
    }
    ASSERT_LE(leaf_count, 1);
    missing_count += 1 - leaf_count;
    auto const expect = [&](double found, double expected) {
      if (leaf_count == 0)
        EXPECT_TRUE(std::isnan(found)) << points[i];
      else
        EXPECT_NEAR(found, expected, 60 * this->rounding) << points[i];
    };
    for (int part = 0; part < 2; ++part) {
      auto const& slope = part == 0 ? state.density_slope : state.pressure_slope;
      double const value = part == 0 ? state.density : state.pressure;
      int const component = part == 0 ? 0 : Dim + 1;
      expect(constant[i][component], state.at(value, slope, center));
      expect(linear[i][component], state.at(value, slope, points[i]));
    }
  }
  EXPECT_GT(missing_count, 0);  // in the ball
  EXPECT_LT(missing_count, 500);
}

TYPED_TEST(Probes, KnowWhereTheBoxEnds) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto flow = flow_with_levels<T, Dim>();
  auto const state = linear_state<T, Dim>();
  flow.fill(state);
  auto const grid = flow.domain().grid(0);
  auto const at = [&](double x, double y) {
    auto cells = Vec<double, Dim>::filled(1.2);
    cells[0] = x;
    cells[1] = y;
    return grid.to_physical(cells);
  };
  double const end = size<Dim>;
  std::vector<Vec<double, Dim>> const inside = {at(0, 0), at(end, 1), at(1, end), at(end, 0), at(0, end)};
  for (std::size_t i = 0; i < inside.size(); ++i)
    EXPECT_NEAR(primitive_at(flow, inside)[i][0], state.at(state.density, state.density_slope, inside[i]),
                60 * this->rounding);
  for (auto const& x : {at(-1e-9, 1), at(1, -1e-9), at(end + 1e-9, 1), at(1, 1e300), at(std::nan(""), 1)})
    EXPECT_TRUE(std::isnan(primitive_at(flow, {x})[0][0])) << x;
  EXPECT_TRUE(primitive_at(flow, {}).empty());
}

TYPED_TEST(Probes, WriteTablesOverTime) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  io_test::Folder const folder;
  auto flow = flow_with_levels<T, Dim>();
  auto state = linear_state<T, Dim>();
  auto points = random_points(flow.domain(), 2);
  points.push_back(Vec<double, Dim>::filled(-5));
  DensityAndPressure<T, Dim> const derive{flow.flux().law};
  ProbeFile<Dim> file(folder / "probes.csv", points, {"density", "pressure"});
  for (int step = 0; step < 3; ++step) {
    state.density += 1;
    flow.fill(state);
    file.add(flow, derive);
    auto const rows = table_of(folder / "probes.csv");
    ASSERT_EQ(rows.size(), 2u + step);
    EXPECT_EQ(rows[0], (std::vector<std::string>{"time", "density 0", "pressure 0", "density 1", "pressure 1",
                                                 "density 2", "pressure 2"}));
    auto const& row = rows.back();
    ASSERT_EQ(row.size(), 7u);
    EXPECT_EQ(std::stod(row[0]), 0.25 * step);
    auto const expected = values_at(flow, points, derive);
    for (int i = 0; i < 2; ++i)
      for (int c = 0; c < 2; ++c) EXPECT_EQ(std::stod(row[1 + 2 * i + c]), expected[i][c]);
    EXPECT_TRUE(std::isnan(std::stod(row[5])));
    flow.wait(0.25);
  }
}

TYPED_TEST(Probes, WriteLines) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  io_test::Folder const folder;
  auto flow = flow_with_levels<T, Dim>();
  auto const state = linear_state<T, Dim>();
  flow.fill(state);
  auto const grid = flow.domain().grid(0);
  auto const from = grid.to_physical(Vec<double, Dim>::filled(0.5)), to = grid.to_physical(Vec<double, Dim>::filled(6));
  auto const points = points_between(from, to, 12);
  ASSERT_EQ(points.size(), 12u);
  EXPECT_EQ(points.front(), from);
  EXPECT_EQ(points.back(), to);
  EXPECT_THROW(points_between(from, to, 1), std::invalid_argument);
  write_values(folder / "line.csv", flow, points, {"density", "pressure"}, DensityAndPressure<T, Dim>{flow.flux().law});
  auto const rows = table_of(folder / "line.csv");
  ASSERT_EQ(rows.size(), 13u);
  std::vector<std::string> names = {"distance", "x", "y", "z"};
  names.resize(1 + Dim);
  names.insert(names.end(), {"density", "pressure"});
  EXPECT_EQ(rows[0], names);
  double length = 0;
  for (int axis = 0; axis < Dim; ++axis) length += std::pow(to[axis] - from[axis], 2);
  for (int i = 0; i < 12; ++i) {
    auto const& row = rows[1 + i];
    EXPECT_NEAR(std::stod(row[0]), std::sqrt(length) * i / 11, 1e-12);
    for (int axis = 0; axis < Dim; ++axis) EXPECT_EQ(std::stod(row[1 + axis]), points[i][axis]);
    EXPECT_NEAR(std::stod(row[1 + Dim]), state.at(state.density, state.density_slope, points[i]), 60 * this->rounding);
    EXPECT_NEAR(std::stod(row[2 + Dim]), state.at(state.pressure, state.pressure_slope, points[i]),
                60 * this->rounding);
  }
}
