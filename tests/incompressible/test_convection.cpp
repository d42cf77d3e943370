/// Explicit convection, viscosity and transport: compared with loops over faces and cells.

#include <support/incompressible.hpp>

#include "step/convection.hpp"
#include "step/diffusion.hpp"
#include "step/transport.hpp"

namespace {

using namespace reference;

template <class TheCase>
class IncompressibleConvection : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleConvection, RealCases);

template <int Dim>
using Values = std::map<Cell<Dim>, double, StorageOrder>;

/// The domain of a seed. It has a temperature at its inflow; if the seed is odd, it repeats itself along the last axis
/// instead. One wall moves along itself and has a temperature, too.
template <int Dim>
FlowDomain<Dim> windy_domain(unsigned seed) {
  auto domain = random_domain<Dim>(seed);
  int wall = 1;  // is normal to this axis
  if (seed % 2 == 1) {
    domain.parts.clear();
    auto const bounds = domain.fluid.bounds();
    domain.period[Dim - 1] = bounds.end[Dim - 1] - bounds.begin[Dim - 1] + static_cast<Coord>(seed / 2 % 2);
    wall = Dim - 2;
  }
  for (auto& part : domain.parts)
    if (part.kind == BoundaryKind::inflow) part.temperature = 3.0;
  auto wind = Point<Dim>::filled(-0.75);
  wind[wall] = 0;
  domain.parts.push_back({BoundaryKind::no_slip, side_faces(domain.fluid, wall, FaceSide::upper), wind, {}, -2.0});
  return domain;
}

/// A fluid and all that lives on its faces and cells, looked up one by one.
template <int Dim>
struct Slow {
  StaggeredGrid<Dim> const& grid;
  Cells<Dim> fluid = cells_of(grid.fluid());
  std::array<Values<Dim>, Dim> velocity = {};
  Values<Dim> values = {};

  Cell<Dim> stored(Cell<Dim> const& cell) const { return grid.domain().periodicity().stored(cell); }
  bool is_fluid(Cell<Dim> const& cell) const { return fluid.count(stored(cell)) > 0; }
  bool is_face(Cell<Dim> const& cell, int axis) const { return is_fluid(cell) || is_fluid(before(cell, axis)); }
  static Cell<Dim> before(Cell<Dim> cell, int axis) {
    --cell[axis];
    return cell;
  }
  static Cell<Dim> behind(Cell<Dim> cell, int axis) {
    ++cell[axis];
    return cell;
  }
  double u(int axis, Cell<Dim> const& face) const { return velocity[static_cast<std::size_t>(axis)].at(stored(face)); }
  double t(Cell<Dim> const& cell) const { return values.at(stored(cell)); }

  /// The condition at a boundary face, found by looking through all parts.
  BoundaryPart<Dim> part_at(Cell<Dim> const& face, int axis) const {
    for (auto const& part : grid.domain().parts)
      if (part.faces[axis].contains(face) || part.faces[axis].contains(stored(face))) return part;
    return {grid.domain().others};
  }
  std::vector<Cell<Dim>> fluid_beside(Cell<Dim> const& face, int axis) const {
    std::vector<Cell<Dim>> cells;
    for (auto const& cell : {face, before(face, axis)})
      if (is_fluid(cell)) cells.push_back(cell);
    return cells;
  }
  /// Velocity beyond a boundary along a face.
  double ghost(Cell<Dim> const& face, int axis, int across, bool is_upper) const {
    double sum = 0;
    auto const cells = fluid_beside(face, axis);
    for (auto const& cell : cells) {
      auto const part = part_at(is_upper ? behind(cell, across) : cell, across);
      bool const sticks = part.kind == BoundaryKind::no_slip || part.kind == BoundaryKind::inflow;
      sum += sticks ? 2 * part.velocity[axis] - u(axis, face) : u(axis, face);
    }
    return sum / static_cast<double>(cells.size());
  }
  /// The mean speed across a face at one of its ends.
  double speed(Cell<Dim> const& face, int axis, int across, bool is_upper) const {
    double sum = 0;
    auto const cells = fluid_beside(face, axis);
    for (auto const& cell : cells) sum += u(across, is_upper ? behind(cell, across) : cell);
    return sum / static_cast<double>(cells.size());
  }

  /// The flux of a value through a place between two others.
  static double flux(double speed, double low, double high, double share) {
    return 0.5 * (speed * (low + high) + share * std::abs(speed) * (low - high));
  }

  /// Griebel, Dornseifer and Neunhoeffer's formulas, term by term.
  double convected(Cell<Dim> const& face, int axis, double step, VelocityTerms<Dim> const& terms) const {
    double const here = u(axis, face);
    bool const is_open = fluid_beside(face, axis).size() == 2;
    double result = here + step * terms.acceleration[axis];
    for (int b = 0; b < Dim; ++b) {
      double const h = grid.spacing()[b];
      for (bool const is_upper : {false, true}) {
        int const sign = is_upper ? 1 : -1;
        auto const beside = is_upper ? behind(face, b) : before(face, b);
        bool const has_face = is_face(beside, axis);
        double beyond = here, flow = 0, share = terms.donor_cell;
        if (has_face) beyond = u(axis, beside);
        if (b == axis) {
          if (is_open) flow = flux(0.5 * (here + beyond), is_upper ? here : beyond, is_upper ? beyond : here, share);
          // At an outflow, what comes from inside.
          if (!is_open && has_face && -sign * here > 0) flow = sign * std::abs(here) * (here - beyond);
        } else {
          if (!has_face) {
            beyond = ghost(face, axis, b, is_upper);
            share = 0;
          }
          double const across = speed(face, axis, b, is_upper);
          flow = flux(across, is_upper ? here : beyond, is_upper ? beyond : here, share);
          if (!is_open) flow -= across * here;
        }
        result += step * (terms.viscosity * (beyond - here) / (h * h) - sign * flow / h);
      }
    }
    return result;
  }

  /// One side of an open face in a stage of a Runge-Kutta step: what it gains there per time.
  double gained(Cell<Dim> const& face, int axis, int b, bool is_upper, double viscosity) const {
    auto const next = [&](Cell<Dim> const& cell) { return is_upper ? behind(cell, b) : before(cell, b); };
    auto const last = [&](Cell<Dim> const& cell) { return is_upper ? before(cell, b) : behind(cell, b); };
    auto const is_open = [&](Cell<Dim> const& cell) { return fluid_beside(cell, axis).size() == 2; };
    double const h = grid.spacing()[b], here = u(axis, face);
    int const sign = is_upper ? 1 : -1;
    if (!is_face(next(face), axis)) {  // a wall
      double const image = ghost(face, axis, b, is_upper), across = speed(face, axis, b, is_upper);
      double friction = image - here;
      if (is_face(last(face), axis)) {
        double given = 0;
        for (auto const& cell : fluid_beside(face, axis)) {
          auto const kind = part_at(is_upper ? behind(cell, b) : cell, b).kind;
          given += kind == BoundaryKind::no_slip || kind == BoundaryKind::inflow ? 0.5 : 0;
        }
        friction += (image - here + given * (u(axis, last(face)) - here)) / 3;
      }
      return viscosity * friction / (h * h) - sign * across * 0.5 * (here + image) / h;
    }
    double const there = u(axis, next(face));
    double const across = b == axis ? 0.5 * (here + there) : speed(face, axis, b, is_upper);
    double value = 0.5 * (here + there), slope = there - here;
    if (is_open(next(face)) && is_face(next(next(face)), axis) && is_face(last(face), axis)) {
      double const far = u(axis, next(next(face))), behind_here = u(axis, last(face));
      double const third = far - 3 * there + 3 * here - behind_here;
      value = (7 * (here + there) - far - behind_here) / 12;
      slope -= third / 12;
      // From upstream: (2 there + 5 here - behind) / 6, say.
      double const upstream =
          sign * across > 0 ? (2 * there + 5 * here - behind_here) / 6 : (2 * here + 5 * there - far) / 6;
      double const beyond = std::abs(across) - 2 * viscosity / h;
      if (beyond > 0) value += beyond / std::abs(across) * (upstream - value);
    }
    return viscosity * slope / (h * h) - sign * across * value / h;
  }

  double transported(Cell<Dim> const& cell, double step, double diffusivity, double donor_cell) const {
    double const here = t(cell);
    double result = here;
    for (int b = 0; b < Dim; ++b)
      for (bool const is_upper : {false, true}) {
        double const h = grid.spacing()[b];
        auto const beside = is_upper ? behind(cell, b) : before(cell, b), face = is_upper ? beside : cell;
        double beyond = here, share = donor_cell;
        if (is_fluid(beside)) {
          beyond = t(beside);
        } else if (auto const part = part_at(face, b); part.temperature) {
          beyond = 2 * *part.temperature - here;
          share = 0;
        }
        double const flow = flux(u(b, face), is_upper ? here : beyond, is_upper ? beyond : here, share);
        result += step * (diffusivity * (beyond - here) / (h * h) - (is_upper ? 1 : -1) * flow / h);
      }
    return result;
  }
};

}  // namespace

TYPED_TEST(IncompressibleConvection, IsThatOfLoopsOverFaces) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 24; ++seed) {
    StaggeredGrid<Dim> const grid(windy_domain<Dim>(seed));
    State<T, Dim> state(grid);
    set_random_velocity(grid, state.velocity, seed);
    auto next = clone(state.velocity);
    VelocityTerms<Dim> const terms{0.05 * (seed % 2), 0.25 * (seed % 5), Point<Dim>::filled(0.1)};
    Convection<Dim> const convection(grid);
    convection(state.velocity, 0.125, terms, next);
    Slow<Dim> slow{grid};
    for (int axis = 0; axis < Dim; ++axis)
      slow.velocity[static_cast<std::size_t>(axis)] = values_on(state.velocity, axis, grid.faces(axis));
    for (int axis = 0; axis < Dim; ++axis) {
      for (auto const& [face, value] : values_on(next, axis, grid.computed_faces(axis)))
        ASSERT_NEAR(value, slow.convected(face, axis, 0.125, terms), precise<T>(2e-5, 1e-13))
            << "seed " << seed << ", axis " << axis << " at " << face;
      auto const given = grid.faces(axis) - grid.computed_faces(axis);
      EXPECT_EQ(values_on(next, axis, given), values_on(state.velocity, axis, given)) << "seed " << seed;
    }
  }
}

// Cubic polynomials and parabolas from upstream, written out.
TYPED_TEST(IncompressibleConvection, StagesAreThoseOfLoopsOverFaces) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 24; ++seed) {
    StaggeredGrid<Dim> const grid(windy_domain<Dim>(seed));
    State<T, Dim> state(grid), start(grid);
    set_random_velocity(grid, state.velocity, seed);
    set_random_velocity(grid, start.velocity, seed + 100);
    set_random_cells(grid, state.pressure, seed);
    auto next = clone(state.velocity);
    VelocityTerms<Dim> const terms{0.1 * (seed % 3), 0, Point<Dim>::filled(0.1)};
    Convection<Dim> const convection(grid);
    convection(state.velocity, 0.125, terms, {start.velocity, 0.25, state.pressure, 0.5}, next);
    Slow<Dim> slow{grid};
    for (int axis = 0; axis < Dim; ++axis)
      slow.velocity[static_cast<std::size_t>(axis)] = values_on(state.velocity, axis, grid.faces(axis));
    auto const pressure = values_on(state.pressure, 0, grid.fluid());
    for (int axis = 0; axis < Dim; ++axis) {
      auto const old = values_on(start.velocity, axis, grid.faces(axis));
      for (auto const& [face, value] : values_on(next, axis, grid.open_faces(axis))) {
        double wanted = slow.u(axis, face) + 0.125 * 0.1;
        for (int b = 0; b < Dim; ++b)
          for (bool const is_upper : {false, true})
            wanted += 0.125 * slow.gained(face, axis, b, is_upper, terms.viscosity);
        double const slope = pressure.at(face) - pressure.at(slow.stored(slow.before(face, axis)));
        wanted = 0.25 * old.at(face) + 0.75 * wanted - 0.5 * slope / grid.spacing()[axis];
        ASSERT_NEAR(value, wanted, precise<T>(2e-5, 1e-13)) << "seed " << seed << ", axis " << axis << " at " << face;
      }
    }
  }
}

TYPED_TEST(IncompressibleConvection, TransportIsThatOfLoopsOverCells) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 24; ++seed) {
    StaggeredGrid<Dim> const grid(windy_domain<Dim>(seed));
    State<T, Dim> state(grid, {"temperature"});
    set_random_velocity(grid, state.velocity, seed);
    set_random_cells(grid, state.carried[0], seed);
    auto next = clone(state.carried[0]);
    double const diffusivity = 0.05 * (seed % 3), share = 0.25 * (seed % 5);
    CellTransport<Dim> const transport(grid);
    transport(state.carried[0], state.velocity, 0.125, diffusivity, share, next);
    Slow<Dim> slow{grid};
    for (int axis = 0; axis < Dim; ++axis)
      slow.velocity[static_cast<std::size_t>(axis)] = values_on(state.velocity, axis, grid.faces(axis));
    slow.values = values_on(state.carried[0], 0, grid.fluid());
    for (auto const& [cell, value] : values_on(next, 0, grid.fluid()))
      ASSERT_NEAR(value, slow.transported(cell, 0.125, diffusivity, share), precise<T>(2e-5, 1e-13))
          << "seed " << seed << " at " << cell;
  }
}

// Without velocity what is left is `diffuse`.
TYPED_TEST(IncompressibleConvection, SlowFlowIsDiffused) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    auto domain = windy_domain<Dim>(seed);
    double const tiny = 1e-12;
    for (auto& part : domain.parts) part.velocity = tiny * part.velocity;
    StaggeredGrid<Dim> const grid(domain);
    State<T, Dim> state(grid);
    set_random_velocity(grid, state.velocity, seed);
    scale(state.velocity, static_cast<T>(tiny));
    grid.set_boundary(state.velocity);
    auto next = clone(state.velocity), diffused = clone(state.velocity);
    Convection<Dim> const convection(grid);
    convection(state.velocity, 0.1, {0.1, 0.5, {}}, next);
    diffuse(grid, state.velocity, 0.01, diffused);
    add(next, -1, diffused);
    EXPECT_LT(norm_max(next), precise<T>(1e-6, 1e-11) * tiny) << "seed " << seed;
  }
}

TYPED_TEST(IncompressibleConvection, RefusesWhatMakesNoSense) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  StaggeredGrid<Dim> const grid(random_domain<Dim>(1));
  State<T, Dim> state(grid, {"temperature"});
  auto next = clone(state.velocity);
  auto values = clone(state.carried[0]);
  Convection<Dim> const convection(grid);
  CellTransport<Dim> const transport(grid);
  for (double const wrong : {-1.0, std::nan(""), HUGE_VAL}) {
    EXPECT_TRUE(is_refused([&] { convection(state.velocity, wrong, {}, next); }, "time step"));
    EXPECT_TRUE(is_refused([&] { convection(state.velocity, 1, {wrong, 0, {}}, next); }, "viscosity"));
    EXPECT_TRUE(is_refused([&] { convection(state.velocity, 1, {0, wrong, {}}, next); }, "donor-cell"));
    EXPECT_TRUE(is_refused([&] { transport(state.carried[0], state.velocity, wrong, 0, 0, values); }, "time step"));
    EXPECT_TRUE(is_refused([&] { transport(state.carried[0], state.velocity, 1, wrong, 0, values); }, "diffusivity"));
    EXPECT_TRUE(is_refused([&] { transport(state.carried[0], state.velocity, 1, 0, wrong, values); }, "donor-cell"));
  }
  EXPECT_TRUE(is_refused([&] { convection(state.velocity, 1, {0, 0, {std::nan("")}}, next); }, "acceleration"));
  EXPECT_TRUE(is_refused([&] { convection(state.velocity, 1, {}, state.velocity); }, "another field"));
  EXPECT_TRUE(is_refused([&] { convection(state.carried[0], 1, {}, next); }, "velocity, field 'temperature'"));
  EXPECT_TRUE(is_refused([&] { transport(values, state.velocity, 1, 0, 0, values); }, "another field"));
  EXPECT_TRUE(is_refused([&] { transport(next, state.velocity, 1, 0, 0, values); }, "transported field"));
  auto domain = random_domain<Dim>(1);
  domain.parts[0].temperature = std::nan("");
  EXPECT_TRUE(is_refused([&] { StaggeredGrid<Dim> const bad(domain); }, "temperature"));
}
