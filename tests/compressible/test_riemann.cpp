/// The exact solution of the Riemann problem against tables, jump conditions, invariants and the conservation law.

#include <sparse/compressible/riemann/riemann.hpp>

#include <support/csv.hpp>
#include <support/gas.hpp>

using namespace gas;

namespace {

template <class T>
using Solution = sparse::compressible::RiemannSolution<T>;
/// Density, velocity, pressure.
using Values = Vec<double, 3>;

double sound_speed(Values const& w, double gamma) { return std::sqrt(gamma * w[2] / w[0]); }
Values mirrored(Values const& w) { return {w[0], -w[1], w[2]}; }

struct Problem {
  Values left, right;
  double gamma;
  explicit Problem(unsigned seed, double decades = 1) {
    RandomStates<double, 1> random(seed);
    gamma = random.number(1.05, 2);
    for (Values* w : {&left, &right}) {
      double const rho = random.positive(decades), p = random.positive(decades);
      *w = {rho, random.number(-2, 2) * std::sqrt(gamma * p / rho), p};
    }
  }
  Solution<double> solve() const { return {left, right, gamma}; }
};

/// Mass, momentum and energy, and their fluxes, by hand.
Values conserved(Values const& w, double gamma) {
  return {w[0], w[0] * w[1], w[2] / (gamma - 1) + w[0] * w[1] * w[1] / 2};
}
Values flux(Values const& w, double gamma) {
  Values const u = conserved(w, gamma);
  return {u[1], u[1] * w[1] + w[2], w[1] * (u[2] + w[2])};
}

/// Checks the wave that runs to the left into w, given as a function of x / t, up to the contact.
template <class Function>
void check_left_wave(Values const& w, double gamma, double contact, Function const& solution) {
  Values const star = solution(contact - 1e-12 * (1 + std::abs(contact)));
  double const c = sound_speed(w, gamma);
  if (star[2] > w[2] * (1 + 1e-9)) {  // a shock, at the speed at which mass is conserved
    double const speed = (star[0] * star[1] - w[0] * w[1]) / (star[0] - w[0]);
    Values const f = flux(star, gamma), f_ahead = flux(w, gamma);
    Values const u = conserved(star, gamma), u_ahead = conserved(w, gamma);
    for (int k = 0; k < 3; ++k) {
      double const size =
          std::abs(f[k]) + std::abs(f_ahead[k]) + std::abs(speed) * (std::abs(u[k]) + std::abs(u_ahead[k]));
      EXPECT_NEAR(f[k] - f_ahead[k], speed * (u[k] - u_ahead[k]), 1e-8 * size) << "component " << k;
    }
    EXPECT_LT(speed, w[1] - c);  // characteristics run into it from both sides
    EXPECT_GT(speed, star[1] - sound_speed(star, gamma));
    double const close = 1e-6 * (std::abs(speed) + c);
    EXPECT_EQ(solution(speed - close), w);
    EXPECT_LE(distance(solution(speed + close), star), 1e-12);
  } else if (star[2] < w[2] * (1 - 1e-9)) {  // a rarefaction
    double const head = w[1] - c, tail = star[1] - sound_speed(star, gamma);
    EXPECT_LT(head, tail);
    EXPECT_EQ(solution(head - 1e-9 * (std::abs(head) + c)), w);
    for (double part : {0.0, 0.1, 0.4, 0.7, 0.95, 1.0}) {
      double const speed = head + part * (tail - head);
      Values const inside = solution(speed);
      double const local = sound_speed(inside, gamma);
      EXPECT_NEAR(inside[1] - local, speed, 1e-8 * (c + std::abs(speed)));
      EXPECT_NEAR(inside[1] + 2 * local / (gamma - 1), w[1] + 2 * c / (gamma - 1), 1e-8 * (c / (gamma - 1)));
      EXPECT_NEAR(inside[2] / w[2] / std::pow(inside[0] / w[0], gamma), 1, 1e-8);  // entropy
    }
  }
}

void check(Problem const& problem) {
  auto const solution = problem.solve();
  ASSERT_FALSE(solution.has_vacuum());
  double const contact = solution.star_velocity();
  Values const left = solution(contact - 1e-12 * (1 + std::abs(contact)));
  Values const right = solution(contact + 1e-12 * (1 + std::abs(contact)));
  double const c = sound_speed(problem.left, problem.gamma) + sound_speed(problem.right, problem.gamma);
  EXPECT_EQ(left[2], solution.star_pressure());
  EXPECT_EQ(right[2], solution.star_pressure());
  EXPECT_NEAR(left[1], contact, 1e-11 * c);
  EXPECT_NEAR(right[1], contact, 1e-11 * c);
  check_left_wave(problem.left, problem.gamma, contact, solution);
  check_left_wave(mirrored(problem.right), problem.gamma, -contact,
                  [&](double speed) { return mirrored(solution(-speed)); });
}

}  // namespace

TEST(Riemann, SolutionIsThatOfTheTables) {
  struct Table {
    char const* name;
    Values left, right;
    double time;
  };
  for (Table const& table : {Table{"riemann_exact_sod.csv", {1, 0, 1}, {0.125, 0, 0.1}, 0.25},
                             Table{"riemann_exact_lax.csv", {0.445, 0.698, 3.528}, {0.5, 0, 0.571}, 0.13}}) {
    Solution<double> const solution(table.left, table.right, 1.4);
    auto const rows = read_table(table.name);
    ASSERT_EQ(rows.size(), 1000u);
    for (auto const& row : rows) {
      Values const w = solution((row[0] - 0.5) / table.time);
      for (int k = 0; k < 3; ++k) EXPECT_NEAR(w[k], row[1 + k], 2e-6) << table.name << " x = " << row[0];
    }
  }
}

TEST(Riemann, StarValuesAreThoseOfTheLiterature) {
  struct Row {
    Values left, right;
    double pressure, velocity, rho_left, rho_right, digits;
  };
  // Sod's and Lax's tubes by bisection to 1e-12; then Toro (2009), table 4.3, with the digits printed there.
  Row const rows[] = {
      {{1, 0, 1}, {0.125, 0, 0.1}, 0.3031301781, 0.92745262, 0.4263194282, 0.2655737117, 1e-9},
      {{0.445, 0.698, 3.528}, {0.5, 0, 0.571}, 2.466097919, 1.528723027, 0.3445684742, 1.304084532, 1e-9},
      {{1, 0, 1}, {0.125, 0, 0.1}, 0.30313, 0.92745, 0.42632, 0.26557, 2e-5},
      {{1, -2, 0.4}, {1, 2, 0.4}, 0.00189, 0, 0.02185, 0.02185, 3e-3},
      {{1, 0, 1000}, {1, 0, 0.01}, 460.894, 19.5975, 0.57506, 5.99924, 1e-5},
      {{1, 0, 0.01}, {1, 0, 100}, 46.0950, -6.19633, 5.99242, 0.57511, 1e-5},
      {{5.99924, 19.5975, 460.894}, {5.99242, -6.19633, 46.0950}, 1691.64, 8.68975, 14.2823, 31.0426, 1e-5},
  };
  for (Row const& row : rows) {
    Solution<double> const solution(row.left, row.right, 1.4);
    EXPECT_NEAR(solution.star_pressure(), row.pressure, row.digits * row.pressure);
    EXPECT_NEAR(solution.star_velocity(), row.velocity, row.digits * (1 + std::abs(row.velocity)));
    double const beside = 1e-9 * (1 + std::abs(row.velocity));
    EXPECT_NEAR(solution(solution.star_velocity() - beside)[0], row.rho_left, row.digits * row.rho_left);
    EXPECT_NEAR(solution(solution.star_velocity() + beside)[0], row.rho_right, row.digits * row.rho_right);
  }
}

TEST(Riemann, WavesFulfilJumpConditionsAndInvariants) {
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Problem const problem(seed);
    if (!problem.solve().has_vacuum()) check(problem);
  }
}

TEST(Riemann, ExtremeRatiosAreNoProblem) {
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Problem problem(seed, 5);
    problem.gamma = 1.4;
    if (!problem.solve().has_vacuum()) check(problem);
    problem.left[1] = 1e3 * sound_speed(problem.left, 1.4);  // gases that collide at a Mach number of 1000
    problem.right[1] = -1e3 * sound_speed(problem.right, 1.4);
    check(problem);
  }
}

TEST(Riemann, TotalsGrowByTheFluxesAtTheEnds) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    Problem const problem(seed);
    auto const solution = problem.solve();
    double const c = std::max(sound_speed(problem.left, problem.gamma), sound_speed(problem.right, problem.gamma));
    double const reach = std::abs(problem.left[1]) + std::abs(problem.right[1]) + 2 * c / (problem.gamma - 1) + 20 * c;
    int const count = 200000;
    Values total{};
    for (int i = 0; i < count; ++i)
      total += (2 * reach / count) * conserved(solution(reach * ((2 * i + 1.0) / count - 1)), problem.gamma);
    Values const expected = reach * (conserved(problem.left, problem.gamma) + conserved(problem.right, problem.gamma)) -
                            (flux(problem.right, problem.gamma) - flux(problem.left, problem.gamma));
    EXPECT_LE(distance(total, expected), 1e-4) << "seed " << seed;
  }
}

TEST(Riemann, MovesAndMirrorsWithItsData) {
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    Problem const problem(seed);
    auto const solution = problem.solve();
    double const wind = 0.7;
    Values const shift{0, wind, 0};
    Solution<double> const moved(problem.left + shift, problem.right + shift, problem.gamma);
    Solution<double> const reverse(mirrored(problem.right), mirrored(problem.left), problem.gamma);
    RandomStates<double, 1> random(seed);
    for (int i = 0; i < 20; ++i) {
      double const speed = random.number(-4, 4);
      EXPECT_LE(distance(moved(speed + wind), solution(speed) + shift), 1e-9) << "seed " << seed;
      EXPECT_LE(distance(mirrored(reverse(-speed)), solution(speed)), 1e-9) << "seed " << seed;
    }
  }
}

TEST(Riemann, EqualStatesStay) {
  Values const w{1.3, -0.4, 0.8};
  Solution<double> const solution(w, w, 1.4);
  for (double speed : {-3.0, -0.5, -0.4, 0.0, 2.0}) EXPECT_LE(distance(solution(speed), w), 1e-14);
}

TEST(Riemann, GasesThatPartLeaveVacuum) {
  double const gamma = 1.4, c = std::sqrt(gamma * 0.4), front = 2 * c / (gamma - 1);
  for (double const speed : {1.1 * front, 2 * front}) {
    Values const left{1, -speed, 0.4}, right{1, speed, 0.4};
    Solution<double> const solution(left, right, gamma);
    EXPECT_TRUE(solution.has_vacuum());
    EXPECT_EQ(solution.star_pressure(), 0);
    EXPECT_EQ(solution(0), (Values{0, 0, 0}));
    double const edge = front - speed;  // where the left gas ends
    EXPECT_EQ(solution(0.99 * edge), (Values{0, 0.99 * edge, 0}));
    EXPECT_EQ(solution(-speed - 1.001 * c), left);
    for (double const part : {0.001, 0.3, 0.8, 0.999}) {  // a full rarefaction in between
      Values const inside = solution(-speed - c + part * (c + front));
      double const local = sound_speed(inside, gamma);
      EXPECT_NEAR(local / c, 1 - part, 1e-9);
      EXPECT_NEAR(inside[1] + 2 * local / (gamma - 1), -speed + front, 1e-9);
      EXPECT_NEAR(inside[2] / 0.4, std::pow(inside[0], gamma), 1e-9);
    }
  }
  EXPECT_FALSE(Solution<double>({1, -0.99 * front, 0.4}, {1, 0.99 * front, 0.4}, gamma).has_vacuum());
}

TEST(Riemann, GasExpandsIntoVacuum) {
  double const gamma = 1.4, c = std::sqrt(gamma), front = 0.3 + 2 * c / (gamma - 1);
  Values const gas{1, 0.3, 1}, vacuum{0, 0, 0};
  Solution<double> const solution(gas, vacuum, gamma), reverse(vacuum, mirrored(gas), gamma);
  EXPECT_TRUE(solution.has_vacuum());
  for (double speed = -3; speed < 9; speed += 0.01) {
    Values const w = solution(speed);
    EXPECT_LE(distance(mirrored(reverse(-speed)), w), 1e-12);
    if (speed < 0.3 - c) {
      EXPECT_EQ(w, gas);
    } else if (speed > front) {
      EXPECT_EQ(w, (Values{0, speed, 0}));
    } else {
      EXPECT_NEAR(w[1] - sound_speed(w, gamma), speed, 1e-9);
    }
  }
  EXPECT_EQ(Solution<double>(vacuum, vacuum, gamma)(0.2)[0], 0);
}

TEST(Riemann, FloatAgreesWithDouble) {
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    Problem problem(seed);
    Vec<float, 3> sides[2];
    for (int k = 0; k < 3; ++k) {  // the same numbers for both
      sides[0][k] = static_cast<float>(problem.left[k]), problem.left[k] = sides[0][k];
      sides[1][k] = static_cast<float>(problem.right[k]), problem.right[k] = sides[1][k];
    }
    auto const gamma = static_cast<float>(problem.gamma);
    problem.gamma = gamma;
    Solution<float> const solution(sides[0], sides[1], gamma);
    auto const exact = problem.solve();
    double const c = sound_speed(problem.left, gamma) + sound_speed(problem.right, gamma);
    // Rarefactions nearly to vacuum lose digits: p is a high power of what is left of the speed of sound.
    double const size = std::max(problem.left[2], problem.right[2]);
    EXPECT_NEAR(solution.star_pressure(), exact.star_pressure(), 1e-4 * (size + exact.star_pressure())) << seed;
    if (!exact.has_vacuum()) {
      EXPECT_NEAR(solution.star_velocity(), exact.star_velocity(), 2e-4 * c) << "seed " << seed;
    }
  }
}
