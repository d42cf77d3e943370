/// SMAC steps: the same flow along other axes, mirrored flows, and uniform ones.

#include <support/smac.hpp>

namespace {

using namespace reference;

template <class TheCase>
class IncompressibleSmacSymmetry : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleSmacSymmetry, RealCases);

/// A box with a ball in it, other widths along each axis, an inflow askew and an outflow; `turns` times the first axis
/// has become the next one, and so on.
template <int Dim>
struct Turned {
  int turns;
  Vec<double, Dim> spacing = {};
  FlowDomain<Dim> domain = {};

  int axis(int of) const { return (of + turns) % Dim; }
  template <class V>
  V turned(V const& v) const {
    V result{};
    for (int b = 0; b < Dim; ++b) result[axis(b)] = v[b];
    return result;
  }
  template <class V>
  V turned_back(V const& v) const {
    V result{};
    for (int b = 0; b < Dim; ++b) result[b] = v[axis(b)];
    return result;
  }
  explicit Turned(int count) : turns(count) {
    Cell<Dim> end{};
    Point<Dim> middle{}, wind{}, lid{};
    for (int b = 0; b < Dim; ++b) {
      end[b] = 12 - 2 * b;
      middle[b] = 0.5 * end[b];
      spacing[b] = 0.1 + 0.02 * b;
      wind[b] = 0.3 * b;
    }
    wind[0] = 1;
    lid[0] = -0.5;
    domain.fluid = sparse::box<Dim>({}, turned(end)) - sparse::ball<Dim>(turned(middle), 2.2);
    domain.grid.spacing = turned(spacing);
    domain.parts.push_back(
        {BoundaryKind::inflow, side_faces(domain.fluid, axis(0), FaceSide::lower), turned(wind), {}, 1.0});
    domain.parts.push_back({BoundaryKind::outflow, side_faces(domain.fluid, axis(0), FaceSide::upper)});
    domain.parts.push_back(
        {BoundaryKind::no_slip, side_faces(domain.fluid, axis(1), FaceSide::upper), turned(lid), {}, -1.0});
  }
};

/// What a turned flow is after some steps, turned back: each component of velocity, then temperature.
template <class T, int Dim>
std::vector<std::map<Cell<Dim>, double, StorageOrder>> turned_flow(int turns) {
  Turned<Dim> const turned(turns);
  StaggeredGrid<Dim> const grid(turned.domain);
  auto options = smac_options<T, Dim>(0.02);
  options.transported = {{0, 0.01}};
  Point<Dim> gravity{}, lift{};
  gravity[1] = 0.4;
  lift[0] = 0.7;
  options.acceleration = turned.turned(gravity);
  options.buoyancy = {{0, turned.turned(lift)}};
  Smac<T, Dim> step(grid, options);
  State<T, Dim> state(grid, {"temperature"});
  set_cells(grid, state.carried[0], [&](Point<Dim> const& x) {
    auto const y = turned.turned_back(x);
    return std::cos(5 * y[0]) + std::sin(4 * y[1]);
  });
  for (int i = 0; i < 6; ++i) EXPECT_TRUE(step.advance(state, 0.02).has_converged());
  std::vector<std::map<Cell<Dim>, double, StorageOrder>> result;
  auto const add = [&](sparse::Field<T, Dim> const& field, int component, IntervalSet<Dim> const& where) {
    result.emplace_back();
    for (auto const& [cell, value] : values_on(field, component, where))
      result.back()[turned.turned_back(cell)] = value;
  };
  for (int b = 0; b < Dim; ++b) add(state.velocity, turned.axis(b), grid.faces(turned.axis(b)));
  add(state.carried[0], 0, grid.fluid());
  return result;
}

}  // namespace

TYPED_TEST(IncompressibleSmacSymmetry, TheSameFlowAlongOtherAxesIsTheSame) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto const first = turned_flow<T, Dim>(0);
  for (int turns = 1; turns < Dim; ++turns) {
    auto const other = turned_flow<T, Dim>(turns);
    ASSERT_EQ(first.size(), other.size());
    for (std::size_t c = 0; c < first.size(); ++c) {
      ASSERT_EQ(first[c].size(), other[c].size());
      for (auto const& [cell, value] : first[c])
        ASSERT_NEAR(other[c].at(cell), value, precise<T>(1e-4, 1e-9)) << c << " turned " << turns << " at " << cell;
    }
  }
}

// A mirrored domain with a mirrored start stays mirrored, along each axis.
TYPED_TEST(IncompressibleSmacSymmetry, KeepsMirrorSymmetry) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  auto options = smac_options<T, Dim>(0.05);
  options.transported = {{0, 0.02}};
  expect_mirror_symmetry<T, Dim>(BoundaryKind::no_slip, precise<T>(1e-4, 1e-9),
                                 [&](StaggeredGrid<Dim> const& grid, State<T, Dim>& state) {
                                   Smac<T, Dim> step(grid, options);
                                   for (int i = 0; i < 8; ++i) step.advance(state, step.longest_step(state, 0.4));
                                 });
}

TYPED_TEST(IncompressibleSmacSymmetry, UniformFlowStaysUniform) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (int axis = 0; axis < Dim; ++axis)
    for (auto const from : {FaceSide::lower, FaceSide::upper}) {
      FlowDomain<Dim> domain;
      domain.fluid = sparse::box<Dim>({}, Cell<Dim>::filled(7));
      domain.others = BoundaryKind::wall;
      auto const to = from == FaceSide::lower ? FaceSide::upper : FaceSide::lower;
      auto const wind = Point<Dim>::along(axis, -1.5 * outward(from));
      domain.parts.push_back({BoundaryKind::inflow, side_faces(domain.fluid, axis, from), wind});
      domain.parts.push_back({BoundaryKind::outflow, side_faces(domain.fluid, axis, to)});
      StaggeredGrid<Dim> const grid(domain);
      Smac<T, Dim> step(grid, smac_options<T, Dim>(0.1));
      State<T, Dim> state(grid);
      set_velocity(grid, state.velocity, [&](auto const&) { return wind; });
      for (int i = 0; i < 5; ++i) step.advance(state, step.longest_step(state, 0.5));
      for (int a = 0; a < Dim; ++a)
        for (auto const& [face, value] : values_on(state.velocity, a, grid.faces(a)))
          ASSERT_NEAR(value, wind[a], precise<T>(1e-6, 1e-14)) << face;
    }
}
