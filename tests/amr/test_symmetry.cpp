/// A problem that is turned by 90 degrees or mirrored has the same solution, turned or mirrored.

#include <support/euler_flow.hpp>

using namespace flow;

namespace {

/// A map of the cube [0, size)^Dim onto itself that exchanges axes and reverses some.
template <int Dim>
struct Motion {
  Vec<int, Dim> axis_of;       ///< new axis of each old one
  Vec<bool, Dim> is_reversed;  ///< [new axis]

  Vec<double, Dim> position(Vec<double, Dim> const& x, double size) const {
    Vec<double, Dim> result;
    for (int axis = 0; axis < Dim; ++axis) {
      int const to = axis_of[axis];
      result[to] = is_reversed[to] ? size - x[axis] : x[axis];
    }
    return result;
  }
  Cell<Dim> cell(Cell<Dim> const& c, Coord size) const {
    Cell<Dim> result;
    for (int axis = 0; axis < Dim; ++axis) {
      int const to = axis_of[axis];
      result[to] = is_reversed[to] ? size - 1 - c[axis] : c[axis];
    }
    return result;
  }
  /// Of primitive or conserved variables.
  State<double, Dim> state(State<double, Dim> const& w) const {
    auto result = w;
    for (int axis = 0; axis < Dim; ++axis) {
      int const to = axis_of[axis];
      result[1 + to] = is_reversed[to] ? -w[1 + axis] : w[1 + axis];
    }
    return result;
  }
};

template <int Dim>
struct MovedBall {
  Vec<double, Dim> center;
  State<double, Dim> inside, outside;
  KOKKOS_FUNCTION State<double, Dim> operator()(Vec<double, Dim> const& x) const {
    double square = 0;
    for (int axis = 0; axis < Dim; ++axis) square += (x[axis] - center[axis]) * (x[axis] - center[axis]);
    return square < 4.2 ? inside : outside;
  }
};

/// The wind, twice as strong.
template <int Dim>
struct Blown {
  State<double, Dim> wind;
  KOKKOS_FUNCTION State<double, Dim> operator()(sparse::amr::BoundaryPoint<Gas<double, Dim>> const&) const {
    State<double, Dim> w = wind;
    for (int axis = 0; axis < Dim; ++axis) w[1 + axis] *= 2;
    return w;
  }
};

/// A dense hot ball in a wind, a round body, a body of cells, and all kinds of sides; moved.
template <int Dim>
Simulation<double, Dim> flow_moved_by(Motion<Dim> const& motion, Scheme scheme, FluxKind flux) {
  constexpr Coord size = Dim == 2 ? 24 : 12;
  DomainOptions<Dim> domain;
  domain.cells = Cell<Dim>::filled(size);
  domain.level_count = Dim == 2 ? 3 : 2;
  Vec<Vec<BoundaryKind, 2>, Dim> sides = all_sides<Dim>(BoundaryKind::periodic);
  // The wind blows across the walls, also where they meet the inflow and what is given.
  if (flux == FluxKind::rusanov) {
    sides[0] = {BoundaryKind::wall, BoundaryKind::outflow};
    sides[1] = {BoundaryKind::given, BoundaryKind::wall};
  } else {
    sides[0] = {BoundaryKind::inflow, BoundaryKind::outflow};
    sides[1] = {BoundaryKind::outflow, flux == FluxKind::hll ? BoundaryKind::no_slip : BoundaryKind::wall};
  }
  for (int axis = 0; axis < Dim; ++axis) {
    int const to = motion.axis_of[axis];
    for (int side = 0; side < 2; ++side) domain.sides[to][motion.is_reversed[to] ? 1 - side : side] = sides[axis][side];
  }
  Vec<double, Dim> at_ball, at_body, wind;
  Cells<Dim> block;
  for (int axis = 0; axis < Dim; ++axis) {
    at_ball[axis] = (0.37 + 0.11 * axis) * size;
    at_body[axis] = (0.72 - 0.04 * axis) * size;
    wind[axis] = 0.9 - 0.35 * axis;
  }
  int const end = size << (domain.level_count - 1);
  for (auto const& cell : reference::box<Dim>(Cell<Dim>::filled(end / 8), Cell<Dim>::filled(end / 8 + 4)))
    block.insert(motion.cell(cell, end));
  domain.bodies = {body_from_distance<Dim>("ball", BallDistance<Dim>{motion.position(at_body, size), 0.09 * size}),
                   body_from_cells<Dim>("block", reference::set_of<Dim>(block))};
  auto const outside = motion.state(gas_state<double, Dim>(1, wind, 1));
  auto const inside = motion.state(gas_state<double, Dim>(3, wind, 5));
  Options<double, Dim> options;
  options.scheme = scheme;
  return Simulation<double, Dim>(Domain<Dim>(domain), {{}, flux},
                                 MovedBall<Dim>{motion.position(at_ball, size), inside, outside},
                                 {outside, sparse::amr::boundary<Gas<double, Dim>>(Blown<Dim>{outside})}, options);
}

template <int Dim>
std::vector<Motion<Dim>> motions() {
  if constexpr (Dim == 2)
    return {{{1, 0}, {true, false}}, {{0, 1}, {true, false}}, {{0, 1}, {false, true}}, {{1, 0}, {false, false}}};
  else
    return {{{1, 2, 0}, {false, false, false}}, {{1, 0, 2}, {true, false, false}}, {{0, 1, 2}, {true, false, true}}};
}

template <class Dimension>
class Symmetry : public testing::Test {};
TYPED_TEST_SUITE(Symmetry, reference::Dimensions);

}  // namespace

TYPED_TEST(Symmetry, MovedProblemsHaveMovedSolutions) {
  constexpr int Dim = TypeParam::value;
  Motion<Dim> rest;
  for (int axis = 0; axis < Dim; ++axis) rest.axis_of[axis] = axis, rest.is_reversed[axis] = false;
  double worst = 0;
  for (Scheme scheme : schemes)
    for (FluxKind flux : flux_kinds) {
      if (!is_nightly && flux != FluxKind::hllc && scheme != Scheme::hancock) continue;
      if (!is_nightly && Dim == 3 && flux == FluxKind::hll) continue;
      auto reference_flow = flow_moved_by<Dim>(rest, scheme, flux);
      int const step_count = Dim == 2 ? 20 : 6;
      for (int step = 0; step < step_count; ++step) reference_flow.advance();
      for (auto const& motion : motions<Dim>()) {
        auto flow = flow_moved_by<Dim>(motion, scheme, flux);
        for (int step = 0; step < step_count; ++step) flow.advance();
        ASSERT_NEAR(flow.time(), reference_flow.time(), 1e-12 * flow.time());
        ASSERT_EQ(flow.level_count(), reference_flow.level_count());
        for (int l = 0; l < flow.level_count(); ++l) {
          auto const states = leaf_states(flow, l), wanted = leaf_states(reference_flow, l);
          ASSERT_EQ(states.size(), wanted.size()) << name_of(scheme) << " level " << l;
          for (auto const& [cell, state] : wanted) {
            auto const moved = motion.cell(cell, flow.domain().box(l).end[0]);
            auto const found = states.find(moved);
            ASSERT_NE(found, states.end()) << name_of(scheme) << " level " << l << " " << cell;
            auto const difference = found->second - motion.state(state);
            for (int c = 0; c < Dim + 2; ++c) worst = std::max(worst, std::abs(difference[c]));
          }
        }
      }
    }
  std::printf("  greatest difference %.1e\n", worst);
  EXPECT_LE(worst, 1e-11);  // of energies up to 15
}
