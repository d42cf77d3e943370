#include <sparse/io/levels/cells.hpp>

#include <set>

#include <fmt/format.h>

#include <sparse/base/error.hpp>

namespace sparse::io {
namespace {

Index value_count(CellArray const& array) {
  return std::visit([](auto const& values) { return static_cast<Index>(values.size()); }, array.values);
}

}  // namespace

template <int Dim>
void check_levels(std::vector<LevelCells<Dim>> const& levels) {
  for (std::size_t l = 0; l < levels.size(); ++l) {
    auto const& [level, cells, arrays, covered] = levels[l];
    if (level < 0 || level > 30) fail(fmt::format("level {} is not in [0, 30]", level));
    if (l > 0 && level <= levels[l - 1].level)
      fail(fmt::format("level {} comes after level {}", level, levels[l - 1].level));
    if (arrays.size() != levels[0].arrays.size())
      fail(fmt::format("level {} has {} arrays, level {} has {}", level, arrays.size(), levels[0].level,
                       levels[0].arrays.size()));

    std::set<std::string> names = {"", "level", "vtkGhostType"};
    for (std::size_t a = 0; a < arrays.size(); ++a) {
      CellArray const &array = arrays[a], &first = levels[0].arrays[a];
      if (!names.insert(array.name).second)
        fail(fmt::format("array name '{}' is empty, taken twice, or reserved", array.name));
      if (array.components < 1 || array.components > 9)
        fail(fmt::format("array {} has {} components", array.name, array.components));
      if (array.name != first.name || array.components != first.components ||
          array.values.index() != first.values.index())
        fail(fmt::format("array {} of level {} differs from array {} of level {} in name, components or precision",
                         array.name, level, first.name, levels[0].level));
      if (value_count(array) != cells.cell_count() * array.components)
        fail(fmt::format("array {} of level {} has {} values for {} cells", array.name, level, value_count(array),
                         cells.cell_count()));
    }
  }
}

template void check_levels<2>(std::vector<LevelCells<2>> const&);
template void check_levels<3>(std::vector<LevelCells<3>> const&);

}  // namespace sparse::io
