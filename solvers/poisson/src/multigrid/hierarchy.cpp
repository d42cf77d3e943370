#include "hierarchy.hpp"

#include <algorithm>
#include <utility>

#include <sparse/fields/transfer.hpp>
#include <sparse/sets/scaling.hpp>

#include "part_graph.hpp"

namespace sparse::poisson::detail {

template <class T, int Dim>
Hierarchy<T, Dim>::Hierarchy(Couplings<T, Dim> finest, Multigrid const& options,
                             std::shared_ptr<Ranks<Dim> const> ranks)
    : options_(options), ranks_(std::move(ranks)) {
  levels_.push_back({std::move(finest), {}, {}, {}, {}, {}});
  while (levels_.back().matrix.cell_count() > options.coarsest.cells) {
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
  keep_means_out();
  bool const is_linear = options.interpolation == Interpolation::linear;
  for (std::size_t l = 1; l < levels_.size(); ++l) levels_[l].stride = stride_of(levels_[l].matrix.cell_count());
  if (ranks_) find_windows();
  if (is_linear) make_offsets();
  if (ranks_) divide();
  if (!parts_.is_empty()) residual_ = Buffer<T>(last.context(), last.cell_count());
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    auto& level = levels_[l];
    auto const context = level.matrix.context();
    Index const count = level.matrix.cell_count();
    if (!level.matrix.has_two_colours()) level.scratch = Buffer<T>(context, count);
    if (l == 0) continue;
    level.b = Buffer<T>(context, count);
    level.x = Buffer<T>(context, count);
  }
  if (is_linear) make_linear();
}

template <class T, int Dim>
void Hierarchy<T, Dim>::find_windows() {
  std::size_t const last = levels_.size() - 1;
  while (!is_shared(last) &&
         ranks_->do_share(static_cast<int>(shared_count_), levels_[shared_count_].matrix.cell_count()))
    ++shared_count_;
  // A level without coarser ones takes many sweeps. Means are removed on all cells of a level.
  if (is_shared(last) && last > 0 && parts_.is_empty()) shared_count_ = last;
  if (means_level_ > 0 && !means_.is_empty()) shared_count_ = std::min(shared_count_, means_level_);
  windows_.push_back(ranks_->finest());
  for (std::size_t l = 1; l <= std::min(shared_count_, last); ++l) {
    auto const& matrix = levels_[l].matrix;
    int const level = static_cast<int>(l);
    windows_.push_back(is_shared(l)
                           ? ranks_->window(level, matrix.cells(), matrix.period(), coarsen(windows_[l - 1].cells))
                           : ranks_->whole(level, matrix.cells()));
  }
  if (is_shared(last) && !parts_.is_empty()) {
    auto const all = levels_[last].matrix.cells();
    auto const& window = windows_[last];
    together_ = {ranks_->gathering(static_cast<int>(last), all, window),
                 CopyPlan<Dim>(window.cells, window.cells, all),
                 {all.context(), all.cell_count()},
                 {all.context(), all.cell_count()},
                 {all.context(), window.cells.cell_count()}};
  }
}

template <class T, int Dim>
void Hierarchy<T, Dim>::divide() {
  for (std::size_t l = 0; l < shared_count_; ++l) {
    auto& matrix = levels_[l].matrix;
    matrix = matrix.within({windows_[l].cells, windows_[l].own});
    if (l + 1 < levels_.size()) matrix.find_parents(windows_[l + 1].cells);
  }
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
  make_offsets();
  for (std::size_t l = 1; l < levels_.size(); ++l)
    if (levels_[l].sides.size() == 0)
      levels_[l].sides = Buffer<T>(levels_[l].matrix.context(), 2 * Dim * levels_[l].stride);
}

template <class T, int Dim>
void Hierarchy<T, Dim>::make_offsets() {
  for (std::size_t l = 1; l < levels_.size(); ++l) {
    auto& level = levels_[l];
    auto& finer = levels_[l - 1].matrix;
    if (level.offsets.size() > 0) continue;
    level.matrix.gather_from(finer);
    finer.forget_aggregates();
    level.offsets = level.matrix.offsets(level.stride);
    if (!is_shared(l)) continue;
    auto const &all = level.matrix.cells(), &cells = windows_[l].cells;
    Index const stride = stride_of(cells.cell_count());
    Buffer<T> const offsets(all.context(), offset_count * stride);
    copy<T, Dim>({offsets.data(), stride}, CopyPlan<Dim>(cells, cells, all),
                 FieldView<T const>{level.offsets.data(), level.stride}, offset_count);
    level.offsets = offsets;
    level.stride = stride;
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
