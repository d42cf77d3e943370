#pragma once
/// What the writers take: levels of cells with values, in host memory.

#include <string>
#include <variant>
#include <vector>

#include <sparse/base/grid.hpp>
#include <sparse/sets/host_set.hpp>

namespace sparse::io {

/// Values on the cells of a set.
///
/// Components come one after the other, as in a field: component c of cell i is `values[c * cell_count + i]`. Files
/// keep the precision given here; hand over floats for small files.
struct CellArray {
  std::string name;
  int components = 1;  ///< 1 for a scalar; in files a vector of two gets a third component, zero, which viewers expect
  std::variant<std::vector<float>, std::vector<double>> values;
};

/// One level: its cells, the values on them, and which of them a finer level replaces.
template <int Dim>
struct LevelCells {
  int level = 0;  ///< 0 is the coarsest, each next one has cells of half the width
  HostSet<Dim> cells;
  std::vector<CellArray> arrays;  ///< every level has the same ones in the same order
  /// Cells to hide because finer ones show the same place: `coarsen` of the next level's cells. The others are leaves.
  /// May hold cells that are not in `cells`, and may be empty.
  HostSet<Dim> covered = {};
};

/// Throws `std::invalid_argument` unless the writers can make sense of `levels`: level numbers increase and lie in
/// [0, 30], arrays agree from level to level in name, components and precision, have as many values as there are cells,
/// 1 to 9 components, and names that are unique, not empty, and not those the writers use ("level", "vtkGhostType").
template <int Dim>
void check_levels(std::vector<LevelCells<Dim>> const& levels);

}  // namespace sparse::io
