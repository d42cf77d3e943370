/// Multigrid cycles.

#include <algorithm>

#include <sparse/fields/transfer.hpp>

#include "hierarchy.hpp"
#include "transfers.hpp"

namespace sparse::poisson::detail {
namespace {

template <class T>
struct AddTo {
  T const* values;
  T* x;
  KOKKOS_FUNCTION void operator()(Index i) const { x[i] += values[i]; }
};

}  // namespace

template <class T, int Dim>
template <class B>
void Hierarchy<T, Dim>::add_sweeps(Pipeline& pipeline, std::size_t l, B const* b, T* x, int colour, int count,
                                   bool from_zero) const {
  auto const& matrix = levels_[l].matrix;
  add_red_black_sweeps(pipeline, matrix, options_.relaxation.value_or(matrix.relaxation()), b, x, colour, count,
                       from_zero);
}

template <class T, int Dim>
template <class B>
void Hierarchy<T, Dim>::add_jacobi(Pipeline& pipeline, std::size_t l, B const* b, T* x, int count,
                                   bool from_zero) const {
  auto const& level = levels_[l];
  T* const other = level.scratch.data();
  constexpr T damping = T(0.8);
  for (int sweep = 0; sweep < count; ++sweep) {
    if (from_zero && sweep == 0)
      pipeline.add(cell_stage(level.matrix, Divide<T, B>{other, b, damping}));
    else
      pipeline.add(cell_stage(level.matrix, JacobiStep<T, B>{x, other, b, damping}));
    pipeline.add(cell_stage(level.matrix, JacobiStep<T, B>{other, x, b, damping}));
  }
}

template <class T, int Dim>
template <class B>
void Hierarchy<T, Dim>::smooth(Pipeline& pipeline, std::size_t l, B const* b, T* x, int colour, int count,
                               bool from_zero) const {
  if (levels_[l].matrix.has_two_colours())
    add_sweeps(pipeline, l, b, x, colour, count, from_zero);
  else
    add_jacobi(pipeline, l, b, x, count, from_zero);
}

template <class T, int Dim>
template <class B>
void Hierarchy<T, Dim>::cycle_from(std::size_t l, B const* b, T* x, bool from_zero, Pipeline down, Pipeline last) {
  if (from_zero && l == means_level_ && !means_.is_empty()) {
    down.run(levels_[l].matrix.context(), levels_[l].matrix.chain());
    down = {};
    remove_means(l, levels_[l].b.data());
  }
  visit(l, b, x, from_zero, std::move(down), std::move(last));
  remove_means(l, x);
}

template <class T, int Dim>
template <class B>
void Hierarchy<T, Dim>::visit(std::size_t l, B const* b, T* x, bool from_zero, Pipeline down, Pipeline last) {
  auto& level = levels_[l];
  auto const context = level.matrix.context();
  auto const chain = level.matrix.chain();
  if (is_coarsest(l) && !parts_.is_empty()) {
    smooth(down, l, b, x, 0, options_.sweeps, from_zero);
    down.add(cell_stage(level.matrix, Difference<T, B>{b, x, residual_.data()}));
    down.run(context, chain);
    exchange(l, x);
    correct_by_parts(l, x);
    Pipeline last_sweeps;
    smooth(last_sweeps, l, b, x, 1, options_.sweeps, false);
    last_sweeps.append(std::move(last));
    last_sweeps.run(context, chain);
    exchange(l, x);
    return;
  }
  if (is_coarsest(l)) {
    int const half = (options_.coarsest.sweeps + 1) / 2;
    if (is_shared(l)) return solve_together(l, b, x, half, from_zero, std::move(down), std::move(last));
    smooth(down, l, b, x, 0, half, from_zero);
    smooth(down, l, b, x, 1, half, false);
    down.append(std::move(last));
    down.run(context, chain);
    return;
  }
  auto& coarse = levels_[l + 1];
  auto const sides = uses_linear_ ? coarse.arm_values() : ArmValues<T>{};
  smooth(down, l, b, x, 0, options_.sweeps, from_zero);
  down.add(RestrictResidual<T, B, Dim>{level.matrix.view(), level.matrix.groups().data(), b, x, coarse.b.data(), sides,
                                       coarse.matrix.cell_count()});
  down.run(context, chain);
  Pipeline spread;
  if (sides.data != nullptr)
    spread.add(cell_stage(coarse.matrix, SpreadSides<T, Dim>{coarse.b.data(), sides, coarse.offset_values()}));
  if (is_shared(l)) {  // then right-hand sides are right only on the rank's own cells
    spread.run(coarse.matrix.context(), coarse.matrix.chain());
    spread = {};
  }
  exchange(l, x);
  exchange_right_side(l + 1);
  T const* const coarse_b = coarse.b.data();
  cycle_from(l + 1, coarse_b, coarse.x.data(), true, std::move(spread));
  if (options_.cycle == Cycle::w && !is_solved_at_once(l + 1)) cycle_from(l + 1, coarse_b, coarse.x.data(), false);
  make_slopes(l + 1);

  Pipeline up;
  up.add(Prolong<T, Dim, true>{level.matrix.view(), level.matrix.groups().data(), x, coarse.x.data(), sides});
  smooth(up, l, b, x, 1, options_.sweeps, false);
  up.append(std::move(last));
  up.run(context, chain);
  exchange(l, x);
}

template <class T, int Dim>
void Hierarchy<T, Dim>::correct_by_parts(std::size_t l, T* x) {
  if (!is_shared(l)) return parts_.correct(residual_.data(), x);
  auto& [gathering, to_window, residual, correction, on_window] = together_;
  auto const context = levels_[l].matrix.context();
  gathering.fill(ranks_->team(), residual.data(), residual_.data());
  parallel_for(context, "sparse::poisson::no_correction", correction.size(), Clear<T>{correction.data()});
  parts_.correct(residual.data(), correction.data());
  copy<T, Dim>({on_window.data(), on_window.size()}, to_window,
               FieldView<T const>{correction.data(), correction.size()});
  parallel_for(context, "sparse::poisson::add_correction", on_window.size(), AddTo<T>{on_window.data(), x});
}

template <class T, int Dim>
template <class B>
void Hierarchy<T, Dim>::solve_together(std::size_t l, B const* b, T* x, int half, bool from_zero, Pipeline down,
                                       Pipeline last) {
  auto const& matrix = levels_[l].matrix;
  for (int const colour : {0, 1})
    for (int done = 0; done < half; done += options_.sweeps) {
      smooth(down, l, b, x, colour, std::min(options_.sweeps, half - done), from_zero);
      down.run(matrix.context(), matrix.chain());
      down = {};
      from_zero = false;
      exchange(l, x);
    }
  last.run(matrix.context(), matrix.chain());
}

template <class T, int Dim>
void Hierarchy<T, Dim>::make_slopes(std::size_t l) const {
  auto const& level = levels_[l];
  if (!uses_linear_) return;
  Pipeline pipeline;
  pipeline.add(cell_stage(level.matrix, Slopes<T, Dim>{level.x.data(), level.arm_values(), level.offset_values()}));
  pipeline.run(level.matrix.context(), level.matrix.chain());
}

#define SPARSE_DEFINE(T, B, Dim)                                                                                       \
  template void Hierarchy<T, Dim>::cycle_from(std::size_t, B const*, T*, bool, Pipeline, Pipeline);
SPARSE_DEFINE(float, float, 2)
SPARSE_DEFINE(float, float, 3)
SPARSE_DEFINE(float, double, 2)
SPARSE_DEFINE(float, double, 3)
SPARSE_DEFINE(double, double, 2)
SPARSE_DEFINE(double, double, 3)
#undef SPARSE_DEFINE

}  // namespace sparse::poisson::detail
