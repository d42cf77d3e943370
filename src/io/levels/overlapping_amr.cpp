#include <sparse/io/levels/overlapping_amr.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include <sparse/base/error.hpp>

#include <sparse/io/files/file.hpp>

#include "io/files/hdf5_file.hpp"
#include "leaves.hpp"
#include "patches.hpp"

namespace sparse::io {
namespace {

constexpr unsigned char hidden_cell = 32;  // vtkDataSetAttributes::HIDDENCELL

/// First and last cell of every patch in the order of VTK's AMR boxes: x, x, y, y, z, z.
template <int Dim>
std::vector<int> amr_boxes(Patches<Dim> const& patches) {
  std::vector<int> boxes;
  for (auto const& [tile, patch] : patches.all())
    for (int axis = 0; axis < 3; ++axis) {
      boxes.push_back(axis < Dim ? patch.box.begin[axis] : 0);
      boxes.push_back(axis < Dim ? patch.box.end[axis] - 1 : 0);
    }
  return boxes;
}

/// Which cells of a level show.
template <int Dim>
std::vector<unsigned char> ghost_types(LevelCells<Dim> const& level) {
  std::vector<unsigned char> types(static_cast<std::size_t>(level.cells.cell_count()), hidden_cell);
  for (Run const& run : leaf_runs(level)) std::fill_n(types.data() + run.first, run.x.end - run.x.begin, 0);
  return types;
}

/// The data sets of a level: values of the cells that a process has, and where they go.
class Values {
public:
  /// @param size  of the patches
  /// @param parts  gets the values; nullptr if the file does
  Values(Hdf5File& file, hid_t group, Index size, std::vector<Segment> const& segments, FileParts* parts)
      : file_(file), group_(group), size_(size), segments_(segments), parts_(parts) {}

  /// @param components  of a place
  /// @param value  of a segment's i-th place, by segment, i and component
  template <class T, class Value>
  void add(std::string const& name, int components, Value const& value) {
    std::vector<hsize_t> shape = {static_cast<hsize_t>(size_)};
    if (components > 1) shape.push_back(static_cast<hsize_t>(components));
    Index count = 0;
    for (Segment const& s : segments_) count += s.count;
    auto const bytes = static_cast<std::size_t>(count * components) * sizeof(T);
    std::vector<std::byte> block(bytes);
    T* to = reinterpret_cast<T*>(block.data());
    for (Segment const& s : segments_)
      for (Index i = 0; i < s.count; ++i)
        for (int c = 0; c < components; ++c) *to++ = value(s, i, c);
    if (parts_ == nullptr) return file_.write(group_, name, shape, reinterpret_cast<T const*>(block.data()), true);

    std::uint64_t const begin = file_.reserve<T>(group_, name, shape);
    std::size_t const place = static_cast<std::size_t>(components) * sizeof(T);
    std::byte const* from = block.data();
    bool is_new = true;
    for (Segment const& s : segments_) {
      auto const at = begin + static_cast<std::uint64_t>(s.to) * place;
      auto const size = static_cast<std::size_t>(s.count) * place;
      if (!is_new && parts_->parts.back().at + parts_->parts.back().size == at)
        parts_->parts.back().size += size;
      else
        parts_->parts.push_back({at, from, size});
      is_new = false;
      from += size;
    }
    parts_->blocks.push_back(std::move(block));
  }

private:
  Hdf5File& file_;
  hid_t group_;
  Index size_;
  std::vector<Segment> const& segments_;
  FileParts* parts_;
};

template <int Dim>
void add_level(Hdf5File& file, hid_t root, Grid<Dim> const& grid, HostSet<Dim> const& all, LevelCells<Dim> const& own,
               FileParts* parts) {
  Patches<Dim> const patches(own.level, all);
  auto const group = file.group(root, fmt::format("Level{}", own.level));

  // 2D patches have the same thickness on all levels, so that their upper sides lie in one plane.
  auto const width = grid.spacing_of(own.level);
  file.attribute(group, "Spacing",
                 std::vector<double>{width[0], width[1], Dim == 3 ? width[Dim - 1] : grid.spacing[0]});
  file.write(group, "AMRBox", {static_cast<hsize_t>(patches.all().size()), 6}, amr_boxes(patches).data());
  file.group(group, "PointData");
  file.group(group, "FieldData");

  auto const data = file.group(group, "CellData");
  auto const segments = patches.segments_of(own.cells);
  Values values(file, data, patches.size(), segments, parts);
  auto const types = ghost_types(own);
  values.add<unsigned char>("vtkGhostType", 1, [&](Segment const& s, Index i, int) {
    return s.is_absent ? hidden_cell : types[static_cast<std::size_t>(s.from + i)];
  });
  values.add<unsigned char>("level", 1,
                            [&](Segment const&, Index, int) { return static_cast<unsigned char>(own.level); });
  for (CellArray const& array : own.arrays)
    std::visit(
        [&]<class T>(std::vector<T> const& of_cells) {
          int const components = array.components;
          Index const stride = own.cells.cell_count();
          values.add<T>(array.name, components == 2 ? 3 : components, [&](Segment const& s, Index i, int c) {
            Index const cell = s.is_absent ? s.from : s.from + i;
            return c < components ? of_cells[static_cast<std::size_t>(c * stride + cell)] : T(0);
          });
        },
        array.values);
}

/// @param parts  gets the values; nullptr if the file does
template <int Dim>
void add_levels(Hdf5File& file, Grid<Dim> const& grid, std::vector<HostSet<Dim>> const& all,
                std::vector<LevelCells<Dim>> const& own, FileParts* parts) {
  check_levels(own);
  std::size_t count = all.size();
  while (count > 0 && all[count - 1].cell_count() == 0) --count;
  expects(count > 0, "an AMR file needs at least one cell");
  for (std::size_t l = 0; l < count; ++l)
    if (l >= own.size() || own[l].level != static_cast<int>(l) || all[l].cell_count() == 0)
      fail(fmt::format("an AMR file needs every level from 0 on, with cells; level {} is missing", l));

  auto const root = file.group(file.root(), "VTKHDF");
  file.attribute(root, "Version", std::vector<int>{1, 0});
  file.attribute(root, "Type", "OverlappingAMR");
  file.attribute(root, "GridDescription", "XYZ");
  file.attribute(root, "Origin",
                 std::vector<double>{grid.origin[0], grid.origin[1], Dim == 3 ? grid.origin[Dim - 1] : 0.0});
  for (std::size_t l = 0; l < count; ++l) add_level(file, root, grid, all[l], own[l], parts);
}

}  // namespace

template <int Dim>
FileParts overlapping_amr_parts(Grid<Dim> const& grid, std::vector<HostSet<Dim>> const& all,
                                std::vector<LevelCells<Dim>> const& own, bool has_rest) {
  Hdf5File file;
  FileParts parts;
  add_levels(file, grid, all, own, &parts);
  auto rest = file.finish();
  parts.file_size = rest.file_size;
  if (has_rest) {
    parts.parts.insert(parts.parts.end(), rest.parts.begin(), rest.parts.end());
    std::move(rest.blocks.begin(), rest.blocks.end(), std::back_inserter(parts.blocks));
  }
  std::sort(parts.parts.begin(), parts.parts.end(), [](auto const& a, auto const& b) { return a.at < b.at; });
  return parts;
}

template <int Dim>
void write_overlapping_amr(std::filesystem::path const& path, Grid<Dim> const& grid,
                           std::vector<LevelCells<Dim>> const& levels, OverlappingAmrOptions options) {
  std::vector<HostSet<Dim>> all;
  for (auto const& level : levels) all.push_back(level.cells);
  if (!options.compress) return write_parts(path, overlapping_amr_parts(grid, all, levels, true));
  Hdf5File file;
  add_levels(file, grid, all, levels, nullptr);
  file.save(path);
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template FileParts overlapping_amr_parts(Grid<Dim> const&, std::vector<HostSet<Dim>> const&,                         \
                                           std::vector<LevelCells<Dim>> const&, bool);                                 \
  template void write_overlapping_amr<Dim>(std::filesystem::path const&, Grid<Dim> const&,                             \
                                           std::vector<LevelCells<Dim>> const&, OverlappingAmrOptions);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse::io
