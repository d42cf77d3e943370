#include "solver.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "directions.hpp"
#include "krylov/iteration.hpp"
#include "sweeps.hpp"
#include "vectors.hpp"

namespace sparse::poisson::detail {
namespace {

/// Gives the problem back if tiles can do it.
template <int Dim>
Problem<Dim> const& supported(Problem<Dim> const& problem) {
  for (int axis = 0; axis < Dim; ++axis)
    if (problem.period[axis] % tile_width != 0)
      fail("poisson: on tiles the period must be a multiple of 8 cells, not " + std::to_string(problem.period[axis]) +
           ", on axis " + std::to_string(axis));
  return problem;
}

/// Couplings of a cell with all neighbours if the coefficient is constant; otherwise a guess.
template <int Dim>
Vec<double, Dim> usual_weights(Problem<Dim> const& problem) {
  Vec<double, Dim> weight;
  for (int axis = 0; axis < Dim; ++axis) {
    double const square = problem.grid.spacing[axis] * problem.grid.spacing[axis];
    weight[axis] = (problem.face_coefficient[axis] ? 1 : problem.coefficient) / square;
  }
  return weight;
}

}  // namespace

template <class T, class P, int Dim>
TiledSolver<T, P, Dim>::TiledSolver(MatrixPtr<T, Dim> const& matrix, TiledMultigridCg const& method,
                                    StopRule const& stop)
    : stop_(stop), check_interval_(method.launches.check_interval), optimisations_(method.optimisations),
      matrix_(matrix), cycle_(Couplings<P, Dim>::converted(matrix->couplings()),
                              usual_weights(supported(matrix->problem())), matrix->problem().zeroth_order, method),
      finest_(matrix->couplings(), cycle_.levels().finest_tiles, usual_weights(matrix->problem()),
              matrix->problem().zeroth_order, method.optimisations.tile_classes),
      residual_("residual", matrix->cells()), value_count_(cycle_.levels().finest_tiles.value_count()),
      tile_count_(cycle_.levels().finest_tiles.tile_count()) {
  auto const context = matrix->cells().context();
  for (auto* const values : {&r_[0], &r_[1], &p_[0], &p_[1], &q_, &x_}) *values = Buffer<T>(context, value_count_);
  sums_ = Buffer<double>(context, tile_count_);
  scalars_ = Buffer<TiledScalars>(context, 1);
}

template <class T, class P, int Dim>
void TiledSolver<T, P, Dim>::leave_residual(int s) const {
  auto const& launcher = cycle_.launcher();
  double* const squares = optimisations_.fused_sums ? sums_.data() : nullptr;
  SteppedResidual<T> const stepped{r_[s].data(), q_.data(), r_[1 - s].data(), numbers(), squares};
  auto const descend = [&]<class Matrix>(Matrix const& matrix) {
    launcher.tiles("sparse::poisson::tiled_step_and_descend", tile_count_,
                   Descend<SteppedResidual<T>, P, Dim, Matrix>{matrix, stepped, cycle_.right_of(1)});
  };
  if (!cycle_.has_stepped_down())
    launcher.tiles("sparse::poisson::tiled_step", tile_count_,
                   StepResidual<T, P, Dim>{stepped, cycle_.tiled_count() == 0 ? cycle_.right_of(0) : nullptr});
  else if (auto const view = cycle_.levels().tiled[0].matrix.view(); optimisations_.stored_inverse)
    descend(view);
  else
    descend(DividingMatrixView<P, Dim>{view});
  if (!optimisations_.fused_sums)
    launcher.tiles("sparse::poisson::tiled_product", tile_count_,
                   TileProducts<T, T, Dim>{stepped.next, stepped.next, sums_.data()});
}

template <class T, class P, int Dim>
void TiledSolver<T, P, Dim>::direct(int s) const {
  auto const& launcher = cycle_.launcher();
  auto const matrix = finest_.view();
  T const* const last = p_[s].data();
  T* const next = p_[1 - s].data();
  if (optimisations_.fused_sums) {
    auto const run = [&]<template <class, int> class Around>() {
      launcher.tiles(
          "sparse::poisson::tiled_direct", tile_count_,
          Direct<T, P, Dim, Around>{matrix, cycle_.z(), last, next, x_.data(), q_.data(), numbers(), sums_.data()});
    };
    optimisations_.block_memory ? run.template operator()<CopiedAround>() : run.template operator()<MemoryAround>();
    return;
  }
  launcher.each("sparse::poisson::tiled_complete", value_count_, AddStep<T>{x_.data(), last, numbers()});
  launcher.each("sparse::poisson::tiled_direction", value_count_,
                NextTiledDirection<T, P>{cycle_.z(), last, next, numbers()});
  if (optimisations_.block_memory)
    launcher.tiles("sparse::poisson::tiled_apply", tile_count_,
                   ApplyTile<T, Dim, CopiedAround>{matrix, next, q_.data()});
  else
    launcher.tiles("sparse::poisson::tiled_apply", tile_count_,
                   ApplyTile<T, Dim, MemoryAround>{matrix, next, q_.data()});
  launcher.tiles("sparse::poisson::tiled_product", tile_count_, TileProducts<T, T, Dim>{next, q_.data(), sums_.data()});
}

template <class T, class P, int Dim>
void TiledSolver<T, P, Dim>::step(int s) const {
  auto const count = static_cast<int>(tile_count_);
  T const* const right = r_[s].data();
  cycle_.run(right, sums_.data());
  cycle_.launcher().block("sparse::poisson::tiled_beta", FinishProduct{sums_.data(), count, numbers()});
  direct(s);
  cycle_.launcher().block("sparse::poisson::tiled_alpha", FinishDirection{sums_.data(), count, numbers()});
  leave_residual(s);
  cycle_.launcher().block("sparse::poisson::tiled_square", FinishStep{sums_.data(), count, numbers()});
}

template <class T, class P, int Dim>
void TiledSolver<T, P, Dim>::clear(Buffer<T> const& values) const {
  cycle_.launcher().zero(values.data(), value_count_, !optimisations_.memory_set);
}

template <class T, class P, int Dim>
void TiledSolver<T, P, Dim>::restart(int s, double square_limit, bool is_first) const {
  cycle_.launcher().each("sparse::poisson::tiled_start", 1, StartScalars{numbers(), square_limit, is_first});
  clear(q_);
  cycle_.launcher().each("sparse::poisson::tiled_load", cell_count(),
                         ToTiles<T>{positions(), residual_.view().data, r_[1 - s].data()});
  leave_residual(1 - s);
}

template <class T, class P, int Dim>
void TiledSolver<T, P, Dim>::start(Field<T, Dim> const& guess, double square_limit) const {
  for (auto const* const values : {&x_, &r_[0], &r_[1], &p_[0], &p_[1]}) clear(*values);
  cycle_.clear();
  cycle_.launcher().each("sparse::poisson::tiled_load", cell_count(),
                         ToTiles<T>{positions(), guess.view().data, x_.data()});
  restart(0, square_limit, true);
}

template <class T, class P, int Dim>
Report TiledSolver<T, P, Dim>::solve(Field<T, Dim> const& b, Field<T, Dim>& result) {
  Iteration<T, Dim> iteration(*matrix_, stop_, b, result, residual_, multigrid_patience);
  if (iteration.is_over()) return iteration.finish();
  if (double const factor = iteration.template scale_for_cycles<P>(); factor != 1)
    return iteration.solve_scaled(factor, [&](auto const& of_b, auto& of_x) { return solve(of_b, of_x); });
  auto const context = matrix_->couplings().context();
  double const size = matrix_->norm(std::as_const(residual_).view().data) / iteration.report().residuals[0];
  // A guess that is good enough, but must be made better, is made better by half.
  double const guess = iteration.report().residuals[0];
  double const limit = (guess <= stop_.tolerance ? 0.5 * guess : stop_.tolerance) * size;
  start(result, limit * limit);
  int s = 0;
  while (!iteration.is_over()) {
    int const left = stop_.iteration_limit - iteration.report().iterations;
    int const count = std::min(check_interval_, left);
    for (int k = 0; k < count; ++k, s = 1 - s) repeat_step(s);
    auto const seen = read_back(context, numbers());
    cycle_.launcher().each("sparse::poisson::tiled_history", 1, RestartHistory{numbers()});
    bool must_check = seen.is_done != 0;
    for (int k = 0; k < seen.step; ++k) {
      double const square = seen.history[k];
      must_check |= iteration.must_check(std::isfinite(square) ? std::sqrt(square) : square);
    }
    if (!must_check) continue;
    cycle_.launcher().each("sparse::poisson::tiled_complete", value_count_,
                           AddStep<T>{x_.data(), p_[s].data(), numbers()});
    cycle_.launcher().each("sparse::poisson::tiled_store", cell_count(),
                           FromTiles<T>{positions(), x_.data(), result.view().data});
    context.fence();
    iteration.check();
    if (!iteration.is_over()) restart(s, limit * limit, false);
  }
  return iteration.finish();
}

template <class T, class P, int Dim>
void TiledSolver<T, P, Dim>::repeat_step(int s) {
  if (cycle_.levels().parts.is_empty())
    cycle_.launcher().repeat(s, [this, s] { step(s); });
  else
    step(s);
}

template <class T, int Dim>
SolverPtr<T, Dim> make_solver(MatrixPtr<T, Dim> const& matrix, TiledMultigridCg const& method, StopRule const& stop) {
  if (method.precision == Precision::same) return std::make_unique<TiledSolver<T, T, Dim>>(matrix, method, stop);
  return std::make_unique<TiledSolver<T, float, Dim>>(matrix, method, stop);
}
SPARSE_DEFINE_SOLVERS(TiledMultigridCg, MatrixPtr)

}  // namespace sparse::poisson::detail
