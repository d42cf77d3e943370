/// Friction and heat conduction on levels: waves and flows that are known exactly.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <sparse/amr/simulation.hpp>
#include <sparse/compressible/fluxes/any_flux.hpp>
#include <sparse/compressible/laws/navier_stokes.hpp>
#include <sparse/compressible/laws/with_tracer.hpp>

using namespace sparse;

namespace {

template <int Dim>
using Gas = compressible::NavierStokes<double, Dim>;
template <int Dim>
using Flow = amr::Simulation<compressible::AnyFlux<Gas<Dim>>>;

constexpr double pi = std::numbers::pi;
constexpr double pressure = 100 / 1.4;  // speed of sound 10

/// A wave of shear: velocity along y (and z) as a sine of x, which friction alone changes.
template <int Dim>
struct ShearWave {
  KOKKOS_FUNCTION typename Gas<Dim>::State operator()(Vec<double, Dim> const& x) const {
    typename Gas<Dim>::State w{};
    w[0] = 1;
    for (int axis = 1; axis < Dim; ++axis) w[1 + axis] = 0.1 * std::sin(2 * pi * x[0]);
    w[Dim + 1] = pressure;
    return w;
  }
};

/// Mean difference of the velocity along y from `exact(x)` over the volume.
template <int Dim, class Exact>
double mean_error(Flow<Dim> const& flow, int along, Exact const& exact) {
  double sum = 0, volume = 0;
  for (int l = 0; l < flow.level_count(); ++l) {
    auto const& leaves = flow.sets(l).leaves;
    auto const state = remap(flow.state(l), leaves);
    auto const rho = to_host(state, 0), momentum = to_host(state, along == 0 ? 2 : 1);
    leaves.to_host().for_each_cell([&](Vec<Coord, Dim> const& cell, Index i) {
      double const x = (cell[along] + 0.5) * flow.domain().spacing(l)[along];
      auto const at = static_cast<std::size_t>(i);
      sum += flow.domain().cell_volume(l) * std::abs(momentum[at] / rho[at] - exact(x));
      volume += flow.domain().cell_volume(l);
    });
  }
  return sum / volume;
}

template <int Dim>
double shear_wave_error(Coord cells, int level_count) {
  amr::DomainOptions<Dim> domain;
  domain.cells = Vec<Coord, Dim>::filled(8);
  domain.cells[0] = cells;
  domain.level_count = level_count;
  domain.grid.spacing = Vec<double, Dim>::filled(1.0 / cells);
  domain.sides = Vec<Vec<BoundaryKind, 2>, Dim>::filled({BoundaryKind::periodic, BoundaryKind::periodic});
  Gas<Dim> gas;
  gas.viscosity = 0.05;
  amr::SimulationOptions<Gas<Dim>> options;
  options.scheme = amr::Scheme::muscl_rk2;
  options.limiter = amr::Limiter::mc;
  options.cfl = 0.5;
  auto corner = Vec<Coord, Dim>::filled(6);
  corner[0] = cells / 2;
  IntervalSet<Dim> const patch = box<Dim>(Vec<Coord, Dim>::filled(2), corner);
  options.criteria = {amr::region<Gas<Dim>>(patch, 0, level_count - 1)};
  Flow<Dim> flow(amr::Domain<Dim>(domain), {gas}, ShearWave<Dim>{}, {}, options);
  EXPECT_EQ(flow.level_count(), level_count);
  double const end = 0.1;
  while (flow.time() < end) flow.advance(end - flow.time());
  double const amplitude = 0.1 * std::exp(-gas.viscosity * 4 * pi * pi * end);
  return mean_error<Dim>(flow, 0, [&](double x) { return amplitude * std::sin(2 * pi * x); });
}

/// No-slip walls; the upper one moves.
struct MovingLid {
  double speed;
  template <class Law>
  KOKKOS_FUNCTION typename Law::State operator()(amr::BoundaryPoint<Law> const& p) const {
    auto w = p.no_slip();
    if (p.side == sparse::FaceSide::upper) w[1] += 2 * speed;
    return w;
  }
};

struct AtRest {
  KOKKOS_FUNCTION Gas<2>::State operator()(Vec<double, 2> const&) const { return {1, 0, 0, pressure}; }
};

/// The wave with a scalar that grows along x.
struct TracedShearWave {
  using Law = compressible::WithTracer<Gas<2>>;
  KOKKOS_FUNCTION Law::State operator()(Vec<double, 2> const& x) const {
    Law::State scalar{};
    scalar[Law::tracer] = x[0];
    return Law::joined(ShearWave<2>{}(x), scalar);
  }
};

}  // namespace

TEST(Viscosity, DampsAShearWaveInSecondOrder) {
  for (int level_count : {1, 2}) {
    double const coarse = shear_wave_error<2>(16, level_count), fine = shear_wave_error<2>(32, level_count);
    std::printf("  %d level(s): error %.2e of 16 cells, %.2e of 32, order %.2f\n", level_count, coarse, fine,
                std::log2(coarse / fine));
    EXPECT_LT(fine, 1e-4);
    EXPECT_GE(std::log2(coarse / fine), level_count == 1 ? 1.8 : 1.5);  // limited ghosts cost some at the interface
  }
  double const in_space = shear_wave_error<3>(16, 1);
  EXPECT_NEAR(in_space, shear_wave_error<2>(16, 1), 0.02 * in_space);
}

TEST(Viscosity, MakesTheFlowBetweenAMovingAndAFixedWallLinear) {
  amr::DomainOptions<2> domain{{4, 16}, 1};
  domain.grid.spacing = {1.0 / 16, 1.0 / 16};
  domain.sides = {Vec<BoundaryKind, 2>{BoundaryKind::periodic, BoundaryKind::periodic},
                  {BoundaryKind::given, BoundaryKind::given}};
  Gas<2> gas;
  gas.viscosity = 2;
  double const speed = 0.5;
  Flow<2> flow(amr::Domain<2>(domain), {gas}, AtRest{}, {{}, amr::boundary<Gas<2>>(MovingLid{speed})},
               {.scheme = amr::Scheme::muscl_rk2, .cfl = 0.9});
  while (flow.time() < 1) flow.advance(1 - flow.time());
  double const error = mean_error<2>(flow, 1, [&](double y) { return speed * y; });
  std::printf("  mean error of the velocity: %.1e of %.1f\n", error, speed);
  EXPECT_LE(error, 2e-3 * speed);
}

TEST(Viscosity, IsThatOfTheGasWhichCarriesTracers) {
  using Law = TracedShearWave::Law;
  amr::DomainOptions<2> domain{{16, 4}, 1};
  domain.grid.spacing = {1.0 / 16, 1.0 / 16};
  domain.sides = Vec<Vec<BoundaryKind, 2>, 2>::filled({BoundaryKind::periodic, BoundaryKind::periodic});
  Gas<2> gas;
  gas.viscosity = 0.05;
  Flow<2> pure(amr::Domain<2>(domain), {gas}, ShearWave<2>{});
  amr::Simulation<compressible::Hllc<Law>> traced(amr::Domain<2>(domain), {Law{gas}}, TracedShearWave{});
  while (pure.time() < 0.02) ASSERT_NEAR(pure.advance(), traced.advance(), 1e-13);
  auto const& leaves = pure.sets(0).leaves;
  auto const alone = remap(pure.state(0), leaves), with_scalar = remap(traced.state(0), leaves);
  for (int c = 0; c < 4; ++c) {
    auto const expected = to_host(alone, c), found = to_host(with_scalar, c);
    for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(found[i], expected[i], 1e-11) << "component " << c;
  }
  // Next to nothing moves along x, and scalars do not diffuse.
  auto const mass = to_host(with_scalar, 0), scalar = to_host(with_scalar, Law::tracer);
  leaves.to_host().for_each_cell([&](Vec<Coord, 2> const& cell, Index i) {
    auto const at = static_cast<std::size_t>(i);
    ASSERT_NEAR(scalar[at] / mass[at], (cell[0] + 0.5) / 16, 1e-3);
  });
}
