#include "parts.hpp"

#include <utility>

#include <sparse/base/parallel.hpp>

#include "part_graph.hpp"

namespace sparse::poisson::detail {
namespace {

/// Small levels are done by this thread, since they are visited often and others take long to wake.
template <class Body>
void on_parts(Context const& context, char const* label, Index count, Body const& body) {
  constexpr Index few = 4096;
  if constexpr (is_host_backend) {
    if (count <= few) {
      for (Index i = 0; i < count; ++i) body(i);
      return;
    }
  }
  parallel_for(context, label, count, body);
}

template <class T>
struct RelaxPart {
  PartView<T> view;
  std::int32_t const* order;
  T const* b;
  T* x;
  KOKKOS_FUNCTION void operator()(Index k) const {
    Index const i = order[k];
    x[i] = (b[i] + view.from_neighbours(x, i)) * view.inverse[i];
  }
};

template <class T>
struct JacobiPart {
  PartView<T> view;
  T const *b, *x;
  T* next;
  KOKKOS_FUNCTION void operator()(Index i) const {
    next[i] = x[i] + T(0.8) * (b[i] - view.applied(x, i)) * view.inverse[i];
  }
};

/// b = sum of the residuals of the children over 2^Dim
template <class T, int Dim>
struct RestrictParts {
  Index const* starts;
  std::int32_t const* child;
  PartView<T> finer;
  T const *finer_b, *finer_x;
  T* b;
  KOKKOS_FUNCTION void operator()(Index i) const {
    T sum = 0;
    for (Index k = starts[i]; k < starts[i + 1]; ++k) sum += finer_b[child[k]] - finer.applied(finer_x, child[k]);
    b[i] = sum * (T(1) / (1 << Dim));
  }
};

/// The same where residuals are known.
template <class T, int Dim>
struct RestrictCells {
  Index const* starts;
  std::int32_t const* child;
  T const* residual;
  T* b;
  KOKKOS_FUNCTION void operator()(Index i) const {
    T sum = 0;
    for (Index k = starts[i]; k < starts[i + 1]; ++k) sum += residual[child[k]];
    b[i] = sum * (T(1) / (1 << Dim));
  }
};

template <class T>
struct AddParents {
  std::int32_t const* parent;
  T const* coarse;
  T* x;
  KOKKOS_FUNCTION void operator()(Index i) const { x[i] += parent[i] < 0 ? T(0) : coarse[parent[i]]; }
};

/// Renumbers children: values of the level above the parts lie in the order of cells.
struct NumberChildren {
  std::int32_t const* cell;
  std::int32_t* child;
  KOKKOS_FUNCTION void operator()(Index k) const { child[k] = cell[child[k]]; }
};
struct NumberParents {
  std::int32_t const *cell, *from;
  std::int32_t* parent;
  KOKKOS_FUNCTION void operator()(Index i) const { parent[cell[i]] = from[i]; }
};

template <class T>
struct SetZero {
  T* x;
  KOKKOS_FUNCTION void operator()(Index i) const { x[i] = 0; }
};

}  // namespace

template <class T, int Dim>
PartLevels<T, Dim>::PartLevels(Couplings<T, Dim> const& finer, int sweeps, CoarsestLevel const& coarsest)
    : context_(finer.context()), sweeps_(sweeps), coarsest_(coarsest) {
  auto cells = graph_of_cells(finer);
  auto graph = std::move(cells.graph);
  do {
    Level level;
    graph = coarser(context_, graph, level.children);
    if (graph.count == 0) break;  // each connected set of cells has become one part
    if (levels_.empty()) number_by_cell(level.children, cells.cell);
    level.count = graph.count;
    make_matrix(context_, graph, level.weight, level.extra, level.inverse);
    level.red_count = order_by_colour(context_, graph, level.order);
    level.starts = graph.starts;
    level.to = graph.to;
    level.b = Buffer<T>(context_, graph.count);
    level.x = Buffer<T>(context_, graph.count);
    if (!graph.seams.are_even()) level.scratch = Buffer<T>(context_, graph.count);
    levels_.push_back(std::move(level));
  } while (graph.count > coarsest_.cells);
  context_.fence();
}

template <class T, int Dim>
void PartLevels<T, Dim>::number_by_cell(PartChildren& children, Buffer<std::int32_t> const& cell) const {
  parallel_for(context_, "sparse::poisson::number_children", children.child.size(),
               NumberChildren{cell.data(), children.child.data()});
  Buffer<std::int32_t> const parent(context_, cell.size());
  parallel_for(context_, "sparse::poisson::number_parents", cell.size(),
               NumberParents{cell.data(), children.parent.data(), parent.data()});
  context_.fence();
  children.parent = parent;
}

template <class T, int Dim>
Index PartLevels<T, Dim>::part_count() const {
  Index sum = 0;
  for (auto const& level : levels_) sum += level.count;
  return sum;
}

template <class T, int Dim>
void PartLevels<T, Dim>::keep_means_out(Index most) {
  while (means_level_ + 1 < levels_.size() && levels_[means_level_].count > most) ++means_level_;
  auto const& level = levels_[means_level_];
  LevelGraph graph;
  graph.starts = to_host(context_, level.starts.data(), level.starts.size());
  for (auto const other : to_host(context_, level.to.data(), level.to.size())) graph.to.push_back(other);
  for (T const extra : to_host(context_, level.extra.data(), level.count)) graph.is_fixed.push_back(extra > 0);
  means_ = SingularMeans(context_, graph);
}

template <class T, int Dim>
void PartLevels<T, Dim>::correct(T const* r, T* x) const {
  if (is_empty()) return;
  auto const& first = levels_[0];
  on_parts(context_, "sparse::poisson::restrict_to_parts", first.count,
           RestrictCells<T, Dim>{first.children.starts.data(), first.children.child.data(), r, first.b.data()});
  cycle(0, true);
  cycle(0, false);
  on_parts(context_, "sparse::poisson::add_parts", first.children.parent.size(),
           AddParents<T>{first.children.parent.data(), first.x.data(), x});
}

template <class T, int Dim>
void PartLevels<T, Dim>::smooth(std::size_t l, int first_colour, int count) const {
  auto const& level = levels_[l];
  for (int half = 0; half < 2 * count; ++half) {
    if (level.scratch.size() > 0) {
      T *const from = half % 2 == 0 ? level.x.data() : level.scratch.data(), *const to = half % 2 == 0
                                                                                             ? level.scratch.data()
                                                                                             : level.x.data();
      on_parts(context_, "sparse::poisson::jacobi_parts", level.count,
               JacobiPart<T>{level.view(), level.b.data(), from, to});
      continue;
    }
    bool const is_red = ((first_colour + half) & 1) == 0;
    on_parts(context_, "sparse::poisson::relax_parts", is_red ? level.red_count : level.count - level.red_count,
             RelaxPart<T>{level.view(), level.order.data() + (is_red ? 0 : level.red_count), level.b.data(),
                          level.x.data()});
  }
}

template <class T, int Dim>
void PartLevels<T, Dim>::cycle(std::size_t l, bool from_zero) const {
  auto const& level = levels_[l];
  if (from_zero) on_parts(context_, "sparse::poisson::clear_parts", level.count, SetZero<T>{level.x.data()});
  bool const has_means = l == means_level_;
  if (has_means && from_zero) means_.remove(context_, level.b.data());
  bool const is_last = l + 1 == levels_.size();
  int const sweeps = is_last ? (coarsest_.sweeps + 1) / 2 : sweeps_;
  smooth(l, 0, sweeps);
  if (!is_last) {
    auto const& coarse = levels_[l + 1];
    on_parts(context_, "sparse::poisson::restrict_parts", coarse.count,
             RestrictParts<T, Dim>{coarse.children.starts.data(), coarse.children.child.data(), level.view(),
                                   level.b.data(), level.x.data(), coarse.b.data()});
    cycle(l + 1, true);
    cycle(l + 1, false);
    on_parts(context_, "sparse::poisson::add_parts", level.count,
             AddParents<T>{coarse.children.parent.data(), coarse.x.data(), level.x.data()});
  }
  smooth(l, 1, sweeps);
  if (has_means) means_.remove(context_, level.x.data());
}

template class PartLevels<float, 2>;
template class PartLevels<float, 3>;
template class PartLevels<double, 2>;
template class PartLevels<double, 3>;

}  // namespace sparse::poisson::detail
