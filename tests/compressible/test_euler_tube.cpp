/// Riemann problems along every axis, on one level and on several, and blasts that leave next to nothing behind.

#include <support/csv.hpp>
#include <support/euler_flow.hpp>
#include <support/riemann.hpp>

using namespace flow;
using riemann::Primitive;

namespace {

/// Two states that meet at `x0` of a tube of length 1, and when to look at them.
struct TubeProblem {
  char const* name;
  Primitive left, right;
  double end_time, x0 = 0.5;
};

// Toro (2009), table 4.1, and more extreme ones.
TubeProblem const sod{"Sod", {1, 0, 1}, {0.125, 0, 0.1}, 0.25};
TubeProblem const lax{"Lax", {0.445, 0.698, 3.528}, {0.5, 0, 0.571}, 0.13};
TubeProblem const harsh[] = {
    {"123 problem", {1, -2, 0.4}, {1, 2, 0.4}, 0.15},
    {"vacuum", {1, -8, 0.4}, {1, 8, 0.4}, 0.04},
    {"Toro 3", {1, 0, 1000}, {1, 0, 0.01}, 0.012},
    {"colliding", {5.99924, 19.5975, 460.894}, {5.99242, -6.19633, 46.0950}, 0.035, 0.4},
    {"ratio 1e7", {1, 0, 1e7}, {1, 0, 1}, 1.2e-4},
    {"ratio 1e10, thin gas", {1, 0, 1e5}, {1e-3, 0, 1e-5}, 4e-4},
};

template <class T, int Dim>
struct TwoStates {
  int axis;
  double x0;
  State<T, Dim> left, right;
  TwoStates(TubeProblem const& problem, int along)
      : axis(along), x0(problem.x0), left(along_axis(problem.left)), right(along_axis(problem.right)) {}
  State<T, Dim> along_axis(Primitive const& w) const {
    return gas_state<T, Dim>(w.rho, Vec<double, Dim>::along(axis, w.u), w.p);
  }
  KOKKOS_FUNCTION State<T, Dim> operator()(Vec<double, Dim> const& x) const { return x[axis] < x0 ? left : right; }
};

/// What a tube of unit length along `axis` ends with.
struct Tube {
  std::vector<double> density;  ///< along the axis at the finest resolution
  Vec<double, 3> error = {};    ///< mean of |q - exact| over the length, of density, velocity and pressure
  double updates_per_line = 0;  ///< of cells of the finest level
  double spread = 0;            ///< greatest difference of density across the tube
  Index repeated_step_count = 0;
};

/// @param cell_count  at the finest level
template <class T, int Dim>
Tube run_tube(TubeProblem const& problem, int axis, int cell_count, int level_count, Options<T, Dim> simulation,
              FluxKind flux = FluxKind::rusanov) {
  DomainOptions<Dim> options;
  int const width = 1;  // in cells of level 0
  for (int other = 0; other < Dim; ++other) options.cells[other] = width;
  options.cells[axis] = cell_count >> (level_count - 1);
  options.level_count = level_count;
  // Time steps are those of one dimension: waves take no time to cross the tube.
  options.grid.spacing = Vec<double, Dim>::filled(1e6);
  options.grid.spacing[axis] = 1.0 / options.cells[axis];
  options.sides[axis] = {BoundaryKind::outflow, BoundaryKind::outflow};
  simulation.criteria = {sparse::amr::relative_gradient<Gas<T, Dim>>(0, 0.003)};
  simulation.regrid_stride = 4;
  Simulation<T, Dim> flow(Domain<Dim>(options), {{}, flux}, TwoStates<T, Dim>(problem, axis), {}, simulation);
  run_to(flow, problem.end_time);
  EXPECT_EQ(flow.level_count(), level_count);
  Tube tube;
  tube.repeated_step_count = flow.repeated_step_count();
  tube.updates_per_line = static_cast<double>(flow.update_count()) / std::pow(width << (level_count - 1), Dim - 1);

  riemann::Exact const exact(problem.left, problem.right);
  std::vector<double> least(static_cast<std::size_t>(cell_count), 1e99), greatest(least.size(), -1e99);
  for_each_leaf(flow, [&](int l, Vec<double, Dim> const& x, State<T, Dim> const& w) {
    double volume = flow.domain().spacing(l)[axis];
    for (int other = 0; other < Dim; ++other)
      if (other != axis) volume /= width << l;
    auto const wanted = exact((x[axis] - problem.x0) / problem.end_time);
    tube.error += volume * Vec<double, 3>{std::abs(w[0] - wanted.rho), std::abs(w[1 + axis] - wanted.u),
                                          std::abs(w[Dim + 1] - wanted.p)};
    EXPECT_GT(w[0], 0) << problem.name;
    EXPECT_GT(w[Dim + 1], 0) << problem.name;
    int const reach = 1 << (level_count - 1 - l);
    auto const first = static_cast<std::size_t>(std::lround(x[axis] * cell_count - 0.5 * reach));
    for (std::size_t at = first; at < first + static_cast<std::size_t>(reach); ++at) {
      least[at] = std::min<double>(least[at], w[0]);
      greatest[at] = std::max<double>(greatest[at], w[0]);
    }
  });
  for (std::size_t i = 0; i < least.size(); ++i) tube.spread = std::max(tube.spread, greatest[i] - least[i]);
  tube.density = std::move(least);
  return tube;
}

/// The schemes of the table.
template <class T, int Dim>
Options<T, Dim> scheme_of_order(int order) {
  Options<T, Dim> options;
  options.scheme = order == 1 ? Scheme::godunov : Scheme::muscl_rk2;
  options.cfl = 0.45;
  return options;
}

template <class TheCase>
class Tubes : public testing::Test {
public:
  static constexpr double rounding = std::is_same_v<typename TheCase::Scalar, double> ? 1e-12 : 1e-4;
};
TYPED_TEST_SUITE(Tubes, Cases);

template <class TheCase>
class HarshTubes : public testing::Test {};
TYPED_TEST_SUITE(HarshTubes, Cases);

/// A ball of hot gas at rest.
template <class T, int Dim>
struct Blast {
  double pressure;
  KOKKOS_FUNCTION State<T, Dim> operator()(Vec<double, Dim> const& x) const {
    double square = 0;
    for (int axis = 0; axis < Dim; ++axis) square += (x[axis] - 0.47) * (x[axis] - 0.47);
    return gas_state<T, Dim>(1, {}, square < 0.01 ? pressure : 1);
  }
};

}  // namespace

TEST(ExactRiemannSolution, IsThatOfTheTables) {
  for (auto const& [name, problem] :
       {std::pair{"riemann_exact_sod.csv", sod}, std::pair{"riemann_exact_lax.csv", lax}}) {
    auto const table = read_table(name);
    ASSERT_EQ(table.size(), 1000u);
    riemann::Exact const exact(problem.left, problem.right);
    for (auto const& row : table) {
      auto const w = exact((row[0] - 0.5) / problem.end_time);
      EXPECT_NEAR(w.rho, row[1], 1e-6);
      EXPECT_NEAR(w.u, row[2], 1e-6);
      EXPECT_NEAR(w.p, row[3], 1e-6);
    }
  }
}

TYPED_TEST(Tubes, AreAsExactAsThoseOfAnotherProgramAlongEveryAxis) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  // Cells, order, and errors; the first four rows are of Sod's tube, the others of Lax's.
  auto const table = read_table("riemann_L1_rusanov.csv", 1);
  ASSERT_EQ(table.size(), 8u);
  for (std::size_t i = 0; i < table.size(); ++i) {
    auto const& problem = i < 4 ? sod : lax;
    if (Dim == 3 && table[i][0] != 200) continue;
    auto const cells = static_cast<int>(table[i][0]), order = static_cast<int>(table[i][1]);
    auto const options = scheme_of_order<T, Dim>(order);
    auto const tube = run_tube<T, Dim>(problem, 0, cells, 1, options);
    for (int q = 0; q < 3; ++q) {
      double const wanted = table[i][static_cast<std::size_t>(2 + q)];
      EXPECT_LE(tube.error[q], 1.05 * wanted) << problem.name << " " << cells << " order " << order << " " << q;
      EXPECT_GE(tube.error[q], 0.98 * wanted) << problem.name << " " << cells << " order " << order << " " << q;
    }
    std::printf("  %s, %d cells, order %d: errors over the table's %.3f %.3f %.3f\n", problem.name, cells, order,
                tube.error[0] / table[i][2], tube.error[1] / table[i][3], tube.error[2] / table[i][4]);
    EXPECT_LE(tube.spread, 0);
    for (int axis = 1; axis < Dim && cells == 200; ++axis) {
      auto const turned = run_tube<T, Dim>(problem, axis, cells, 1, options);
      double difference = 0;
      for (std::size_t k = 0; k < turned.density.size(); ++k)
        difference = std::max(difference, std::abs(turned.density[k] - tube.density[k]));
      EXPECT_LE(difference, this->rounding) << axis;
    }
  }
}

TYPED_TEST(Tubes, AreAsExactOnThreeLevelsAsOnTheFinestAlone) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  for (int order : {1, 2})
    for (auto const& problem : {sod, lax}) {
      auto const options = scheme_of_order<T, Dim>(order);
      auto const uniform = run_tube<T, Dim>(problem, 0, 400, 1, options);
      Tube first;
      for (int axis = 0; axis < Dim; ++axis) {
        auto const refined = run_tube<T, Dim>(problem, axis, 400, 3, options);
        std::printf(
            "  %s, order %d, axis %d: L1 error of density %.5f on 3 levels, %.5f on one; %.2f times the updates\n",
            problem.name, order, axis, refined.error[0], uniform.error[0],
            refined.updates_per_line / uniform.updates_per_line);
        EXPECT_LE(refined.error[0], 1.03 * uniform.error[0]);
        EXPECT_LE(refined.spread, this->rounding);
        if (axis == 0) first = refined;
        double difference = 0;
        for (std::size_t i = 0; i < 400; ++i)
          difference = std::max(difference, std::abs(refined.density[i] - first.density[i]));
        EXPECT_LE(difference, this->rounding);
      }
    }
}

TYPED_TEST(HarshTubes, KeepDensityAndPressurePositive) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  for (auto const& problem : harsh) {
    std::printf("  %s: steps repeated", problem.name);
    for (Scheme scheme : schemes)
      for (FluxKind flux : flux_kinds)
        for (auto const& [level_count, subcycle] : {std::pair{1, true}, {3, true}, {3, false}}) {
          if (Dim == 3 && !is_nightly && (level_count == 3 || scheme == Scheme::muscl_rk2)) continue;
          SCOPED_TRACE(std::string(problem.name) + " " + name_of(scheme) + " " + name_of(flux) + " " +
                       std::to_string(level_count) + (subcycle ? " subcycled" : ""));
          Options<T, Dim> options;
          options.scheme = scheme;
          options.subcycle = subcycle;
          Tube tube;
          ASSERT_NO_THROW((tube = run_tube<T, Dim>(problem, 0, 200, level_count, options, flux)));
          std::printf(" %ld", static_cast<long>(tube.repeated_step_count));
          // Between the states of the problem and vacuum lies everything that is right.
          double const greatest = std::max({problem.left.rho, problem.right.rho, 1.0});
          EXPECT_LE(tube.error[0], 0.25 * greatest);
        }
    std::printf("\n");
  }
}

TYPED_TEST(HarshTubes, BlastsOnLevelsKeepDensityAndPressurePositive) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  Coord const size = Dim == 2 ? 24 : 8;
  for (double pressure : {1e5, 1e8, 1e10})
    for (Scheme scheme : schemes)
      for (FluxKind flux : flux_kinds) {
        if (Dim == 3 && !is_nightly && (flux != FluxKind::hllc || pressure == 1e8)) continue;
        DomainOptions<Dim> domain;
        domain.cells = Cell<Dim>::filled(size);
        domain.grid.spacing = Vec<double, Dim>::filled(1.0 / size);
        domain.level_count = 3;
        Options<T, Dim> options;
        options.scheme = scheme;
        if (Dim == 3) options.criteria = {sparse::amr::relative_gradient<Gas<T, Dim>>(Dim + 1, 0.3)};
        Simulation<T, Dim> flow(Domain<Dim>(domain), {{}, flux}, Blast<T, Dim>{pressure}, {}, options);
        int const step_count = Dim == 2 ? 25 : 8;
        for (int step = 0; step < step_count; ++step)
          ASSERT_NO_THROW(flow.advance()) << name_of(scheme) << " " << name_of(flux) << " step " << step;
        for_each_leaf(flow, [&](int, Vec<double, Dim> const& x, State<T, Dim> const& w) {
          ASSERT_TRUE(w[0] > 0 && w[Dim + 1] > 0) << name_of(scheme) << " " << name_of(flux) << " at " << x;
        });
        if (flow.repeated_step_count() > 0)
          std::printf("  pressure ratio %.0e, %s, %s: %ld of %d steps repeated\n", pressure, name_of(scheme),
                      name_of(flux), static_cast<long>(flow.repeated_step_count()), step_count);
      }
}
