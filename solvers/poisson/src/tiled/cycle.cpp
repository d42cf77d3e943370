#include "cycle.hpp"

#include "sweeps.hpp"
#include "vectors.hpp"

namespace sparse::poisson::detail {
namespace {

/// A phase of small levels that is too large for one block: a launch of its own.
template <int Dim>
struct InLaunches {
  Launcher<Dim> const& launcher;
  template <class Body>
  KOKKOS_FUNCTION void operator()(int count, Body const& body) const {
    launcher.each("sparse::poisson::tiled_small_level", count, body);
  }
};

}  // namespace

template <class P, int Dim>
TiledCycle<P, Dim>::TiledCycle(Couplings<P, Dim> finest, Vec<double, Dim> const& weight, double zeroth,
                               TiledMultigridCg const& options)
    : sweeps_(options.sweeps), coarsest_sweeps_(options.coarsest.sweeps),
      one_launch_cells_(options.launches.one_launch_cells), levels_(std::move(finest), weight, zeroth, options),
      launcher_(levels_.finest_tiles.set().context()) {
  auto const context = levels_.finest_tiles.set().context();
  for (auto const& level : levels_.tail) tail_.push_back(level.view());
  tail_on_device_ = to_device(context, tail_);
  if (!levels_.parts.is_empty()) {
    part_residual_ = Buffer<P>(context, levels_.last_count);
    part_x_ = Buffer<P>(context, levels_.last_count);
  }
}

template <class P, int Dim>
void TiledCycle<P, Dim>::run_tail() const {
  auto const count = static_cast<int>(tail_.size());
  if (is_one_launch()) {
    launcher_.block("sparse::poisson::tiled_small_levels",
                    TailCycle<P, Dim>{tail_on_device_.data(), count, sweeps_, coarsest_sweeps_});
    return;
  }
  InLaunches<Dim> const run{launcher_};
  auto const &first = tail_.front(), &last = tail_.back();
  remove_means(first, first.b);
  descend_tail(tail_.data(), count, sweeps_, run);
  if (levels_.parts.is_empty()) {
    solve_coarsest(last, coarsest_sweeps_, run);
  } else {
    smooth_tail(last, 0, sweeps_, true, run);
    run(last.count, KeepResidual<P, Dim>{last});
    correct_by_parts(last);
    run(last.count, AddScratch<P, Dim>{last});
    smooth_tail(last, 1, sweeps_, false, run);
  }
  ascend_tail(tail_.data(), count, sweeps_, run);
  remove_means(first, first.x);
}

template <class P, int Dim>
void TiledCycle<P, Dim>::remove_means(TailView<P, Dim> const& level, P* values) const {
  launcher_.tiles("sparse::poisson::tiled_means", level.singular_count, RemoveMeanInBlock<P, Dim>{level, values});
}

template <class P, int Dim>
void TiledCycle<P, Dim>::correct_by_parts(TailView<P, Dim> const& last) const {
  auto const* const at = levels_.last_tiles.positions();
  remove_means(last, last.scratch);
  launcher_.each("sparse::poisson::tiled_to_parts", levels_.last_count,
                 FromTiles<P>{at, last.scratch, part_residual_.data()});
  launcher_.each("sparse::poisson::tiled_zeros", levels_.last_count, Clear<P>{part_x_.data()});
  levels_.parts.correct(part_residual_.data(), part_x_.data());
  launcher_.each("sparse::poisson::tiled_from_parts", levels_.last_count, ToTiles<P>{at, part_x_.data(), last.scratch});
  remove_means(last, last.scratch);
}

template <class P, int Dim>
template <class T>
void TiledCycle<P, Dim>::run_fused(T const* right, double* products) const {
  for (std::size_t l = 1; l < tiled_count(); ++l) {
    GivenRight<P> const given{right_of(l)};
    launcher_.tiles("sparse::poisson::tiled_descend", tiles_of(l),
                    Descend<GivenRight<P>, P, Dim>{levels_.tiled[l].matrix.view(), given, right_of(l + 1)});
  }
  run_tail();
  for (std::size_t l = tiled_count() - 1; l > 0; --l)
    launcher_.tiles("sparse::poisson::tiled_ascend", tiles_of(l),
                    Ascend<P, P, Dim>{levels_.tiled[l].matrix.view(), right_of(l), x_of(l + 1), x_of(l), nullptr});
  launcher_.tiles("sparse::poisson::tiled_ascend", tiles_of(0),
                  Ascend<T, P, Dim>{levels_.tiled[0].matrix.view(), right, x_of(1), x_of(0), products});
}

template <class P, int Dim>
template <class B>
void TiledCycle<P, Dim>::half_sweep(std::size_t l, B const* right, int colour) const {
  launcher_.tiles("sparse::poisson::tiled_half_sweep", tiles_of(l),
                  HalfSweep<B, P, Dim>{levels_.tiled[l].matrix.view(), right, x_of(l), colour});
}
template <class P, int Dim>
template <class B>
void TiledCycle<P, Dim>::run_by_pass(std::size_t l, B const* right) const {
  auto const view = levels_.tiled[l].matrix.view();
  launcher_.tiles("sparse::poisson::tiled_first_sweep", tiles_of(l), FirstSweep<B, P, Dim>{view, right, x_of(l)});
  for (int half = 2; half < 2 * sweeps_; ++half) half_sweep(l, right, half % 2);
  launcher_.tiles("sparse::poisson::tiled_restrict", tiles_of(l),
                  RestrictTile<B, P, Dim>{view, right, x_of(l), right_of(l + 1)});
  if (l + 1 < tiled_count())
    run_by_pass(l + 1, static_cast<P const*>(right_of(l + 1)));
  else
    run_tail();
  launcher_.tiles("sparse::poisson::tiled_prolong", tiles_of(l), ProlongTile<P, Dim>{view.grid, x_of(l), x_of(l + 1)});
  for (int half = 0; half < 2 * sweeps_; ++half) half_sweep(l, right, (half + 1) % 2);
}

template <class P, int Dim>
template <class T>
void TiledCycle<P, Dim>::run(T const* r, double* products) const {
  if (is_fused()) {
    run_fused(r, products);
    return;
  }
  if (tiled_count() > 0)
    run_by_pass(0, r);
  else
    run_tail();
  launcher_.tiles("sparse::poisson::tiled_product", levels_.finest_tiles.tile_count(),
                  TileProducts<T, P, Dim>{r, z(), products});
}

template <class P, int Dim>
void TiledCycle<P, Dim>::clear() const {
  for (auto const& level : tail_) launcher_.each("sparse::poisson::tiled_zeros", level.count, ClearTail<P, Dim>{level});
}

template class TiledCycle<float, 2>;
template class TiledCycle<float, 3>;
template class TiledCycle<double, 2>;
template class TiledCycle<double, 3>;
template void TiledCycle<float, 2>::run(float const*, double*) const;
template void TiledCycle<float, 3>::run(float const*, double*) const;
template void TiledCycle<float, 2>::run(double const*, double*) const;
template void TiledCycle<float, 3>::run(double const*, double*) const;
template void TiledCycle<double, 2>::run(double const*, double*) const;
template void TiledCycle<double, 3>::run(double const*, double*) const;

}  // namespace sparse::poisson::detail
