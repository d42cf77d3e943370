#pragma once
/// The state of a simulation for files and pictures.

#include <string>
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

template <class Law, class Derive>
struct DeriveValues {
  FieldView<typename Law::Scalar const> state;
  FieldView<float> out;
  Derive derive;
  KOKKOS_FUNCTION void operator()(RunPoint<Law::dimension, 2> const& p) const {
    out.store(p.operand(0), derive(state.template load<Law::component_count>(p.operand(1))));
  }
};

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
  using Law = typename Flow::Law;
  constexpr int Dim = Flow::Dim;
  constexpr int value_count = detail::value_count<std::decay_t<decltype(derive(typename Law::State{}))>>;
  static_assert(value_count > 0, "derive must return a Vec<float, N>");
  flow.synchronise();
  auto const* const team = team_of(flow);
  bool const has_nothing = team != nullptr && team->rank() > 0;
  std::vector<io::LevelCells<Dim>> levels;
  for (int l = 0; l < flow.level_count(); ++l) {
    LevelSets<Dim> const& sets = flow.sets(l);
    Field<float, Dim> values("values", sets.cells, value_count);
    for_each("sparse::amr::snapshot", CopyPlan<Dim>(sets.cells, sets.cells, sets.storage),
             detail::DeriveValues<Law, Derive>{flow.state(l).view(), values.view(), derive});
    values = flow.gathered(l, std::move(values));
    if (has_nothing) continue;
    LevelSets<Dim> const& all = flow.sets_of_all(l);
    io::LevelCells<Dim> level{l, all.cells.to_host(), {}, all.covered.to_host()};
    for (auto const& array : arrays) {
      std::vector<float> components;
      for (int c = array.first; c < array.first + array.count; ++c) {
        auto const component = to_host(values, c);
        components.insert(components.end(), component.begin(), component.end());
      }
      level.arrays.push_back({array.name, array.count, std::move(components)});
    }
    levels.push_back(std::move(level));
  }
  return levels;
}

}  // namespace sparse::amr
