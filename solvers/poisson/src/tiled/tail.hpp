#pragma once
/// The small levels below those on tiles, all of them in one launch.
///
/// Here a cell knows the positions of its neighbours, its parent and its children, whatever the periods; red cells
/// come first. Values are stored as on all levels with tiles.

#include <vector>

#include "block.hpp"
#include "layout.hpp"

namespace sparse::poisson::detail {

/// What kernels see of a small level.
template <class P, int Dim>
struct TailView {
  std::int32_t count, red_count;
  int has_two_colours;            ///< else damped Jacobi steps take the place of Gauss-Seidel
  std::int32_t const* position;   ///< [i]
  std::int32_t const* parent;     ///< [i] position in the next level; none on the last one
  std::int32_t const* neighbour;  ///< [arm][i] position; its own where there is none
  std::int32_t const* child;      ///< [2^Dim][i] position in the level before, or -1; none on the first one
  P const* weight;                ///< [arm][i]
  P const *extra, *inverse;       ///< [i] rest of the diagonal, and one over the diagonal
  P *b, *x, *scratch;             ///< [position]
  /// Singular components, the large ones first, and their members; empty if nobody has looked for them.
  std::int32_t singular_count, large_count;
  std::int32_t const *first_member, *member;  ///< [component + 1]; position

  KOKKOS_FORCEINLINE_FUNCTION P from_neighbours(P const* values, int i) const {
    P sum = 0;
    SPARSE_UNROLL
    for (int arm = 0; arm < 2 * Dim; ++arm) sum += weight[arm * count + i] * values[neighbour[arm * count + i]];
    return sum;
  }
  KOKKOS_FORCEINLINE_FUNCTION P residual(P const* values, int i) const {
    P const here = values[position[i]];
    P sum = b[position[i]] - extra[i] * here;
    SPARSE_UNROLL
    for (int arm = 0; arm < 2 * Dim; ++arm)
      sum -= weight[arm * count + i] * (here - values[neighbour[arm * count + i]]);
    return sum;
  }
};

// ---- phases, over the cells of a level or of one of its colours

template <class P, int Dim>
struct StartRed {
  TailView<P, Dim> level;
  KOKKOS_FUNCTION void operator()(Index i) const {
    int const at = level.position[i];
    level.x[at] = level.b[at] * level.inverse[i];
  }
};
template <class P, int Dim>
struct ClearTail {
  TailView<P, Dim> level;
  KOKKOS_FUNCTION void operator()(Index i) const { level.x[level.position[i]] = 0; }
};
template <class P, int Dim>
struct RelaxColour {
  TailView<P, Dim> level;
  std::int32_t first;
  KOKKOS_FUNCTION void operator()(Index k) const {
    auto const i = static_cast<int>(k) + first;
    int const at = level.position[i];
    level.x[at] = (level.b[at] + level.from_neighbours(level.x, i)) * level.inverse[i];
  }
};
/// to = from + 0.8 (b - A from) / diagonal; from = 0 if it is none.
template <class P, int Dim>
struct DampedJacobi {
  TailView<P, Dim> level;
  P const* from;
  P* to;
  KOKKOS_FUNCTION void operator()(Index k) const {
    auto const i = static_cast<int>(k);
    int const at = level.position[i];
    constexpr P damping = P(0.8);
    if (from == nullptr)
      to[at] = damping * level.b[at] * level.inverse[i];
    else
      to[at] = from[at] + damping * level.residual(from, i) * level.inverse[i];
  }
};
template <class P, int Dim>
struct KeepResidual {
  TailView<P, Dim> level;
  KOKKOS_FUNCTION void operator()(Index i) const {
    level.scratch[level.position[i]] = level.residual(level.x, static_cast<int>(i));
  }
};
template <class P, int Dim>
struct RestrictToTail {
  TailView<P, Dim> level;
  P const* finer;  // residual
  KOKKOS_FUNCTION void operator()(Index i) const {
    P sum = 0;
    SPARSE_UNROLL
    for (int place = 0; place < (1 << Dim); ++place) {
      std::int32_t const child = level.child[place * Index{level.count} + i];
      if (child >= 0) sum += finer[child];
    }
    constexpr P mean = P(1) / (1 << Dim);
    level.b[level.position[i]] = mean * sum;
  }
};
/// x += scratch
template <class P, int Dim>
struct AddScratch {
  TailView<P, Dim> level;
  KOKKOS_FUNCTION void operator()(Index i) const {
    int const at = level.position[i];
    level.x[at] += level.scratch[at];
  }
};
template <class P, int Dim>
struct ProlongInTail {
  TailView<P, Dim> level;
  P const* coarser;
  KOKKOS_FUNCTION void operator()(Index i) const { level.x[level.position[i]] += coarser[level.parent[i]]; }
};

/// Takes the mean from a small singular component.
template <class P, int Dim>
struct RemoveMean {
  TailView<P, Dim> level;
  P* values;
  KOKKOS_FUNCTION void operator()(Index i) const {
    Index const component = level.large_count + i;
    int const begin = level.first_member[component], end = level.first_member[component + 1];
    double sum = 0;
    for (int k = begin; k < end; ++k) sum += static_cast<double>(values[level.member[k]]);
    auto const mean = static_cast<P>(sum / (end - begin));
    for (int k = begin; k < end; ++k) values[level.member[k]] -= mean;
  }
};
/// The same with a block for a component.
template <class P, int Dim>
struct RemoveMeanInBlock {
  struct Shared {
    P mean;
  };
  TailView<P, Dim> level;
  P* values;
  template <class Block>
  KOKKOS_FUNCTION void operator()(Block const& block, Shared& shared, int component) const {
    int const begin = level.first_member[component], count = level.first_member[component + 1] - begin;
    double const sum = block.total(
        block.each_sum(count, [&](int k) -> double { return static_cast<double>(values[level.member[begin + k]]); }));
    block.each(1, [&](int) { shared.mean = static_cast<P>(sum / count); });
    block.each(count, [&](int k) { values[level.member[begin + k]] -= shared.mean; });
  }
};

// ---- the cycle; `run(count, body)` calls body(i) for 0 <= i < count

template <class P, int Dim, class Run>
KOKKOS_FUNCTION void smooth_tail(TailView<P, Dim> const& level, int colour, int sweeps, bool from_zero,
                                 Run const& run) {
  if (level.has_two_colours == 0) {
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      P const* const from = from_zero && sweep == 0 ? nullptr : level.x;
      run(level.count, DampedJacobi<P, Dim>{level, from, level.scratch});
      run(level.count, DampedJacobi<P, Dim>{level, level.scratch, level.x});
    }
    return;
  }
  for (int half = 0; half < 2 * sweeps; ++half) {
    bool const is_red = ((colour + half) & 1) == 0;
    if (from_zero && half == 0)
      run(level.red_count, StartRed<P, Dim>{level});
    else if (is_red)
      run(level.red_count, RelaxColour<P, Dim>{level, 0});
    else
      run(level.count - level.red_count, RelaxColour<P, Dim>{level, level.red_count});
  }
}

/// From the first level down to the residual of the last one but one.
template <class P, int Dim, class Run>
KOKKOS_FUNCTION void descend_tail(TailView<P, Dim> const* levels, int count, int sweeps, Run const& run) {
  for (int l = 0; l + 1 < count; ++l) {
    smooth_tail(levels[l], 0, sweeps, true, run);
    run(levels[l].count, KeepResidual<P, Dim>{levels[l]});
    run(levels[l + 1].count, RestrictToTail<P, Dim>{levels[l + 1], levels[l].scratch});
  }
}
/// The last level, if there is nothing below it.
template <class P, int Dim, class Run>
KOKKOS_FUNCTION void solve_coarsest(TailView<P, Dim> const& level, int sweeps, Run const& run) {
  int const half = (sweeps + 1) / 2;
  smooth_tail(level, 0, half, true, run);
  smooth_tail(level, 1, half, false, run);
}
/// Back up from the last level, whose x is done.
template <class P, int Dim, class Run>
KOKKOS_FUNCTION void ascend_tail(TailView<P, Dim> const* levels, int count, int sweeps, Run const& run) {
  for (int l = count - 2; l >= 0; --l) {
    run(levels[l].count, ProlongInTail<P, Dim>{levels[l], levels[l + 1].x});
    smooth_tail(levels[l], 1, sweeps, false, run);
  }
}

/// All of it in one block.
///
/// On singular components means are taken out. Rounding errors leave small ones in b, sums over children pass them on
/// undiminished, and the coarsest level would make them so large that in float nothing else is left.
template <class P, int Dim>
struct TailCycle {
  using Shared = typename RemoveMeanInBlock<P, Dim>::Shared;
  TailView<P, Dim> const* levels;  // on the device
  int count, sweeps, coarsest_sweeps;

  template <class Block>
  struct InBlock {
    Block const& block;
    template <class Body>
    KOKKOS_FORCEINLINE_FUNCTION void operator()(int n, Body const& body) const {
      block.each(n, body);
    }
  };
  template <class Block>
  KOKKOS_FUNCTION void operator()(Block const& block, Shared& shared, int) const {
    InBlock<Block> const run{block};
    remove_means(block, shared, levels[0].b);
    descend_tail(levels, count, sweeps, run);
    solve_coarsest(levels[count - 1], coarsest_sweeps, run);
    ascend_tail(levels, count, sweeps, run);
    remove_means(block, shared, levels[0].x);
  }
  template <class Block>
  KOKKOS_FUNCTION void remove_means(Block const& block, Shared& shared, P* values) const {
    auto const& level = levels[0];
    RemoveMeanInBlock<P, Dim> const large{level, values};
    for (int component = 0; component < level.large_count; ++component) large(block, shared, component);
    block.each(level.singular_count - level.large_count, RemoveMean<P, Dim>{level, values});
  }
};

// ---- its owner

/// A small level: its cells in two colours.
template <class P, int Dim>
class TailLevel {
public:
  TailLevel() = default;
  TailLevel(Couplings<P, Dim> const& level, Tiles<Dim> const& tiles);
  /// Makes the ways to and from the next level.
  void connect(TailLevel& coarser, Couplings<P, Dim> const& own_cells, Couplings<P, Dim> const& coarser_cells,
               Tiles<Dim> const& own_tiles, Tiles<Dim> const& coarser_tiles);
  /// Finds the components on which the matrix is singular, on the host.
  void find_singular_components(Context const& context);
  TailView<P, Dim> view() const;

private:
  Index count_ = 0, red_count_ = 0;
  bool has_two_colours_ = true;
  Buffer<std::int32_t> order_;  // [cell] where among the cells sorted by colour
  Buffer<std::int32_t> position_, parent_, neighbour_, child_;
  Buffer<P> weight_, extra_, inverse_;
  Buffer<P> b_, x_, scratch_;
  Buffer<std::int32_t> first_member_, member_;
  std::int32_t large_count_ = 0;
};

}  // namespace sparse::poisson::detail
