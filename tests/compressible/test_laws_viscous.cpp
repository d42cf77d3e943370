/// Friction and conduction of heat, against flows whose stresses are known.

#include <sparse/compressible/fluxes/hllc.hpp>
#include <sparse/compressible/laws/navier_stokes.hpp>

#include <support/gas.hpp>

using namespace gas;

namespace {

template <class T, int Dim>
using Law = sparse::compressible::NavierStokes<T, Dim>;
template <class T, int Dim>
using Gradients = Vec<State<T, Dim>, Dim>;

template <class TheCase>
class Viscous : public testing::Test {};
TYPED_TEST_SUITE(Viscous, Cases);

/// Air, thick as honey.
template <class T, int Dim>
Law<T, Dim> thick_air() {
  Law<T, Dim> law;
  law.viscosity = T(0.3);
  law.prandtl = T(0.8);
  return law;
}

/// The diffusive flux where gas of density 1 and pressure 1 has this velocity and dv_i/dx_j = rate(i, j).
template <class T, int Dim, class Rate>
State<T, Dim> flux_of(Vec<T, Dim> const& v, int axis, Rate const& rate) {
  Gradients<T, Dim> gradients{};
  for (int j = 0; j < Dim; ++j)
    for (int i = 0; i < Dim; ++i) gradients[j][1 + i] = static_cast<T>(rate(i, j));
  return thick_air<T, Dim>().diffusive_flux(RandomStates<T, Dim>::state(1, v, 1), gradients, axis);
}

}  // namespace

TYPED_TEST(Viscous, UniformFlowAndRigidRotationFeelNothing) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  auto const v = Vec<T, Dim>::filled(2);
  for (int axis = 0; axis < Dim; ++axis) {
    EXPECT_EQ((flux_of<T, Dim>(v, axis, [](int, int) { return 0; })), (State<T, Dim>{}));
    EXPECT_EQ((flux_of<T, Dim>(v, axis, [](int i, int j) { return i == 0 && j == 1   ? -3
                                                                  : i == 1 && j == 0 ? 3
                                                                                     : 0; })),
              (State<T, Dim>{}));
  }
}

TYPED_TEST(Viscous, ShearPullsAlongAndDoesWork) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  // Couette's flow: velocity along x grows with y. Stress viscosity * 5 on faces normal to y, and the same along y on
  // faces normal to x.
  auto const rate = [](int i, int j) { return i == 0 && j == 1 ? 5 : 0; };
  auto v = Vec<T, Dim>::filled(T(0.5));
  v[0] = 2;
  State<T, Dim> across{}, along{};
  across[1] = T(1.5);
  across[Dim + 1] = T(1.5) * 2;
  along[2] = T(1.5);
  along[Dim + 1] = T(1.5) * T(0.5);
  EXPECT_LE(distance(flux_of<T, Dim>(v, 1, rate), across), rounding<T>);
  EXPECT_LE(distance(flux_of<T, Dim>(v, 0, rate), along), rounding<T>);
}

TYPED_TEST(Viscous, ExpansionInAllDirectionsOfSpaceFeelsNothing) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  // In a plane the third direction does not expand: stress viscosity (2 - 2/3 * 2) rate.
  auto const rate = [](int i, int j) { return i == j ? 1 : 0; };
  for (int axis = 0; axis < Dim; ++axis) {
    auto const d = flux_of<T, Dim>({}, axis, rate);
    EXPECT_NEAR(d[1 + axis], Dim == 3 ? 0 : 0.3 * (2 - 4.0 / 3), rounding<T>);
    // Along one axis only: 4/3 of it.
    auto const stretched = flux_of<T, Dim>({}, axis, [&](int i, int j) { return i == axis && j == axis ? 1 : 0; });
    EXPECT_NEAR(stretched[1 + axis], 0.3 * 4 / 3, rounding<T>);
  }
}

TYPED_TEST(Viscous, HeatFollowsTheGradientOfTemperature) {
  constexpr int Dim = TypeParam::Dim;
  auto const law = thick_air<double, Dim>();
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    RandomStates<double, Dim> random(seed);
    auto const w = random();
    Gradients<double, Dim> gradients{};
    for (int axis = 0; axis < Dim; ++axis) {
      gradients[axis][0] = random.number(-1, 1);
      gradients[axis][Dim + 1] = random.number(-1, 1);
    }
    for (int axis = 0; axis < Dim; ++axis) {
      // With a gas constant: temperature p / (rho R), conductivity viscosity cp / Pr, cp = gamma R / (gamma - 1).
      double const gas_constant = 287, h = 1e-5;
      auto const temperature = [&](double x) {
        return (w[Dim + 1] + x * gradients[axis][Dim + 1]) / ((w[0] + x * gradients[axis][0]) * gas_constant);
      };
      double const conductivity = 0.3 / 0.8 * gas_constant * 1.4 / 0.4;
      auto const expected =
          State<double, Dim>::along(Dim + 1, conductivity * (temperature(h) - temperature(-h)) / (2 * h));
      EXPECT_LE(distance(law.diffusive_flux(w, gradients, axis), expected), 1e-7) << "seed " << seed;
    }
  }
}

TYPED_TEST(Viscous, FluxTurnsWithTheAxes) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  auto const law = thick_air<T, Dim>();
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    RandomStates<T, Dim> random(seed);
    auto const w = random();
    Gradients<T, Dim> gradients, of_turned;
    for (auto& gradient : gradients.data) gradient = random();
    for (int axis = 0; axis < Dim; ++axis) of_turned[(axis + 1) % Dim] = turned<Dim>(gradients[axis]);
    for (int axis = 0; axis < Dim; ++axis)
      EXPECT_LE(distance(turned<Dim>(law.diffusive_flux(w, gradients, axis)),
                         law.diffusive_flux(turned<Dim>(w), of_turned, (axis + 1) % Dim)),
                rounding<T>)
          << "seed " << seed;
  }
}

TYPED_TEST(Viscous, DiffusivityBoundsHowFastDisturbancesDecay) {
  constexpr int Dim = TypeParam::Dim;
  // A disturbance of one variable along an axis: du/dt = d/dx of the flux. Its decay over its curvature, by hand, is
  // 4/3 viscosity / rho for velocity along the axis, viscosity / rho across, gamma / Pr viscosity / rho for pressure.
  for (double prandtl : {0.5, 0.8, 5.0}) {
    auto law = thick_air<double, Dim>();
    law.prandtl = prandtl;
    auto const w = RandomStates<double, Dim>::state(2, {}, 3);
    double greatest = 0;
    for (int c = 1; c < Dim + 2; ++c) {
      Gradients<double, Dim> gradients{};
      gradients[0][c] = 1;
      double const stored = law.conserved(w + 1e-6 * State<double, Dim>::along(c, 1))[c] - law.conserved(w)[c];
      greatest = std::max(greatest, law.diffusive_flux(w, gradients, 0)[c] / (stored / 1e-6));
    }
    EXPECT_NEAR(law.diffusivity(w), greatest, 1e-6);
  }
}

TYPED_TEST(Viscous, WithoutViscosityTheLawIsEulers) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  sparse::compressible::Hllc<Law<T, Dim>> const viscous{};
  sparse::compressible::Hllc<Euler<T, Dim>> const inviscid{};
  RandomStates<T, Dim> random(1);
  auto const left = random(), right = random();
  EXPECT_LE(distance(viscous(left, right, 1), inviscid(left, right, 1)), rounding<T>);
  EXPECT_EQ(viscous.law.diffusivity(left), 0);
  EXPECT_EQ(viscous.law.diffusive_flux(left, {left, right}, 0), (State<T, Dim>{}));
}
