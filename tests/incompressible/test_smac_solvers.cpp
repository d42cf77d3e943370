/// The same flow with different pressure solvers.

#include <array>
#include <memory>

#include <support/smac.hpp>

namespace {

using namespace reference;

template <class TheCase>
class IncompressibleSmacSolvers : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleSmacSolvers, RealCases);

}  // namespace

// Scheidegger, Comba and da Cunha (2005), section 6.1, compare two programs, one with Jacobi's method and one with SOR,
// at each time step. Velocities from 0 to 1 differ by less than 1e-2, and by less than 1e-3 most of the time. Here it
// is one program with three solvers, and velocities differ by less than the tolerance of the pressure, 1e-3 or smaller.
TYPED_TEST(IncompressibleSmacSolvers, MakeTheSameCavity) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  constexpr Coord n = Dim == 2 ? 32 : 12;
  FlowDomain<Dim> domain = channel<Dim>(n, n, BoundaryKind::no_slip);
  domain.grid.spacing = Vec<double, Dim>::filled(1.0 / n);
  domain.parts.push_back(
      {BoundaryKind::no_slip, side_faces(domain.fluid, 1, FaceSide::upper), Vec<double, Dim>::along(0, 1)});
  StaggeredGrid<Dim> const grid(domain);
  for (auto const integrator : {Integrator::runge_kutta, Integrator::paper})
    for (double const tolerance : {1e-3, precise<T>(1e-4, 1e-6)}) {
      auto const options = [&](sparse::poisson::Method const& method) {
        SmacOptions<Dim> o;
        o.viscosity = 0.01;
        o.integrator = integrator;
        o.pressure = {method, {tolerance, 100000}};
        return o;
      };
      sparse::poisson::Jacobi jacobi;
      jacobi.guess = std::make_shared<sparse::poisson::SweepGuess>();
      std::vector<Smac<T, Dim>> steps;
      for (auto const& method : {sparse::poisson::Method(sparse::poisson::MultigridCg{}),
                                 sparse::poisson::Method(sparse::poisson::Sor{}), sparse::poisson::Method(jacobi)})
        steps.emplace_back(grid, options(method));
      std::vector<State<T, Dim>> states;
      for (std::size_t i = 0; i < steps.size(); ++i) states.emplace_back(grid);
      std::array<double, 3> differences = {};
      double const dt = 0.5 * steps[0].longest_step(states[0], 0.5);
      for (int step = 0; step < (Dim == 2 ? 120 : 40); ++step) {
        for (std::size_t i = 0; i < steps.size(); ++i)
          ASSERT_TRUE(steps[i].advance(states[i], dt).has_converged()) << i << " at step " << step;
        for (std::size_t i = 1; i < steps.size(); ++i)
          differences[i] = std::max(differences[i],
                                    static_cast<double>(greatest_difference(states[i].velocity, states[0].velocity)));
      }
      EXPECT_GT(norm_max(states[0].velocity), 0.3);
      for (std::size_t i = 1; i < steps.size(); ++i) {
        SCOPED_TRACE(testing::Message() << "solver " << i << ", tolerance " << tolerance);
        EXPECT_LT(differences[i], tolerance);
        EXPECT_GT(differences[i], 0);
      }
    }
}
