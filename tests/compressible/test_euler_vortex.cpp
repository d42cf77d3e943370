/// Orders of convergence on a smooth flow that is known exactly, on one level and across levels.

#include <numbers>

#include <support/csv.hpp>
#include <support/euler_flow.hpp>

using namespace flow;

namespace {

/// The isentropic vortex of Yee and Shu at `time`, on a periodic box of edge length 10.
struct Vortex {
  double time = 0;
  KOKKOS_FUNCTION State<double, 2> operator()(Vec<double, 2> const& x) const {
    double const strength = 5, gamma = 1.4, pi = std::numbers::pi;
    double offset[2], square = 0;
    for (int axis = 0; axis < 2; ++axis) {
      double const apart = x[axis] - 5 - time;  // it moves with velocity (1, 1)
      offset[axis] = apart - 10 * std::round(apart / 10);
      square += offset[axis] * offset[axis];
    }
    double const swirl = strength / (2 * pi) * std::exp(0.5 * (1 - square));
    double const temperature = 1 - (gamma - 1) * strength * strength / (8 * gamma * pi * pi) * std::exp(1 - square);
    double const density = std::pow(temperature, 1 / (gamma - 1));
    return {density, 1 - swirl * offset[1], 1 + swirl * offset[0], density * temperature};
  }
};

struct InPatch {
  KOKKOS_FUNCTION bool operator()(Vec<double, 2> const& x) const {
    return std::abs(x[0] - 6) < 1.25 && std::abs(x[1] - 5) < 2.5;
  }
};

enum class Levels { one, fixed_patch, moving_patch };

/// Mean error of density over the box. @param cell_count  of level 0 along an edge
double error_of(Scheme scheme, Limiter limiter, Coord cell_count, Levels levels, double end_time) {
  DomainOptions<2> domain;
  domain.cells = Cell<2>::filled(cell_count);
  domain.level_count = levels == Levels::one ? 1 : 2;
  domain.grid.spacing = Vec<double, 2>::filled(10.0 / cell_count);
  domain.sides = all_sides<2>(BoundaryKind::periodic);
  Options<double, 2> options;
  options.scheme = scheme;
  options.limiter = limiter;
  options.cfl = 0.6;
  options.buffer = 1 + cell_count / 64;
  using Law = Gas<double, 2>;
  if (levels == Levels::fixed_patch) options.criteria = {sparse::amr::region<Law>(InPatch{}, 1)};
  if (levels == Levels::moving_patch) options.criteria = {sparse::amr::relative_gradient<Law>(0, 1.0 / cell_count)};
  Simulation<double, 2> flow(Domain<2>(domain), {}, Vortex{}, {}, options);
  LevelChanges<2> changes;
  while (flow.time() < end_time) {
    flow.advance(end_time - flow.time());
    changes.note(flow);
  }
  EXPECT_EQ(flow.level_count(), domain.level_count);
  if (levels == Levels::moving_patch) {
    EXPECT_GT(changes.count, 3);
    EXPECT_LT(flow.sets(0).covered.cell_count(), flow.sets(0).cells.cell_count() / 2);
  }
  double error = 0;
  for_each_leaf(flow, [&](int l, Vec<double, 2> const& x, State<double, 2> const& w) {
    error += flow.domain().cell_volume(l) * std::abs(w[0] - Vortex{flow.time()}(x)[0]);
  });
  return error / 100;
}

}  // namespace

TEST(IsentropicVortex, IsThatOfTheTable) {
  auto const table = read_table("isentropic_vortex.csv");
  ASSERT_GT(table.size(), 90u);
  for (auto const& row : table) {
    if (row[0] == 0 || row[0] == 10) continue;  // as far from the vortex as from its image
    auto const w = Vortex{}({row[0], 5});
    for (int c = 0; c < 4; ++c) EXPECT_NEAR(w[c], row[static_cast<std::size_t>(1 + c)], 2e-9) << "x = " << row[0];
  }
}

TEST(IsentropicVortex, ConvergesInSecondOrderOnOneLevelAndAcrossLevels) {
  Coord const coarsest = is_nightly ? 64 : 48;
  double const end_time = is_nightly ? 2 : 1;
  for (Scheme scheme : {Scheme::hancock, Scheme::muscl_rk2, Scheme::muscl_rk3})
    for (Limiter limiter : {Limiter::van_leer, Limiter::mc})
      for (Levels levels : {Levels::one, Levels::fixed_patch, Levels::moving_patch}) {
        if (!is_nightly && scheme != Scheme::hancock && (limiter == Limiter::mc || levels == Levels::fixed_patch))
          continue;
        double const coarse = error_of(scheme, limiter, coarsest, levels, end_time);
        double const fine = error_of(scheme, limiter, (is_nightly ? 4 : 3) * coarsest, levels, end_time);
        double const order = std::log(coarse / fine) / std::log(is_nightly ? 4 : 3);
        std::printf("  %s, limiter %d, %s: errors %.3e, %.3e, order %.3f\n", name_of(scheme), static_cast<int>(limiter),
                    levels == Levels::one           ? "one level"
                    : levels == Levels::fixed_patch ? "a fixed patch"
                                                    : "a moving patch",
                    coarse, fine, order);
        EXPECT_GE(order, 1.8);
      }
}
