/// Walls let neither mass nor energy of a viscous gas pass, whether it sticks to them or not. No heat passes, and
/// walls at rest do no work.

#include <sparse/compressible/laws/navier_stokes.hpp>
#include <sparse/shapes/shapes.hpp>
#include <support/euler_flow.hpp>

using namespace flow;
using sparse::BoundaryKind;

namespace {

template <class TheCase>
class ViscousWalls : public testing::Test {
public:
  using Real = typename TheCase::Scalar;
  static constexpr int dimension = TheCase::Dim;
  using Law = sparse::compressible::NavierStokes<Real, dimension>;
  using Flow = sparse::amr::Simulation<sparse::compressible::AnyFlux<Law>>;
  static constexpr Coord size = dimension == 2 ? 24 : 8;

  /// A closed box of three levels.
  static DomainOptions<dimension> box(Vec<Vec<BoundaryKind, 2>, dimension> const& sides) {
    DomainOptions<dimension> domain;
    domain.cells = Cell<dimension>::filled(size);
    domain.cells[0] += 4;
    domain.level_count = 3;
    domain.sides = sides;
    return domain;
  }
  /// A hot ball that is blown into a corner, while the levels follow it.
  static Flow flow(DomainOptions<dimension> const& domain, Scheme scheme, bool subcycle) {
    HotBall<Real, dimension> ball{{}, 0.14 * size, 2, 4};
    for (int axis = 0; axis < dimension; ++axis) ball.center[axis] = (0.31 + 0.1 * axis) * size;
    sparse::amr::SimulationOptions<Law> options;
    options.scheme = scheme;
    options.subcycle = subcycle;
    options.criteria = {sparse::amr::relative_gradient<Law>(0, dimension == 2 ? 0.05 : 0.12)};
    return Flow(Domain<dimension>(domain), {thick_gas()}, ball, {}, options);
  }
  static Law thick_gas() {
    Law law;
    law.viscosity = Real(0.05);
    return law;
  }
  static void expect_conserved(DomainOptions<dimension> const& domain) {
    bool const is_double = std::is_same_v<Real, double>;
    for (Scheme scheme : schemes)
      for (bool subcycle : {true, false}) {
        if ((dimension == 3 || !is_double) && !is_nightly && (scheme != Scheme::hancock || !subcycle)) continue;
        auto flow = ViscousWalls::flow(domain, scheme, subcycle);
        auto const before = flow.totals();
        LevelChanges<dimension> changes;
        int const count = is_nightly ? (is_double && dimension == 2 ? 400 : 100) : dimension == 2 ? 25 : 8;
        for (int step = 0; step < count; ++step) {
          flow.advance();
          changes.note(flow);
        }
        EXPECT_EQ(changes.most_levels, 3) << name_of(scheme);
        EXPECT_GT(changes.count, domain.bodies.empty() ? 1 : 0) << name_of(scheme);
        EXPECT_EQ(flow.repeated_step_count(), 0) << name_of(scheme);
        double const worst = relative_change(flow.totals(), before, {0, dimension + 1});
        EXPECT_LE(worst, is_double ? 1e-12 : 1e-6 * stage_count(scheme)) << name_of(scheme) << subcycle;
        std::printf("  %s%s: relative change %.2e after %d steps, %d changes of levels\n", name_of(scheme),
                    subcycle ? ", subcycled" : "", worst, count, changes.count);
      }
  }
  /// The energy that is not heat.
  static double kinetic_energy(Flow const& flow) {
    double sum = 0;
    for_each_leaf(flow, [&](int l, Vec<double, dimension> const&, State<Real, dimension> const& w) {
      for (int axis = 0; axis < dimension; ++axis)
        sum += flow.domain().cell_volume(l) * w[0] * w[1 + axis] * w[1 + axis] / 2;
    });
    return sum;
  }
};
using TheCases = testing::Types<Case<double, 2>, Case<double, 3>, Case<float, 2>>;
TYPED_TEST_SUITE(ViscousWalls, TheCases);

/// A hot spot beside a moving layer, at a distance from the corner of the fluid.
template <class T, int Dim>
struct HotSpot {
  Vec<double, Dim> corner;
  KOKKOS_FUNCTION State<T, Dim> operator()(Vec<double, Dim> const& x) const {
    double square = 0;
    Vec<double, Dim> wind;
    for (int axis = 0; axis < Dim; ++axis) {
      double const apart = x[axis] - corner[axis] - 2.7 - axis;
      square += apart * apart;
      wind[axis] = 0.4 * std::sin(0.5 * (x[(axis + 1) % Dim] - corner[(axis + 1) % Dim]));
    }
    return gas_state<T, Dim>(1, wind, 1 + std::exp(-0.2 * square));
  }
};

}  // namespace

TYPED_TEST(ViscousWalls, OfTheBoxKeepMassAndEnergy) {
  constexpr int Dim = TypeParam::Dim;
  auto mixed = all_sides<Dim>(BoundaryKind::no_slip);  // with edges between both kinds of walls
  mixed[1] = {BoundaryKind::wall, BoundaryKind::no_slip};
  for (auto const& sides : {all_sides<Dim>(BoundaryKind::no_slip), mixed}) this->expect_conserved(this->box(sides));
  auto in_parts = this->box(all_sides<Dim>(BoundaryKind::wall));
  auto const end = Cell<Dim>::filled(this->size / 2);
  for (int axis = 0; axis < Dim; ++axis) {
    auto const begin = Cell<Dim>::filled(2) - Cell<Dim>::along(axis, 2);
    in_parts.parts.push_back({axis, sparse::FaceSide::lower,
                              sparse::box<Dim>(begin, end + Cell<Dim>::along(axis, 1 - end[axis])),
                              BoundaryKind::no_slip});
  }
  this->expect_conserved(in_parts);
}

TYPED_TEST(ViscousWalls, OfBodiesKeepMassAndEnergy) {
  constexpr int Dim = TypeParam::Dim;
  Coord const end = 4 * this->size;
  auto sides = all_sides<Dim>(BoundaryKind::no_slip);
  sides[0] = {BoundaryKind::wall, BoundaryKind::no_slip};
  sides[1] = {BoundaryKind::periodic, BoundaryKind::periodic};
  for (auto const kind : {BoundaryKind::wall, BoundaryKind::no_slip}) {
    // Three bodies: a round one, so that solid cells have fluid along several axes; one across a periodic side; one of
    // the other kind that touches a side of the box and the round one.
    auto const other = kind == BoundaryKind::wall ? BoundaryKind::no_slip : BoundaryKind::wall;
    auto domain = this->box(sides);
    auto from = Cell<Dim>::filled(6 * end / 10), to = Cell<Dim>::filled(7 * end / 10);
    to[0] = end + 16;
    auto low = Cell<Dim>::along(0, 3), high = Cell<Dim>::filled(2) + low;
    domain.bodies = {
        body_from_cells<Dim>("ball", sparse::ball<Dim>(Vec<double, Dim>::filled(0.62 * end), 0.11 * end), kind),
        body_from_cells<Dim>("across", sparse::box<Dim>(low, high), kind),
        body_from_cells<Dim>("bar", sparse::box<Dim>(from, to), other)};
    this->expect_conserved(domain);
  }
}

TYPED_TEST(ViscousWalls, OfBodiesAreLikeThoseOfTheBox) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  double const tolerance = std::is_same_v<T, double> ? 1e-12 : 2e-5;
  Coord const thickness = 3, cells = 9;
  for (bool sticks : {false, true})
    for (int axis = 0; axis < Dim; ++axis)
      for (Scheme scheme : schemes) {
        auto const run = [&](bool has_bodies) {
          DomainOptions<Dim> domain;
          domain.cells = Cell<Dim>::filled(cells);
          domain.sides = all_sides<Dim>(BoundaryKind::periodic);
          domain.sides[axis] = Vec<BoundaryKind, 2>::filled(sticks ? BoundaryKind::no_slip : BoundaryKind::wall);
          Vec<double, Dim> corner{};
          if (has_bodies) {
            domain.cells[axis] += 2 * thickness;
            corner[axis] = thickness;
            auto end = domain.cells, from = Cell<Dim>::along(axis, thickness + cells);
            auto const wall = sticks ? BoundaryKind::no_slip : BoundaryKind::wall;
            end[axis] = thickness;
            domain.bodies = {body_from_cells<Dim>("low", sparse::box<Dim>({}, end), wall),
                             body_from_cells<Dim>("high", sparse::box<Dim>(from, domain.cells), wall)};
          }
          typename TestFixture::Flow flow(Domain<Dim>(domain), {TestFixture::thick_gas()}, HotSpot<T, Dim>{corner}, {},
                                          {.scheme = scheme});
          for (int step = 0; step < 10; ++step) flow.advance(0.2);
          std::vector<State<T, Dim>> states;
          for (auto const& entry : leaf_states(flow, 0)) states.push_back(entry.second);
          return states;
        };
        auto const of_box = run(false), of_bodies = run(true);
        ASSERT_EQ(of_box.size(), of_bodies.size());
        double worst = 0;
        for (std::size_t i = 0; i < of_box.size(); ++i)
          for (int c = 0; c < Dim + 2; ++c) worst = std::max<double>(worst, std::abs(of_box[i][c] - of_bodies[i][c]));
        EXPECT_LE(worst, tolerance) << name_of(scheme) << ", axis " << axis << (sticks ? ", sticking" : "");
      }
}

TYPED_TEST(ViscousWalls, SlowTheWindIfItSticks) {
  constexpr int Dim = TypeParam::Dim;
  auto sticking = this->flow(this->box(all_sides<Dim>(BoundaryKind::no_slip)), Scheme::hancock, true);
  auto slipping = this->flow(this->box(all_sides<Dim>(BoundaryKind::wall)), Scheme::hancock, true);
  run_to(sticking, 8);
  run_to(slipping, 8);
  double const left = this->kinetic_energy(sticking) / this->kinetic_energy(slipping);
  std::printf("  %.3f of the kinetic energy that slip walls leave\n", left);
  EXPECT_LT(left, 0.97);
}
