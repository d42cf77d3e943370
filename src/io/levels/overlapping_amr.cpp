#include <sparse/io/levels/overlapping_amr.hpp>

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include <sparse/base/error.hpp>

#include "io/files/hdf5_file.hpp"
#include "patches.hpp"

namespace sparse::io {
namespace {

constexpr unsigned char hidden_cell = 32;  // vtkDataSetAttributes::HIDDENCELL

/// First and last cell of every patch in the order of VTK's AMR boxes: x, x, y, y, z, z.
template <int Dim>
std::vector<int> amr_boxes(std::vector<Patch<Dim>> const& patches) {
  std::vector<int> boxes;
  for (auto const& patch : patches)
    for (int axis = 0; axis < 3; ++axis) {
      boxes.push_back(axis < Dim ? patch.box.begin[axis] : 0);
      boxes.push_back(axis < Dim ? patch.box.end[axis] - 1 : 0);
    }
  return boxes;
}

std::vector<unsigned char> ghost_types(Index size, std::vector<Segment> const& leaves) {
  std::vector<unsigned char> types(static_cast<std::size_t>(size), hidden_cell);
  for (Segment const& s : leaves) std::fill_n(types.data() + s.to, s.count, static_cast<unsigned char>(0));
  return types;
}

/// Reorders values from the order of the set to that of the patches, where components of a cell are adjacent.
template <int Dim, class T>
void write_array(Hdf5File const& file, hid_t group, CellArray const& array, std::vector<T> const& values,
                 Patches<Dim> const& patches, bool compress) {
  int const components = array.components, stored = components == 2 ? 3 : components;
  Index const stride = static_cast<Index>(values.size()) / components;
  auto const out = std::make_unique_for_overwrite<T[]>(static_cast<std::size_t>(patches.size * stored));

  for (auto const& patch : patches.patches) {  // an absent cell gets the value of a cell that exists
    if (patch.cell_count == patch.box.cell_count()) continue;
    for (Index i = patch.first; i < patch.first + patch.box.cell_count(); ++i)
      for (int c = 0; c < stored; ++c)
        out[static_cast<std::size_t>(i * stored + c)] =
            c < components ? values[static_cast<std::size_t>(c * stride + patch.sample)] : T(0);
  }
  for (Segment const& s : patches.cells) {
    T* to = out.get() + s.to * stored;
    if (stored == 1) {
      std::copy_n(values.data() + s.from, s.count, to);
    } else {
      for (Index i = s.from; i < s.from + s.count; ++i)
        for (int c = 0; c < stored; ++c) *to++ = c < components ? values.data()[c * stride + i] : T(0);
    }
  }

  std::vector<hsize_t> shape = {static_cast<hsize_t>(patches.size)};
  if (stored > 1) shape.push_back(static_cast<hsize_t>(stored));
  file.write(group, array.name, shape, out.get(), compress);
}

template <int Dim>
void write_level(Hdf5File const& file, hid_t root, Grid<Dim> const& grid, LevelCells<Dim> const& level, bool compress) {
  auto const patches = patches_of(level);
  auto const group = file.group(root, fmt::format("Level{}", level.level));

  // 2D patches have the same thickness on all levels, so that their upper sides lie in one plane.
  auto const width = grid.spacing_of(level.level);
  file.attribute(group, "Spacing",
                 std::vector<double>{width[0], width[1], Dim == 3 ? width[Dim - 1] : grid.spacing[0]});
  file.write(group, "AMRBox", {static_cast<hsize_t>(patches.patches.size()), 6}, amr_boxes(patches.patches).data());
  file.group(group, "PointData");
  file.group(group, "FieldData");

  auto const data = file.group(group, "CellData");
  std::vector<hsize_t> const shape = {static_cast<hsize_t>(patches.size)};
  file.write(data, "vtkGhostType", shape, ghost_types(patches.size, patches.leaves).data(), compress);
  std::vector<unsigned char> const numbers(static_cast<std::size_t>(patches.size),
                                           static_cast<unsigned char>(level.level));
  file.write(data, "level", shape, numbers.data(), compress);
  for (CellArray const& array : level.arrays)
    std::visit([&](auto const& values) { write_array(file, data, array, values, patches, compress); }, array.values);
}

}  // namespace

template <int Dim>
void write_overlapping_amr(std::filesystem::path const& path, Grid<Dim> const& grid,
                           std::vector<LevelCells<Dim>> const& levels, OverlappingAmrOptions options) {
  check_levels(levels);
  std::size_t count = levels.size();
  while (count > 0 && levels[count - 1].cells.cell_count() == 0) --count;
  expects(count > 0, "an AMR file needs at least one cell");
  for (std::size_t l = 0; l < count; ++l)
    if (levels[l].level != static_cast<int>(l) || levels[l].cells.cell_count() == 0)
      fail(fmt::format("an AMR file needs every level from 0 on, with cells; level {} is missing", l));

  Hdf5File file;
  {
    auto const root = file.group(file.root(), "VTKHDF");
    file.attribute(root, "Version", std::vector<int>{1, 0});
    file.attribute(root, "Type", "OverlappingAMR");
    file.attribute(root, "GridDescription", "XYZ");
    file.attribute(root, "Origin",
                   std::vector<double>{grid.origin[0], grid.origin[1], Dim == 3 ? grid.origin[Dim - 1] : 0.0});
    for (std::size_t l = 0; l < count; ++l) write_level(file, root, grid, levels[l], options.compress);
  }
  file.save(path);
}

template void write_overlapping_amr<2>(std::filesystem::path const&, Grid<2> const&, std::vector<LevelCells<2>> const&,
                                       OverlappingAmrOptions);
template void write_overlapping_amr<3>(std::filesystem::path const&, Grid<3> const&, std::vector<LevelCells<3>> const&,
                                       OverlappingAmrOptions);

}  // namespace sparse::io
