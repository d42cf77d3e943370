#include <sparse/poisson/tiled_multigrid_cg.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include <sparse/poisson/iteration.hpp>

#include "hierarchy.hpp"
#include "sweeps.hpp"
#include "vectors.hpp"
#if defined(KOKKOS_ENABLE_CUDA)
#include "cuda_tiles.hpp"
#endif

namespace sparse::poisson {
namespace {

using namespace detail;

#if defined(KOKKOS_ENABLE_CUDA)
template <int Dim>
using Launcher = CudaTiles<Dim>;
#else
template <int Dim>
using Launcher = HostTiles;
#endif

/// A phase of small levels that is too large for one block: a launch of its own.
template <int Dim>
struct InLaunches {
  Launcher<Dim> const& launcher;
  template <class Body>
  KOKKOS_FUNCTION void operator()(int count, Body const& body) const {
    launcher.each("sparse::poisson::tiled_small_level", count, body);
  }
};

template <int Dim>
void expect_supported(Problem<Dim> const& problem, TiledMultigridCgOptions const& options) {
  options.stop.expect_valid("tiled_multigrid_cg");
  auto const& multigrid = options.multigrid;
  expects(multigrid.sweeps > 0 && multigrid.coarsest_sweeps > 0,
          "tiled_multigrid_cg: the numbers of sweeps must be positive");
  expects(multigrid.coarsest_cells > 0, "tiled_multigrid_cg: the coarsest level needs cells");
  expects(multigrid.cycle == Cycle::v, "tiled_multigrid_cg: there are V-cycles only");
  expects(multigrid.interpolation == Interpolation::constant,
          "tiled_multigrid_cg: there is constant interpolation only");
  expects(options.check_interval > 0 && options.check_interval <= TiledScalars::history_limit,
          "tiled_multigrid_cg: the check interval must be from 1 to 64 iterations");
  expects(options.one_launch_cells > 0 && options.one_launch_cells < (Index{1} << 30),
          "tiled_multigrid_cg: the number of cells of levels in one launch must be positive and below 2^30");
  for (int axis = 0; axis < Dim; ++axis)
    if (problem.period[axis] % tile_width != 0)
      fail("tiled_multigrid_cg: the period must be a multiple of 8 cells, not " + std::to_string(problem.period[axis]) +
           ", on axis " + std::to_string(axis));
}

template <int Dim>
Problem<Dim> const& supported(Problem<Dim> const& problem, TiledMultigridCgOptions const& options) {
  expect_supported(problem, options);
  return problem;
}

/// Couplings of a cell with all neighbours, if the coefficient is constant; as good a guess as any if it is not.
template <int Dim>
Vec<double, Dim> usual_weights(Problem<Dim> const& problem) {
  Vec<double, Dim> weight;
  for (int axis = 0; axis < Dim; ++axis) {
    double const square = problem.spacing[axis] * problem.spacing[axis];
    weight[axis] = (problem.face_coefficient[axis] ? 1 : problem.coefficient) / square;
  }
  return weight;
}

}  // namespace

template <class T, class P, int Dim>
struct TiledMultigridCg<T, P, Dim>::Impl {
  TiledMultigridCgOptions options;
  Operator<T, Dim> matrix;
  TiledHierarchy<P, Dim> levels;
  TileMatrix<T, Dim> finest;  // for the product with p
  Field<T, Dim> residual;     // by cell
  Index value_count, tile_count;
  Buffer<T> r[2], p[2], q, x;
  Buffer<double> sums;  // [tile]
  Buffer<TiledScalars> scalars;
  Buffer<TailView<P, Dim>> tail_on_device;
  std::vector<TailView<P, Dim>> tail;
  Buffer<P> part_residual, part_x;
  Launcher<Dim> launcher;

  Impl(Problem<Dim> const& problem, TiledMultigridCgOptions const& given)
      : options(given), matrix(supported(problem, given)),
        levels(Couplings<P, Dim>::converted(matrix.couplings()), usual_weights(problem), problem.zeroth_order,
               given.multigrid, given.one_launch_cells),
        residual("residual", problem.cells), value_count(levels.finest_tiles.value_count()),
        tile_count(levels.finest_tiles.tile_count()), launcher(problem.cells.context()) {
    auto const context = problem.cells.context();
    finest = TileMatrix<T, Dim>(matrix.couplings(), levels.finest_tiles, usual_weights(problem), problem.zeroth_order);
    for (auto* const values : {&r[0], &r[1], &p[0], &p[1], &q, &x}) *values = Buffer<T>(context, value_count);
    sums = Buffer<double>(context, tile_count);
    scalars = Buffer<TiledScalars>(context, 1);
    for (auto const& level : levels.tail) tail.push_back(level.view());
    tail_on_device = to_device(context, tail);
    if (!levels.parts.is_empty()) {
      part_residual = Buffer<P>(context, levels.last_count);
      part_x = Buffer<P>(context, levels.last_count);
    }
  }

  int sweeps() const { return options.multigrid.sweeps; }
  std::size_t tiled_count() const { return levels.tiled.size(); }
  bool is_fused() const { return tiled_count() > 0 && sweeps() == 1; }
  bool is_one_launch() const { return levels.parts.is_empty() && tail[0].count <= options.one_launch_cells; }
  std::int32_t const* positions() const { return levels.finest_tiles.positions(); }
  Index cell_count() const { return residual.cell_count(); }
  TiledScalars* numbers() const { return scalars.data(); }

  P* right_of(std::size_t l) const { return l < tiled_count() ? levels.tiled[l].b.data() : tail[l - tiled_count()].b; }
  P* x_of(std::size_t l) const { return l < tiled_count() ? levels.tiled[l].x.data() : tail[l - tiled_count()].x; }
  Index tiles_of(std::size_t l) const { return levels.tiled[l].tiles.tile_count(); }

  // ---- the preconditioner: z, which is x_of(0), from the residual r

  void run_tail() const {
    auto const count = static_cast<int>(tail.size());
    if (is_one_launch()) {
      launcher.block("sparse::poisson::tiled_small_levels",
                     TailCycle<P, Dim>{tail_on_device.data(), count, sweeps(), options.multigrid.coarsest_sweeps});
      return;
    }
    InLaunches<Dim> const run{launcher};
    auto const &first = tail.front(), &last = tail.back();
    remove_means(first, first.b);
    descend_tail(tail.data(), count, sweeps(), run);
    if (levels.parts.is_empty()) {
      solve_coarsest(last, options.multigrid.coarsest_sweeps, run);
    } else {
      smooth_tail(last, 0, sweeps(), true, run);
      run(last.count, KeepResidual<P, Dim>{last});
      correct_by_parts(last);
      run(last.count, AddScratch<P, Dim>{last});
      smooth_tail(last, 1, sweeps(), false, run);
    }
    ascend_tail(tail.data(), count, sweeps(), run);
    remove_means(first, first.x);
  }
  void remove_means(TailView<P, Dim> const& level, P* values) const {
    launcher.tiles("sparse::poisson::tiled_means", level.singular_count, RemoveMeanInBlock<P, Dim>{level, values});
  }

  /// Puts what the parts make of the residual in its place.
  void correct_by_parts(TailView<P, Dim> const& last) const {
    auto const* const at = levels.last_tiles.positions();
    remove_means(last, last.scratch);
    launcher.each("sparse::poisson::tiled_to_parts", levels.last_count,
                  FromTiles<P>{at, last.scratch, part_residual.data()});
    launcher.each("sparse::poisson::tiled_zeros", levels.last_count, ClearValues<P>{part_x.data()});
    levels.parts.correct(part_residual.data(), part_x.data());
    launcher.each("sparse::poisson::tiled_from_parts", levels.last_count, ToTiles<P>{at, part_x.data(), last.scratch});
    remove_means(last, last.scratch);
  }

  /// With one sweep; the finest level has been left with the last step.
  void run_fused_cycle(T const* right) const {
    for (std::size_t l = 1; l < tiled_count(); ++l) {
      GivenRight<P> const given{right_of(l)};
      launcher.tiles("sparse::poisson::tiled_descend", tiles_of(l),
                     Descend<GivenRight<P>, P, Dim>{levels.tiled[l].matrix.view(), given, right_of(l + 1)});
    }
    run_tail();
    for (std::size_t l = tiled_count() - 1; l > 0; --l)
      launcher.tiles("sparse::poisson::tiled_ascend", tiles_of(l),
                     Ascend<P, P, Dim>{levels.tiled[l].matrix.view(), right_of(l), x_of(l + 1), x_of(l), nullptr});
    launcher.tiles("sparse::poisson::tiled_ascend", tile_count,
                   Ascend<T, P, Dim>{levels.tiled[0].matrix.view(), right, x_of(1), x_of(0), sums.data()});
  }

  template <class B>
  void half_sweep(std::size_t l, B const* right, int colour) const {
    launcher.tiles("sparse::poisson::tiled_half_sweep", tiles_of(l),
                   HalfSweep<B, P, Dim>{levels.tiled[l].matrix.view(), right, x_of(l), colour});
  }
  /// Pass by pass, with any number of sweeps.
  template <class B>
  void run_cycle(std::size_t l, B const* right) const {
    auto const view = levels.tiled[l].matrix.view();
    launcher.tiles("sparse::poisson::tiled_first_sweep", tiles_of(l), FirstSweep<B, P, Dim>{view, right, x_of(l)});
    for (int half = 2; half < 2 * sweeps(); ++half) half_sweep(l, right, half % 2);
    launcher.tiles("sparse::poisson::tiled_restrict", tiles_of(l),
                   RestrictTile<B, P, Dim>{view, right, x_of(l), right_of(l + 1)});
    if (l + 1 < tiled_count())
      run_cycle(l + 1, static_cast<P const*>(right_of(l + 1)));
    else
      run_tail();
    launcher.tiles("sparse::poisson::tiled_prolong", tiles_of(l), ProlongTile<P, Dim>{view.grid, x_of(l), x_of(l + 1)});
    for (int half = 0; half < 2 * sweeps(); ++half) half_sweep(l, right, (half + 1) % 2);
  }

  // ---- conjugate gradients; in a step of parity s, r[s] and p[s] are known and the others made

  /// r[1 - s] = r[s] - alpha q, with its square, and down from the finest level as far as that goes in the same pass.
  void leave_residual(int s) const {
    SteppedResidual<T> const stepped{r[s].data(), q.data(), r[1 - s].data(), numbers(), sums.data()};
    if (is_fused())
      launcher.tiles("sparse::poisson::tiled_step_and_descend", tile_count,
                     Descend<SteppedResidual<T>, P, Dim>{levels.tiled[0].matrix.view(), stepped, right_of(1)});
    else
      launcher.tiles("sparse::poisson::tiled_step", tile_count,
                     StepResidual<T, P, Dim>{stepped, tiled_count() == 0 ? right_of(0) : nullptr});
  }

  void step(int s) const {
    auto const count = static_cast<int>(tile_count);
    T const* const right = r[s].data();
    if (is_fused()) {
      run_fused_cycle(right);
    } else {
      if (tiled_count() > 0)
        run_cycle(0, right);
      else
        run_tail();
      launcher.tiles("sparse::poisson::tiled_product", tile_count,
                     TileProducts<T, P, Dim>{right, x_of(0), sums.data()});
    }
    launcher.block("sparse::poisson::tiled_beta", FinishProduct{sums.data(), count, numbers()});
    launcher.tiles("sparse::poisson::tiled_direct", tile_count,
                   Direct<T, P, Dim>{finest.view(), x_of(0), p[s].data(), p[1 - s].data(), x.data(), q.data(),
                                     numbers(), sums.data()});
    launcher.block("sparse::poisson::tiled_alpha", FinishDirection{sums.data(), count, numbers()});
    leave_residual(s);
    launcher.block("sparse::poisson::tiled_square", FinishStep{sums.data(), count, numbers()});
  }

  void clear(Buffer<T> const& values) const {
    launcher.each("sparse::poisson::tiled_zeros", value_count, ClearValues<T>{values.data()});
  }
  /// Takes r, by cell, as the residual before a step of parity s.
  void restart(int s, double square_limit, bool is_first) const {
    launcher.each("sparse::poisson::tiled_start", 1, StartScalars{numbers(), square_limit, is_first});
    clear(q);
    launcher.each("sparse::poisson::tiled_load", cell_count(),
                  ToTiles<T>{positions(), residual.view().data, r[1 - s].data()});
    leave_residual(1 - s);
  }
  /// Clears what an earlier solution may have left where there is no cell, which could be NaN.
  void start(Field<T, Dim> const& guess, double square_limit) const {
    for (auto const* const values : {&x, &r[0], &r[1], &p[0], &p[1]}) clear(*values);
    for (auto const& level : tail) launcher.each("sparse::poisson::tiled_zeros", level.count, ClearTail<P, Dim>{level});
    launcher.each("sparse::poisson::tiled_load", cell_count(), ToTiles<T>{positions(), guess.view().data, x.data()});
    restart(0, square_limit, true);
  }

  Report solve(Field<T, Dim> const& b, Field<T, Dim>& result) {
    Iteration<T, Dim> iteration(matrix, options.stop, b, result, residual, multigrid_patience);
    if (iteration.is_over()) return iteration.finish();
    if (double const factor = iteration.template scale_for_cycles<P>(); factor != 1)
      return iteration.solve_scaled(factor, [&](auto const& of_b, auto& of_x) { return solve(of_b, of_x); });
    auto const context = matrix.couplings().context();
    double const size = norm(matrix.couplings(), std::as_const(residual).view().data) / iteration.report().residuals[0];
    double const limit = options.stop.tolerance * size;
    start(result, limit * limit);
    int s = 0;
    while (!iteration.is_over()) {
      int const left = options.stop.iteration_limit - iteration.report().iterations;
      int const count = std::min(options.check_interval, left);
      for (int k = 0; k < count; ++k, s = 1 - s) repeat_step(s);
      auto const seen = read_back(context, numbers());
      launcher.each("sparse::poisson::tiled_history", 1, RestartHistory{numbers()});
      bool must_check = seen.is_done != 0;
      for (int k = 0; k < seen.step; ++k) {
        double const square = seen.history[k];
        must_check |= iteration.must_check(std::isfinite(square) ? std::sqrt(square) : square);
      }
      if (!must_check) continue;
      launcher.each("sparse::poisson::tiled_complete", value_count, AddStep<T>{x.data(), p[s].data(), numbers()});
      launcher.each("sparse::poisson::tiled_store", cell_count(),
                    FromTiles<T>{positions(), x.data(), result.view().data});
      context.fence();
      iteration.check();
      if (!iteration.is_over()) restart(s, limit * limit, false);
    }
    return iteration.finish();
  }

  void repeat_step(int s) {
    if (levels.parts.is_empty())
      launcher.repeat(s, [this, s] { step(s); });
    else
      step(s);
  }
};

template <class T, class P, int Dim>
TiledMultigridCg<T, P, Dim>::TiledMultigridCg(Problem<Dim> const& problem, TiledMultigridCgOptions const& options)
    : impl_(std::make_unique<Impl>(problem, options)) {}
template <class T, class P, int Dim>
TiledMultigridCg<T, P, Dim>::~TiledMultigridCg() = default;
template <class T, class P, int Dim>
TiledMultigridCg<T, P, Dim>::TiledMultigridCg(TiledMultigridCg&&) noexcept = default;
template <class T, class P, int Dim>
TiledMultigridCg<T, P, Dim>& TiledMultigridCg<T, P, Dim>::operator=(TiledMultigridCg&&) noexcept = default;

template <class T, class P, int Dim>
Report TiledMultigridCg<T, P, Dim>::solve(Field<T, Dim> const& b, Field<T, Dim>& x) {
  return impl_->solve(b, x);
}
template <class T, class P, int Dim>
Operator<T, Dim> const& TiledMultigridCg<T, P, Dim>::matrix() const {
  return impl_->matrix;
}
template <class T, class P, int Dim>
int TiledMultigridCg<T, P, Dim>::level_count() const {
  return impl_->levels.level_count();
}
template <class T, class P, int Dim>
int TiledMultigridCg<T, P, Dim>::tiled_level_count() const {
  return static_cast<int>(impl_->levels.tiled.size());
}

template class TiledMultigridCg<float, float, 2>;
template class TiledMultigridCg<float, float, 3>;
template class TiledMultigridCg<double, float, 2>;
template class TiledMultigridCg<double, float, 3>;
template class TiledMultigridCg<double, double, 2>;
template class TiledMultigridCg<double, double, 3>;

}  // namespace sparse::poisson
