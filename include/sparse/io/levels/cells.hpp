#pragma once
/// The input of the writers: levels of cells with values, in host memory.

#include <string>
#include <variant>
#include <vector>

#include <sparse/base/grid.hpp>
#include <sparse/sets/host_set.hpp>

namespace sparse::io {

/// Values on the cells of a set.
///
/// Components come one after the other, as in a field: component c of cell i is `values[c * cell_count + i]`. Files
/// keep the precision of these values; floats make small files.
struct CellArray {
  /// Of the array.
  std::string name;
  int components = 1;  ///< 1 for a scalar; writers add a zero to vectors of two, because viewers expect three
  /// [components * cell_count]
  std::variant<std::vector<float>, std::vector<double>> values;
};

/// One level: its cells, their values, and which cells a finer level replaces.
template <int Dim>
struct LevelCells {
  int level = 0;  ///< 0 is the coarsest; each next level has cells half as wide
  /// The cells of the level.
  HostSet<Dim> cells;
  std::vector<CellArray> arrays;  ///< the same arrays in the same order on every level
  /// Cells to hide because finer cells cover the same place: `coarsen` of the next level's cells. All others are
  /// leaves. May be empty, and may hold cells that are not in `cells`.
  HostSet<Dim> covered = {};
};

/// Checks what writers expect of levels. Cost: none that grows with the cells.
/// @throws std::invalid_argument  unless `levels` fulfil all of this:
/// - Level numbers increase and lie in [0, 30].
/// - Arrays agree from level to level in name, components and precision.
/// - An array has 1 to 9 components, and one value per cell and component.
/// - Names are unique, not empty, and not reserved by the writers ("level", "vtkGhostType").
template <int Dim>
void check_levels(std::vector<LevelCells<Dim>> const& levels);

}  // namespace sparse::io
