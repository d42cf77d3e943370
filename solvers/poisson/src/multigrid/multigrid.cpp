#include <sparse/poisson/multigrid.hpp>

#include <sparse/poisson/transfers.hpp>

#include "full_multigrid.hpp"
#include "part_graph.hpp"
#include "singular_means.hpp"

namespace sparse::poisson {

using detail::ArmValues;
using detail::Couplings;
using detail::Pipeline;

/// One level. Values that belong to the finest level come from outside.
template <class T, int Dim>
struct Level {
  Couplings<T, Dim> matrix;
  Buffer<T> b, x, sides, offsets, scratch;
  Index stride = 0;  // of sides and offsets

  ArmValues<T> arm_values() const { return {sides.data(), stride}; }
  ArmValues<T> offset_values() const { return {offsets.data(), stride}; }
};

template <class T, int Dim>
struct Multigrid<T, Dim>::Impl {
  MultigridOptions options;
  std::vector<Level<T, Dim>> levels;
  detail::PartLevels<T, Dim> parts;  // below the last level, if there are any
  Buffer<T> residual;                // of that level then
  std::size_t means_level = 0;       // on which means are removed; none: the finest, which has none to remove
  detail::SingularMeans means;
  bool uses_linear = false;  // interpolation

  /// Prepares linear interpolation.
  void make_linear() {
    uses_linear = true;
    for (std::size_t l = 1; l < levels.size(); ++l) {
      auto& level = levels[l];
      auto& finer = levels[l - 1].matrix;
      if (level.offsets.size() > 0) continue;
      level.matrix.gather_from(finer);
      finer.forget_aggregates();
      level.sides = Buffer<T>(finer.context(), 2 * Dim * level.stride);
      level.offsets = level.matrix.offsets(level.stride);
    }
    levels.back().matrix.forget_aggregates();
  }

  bool is_coarsest(std::size_t l) const { return l + 1 == levels.size(); }
  bool is_solved_at_once(std::size_t l) const { return is_coarsest(l) && parts.is_empty(); }

  // ---- smoothing

  /// `count` sweeps that begin with `colour`.
  template <class B>
  void add_sweeps(Pipeline& pipeline, std::size_t l, B const* b, T* x, int colour, int count, bool from_zero) const {
    auto const& matrix = levels[l].matrix;
    for (int sweep = 0; sweep < count; ++sweep)
      for (int half = 0; half < 2; ++half) {
        if (from_zero && sweep == 0 && half == 0)
          pipeline.add(cell_stage(matrix, detail::Divide<T, B>{x, b}));
        else
          pipeline.add(cell_stage(matrix, detail::Relax<T, B>{x, b, colour ^ half}));
      }
  }
  /// The same where neighbours may have the same colour: damped Jacobi steps, there and back.
  template <class B>
  void add_jacobi(Pipeline& pipeline, std::size_t l, B const* b, T* x, int count, bool from_zero) const {
    auto const& level = levels[l];
    T* const other = level.scratch.data();
    constexpr T damping = T(0.8);
    for (int sweep = 0; sweep < count; ++sweep) {
      if (from_zero && sweep == 0)
        pipeline.add(cell_stage(level.matrix, detail::Divide<T, B>{other, b, damping}));
      else
        pipeline.add(cell_stage(level.matrix, detail::JacobiStep<T, B>{x, other, b, damping}));
      pipeline.add(cell_stage(level.matrix, detail::JacobiStep<T, B>{other, x, b, damping}));
    }
  }
  template <class B>
  void smooth(Pipeline& pipeline, std::size_t l, B const* b, T* x, int colour, int count, bool from_zero) const {
    if (levels[l].matrix.has_two_colours())
      add_sweeps(pipeline, l, b, x, colour, count, from_zero);
    else
      add_jacobi(pipeline, l, b, x, count, from_zero);
  }

  // ---- means of singular components

  /// They are removed on one level, so small that it costs nothing, but as fine as that allows: what levels make of a
  /// mean grows by four from one to the next, and on coarse ones small components are single cells.
  void keep_means_out() {
    constexpr Index most = 1024;
    for (std::size_t l = 1; l < levels.size(); ++l) {
      bool const is_last = is_coarsest(l) && parts.is_empty();
      if (levels[l].matrix.cell_count() > most && !is_last) continue;
      means_level = l;
      means = detail::SingularMeans(levels[l].matrix.context(), detail::graph_of(levels[l].matrix));
      return;
    }
    if (!parts.is_empty()) parts.keep_means_out(most);
  }
  void remove_means(std::size_t l, T* values) const {
    if (l == means_level) means.remove(levels[l].matrix.context(), values);
  }

  // ---- cycles

  template <class B>
  void cycle(std::size_t l, B const* b, T* x, bool from_zero, Pipeline down = {}, Pipeline last = {}) {
    if (from_zero && l == means_level && !means.is_empty()) {
      down.run(levels[l].matrix.context(), levels[l].matrix.chain());
      down = {};
      remove_means(l, levels[l].b.data());
    }
    visit(l, b, x, from_zero, std::move(down), std::move(last));
    remove_means(l, x);
  }
  template <class B>
  void visit(std::size_t l, B const* b, T* x, bool from_zero, Pipeline down, Pipeline last) {
    auto& level = levels[l];
    auto const context = level.matrix.context();
    auto const chain = level.matrix.chain();
    if (is_coarsest(l) && !parts.is_empty()) {
      smooth(down, l, b, x, 0, options.sweeps, from_zero);
      down.add(cell_stage(level.matrix, detail::Difference<T, B>{b, x, residual.data()}));
      down.run(context, chain);
      parts.correct(residual.data(), x);
      Pipeline last_sweeps;
      smooth(last_sweeps, l, b, x, 1, options.sweeps, false);
      last_sweeps.append(std::move(last));
      last_sweeps.run(context, chain);
      return;
    }
    if (is_coarsest(l)) {
      int const half = (options.coarsest_sweeps + 1) / 2;
      smooth(down, l, b, x, 0, half, from_zero);
      smooth(down, l, b, x, 1, half, false);
      down.append(std::move(last));
      down.run(context, chain);
      return;
    }
    auto& coarse = levels[l + 1];
    auto const sides = uses_linear ? coarse.arm_values() : ArmValues<T>{};
    smooth(down, l, b, x, 0, options.sweeps, from_zero);
    down.add(detail::RestrictResidual<T, B, Dim>{level.matrix.view(), level.matrix.groups().data(), b, x,
                                                 coarse.b.data(), sides, coarse.matrix.cell_count()});
    down.run(context, chain);

    Pipeline spread;
    if (sides.data != nullptr)
      spread.add(
          cell_stage(coarse.matrix, detail::SpreadSides<T, Dim>{coarse.b.data(), sides, coarse.offset_values()}));
    cycle<T>(l + 1, coarse.b.data(), coarse.x.data(), true, std::move(spread));
    if (options.cycle == Cycle::w && !is_solved_at_once(l + 1))
      cycle<T>(l + 1, coarse.b.data(), coarse.x.data(), false);
    make_slopes(l + 1);

    Pipeline up;
    up.add(detail::Prolong<T, Dim, true>{level.matrix.view(), level.matrix.groups().data(), x, coarse.x.data(), sides});
    smooth(up, l, b, x, 1, options.sweeps, false);
    up.append(std::move(last));
    up.run(context, chain);
  }

  void make_slopes(std::size_t l) const {
    auto const& level = levels[l];
    if (!uses_linear) return;
    Pipeline pipeline;
    pipeline.add(
        cell_stage(level.matrix, detail::Slopes<T, Dim>{level.x.data(), level.arm_values(), level.offset_values()}));
    pipeline.run(level.matrix.context(), level.matrix.chain());
  }
};

namespace {

void expect_valid(MultigridOptions const& options) {
  expects(options.sweeps > 0 && options.coarsest_sweeps > 0, "multigrid: the numbers of sweeps must be positive");
  expects(options.coarsest_cells > 0, "multigrid: the coarsest level needs cells");
}

}  // namespace

/// Whether parts are worth their cost: where many cells of the coarse level are split, or when it is cheap by itself.
template <class T, int Dim>
bool want_parts(Couplings<T, Dim> const& finest, Couplings<T, Dim> const& coarse) {
  constexpr Index few = 1000, cheap = 12;
  return coarse.split_cells() > 0 &&
         (coarse.split_cells() > coarse.cell_count() / few || coarse.cell_count() < finest.cell_count() / cheap);
}

template <class T, int Dim>
Multigrid<T, Dim>::Multigrid(Problem<Dim> const& problem, MultigridOptions const& options)
    : Multigrid(Couplings<T, Dim>(problem), options) {}

template <class T, int Dim>
template <class U>
Multigrid<T, Dim>::Multigrid(Operator<U, Dim> const& matrix, MultigridOptions const& options)
    : Multigrid(Couplings<T, Dim>::converted(matrix.couplings()), options) {}

template <class T, int Dim>
Multigrid<T, Dim>::Multigrid(Couplings<T, Dim> finest, MultigridOptions const& options)
    : impl_(std::make_unique<Impl>()) {
  expect_valid(options);
  impl_->options = options;
  auto& levels = impl_->levels;
  levels.push_back({std::move(finest), {}, {}, {}, {}, {}});
  while (levels.back().matrix.cell_count() > options.coarsest_cells && levels.back().matrix.can_coarsen()) {
    auto& fine = levels.back().matrix;
    auto coarse = fine.gathered();
    if (want_parts(levels[0].matrix, coarse) && has_places(fine)) {
      impl_->parts = detail::PartLevels<T, Dim>(fine, options);
      break;
    }
    coarse.complete(fine);
    bool const is_smaller = coarse.cell_count() < fine.cell_count();
    fine.forget_aggregates();
    levels.push_back({std::move(coarse), {}, {}, {}, {}, {}});
    if (!is_smaller) break;
  }
  auto& last = levels.back().matrix;
  last.forget_aggregates();
  if (!impl_->parts.is_empty()) impl_->residual = Buffer<T>(last.context(), last.cell_count());
  for (std::size_t l = 0; l < levels.size(); ++l) {
    auto& level = levels[l];
    auto const context = level.matrix.context();
    Index const count = level.matrix.cell_count();
    if (!level.matrix.has_two_colours()) level.scratch = Buffer<T>(context, count);
    if (l == 0) continue;
    level.b = Buffer<T>(context, count);
    level.x = Buffer<T>(context, count);
    level.stride = (count + 31) / 16 * 16;
  }
  impl_->keep_means_out();
  if (options.interpolation == Interpolation::linear) impl_->make_linear();
}

template <class T, int Dim>
Multigrid<T, Dim>::~Multigrid() = default;
template <class T, int Dim>
Multigrid<T, Dim>::Multigrid(Multigrid&&) noexcept = default;
template <class T, int Dim>
Multigrid<T, Dim>& Multigrid<T, Dim>::operator=(Multigrid&&) noexcept = default;

template <class T, int Dim>
int Multigrid<T, Dim>::level_count() const {
  return static_cast<int>(impl_->levels.size()) + impl_->parts.level_count();
}
template <class T, int Dim>
double Multigrid<T, Dim>::grid_complexity() const {
  auto cells = static_cast<double>(impl_->parts.part_count());
  for (auto const& level : impl_->levels) cells += static_cast<double>(level.matrix.cell_count());
  return cells / static_cast<double>(impl_->levels[0].matrix.cell_count());
}
template <class T, int Dim>
MultigridOptions const& Multigrid<T, Dim>::options() const {
  return impl_->options;
}

template <class T, int Dim>
template <class B>
void Multigrid<T, Dim>::cycle(B const* b, T* x) {
  impl_->cycle(0, b, x, true);
}
template <class T, int Dim>
template <class B>
void Multigrid<T, Dim>::cycle(B const* b, T* x, detail::Pipeline first, detail::Pipeline last) {
  impl_->cycle(0, b, x, true, std::move(first), std::move(last));
}

template <class T, int Dim>
template <class B>
void Multigrid<T, Dim>::full_multigrid(B const* b, B const* boundary, T* x, int cycles) {
  expects(cycles > 0, "multigrid: full multigrid needs a positive number of cycles");
  detail::full_multigrid<Dim>(*impl_, b, boundary, x, cycles);
}

#define SPARSE_INSTANTIATE(T, B, Dim)                                                                                  \
  template Multigrid<T, Dim>::Multigrid(Operator<B, Dim> const&, MultigridOptions const&);                             \
  template void Multigrid<T, Dim>::cycle(B const*, T*);                                                                \
  template void Multigrid<T, Dim>::cycle(B const*, T*, detail::Pipeline, detail::Pipeline);                            \
  template void Multigrid<T, Dim>::full_multigrid(B const*, B const*, T*, int);
template class Multigrid<float, 2>;
template class Multigrid<float, 3>;
template class Multigrid<double, 2>;
template class Multigrid<double, 3>;
SPARSE_INSTANTIATE(float, float, 2)
SPARSE_INSTANTIATE(float, float, 3)
SPARSE_INSTANTIATE(float, double, 2)
SPARSE_INSTANTIATE(float, double, 3)
SPARSE_INSTANTIATE(double, double, 2)
SPARSE_INSTANTIATE(double, double, 3)
#undef SPARSE_INSTANTIATE

}  // namespace sparse::poisson
