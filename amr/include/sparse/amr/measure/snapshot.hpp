#pragma once
/// The state of a simulation for files and pictures.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <sparse/amr/hierarchy/level_sets.hpp>
#include <sparse/amr/measure/team_of.hpp>
#include <sparse/fields/transfer.hpp>
#include <sparse/io/levels/cells.hpp>
#include <sparse/io/levels/field_array.hpp>

namespace sparse::amr {

/// An array of derived values: `count` components of the result of `Derive`, from `first` on.
struct DerivedArray {
  /// The array's name, its first component and how many it has.
  std::string name;
  int first, count;
};

namespace detail {

template <class Values>
inline constexpr int value_count = 0;
template <int N>
inline constexpr int value_count<Vec<float, N>> = N;

/// Components that arrays need, each once, in ascending order.
template <int N>
struct Needed {
  int count = 0;
  int places[N];  ///< of each component among them; -1 if it is not needed

  explicit Needed(std::vector<DerivedArray> const& arrays) {
    for (int c = 0; c < N; ++c) {
      bool const is_needed = std::any_of(arrays.begin(), arrays.end(), [&](DerivedArray const& array) {
        return array.first <= c && c < array.first + array.count;
      });
      places[c] = is_needed ? count++ : -1;
    }
  }
};

template <class Law, class Derive, int N>
struct DeriveValues {
  FieldView<typename Law::Scalar const> state;
  FieldView<float> out;
  Derive derive;
  Needed<N> needed;
  KOKKOS_FUNCTION void operator()(RunPoint<Law::dimension, 2> const& p) const {
    auto const values = derive(state.template load<Law::component_count>(p.operand(1)));
    SPARSE_UNROLL
    for (int c = 0; c < N; ++c)
      if (needed.places[c] >= 0) out(needed.places[c], p.operand(0)) = values[c];
  }
};

/// @param of_rank  the cells of this rank; else, on rank 0, those of all ranks
template <class Flow, class Derive>
std::vector<io::LevelCells<Flow::Dim>> snapshot(Flow& flow, Derive const& derive,
                                                std::vector<DerivedArray> const& arrays, bool of_rank) {
  using Law = typename Flow::Law;
  constexpr int Dim = Flow::Dim, N = value_count<std::decay_t<decltype(derive(typename Law::State{}))>>;
  static_assert(N > 0, "derive must return a Vec<float, N>");
  Needed<N> const needed(arrays);
  flow.synchronise();
  auto const* const team = team_of(flow);
  bool const has_nothing = !of_rank && team != nullptr && team->rank() > 0;
  std::vector<IntervalSet<Dim>> cells;
  for (int l = 0; l < flow.level_count(); ++l) cells.push_back(of_rank ? flow.sets(l).cells : flow.cells_of_all(l));
  cells.emplace_back();  // no cell of the finest level has children
  std::vector<io::LevelCells<Dim>> levels;
  for (int l = 0; l < flow.level_count(); ++l) {
    LevelSets<Dim> const& sets = flow.sets(l);
    std::vector<std::vector<float>> values;
    if (needed.count > 0) {
      Field<float, Dim> field("values", sets.cells, needed.count);
      for_each("sparse::amr::snapshot", CopyPlan<Dim>(sets.cells, sets.cells, sets.storage),
               DeriveValues<Law, Derive, N>{flow.state(l).view(), field.view(), derive, needed});
      if (of_rank)
        for (int c = 0; c < needed.count; ++c) values.push_back(to_host(field, c));
      else
        values = flow.gathered(l, field);
    }
    if (has_nothing) continue;
    auto const index = static_cast<std::size_t>(l);
    IntervalSet<Dim> const covered = of_rank || team == nullptr ? sets.covered : coarsen(cells[index + 1]);
    io::LevelCells<Dim> level{l, cells[index].to_host(), {}, covered.to_host()};
    for (auto const& array : arrays) {
      std::vector<float> components;
      for (int c = array.first; c < array.first + array.count; ++c) {
        auto const& component = values[static_cast<std::size_t>(needed.places[c])];
        components.insert(components.end(), component.begin(), component.end());
      }
      level.arrays.push_back({array.name, array.count, std::move(components)});
    }
    levels.push_back(std::move(level));
  }
  return levels;
}

}  // namespace detail

/// All cells of all levels with arrays of derived values in single precision. Collective if there are several ranks;
/// rank 0 gets the levels of all, and the others get none.
/// @param flow    a `Simulation`
/// @param derive  device function of conserved variables, `State -> Vec<float, N>`
/// @param arrays  names of consecutive components of what it returns
/// Cost: `synchronise`, a pass over all cells, and copies of cells and values to the host; 4 bytes per value. With
/// several ranks also a message with these.
template <class Flow, class Derive>
std::vector<io::LevelCells<Flow::Dim>> snapshot(Flow& flow, Derive const& derive,
                                                std::vector<DerivedArray> const& arrays) {
  return detail::snapshot(flow, derive, arrays, false);
}
/// The same for the cells that this rank owns, without messages but those of `synchronise`. Collective, too.
template <class Flow, class Derive>
std::vector<io::LevelCells<Flow::Dim>> snapshot_of_rank(Flow& flow, Derive const& derive,
                                                        std::vector<DerivedArray> const& arrays) {
  return detail::snapshot(flow, derive, arrays, true);
}

}  // namespace sparse::amr
