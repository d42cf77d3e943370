#include <sparse/poisson/method.hpp>

#include <string>

#include <sparse/base/error.hpp>

namespace sparse::poisson {
namespace {

void expect_in(double value, double greatest, bool may_be_greatest, char const* what) {
  if (!(value > 0 && (value < greatest || (may_be_greatest && value == greatest))))
    fail(std::string("poisson: ") + what + ", not " + std::to_string(value));
}

void expect_levels(int sweeps, CoarsestLevel const& coarsest) {
  expects(sweeps > 0 && coarsest.sweeps > 0, "poisson: the numbers of sweeps of multigrid must be positive");
  expects(coarsest.cells > 0, "poisson: the coarsest level needs cells");
}

}  // namespace

void Jacobi::expect_valid() const {
  expect_in(factor, 1, true, "the factor of Jacobi's method must be positive and at most 1");
}

void Sor::expect_valid() const {
  if (factor) expect_in(*factor, 2, false, "the factor of SOR must lie between 0 and 2");
}

void Chebyshev::expect_valid() const {
  expect_in(greatest_eigenvalue, 2, true, "the greatest eigenvalue must be positive and at most 2");
  if (least_eigenvalue)
    expect_in(*least_eigenvalue, greatest_eigenvalue, false,
              "the least eigenvalue must be positive and less than the greatest");
}

void Multigrid::expect_valid() const {
  expect_levels(sweeps, coarsest);
  expects(interpolation == Interpolation::constant || interpolation == Interpolation::linear,
          "poisson: multigrid has constant and linear interpolation only");
  if (relaxation) expect_in(*relaxation, 2, false, "the relaxation of multigrid must lie between 0 and 2");
}

void FullMultigrid::expect_valid() const {
  multigrid.expect_valid();
  expects(cycles > 0, "poisson: full multigrid needs a positive number of cycles");
}

void TiledMultigridCg::expect_valid() const {
  expect_levels(sweeps, coarsest);
  expects(launches.check_interval > 0 && launches.check_interval <= TileLaunches::longest_interval,
          "poisson: the check interval on tiles must be from 1 to 64 iterations");
  expects(launches.one_launch_cells > 0 && launches.one_launch_cells < (Index{1} << 30),
          "poisson: the number of cells of levels in one launch must be positive and below 2^30");
  expects(optimisations.block_memory || !(optimisations.fused_descent || optimisations.fused_ascent),
          "poisson: fused passes on tiles need the memory of blocks");
}

void Assembled::expect_valid() const {
  expects(make != nullptr, "poisson: assembled rows need a function that makes their solver");
}

char const* name_of(Method const& method) {
  if (auto const* const cg = std::get_if<ConjugateGradients>(&method))
    if (cg->preconditioner == Preconditioner::diagonal) return "Jacobi-CG";
  return std::visit([](auto const& one) -> char const* { return one.name; }, method);
}

bool has_multigrid(Method const& method) {
  return std::visit(
      []<class One>(One const&) {
        return std::is_same_v<One, Multigrid> || std::is_same_v<One, FullMultigrid> ||
               std::is_same_v<One, MultigridCg> || std::is_same_v<One, FlexibleCg> ||
               std::is_same_v<One, TiledMultigridCg> || std::is_same_v<One, Assembled>;
      },
      method);
}

}  // namespace sparse::poisson
