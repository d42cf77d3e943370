#pragma once
/// The state of a simulation for files and pictures.

#include <string>

#include <sparse/amr/simulation.hpp>
#include <sparse/io/cells.hpp>
#include <sparse/io/field_array.hpp>

namespace sparse::amr {

/// An array of derived values: `count` components of what `Derive` returns, from `first` on.
struct DerivedArray {
  std::string name;
  int first, count;
};

/// All cells of all levels with arrays of derived values in single precision.
/// @param arrays  names of consecutive components of what `derive(State) -> Vec<float, N>`, a device function, returns
template <int N, class Flux, class Derive>
std::vector<io::LevelCells<Flux::Law::dimension>> snapshot(Simulation<Flux>& simulation, Derive const& derive,
                                                           std::vector<DerivedArray> const& arrays) {
  using Law = typename Flux::Law;
  using Scalar = typename Flux::Scalar;
  constexpr int Dim = Law::dimension;
  simulation.synchronise();
  std::vector<io::LevelCells<Dim>> levels;
  for (int l = 0; l < simulation.level_count(); ++l) {
    LevelSets<Dim> const& sets = simulation.sets(l);
    Field<float, Dim> values("values", sets.cells, N);
    FieldView<float> const out = values.view();
    FieldView<Scalar const> const state = simulation.state(l).view();
    for_each(
        "sparse::amr::snapshot", CopyPlan<Dim>(sets.cells, sets.cells, sets.storage),
        KOKKOS_LAMBDA(RunPoint<Dim, 2> const& p) {
          Vec<float, N> const value = derive(state.template load<Law::component_count>(p.operand(1)));
          out.store(p.operand(0), value);
        });
    io::LevelCells<Dim> level{l, sets.cells.to_host(), {}, sets.covered.to_host()};
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
