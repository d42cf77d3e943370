#include <sparse/io/vtk/vtu.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

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
#include "io/levels/leaf_mesh.hpp"
#include "vtk_errors.hpp"

namespace sparse::io {
namespace {

/// Coordinate of a vertex. A vertex of two levels gets the same bits on both.
template <int Dim>
double coordinate(Grid<Dim> const& grid, int level, int axis, Coord vertex) {
  return grid.origin[axis] + std::ldexp(grid.spacing[axis], -level) * vertex;
}

/// Whether floats represent every coordinate between the outermost vertices to 1/4096 of the finest cell width.
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

/// The values of array number `a` on the leaves of all levels.
template <class T, int Dim>
vtkSmartPointer<vtkDataArray> values_of(std::vector<LevelCells<Dim>> const& levels,
                                        std::vector<std::vector<Run>> const& leaves, std::size_t a, Index cell_count) {
  int const components = levels[0].arrays[a].components, stored = components == 2 ? 3 : components;
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
vtkNew<vtkUnstructuredGrid> grid_of_leaves(Grid<Dim> const& grid, std::vector<LevelCells<Dim>> const& levels) {
  std::vector<std::vector<Run>> leaves;
  for (auto const& level : levels) leaves.push_back(leaf_runs(level));
  LeafMesh<Dim> const mesh(levels, leaves);

  vtkNew<vtkUnstructuredGrid> result;
  result->SetPoints(floats_suffice(grid, mesh) ? points_of<vtkFloatArray>(grid, mesh)
                                               : points_of<vtkDoubleArray>(grid, mesh));
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
void write_vtu(std::filesystem::path const& path, Grid<Dim> const& grid, std::vector<LevelCells<Dim>> const& levels) {
  check_levels(levels);
  // Written to memory first, because the writer of VTK 9.1 crashes when a disk is full.
  vtkNew<vtkXMLUnstructuredGridWriter> writer;
  VtkErrors const errors(*writer);
  writer->SetInputData(grid_of_leaves(grid, levels));
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

template void write_vtu<2>(std::filesystem::path const&, Grid<2> const&, std::vector<LevelCells<2>> const&);
template void write_vtu<3>(std::filesystem::path const&, Grid<3> const&, std::vector<LevelCells<3>> const&);
template void write_geometry<2>(std::filesystem::path const&, Grid<2> const&, int, HostSet<2> const&);
template void write_geometry<3>(std::filesystem::path const&, Grid<3> const&, int, HostSet<3> const&);

}  // namespace sparse::io
