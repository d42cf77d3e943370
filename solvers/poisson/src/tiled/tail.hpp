#pragma once
/// The small levels below those on tiles, all of them in one launch.
///
/// Here a cell knows the positions of its neighbours, its parent and its children, whatever the periods; red cells
/// come first. Values are stored as on all levels with tiles.

#include <vector>

#include "layout.hpp"
#include "tail_view.hpp"

namespace sparse::poisson::detail {

// ---- phases, over the cells of a level or of one of its colours: `phase(memory, i)`

template <class P, int Dim>
struct StartRed {
  TailView<P, Dim> level;
  template <class Memory>
  KOKKOS_FUNCTION void operator()(Memory const& memory, Index i) const {
    int const at = level.position_of(memory, i);
    memory.at(level.x, at) = static_cast<P>(memory.at(level.b, at)) * level.one_over_diagonal(memory, i);
  }
};
template <class P, int Dim>
struct ClearTail {
  TailView<P, Dim> level;
  template <class Memory>
  KOKKOS_FUNCTION void operator()(Memory const& memory, Index i) const {
    memory.at(level.x, level.position_of(memory, i)) = 0;
  }
};
template <class P, int Dim>
struct RelaxColour {
  TailView<P, Dim> level;
  std::int32_t first;
  template <class Memory>
  KOKKOS_FUNCTION void operator()(Memory const& memory, Index k) const {
    auto const i = static_cast<int>(k) + first;
    int const at = level.position_of(memory, i);
    memory.at(level.x, at) = (static_cast<P>(memory.at(level.b, at)) + level.from_neighbours(memory, level.x, i)) *
                             level.one_over_diagonal(memory, i);
  }
};
/// to = from + 0.8 (b - A from) / diagonal; from = 0 if it is none.
template <class P, int Dim>
struct DampedJacobi {
  TailView<P, Dim> level;
  P const* from;
  P* to;
  template <class Memory>
  KOKKOS_FUNCTION void operator()(Memory const& memory, Index k) const {
    auto const i = static_cast<int>(k);
    int const at = level.position_of(memory, i);
    constexpr P damping = P(0.8);
    P const inverse = level.one_over_diagonal(memory, i);
    if (from == nullptr)
      memory.at(to, at) = damping * static_cast<P>(memory.at(level.b, at)) * inverse;
    else
      memory.at(to, at) = static_cast<P>(memory.at(from, at)) + damping * level.residual(memory, from, i) * inverse;
  }
};
template <class P, int Dim>
struct KeepResidual {
  TailView<P, Dim> level;
  template <class Memory>
  KOKKOS_FUNCTION void operator()(Memory const& memory, Index i) const {
    memory.at(level.scratch, level.position_of(memory, i)) = level.residual(memory, level.x, static_cast<int>(i));
  }
};
template <class P, int Dim>
struct RestrictToTail {
  TailView<P, Dim> level;
  P const* finer;  // residual
  template <class Memory>
  KOKKOS_FUNCTION void operator()(Memory const& memory, Index i) const {
    P sum = 0;
    SPARSE_UNROLL
    for (int place = 0; place < (1 << Dim); ++place) {
      std::int32_t const child = memory.at(level.child, place * Index{level.count} + i);
      if (child >= 0) sum += static_cast<P>(memory.at(finer, child));
    }
    constexpr P mean = P(1) / (1 << Dim);
    memory.at(level.b, level.position_of(memory, i)) = mean * sum;
  }
};
/// x += scratch
template <class P, int Dim>
struct AddScratch {
  TailView<P, Dim> level;
  template <class Memory>
  KOKKOS_FUNCTION void operator()(Memory const& memory, Index i) const {
    int const at = level.position_of(memory, i);
    memory.at(level.x, at) += static_cast<P>(memory.at(level.scratch, at));
  }
};
template <class P, int Dim>
struct ProlongInTail {
  TailView<P, Dim> level;
  P const* coarser;
  template <class Memory>
  KOKKOS_FUNCTION void operator()(Memory const& memory, Index i) const {
    int const parent = memory.at(level.parent, i);
    memory.at(level.x, level.position_of(memory, i)) += static_cast<P>(memory.at(coarser, parent));
  }
};

/// Takes the mean from a small singular component.
template <class P, int Dim>
struct RemoveMean {
  TailView<P, Dim> level;
  P* values;
  template <class Memory>
  KOKKOS_FUNCTION void operator()(Memory const& memory, Index i) const {
    Index const component = level.large_count + i;
    int const begin = memory.at(level.first_member, component), end = memory.at(level.first_member, component + 1);
    double sum = 0;
    for (int k = begin; k < end; ++k) sum += static_cast<double>(value(memory, k));
    auto const mean = static_cast<P>(sum / (end - begin));
    for (int k = begin; k < end; ++k) memory.at(values, level.member_at(memory, k)) -= mean;
  }
  template <class Memory>
  KOKKOS_FUNCTION P value(Memory const& memory, int k) const {
    return memory.at(values, level.member_at(memory, k));
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
    int const begin = block.at(level.first_member, component), end = block.at(level.first_member, component + 1);
    double const sum = block.total(block.each_sum(end - begin, [&](int k) -> double {
      return static_cast<double>(static_cast<P>(block.at(values, level.member_at(block, begin + k))));
    }));
    block.each(1, [&](int) { shared.mean = static_cast<P>(sum / (end - begin)); });
    block.each(end - begin, [&](int k) { block.at(values, level.member_at(block, begin + k)) -= shared.mean; });
  }
};

// ---- the cycle; `run(count, phase)` calls phase(memory, i) for 0 <= i < count

/// How many sweeps, and how the first one of a level begins.
struct TailSweeps {
  int count, on_coarsest;
  bool starts_from_zero;  ///< without x; else x is cleared, and read like any other
};

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

/// Smooths x = 0.
template <class P, int Dim, class Run>
KOKKOS_FUNCTION void smooth_zero(TailView<P, Dim> const& level, int count, bool starts_from_zero, Run const& run) {
  if (!starts_from_zero) run(level.count, ClearTail<P, Dim>{level});
  smooth_tail(level, 0, count, starts_from_zero, run);
}

/// From the first level down to the residual of the last one but one.
template <class P, int Dim, class Run>
KOKKOS_FUNCTION void descend_tail(TailView<P, Dim> const* levels, int count, TailSweeps const& sweeps, Run const& run) {
  for (int l = 0; l + 1 < count; ++l) {
    smooth_zero(levels[l], sweeps.count, sweeps.starts_from_zero, run);
    run(levels[l].count, KeepResidual<P, Dim>{levels[l]});
    run(levels[l + 1].count, RestrictToTail<P, Dim>{levels[l + 1], levels[l].scratch});
  }
}
/// The last level, if there is nothing below it.
template <class P, int Dim, class Run>
KOKKOS_FUNCTION void solve_coarsest(TailView<P, Dim> const& level, TailSweeps const& sweeps, Run const& run) {
  int const half = (sweeps.on_coarsest + 1) / 2;
  smooth_zero(level, half, sweeps.starts_from_zero, run);
  smooth_tail(level, 1, half, false, run);
}
/// Back up from the last level, whose x is done.
template <class P, int Dim, class Run>
KOKKOS_FUNCTION void ascend_tail(TailView<P, Dim> const* levels, int count, TailSweeps const& sweeps, Run const& run) {
  for (int l = count - 2; l >= 0; --l) {
    run(levels[l].count, ProlongInTail<P, Dim>{levels[l], levels[l + 1].x});
    smooth_tail(levels[l], 1, sweeps.count, false, run);
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
  int count;
  TailSweeps sweeps;

  template <class Block>
  struct InBlock {
    Block const& block;
    template <class Body>
    KOKKOS_FORCEINLINE_FUNCTION void operator()(int n, Body const& body) const {
      block.each(n, [&](int i) { body(block, i); });
    }
  };
  template <class Block>
  KOKKOS_FUNCTION void operator()(Block const& block, Shared& shared, int) const {
    InBlock<Block> const run{block};
    remove_means(block, shared, levels[0].b);
    descend_tail(levels, count, sweeps, run);
    solve_coarsest(levels[count - 1], sweeps, run);
    ascend_tail(levels, count, sweeps, run);
    remove_means(block, shared, levels[0].x);
  }
  template <class Block>
  KOKKOS_FUNCTION void remove_means(Block const& block, Shared& shared, P* values) const {
    auto const& level = levels[0];
    RemoveMeanInBlock<P, Dim> const large{level, values};
    for (int component = 0; component < level.large_count; ++component) large(block, shared, component);
    RemoveMean<P, Dim> const small{level, values};
    block.each(level.singular_count - level.large_count, [&](int i) { small(block, i); });
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
