/// Gas that leaves through a side of the box against a pressure.

#include <cmath>

#include <sparse/amr/measure/probes.hpp>
#include <support/euler_flow.hpp>

using namespace flow;

namespace {

using sparse::amr::OutflowAgainst;

template <class TheCase>
class Outflow : public testing::Test {
public:
  using Real = typename TheCase::Scalar;
  static constexpr int dimension = TheCase::Dim;

  /// A tube of unit length along x with one open end.
  static DomainOptions<dimension> tube(BoundaryKind other_end) {
    DomainOptions<dimension> options;
    options.cells = Cell<dimension>::filled(4);
    options.cells[0] = 32;
    options.level_count = 2;
    options.grid.spacing = Vec<double, dimension>::filled(1.0 / 32);
    options.sides[0] = {other_end, BoundaryKind::given};
    return options;
  }
  static Simulation<Real, dimension> start(BoundaryKind other_end, State<Real, dimension> const& gas, double pressure) {
    auto const given =
        sparse::amr::boundary<Gas<Real, dimension>>(OutflowAgainst<Gas<Real, dimension>>{static_cast<Real>(pressure)});
    Options<Real, dimension> options;
    options.scheme = Scheme::hancock;
    return {Domain<dimension>(tube(other_end)), {}, Uniform<Real, dimension>{gas}, {gas, given}, options};
  }
  static Vec<double, dimension + 2> state_at(Simulation<Real, dimension>& flow, double x) {
    auto at = Vec<double, dimension>::filled(1.5 / 32);
    at[0] = x;
    return sparse::amr::primitive_at(flow, {at}).front();
  }
};
TYPED_TEST_SUITE(Outflow, Cases);

}  // namespace

// The end of a closed tube is opened, and an expansion enters. Until it is reflected, gas leaves with the velocity that
// isentropic expansion to the pressure outside gives it.
TYPED_TEST(Outflow, SubsonicGasTakesThePressureOutside) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  using Law = Gas<T, Dim>;
  double const gamma = Law{}.gamma;
  for (double const pressure : {0.9, 0.7, 1.1}) {
    auto flow = this->start(BoundaryKind::wall, gas_state<T, Dim>(1.4, {}, 1), pressure);  // of sound speed 1
    while (flow.time() < 0.6) flow.advance(0.6 - flow.time());
    double const speed = 2 / (gamma - 1) * (1 - std::pow(pressure, (gamma - 1) / (2 * gamma)));
    for (double const x : {0.85, 0.95, 0.99}) {
      auto const w = this->state_at(flow, x);
      EXPECT_NEAR(w[Law::pressure_index], pressure, 0.003) << x;
      EXPECT_NEAR(w[Law::velocity], speed, 0.03 * std::abs(speed)) << pressure << " at " << x;
      EXPECT_NEAR(w[0], 1.4 * std::pow(pressure, 1 / gamma), 0.005) << pressure << " at " << x;
    }
    EXPECT_NEAR(this->state_at(flow, 0.1)[Law::pressure_index], 1, 1e-3);  // has not heard of it
  }
}

TYPED_TEST(Outflow, UniformFlowThatFitsStaysAndSupersonicFlowDoesNotHearOfThePressure) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  for (double const mach : {0.3, 2.0}) {
    auto const gas = gas_state<T, Dim>(1.4, Vec<double, Dim>::along(0, mach), 1);
    auto flow = this->start(BoundaryKind::inflow, gas, mach < 1 ? 1 : 3);
    for (int step = 0; step < 40; ++step) flow.advance();
    for (double const x : {0.1, 0.5, 0.99}) {
      auto const w = this->state_at(flow, x);
      for (int c = 0; c < Dim + 2; ++c)
        EXPECT_NEAR(w[c], gas[c], 20 * this->dimension * std::numeric_limits<T>::epsilon() * 10) << mach << " at " << x;
    }
  }
}
