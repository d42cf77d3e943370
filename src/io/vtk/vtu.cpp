#include <sparse/io/vtk/vtu.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include <fmt/format.h>
#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkCellType.h>
#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>
#include <vtkPoints.h>
#include <vtkTypeInt32Array.h>
#include <vtkTypeInt64Array.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include <sparse/base/error.hpp>
#include <sparse/io/files/file.hpp>

#include "io/files/failure.hpp"
#include "io/files/xml.hpp"
#include "io/levels/leaf_mesh.hpp"
#include "vtk_errors.hpp"

namespace sparse::io {
namespace {

/// Coordinate of a vertex. A vertex of two levels gets the same bits on both.
template <int Dim>
double coordinate(Grid<Dim> const& grid, int level, int axis, Coord vertex) {
  return grid.origin[axis] + std::ldexp(grid.spacing[axis], -level) * vertex;
}

/// Whether floats represent every coordinate from `low` to `high` to 1/4096 of the finest cell width.
/// @param low, high  in cells of level 0
template <int Dim>
bool floats_suffice(Grid<Dim> const& grid, Vec<double, Dim> const& low, Vec<double, Dim> const& high, int finest) {
  for (int axis = 0; axis < Dim; ++axis) {
    double const begin = std::ldexp(low[axis], finest), end = std::ldexp(high[axis], finest);
    double const width = std::ldexp(grid.spacing[axis], -finest);
    if (end - begin > 1 << 24) return false;
    for (double i = begin; i <= end; ++i) {
      double const x = grid.origin[axis] + width * i;
      if (std::abs(static_cast<double>(static_cast<float>(x)) - x) > width / 4096) return false;
    }
  }
  return true;
}

/// The same for the points of a mesh.
template <int Dim>
bool floats_suffice(Grid<Dim> const& grid, LeafMesh<Dim> const& mesh) {
  Vec<double, Dim> low = Vec<double, Dim>::filled(std::numeric_limits<double>::max()), high = -1.0 * low;
  int finest = 0;
  mesh.for_each_point([&](Index, int level, Vec<Coord, Dim> const& vertex) {
    finest = std::max(finest, level);
    for (int axis = 0; axis < Dim; ++axis) {
      double const at = std::ldexp(static_cast<double>(vertex[axis]), -level);
      low[axis] = std::min(low[axis], at);
      high[axis] = std::max(high[axis], at);
    }
  });
  return floats_suffice(grid, low, high, finest);
}

/// The same for the pieces of a box of cells of level 0.
template <int Dim>
bool floats_suffice(Grid<Dim> const& grid, std::vector<LevelCells<Dim>> const& levels, Box<Dim> const& whole) {
  Vec<double, Dim> low, high;
  for (int axis = 0; axis < Dim; ++axis) {
    low[axis] = whole.begin[axis];
    high[axis] = whole.end[axis];
  }
  return floats_suffice(grid, low, high, levels.empty() ? 0 : levels.back().level);
}

template <class Array, int Dim>
vtkNew<vtkPoints> points_of(Grid<Dim> const& grid, LeafMesh<Dim> const& mesh) {
  vtkNew<Array> coordinates;
  coordinates->SetNumberOfComponents(3);
  coordinates->SetNumberOfTuples(mesh.point_count());
  auto* const out = coordinates->GetPointer(0);
  mesh.for_each_point([&](Index point, int level, Vec<Coord, Dim> const& vertex) {
    for (int axis = 0; axis < 3; ++axis)
      out[3 * point + axis] =
          static_cast<typename Array::ValueType>(axis < Dim ? coordinate(grid, level, axis, vertex[axis]) : 0);
  });
  vtkNew<vtkPoints> points;
  points->SetData(coordinates);
  return points;
}

template <class Array, int Dim>
vtkNew<vtkCellArray> cells_of(LeafMesh<Dim> const& mesh) {
  using Id = typename Array::ValueType;
  constexpr Index corners = Index{1} << Dim;
  vtkNew<Array> offsets, connectivity;
  offsets->SetNumberOfValues(mesh.cell_count() + 1);
  connectivity->SetNumberOfValues(mesh.cell_count() * corners);
  for (Index i = 0; i <= mesh.cell_count(); ++i) offsets->SetValue(i, static_cast<Id>(i * corners));
  mesh.fill_connectivity(connectivity->GetPointer(0));
  vtkNew<vtkCellArray> cells;
  cells->SetData(offsets, connectivity);
  return cells;
}

/// Viewers expect vectors of three.
int stored_components(CellArray const& array) { return array.components == 2 ? 3 : array.components; }

/// The values of array number `a` on the leaves of all levels.
template <class T, int Dim>
vtkSmartPointer<vtkDataArray> values_of(std::vector<LevelCells<Dim>> const& levels,
                                        std::vector<std::vector<Run>> const& leaves, std::size_t a, Index cell_count) {
  int const components = levels[0].arrays[a].components, stored = stored_components(levels[0].arrays[a]);
  auto array = vtkSmartPointer<vtkAOSDataArrayTemplate<T>>::New();
  array->SetName(levels[0].arrays[a].name.c_str());
  array->SetNumberOfComponents(stored);
  array->SetNumberOfTuples(cell_count);
  T* out = array->GetPointer(0);
  for (std::size_t l = 0; l < levels.size(); ++l) {
    T const* const values = std::get<std::vector<T>>(levels[l].arrays[a].values).data();
    Index const stride = levels[l].cells.cell_count();
    for (Run const& run : leaves[l]) {
      Index const end = run.first + run.x.end - run.x.begin;
      if (stored == 1) {
        out = std::copy(values + run.first, values + end, out);
      } else {
        for (Index i = run.first; i < end; ++i)
          for (int c = 0; c < stored; ++c) *out++ = c < components ? values[c * stride + i] : T(0);
      }
    }
  }
  return array;
}

template <int Dim>
vtkNew<vtkUnstructuredGrid> grid_of_leaves(Grid<Dim> const& grid, std::vector<LevelCells<Dim>> const& levels,
                                           std::optional<Box<Dim>> const& whole) {
  std::vector<std::vector<Run>> leaves;
  for (auto const& level : levels) leaves.push_back(leaf_runs(level));
  LeafMesh<Dim> const mesh(levels, leaves);

  vtkNew<vtkUnstructuredGrid> result;
  bool const is_single = whole ? floats_suffice(grid, levels, *whole) : floats_suffice(grid, mesh);
  result->SetPoints(is_single ? points_of<vtkFloatArray>(grid, mesh) : points_of<vtkDoubleArray>(grid, mesh));
  bool const small = std::max(mesh.point_count(), mesh.cell_count() << Dim) <= std::numeric_limits<std::int32_t>::max();
  result->SetCells(Dim == 2 ? VTK_PIXEL : VTK_VOXEL,
                   small ? cells_of<vtkTypeInt32Array>(mesh) : cells_of<vtkTypeInt64Array>(mesh));

  vtkNew<vtkUnsignedCharArray> level_numbers;
  level_numbers->SetName("level");
  level_numbers->SetNumberOfValues(mesh.cell_count());
  auto* out = level_numbers->GetPointer(0);
  for (std::size_t l = 0; l < levels.size(); ++l)
    out = std::fill_n(out, cell_count(leaves[l]), static_cast<unsigned char>(levels[l].level));
  result->GetCellData()->AddArray(level_numbers);

  for (std::size_t a = 0; !levels.empty() && a < levels[0].arrays.size(); ++a) {
    bool const single = std::holds_alternative<std::vector<float>>(levels[0].arrays[a].values);
    result->GetCellData()->AddArray(single ? values_of<float>(levels, leaves, a, mesh.cell_count())
                                           : values_of<double>(levels, leaves, a, mesh.cell_count()));
  }
  return result;
}

}  // namespace

template <int Dim>
void write_vtu(std::filesystem::path const& path, Grid<Dim> const& grid, std::vector<LevelCells<Dim>> const& levels,
               std::optional<Box<Dim>> const& whole) {
  check_levels(levels);
  // Written to memory first, because the writer of VTK 9.1 crashes when a disk is full.
  vtkNew<vtkXMLUnstructuredGridWriter> writer;
  VtkErrors const errors(*writer);
  writer->SetInputData(grid_of_leaves(grid, levels, whole));
  writer->SetDataModeToBinary();
  writer->SetCompressorTypeToZLib();
  writer->SetCompressionLevel(1);
  writer->WriteToOutputStringOn();
  if (writer->Write() != 1 || !errors.text().empty())
    file_failure(path, "the grid could not be encoded: " + errors.text());
  write_text(path, writer->GetOutputString());
}

template <int Dim>
void write_geometry(std::filesystem::path const& path, Grid<Dim> const& grid, int level, HostSet<Dim> const& cells) {
  write_vtu<Dim>(path, grid, {LevelCells<Dim>{level, cells, {}}});
}

template <int Dim>
void write_pvtu(std::filesystem::path const& path, Grid<Dim> const& grid, std::vector<LevelCells<Dim>> const& levels,
                Box<Dim> const& whole, std::vector<std::filesystem::path> const& pieces) {
  check_levels(levels);
  expects(!levels.empty(), "write_pvtu: there must be a level");
  auto const type = [](bool is_single) { return is_single ? "Float32" : "Float64"; };
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PUnstructuredGrid\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
      "  <PUnstructuredGrid GhostLevel=\"0\">\n"
      "    <PPoints>\n      <PDataArray type=\"{}\" Name=\"Points\" NumberOfComponents=\"3\"/>\n    </PPoints>\n"
      "    <PCellData>\n      <PDataArray type=\"UInt8\" Name=\"level\"/>\n",
      type(floats_suffice(grid, levels, whole)));
  for (CellArray const& array : levels[0].arrays)
    text += fmt::format("      <PDataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\"/>\n",
                        type(std::holds_alternative<std::vector<float>>(array.values)), xml_escaped(array.name),
                        stored_components(array));
  text += "    </PCellData>\n";
  auto const folder = std::filesystem::absolute(path).lexically_normal().parent_path();
  for (auto const& piece : pieces)
    text += fmt::format(
        "    <Piece Source=\"{}\"/>\n",
        xml_escaped(std::filesystem::absolute(piece).lexically_normal().lexically_relative(folder).generic_string()));
  write_text(path, text + "  </PUnstructuredGrid>\n</VTKFile>\n");
}

#define SPARSE_DEFINE(Dim)                                                                                             \
  template void write_vtu(std::filesystem::path const&, Grid<Dim> const&, std::vector<LevelCells<Dim>> const&,         \
                          std::optional<Box<Dim>> const&);                                                             \
  template void write_pvtu(std::filesystem::path const&, Grid<Dim> const&, std::vector<LevelCells<Dim>> const&,        \
                           Box<Dim> const&, std::vector<std::filesystem::path> const&);                                \
  template void write_geometry(std::filesystem::path const&, Grid<Dim> const&, int, HostSet<Dim> const&);
SPARSE_DEFINE(2)
SPARSE_DEFINE(3)

}  // namespace sparse::io
