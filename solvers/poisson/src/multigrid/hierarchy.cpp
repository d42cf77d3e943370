#include "hierarchy.hpp"

#include "part_graph.hpp"

namespace sparse::poisson::detail {

template <class T, int Dim>
Hierarchy<T, Dim>::Hierarchy(Couplings<T, Dim> finest, Multigrid const& options) : options_(options) {
  levels_.push_back({std::move(finest), {}, {}, {}, {}, {}});
  while (levels_.back().matrix.cell_count() > options.coarsest.cells && levels_.back().matrix.can_coarsen()) {
    auto& fine = levels_.back().matrix;
    auto coarse = fine.gathered();
    if (want_parts(levels_[0].matrix, fine, coarse)) {
      parts_ = PartLevels<T, Dim>(fine, options.sweeps, options.coarsest);
      break;
    }
    coarse.complete(fine);
    bool const is_smaller = coarse.cell_count() < fine.cell_count();
    fine.forget_aggregates();
    levels_.push_back({std::move(coarse), {}, {}, {}, {}, {}});
    if (!is_smaller) break;
  }
  auto& last = levels_.back().matrix;
  last.forget_aggregates();
  if (!parts_.is_empty()) residual_ = Buffer<T>(last.context(), last.cell_count());
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    auto& level = levels_[l];
    auto const context = level.matrix.context();
    Index const count = level.matrix.cell_count();
    if (!level.matrix.has_two_colours()) level.scratch = Buffer<T>(context, count);
    if (l == 0) continue;
    level.b = Buffer<T>(context, count);
    level.x = Buffer<T>(context, count);
    level.stride = (count + 31) / 16 * 16;
  }
  keep_means_out();
  if (options.interpolation == Interpolation::linear) make_linear();
}

template <class T, int Dim>
double Hierarchy<T, Dim>::grid_complexity() const {
  auto cells = static_cast<double>(parts_.part_count());
  for (auto const& level : levels_) cells += static_cast<double>(level.matrix.cell_count());
  return cells / static_cast<double>(levels_[0].matrix.cell_count());
}

template <class T, int Dim>
void Hierarchy<T, Dim>::make_linear() {
  uses_linear_ = true;
  for (std::size_t l = 1; l < levels_.size(); ++l) {
    auto& level = levels_[l];
    auto& finer = levels_[l - 1].matrix;
    if (level.offsets.size() > 0) continue;
    level.matrix.gather_from(finer);
    finer.forget_aggregates();
    level.sides = Buffer<T>(finer.context(), 2 * Dim * level.stride);
    level.offsets = level.matrix.offsets(level.stride);
  }
  levels_.back().matrix.forget_aggregates();
}

template <class T, int Dim>
void Hierarchy<T, Dim>::keep_means_out() {
  constexpr Index most = 1024;
  for (std::size_t l = 1; l < levels_.size(); ++l) {
    auto const& matrix = levels_[l].matrix;
    if (matrix.cell_count() > most && !is_solved_at_once(l)) continue;
    means_level_ = l;
    means_ = SingularMeans(matrix.context(), graph_of(matrix));
    return;
  }
  if (!parts_.is_empty()) parts_.keep_means_out(most);
}

template class Hierarchy<float, 2>;
template class Hierarchy<float, 3>;
template class Hierarchy<double, 2>;
template class Hierarchy<double, 3>;

}  // namespace sparse::poisson::detail
