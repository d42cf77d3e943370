/// The order at which the first-order scheme converges on smooth advection, on one level and across levels. Laws are
/// gases, tracers in them, and a law without primitive variables.

#include <numbers>

#include <sparse/compressible/laws/advection.hpp>
#include <sparse/compressible/laws/with_tracer.hpp>
#include <support/euler_flow.hpp>

using namespace flow;

namespace {

/// A smooth density wave that a uniform flow of uniform pressure carries along unchanged.
template <int Dim>
struct Wave {
  static constexpr double amplitude = 0.2, pi = std::numbers::pi;
  double time = 0;
  KOKKOS_FUNCTION static double velocity(int axis) { return axis == 0 ? 1.0 : axis == 1 ? 0.5 : 0.25; }
  KOKKOS_FUNCTION double operator()(Vec<double, Dim> const& x) const {
    double phase = 0;
    for (int axis = 0; axis < Dim; ++axis) phase += (axis + 1) % 3 * (x[axis] - velocity(axis) * time);
    return 1 + amplitude * std::sin(2 * pi * phase);
  }
};

/// What the wave is to each law, and which component follows it.
template <class Law>
struct WaveOf {
  static constexpr int Dim = Law::dimension, component = 0;
  using T = typename Law::Scalar;
  KOKKOS_FUNCTION typename Law::State operator()(Vec<double, Dim> const& x) const {
    Vec<double, Dim> v;
    for (int axis = 0; axis < Dim; ++axis) v[axis] = Wave<Dim>::velocity(axis);
    return gas_state<T, Dim>(Wave<Dim>{}(x), v, 0.3);
  }
};
template <class T, int TheDim>
struct WaveOf<sparse::scalar::Advection<T, TheDim>> {
  static constexpr int Dim = TheDim, component = 0;
  KOKKOS_FUNCTION Vec<T, 1> operator()(Vec<double, Dim> const& x) const { return {static_cast<T>(Wave<Dim>{}(x))}; }
};
/// In a gas of uniform density, the tracer's share is the wave.
template <class T, int TheDim>
struct WaveOf<sparse::compressible::WithTracer<Gas<T, TheDim>>> {
  static constexpr int Dim = TheDim;
  using Law = sparse::compressible::WithTracer<Gas<T, Dim>>;
  static constexpr int component = Law::tracer;
  KOKKOS_FUNCTION typename Law::State operator()(Vec<double, Dim> const& x) const {
    auto const carried = WaveOf<Gas<T, Dim>>{}({});
    auto w = Law::joined(carried, {});
    w[component] = static_cast<T>(Wave<Dim>{}(x));
    return w;
  }
};

template <class Law>
Law law_of() {
  Law law;
  if constexpr (requires { law.velocity[0] = 1; })
    for (int axis = 0; axis < Law::dimension; ++axis)
      law.velocity[axis] = static_cast<typename Law::Scalar>(Wave<Law::dimension>::velocity(axis));
  return law;
}

template <int Dim>
struct InPatch {
  KOKKOS_FUNCTION bool operator()(Vec<double, Dim> const& x) const { return std::abs(x[0] - 0.5) < 0.25; }
};

/// Mean error after a while on a periodic unit box, half of which is refined if there are two levels.
template <class Flux>
double error_with(Coord cell_count, int level_count, Scheme scheme = Scheme::godunov) {
  using Law = typename Flux::Law;
  constexpr int Dim = Law::dimension;
  DomainOptions<Dim> domain;
  domain.cells = Cell<Dim>::filled(cell_count);
  domain.level_count = level_count;
  domain.grid.spacing = Vec<double, Dim>::filled(1.0 / cell_count);
  domain.sides = all_sides<Dim>(BoundaryKind::periodic);
  sparse::amr::SimulationOptions<Law> options;
  options.scheme = scheme;
  options.limiter = Limiter::van_leer;
  options.buffer = 0;
  options.criteria = {sparse::amr::region<Law>(InPatch<Dim>{}, 1)};
  sparse::amr::Simulation<Flux> simulation(Domain<Dim>(domain), {law_of<Law>()}, WaveOf<Law>{}, {}, options);
  run_to(simulation, Dim == 2 ? 0.05 : 0.02);
  EXPECT_EQ(simulation.level_count(), level_count);
  double error = 0;
  for_each_leaf(simulation, [&](int l, Vec<double, Dim> const& x, typename Law::State const& w) {
    error += simulation.domain().cell_volume(l) * std::abs(w[WaveOf<Law>::component] - Wave<Dim>{simulation.time()}(x));
  });
  return error;
}

template <class Flux>
void expect_order(Coord coarse, Scheme scheme, double least, double most) {
  double errors[2];
  for (int level_count : {1, 2}) {
    for (int i = 0; i < 2; ++i) errors[i] = error_with<Flux>(coarse << i, level_count, scheme);
    double const order = std::log2(errors[0] / errors[1]);
    std::printf("  %d level(s), %s: errors %.3e, %.3e, order %.3f\n", level_count, name_of(scheme), errors[0],
                errors[1], order);
    EXPECT_GE(order, least) << name_of(scheme);
    EXPECT_LE(order, most) << name_of(scheme);
  }
  EXPECT_LT(errors[1], (error_with<Flux>(2 * coarse, 1, scheme)));  // a finer patch helps
}

template <class TheCase>
class Accuracy : public testing::Test {};
TYPED_TEST_SUITE(Accuracy, Cases);

}  // namespace

TYPED_TEST(Accuracy, OfGodunovsSchemeIsOfFirstOrderOnOneLevelAndAcrossLevels) {
  constexpr int Dim = TypeParam::Dim;
  expect_order<Flux<typename TypeParam::Scalar, Dim>>(Dim == 2 ? 64 : 24, Scheme::godunov, 0.85, 1.2);
}

TEST(AccuracyOfAdvection, IsThatOfTheScheme) {
  using Flux = sparse::compressible::Rusanov<sparse::scalar::Advection<double, 2>>;
  expect_order<Flux>(64, Scheme::godunov, 0.85, 1.2);
  expect_order<Flux>(64, Scheme::hancock, 1.7, 2.5);
}

TEST(AccuracyOfTracers, IsThatOfTheScheme) {
  using Flux = sparse::compressible::Rusanov<sparse::compressible::WithTracer<Gas<double, 2>>>;
  expect_order<Flux>(64, Scheme::godunov, 0.85, 1.2);
  expect_order<Flux>(64, Scheme::hancock, 1.7, 2.5);
}
