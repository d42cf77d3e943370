/// Ink carried by fluxes, against exact solutions and against tracing.

#include <numbers>

#include <sparse/incompressible/measure/sums.hpp>
#include <step/advect.hpp>
#include <step/ink_transport.hpp>
#include <support/smac.hpp>

namespace {

using namespace reference;

using std::numbers::pi;

/// Turns in a box with sides of 1. Samples at faces have no divergence to rounding.
template <int Dim>
Point<Dim> swirl(Point<Dim> const& x) {
  double const part[3] = {1, Dim == 2 ? -1.0 : 1.0, -2};
  Point<Dim> u;
  for (int a = 0; a < Dim; ++a) {
    u[a] = part[a];
    for (int b = 0; b < Dim; ++b) u[a] *= a == b ? std::sin(pi * x[b]) : std::cos(pi * x[b]);
  }
  return u;
}

/// The mean |error| at time 0.5 of a smooth blob in a swirl whose strength changes as 1 + sin(4 time).
template <int Dim>
double error_in_swirl(int n, double cells_per_step) {
  StaggeredGrid<Dim> const grid(unit_box<Dim>(n));
  State<double, Dim> state(grid, {"ink"});
  auto const blob = [](Point<Dim> const& x) {
    double square = 0;
    for (int b = 0; b < Dim; ++b) square += (x[b] - (b == 1 ? 0.3 : 0.45)) * (x[b] - (b == 1 ? 0.3 : 0.45));
    return std::exp(-20 * square);
  };
  auto const strength = [](double time) { return 1 + std::sin(4 * time); };
  double const end = 0.5, way = end + (1 - std::cos(4 * end)) / 4;
  set_cells(grid, state.carried[0], blob);
  InkTransport<double, Dim> transport(grid);
  auto after = clone(state.velocity);
  auto next = clone(state.carried[0]);
  int const steps = static_cast<int>(std::ceil(end * n / cells_per_step));
  for (int i = 0; i < steps; ++i) {
    double const time = i * end / steps;
    set_velocity(grid, state.velocity, [&](Point<Dim> const& x) { return strength(time) * swirl<Dim>(x); });
    set_velocity(grid, after, [&](Point<Dim> const& x) { return strength(time + end / steps) * swirl<Dim>(x); });
    transport(state.carried[0], state.velocity, after, end / steps, next);
    std::swap(state.carried[0], next);
  }
  set_cells(grid, next, [&](Point<Dim> x) {
    for (int k = 0; k < 400; ++k) x = x - (way / 400) * swirl<Dim>(x - (0.5 * way / 400) * swirl<Dim>(x));
    return blob(x);
  });
  add(next, -1, state.carried[0]);
  return norm_1(next) / static_cast<double>(grid.fluid().cell_count());
}

}  // namespace

TEST(IncompressibleInkExact, IsOfSecondOrderInSpaceAndTime) {
  for (double const cells : {0.3, 1.5}) {
    double const coarse = error_in_swirl<2>(32, cells), fine = error_in_swirl<2>(64, cells),
                 finest = error_in_swirl<2>(128, cells);
    EXPECT_GT(std::log2(coarse / fine), 1.8) << cells << ": " << coarse << " " << fine;
    EXPECT_GT(std::log2(fine / finest), 1.9) << cells << ": " << fine << " " << finest;
    EXPECT_LT(finest, 2.5e-4) << cells;
  }
  double const coarse = error_in_swirl<3>(16, 0.5), fine = error_in_swirl<3>(32, 0.5);
  EXPECT_GT(std::log2(coarse / fine), 1.7) << coarse << " " << fine;
}

// A disk goes round in a vortex, is sheared, and comes back (LeVeque's flow).
TEST(IncompressibleInkExact, ADiskStaysSharperThanWhereItIsTraced) {
  int const n = 64;
  StaggeredGrid<2> const grid(unit_box<2>(n));
  State<double, 2> start(grid, {"ink"});
  auto const h = 1.0 / n;
  set_velocity(grid, start.velocity, vortex(h));
  set_cells(grid, start.carried[0],
            [](Point<2> const& x) { return std::hypot(x[0] - 0.5, x[1] - 0.75) < 0.15 ? 1 : 0; });
  auto backward = clone(start.velocity);
  scale(backward, -1);
  InkTransport<double, 2> transport(grid);
  AdvectionScratch<double, 2> scratch(grid);
  int const steps = 2 * n;  // in which nothing crosses more than half a cell
  auto const error_of = [&](auto const& carry) {
    auto ink = clone(start.carried[0]), next = clone(ink);
    for (int i = 0; i < 2 * steps; ++i) {
      carry(ink, i < steps ? start.velocity : backward, 0.5 / steps, next);
      std::swap(ink, next);
    }
    add(ink, -1, start.carried[0]);
    return norm_1(ink) * h * h;
  };
  double const by_fluxes = error_of([&](auto const& from, auto const& velocity, double dt, auto& to) {
    transport(from, velocity, velocity, dt, to);
  });
  auto const traced = [&](Advection advection) {
    return error_of([&](auto const& from, auto const& velocity, double dt, auto& to) {
      advect(grid, velocity, from, to, dt, advection, scratch);
    });
  };
  EXPECT_LT(by_fluxes, 0.4 * traced(Advection::linear)) << by_fluxes << " " << traced(Advection::linear);
  EXPECT_LT(by_fluxes, traced(Advection::maccormack)) << by_fluxes << " " << traced(Advection::maccormack);
}
