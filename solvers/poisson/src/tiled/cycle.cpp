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
    : sweeps_{options.sweeps, options.coarsest.sweeps, options.optimisations.starts_from_zero},
      optimisations_(options.optimisations), one_launch_cells_(options.launches.one_launch_cells),
      levels_(std::move(finest), weight, zeroth, options),
      launcher_(levels_.finest_tiles.set().context(), options.counts) {
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
    launcher_.block("sparse::poisson::tiled_small_levels", TailCycle<P, Dim>{tail_on_device_.data(), count, sweeps_});
    return;
  }
  InLaunches<Dim> const run{launcher_};
  auto const &first = tail_.front(), &last = tail_.back();
  remove_means(first, first.b);
  descend_tail(tail_.data(), count, sweeps_, run);
  if (levels_.parts.is_empty()) {
    solve_coarsest(last, sweeps_, run);
  } else {
    smooth_zero(last, sweeps_.count, sweeps_.starts_from_zero, run);
    run(last.count, KeepResidual<P, Dim>{last});
    correct_by_parts(last);
    run(last.count, AddScratch<P, Dim>{last});
    smooth_tail(last, 1, sweeps_.count, false, run);
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
  launcher_.zero(part_x_.data(), levels_.last_count, !optimisations_.memory_set);
  levels_.parts.correct(part_residual_.data(), part_x_.data());
  launcher_.each("sparse::poisson::tiled_from_parts", levels_.last_count, ToTiles<P>{at, part_x_.data(), last.scratch});
  remove_means(last, last.scratch);
}

template <class P, int Dim>
template <class B>
void TiledCycle<P, Dim>::descend(std::size_t l, B const* right) const {
  if (descends_at_once()) {
    with_kernels(l, [&]<template <class, int> class, class Matrix>(Matrix const& matrix) {
      launcher_.tiles("sparse::poisson::tiled_descend", tiles_of(l),
                      Descend<GivenRight<B>, P, Dim, Matrix>{matrix, GivenRight<B>{right}, right_of(l + 1)});
    });
    return;
  }
  first_sweeps(l, right);
  with_kernels(l, [&]<template <class, int> class Around, class Matrix>(Matrix const&) {
    launcher_.tiles("sparse::poisson::tiled_restrict", tiles_of(l),
                    RestrictTile<B, P, Dim, Around>{levels_.tiled[l].matrix.view(), right, x_of(l), right_of(l + 1)});
  });
}

template <class P, int Dim>
template <class B>
void TiledCycle<P, Dim>::ascend(std::size_t l, B const* right, double* products) const {
  if (ascends_at_once()) {
    with_kernels(l, [&]<template <class, int> class, class Matrix>(Matrix const& matrix) {
      launcher_.tiles("sparse::poisson::tiled_ascend", tiles_of(l),
                      Ascend<B, P, Dim, Matrix>{matrix, right, x_of(l + 1), x_of(l), products});
    });
    return;
  }
  if (descends_at_once()) first_sweeps(l, right);  // which did not store x
  launcher_.tiles("sparse::poisson::tiled_prolong", tiles_of(l),
                  ProlongTile<P, Dim>{levels_.tiled[l].matrix.view().grid, x_of(l), x_of(l + 1)});
  for (int half = 0; half < 2 * sweeps_.count; ++half) half_sweep(l, right, (half + 1) % 2);
}

template <class P, int Dim>
template <class T>
void TiledCycle<P, Dim>::run(T const* r, double* products) const {
  for (std::size_t l = 0; l < tiled_count(); ++l)
    if (l > 0)
      descend(l, static_cast<P const*>(right_of(l)));
    else if (!has_stepped_down())
      descend(l, r);
  run_tail();
  bool const adds_up = ascends_at_once() && optimisations_.fused_sums;
  for (std::size_t l = tiled_count(); l-- > 0;)
    if (l > 0)
      ascend(l, static_cast<P const*>(right_of(l)), nullptr);
    else
      ascend(l, r, adds_up ? products : nullptr);
  if (adds_up) return;
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
