#include <sparse/io/vtk/isosurface.hpp>

#include <algorithm>
#include <cmath>

#include <vtkCellArray.h>
#include <vtkDoubleArray.h>
#include <vtkFlyingEdges3D.h>
#include <vtkImageData.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>

#include <sparse/base/error.hpp>

namespace sparse::io {

PolyData isosurface(Vec<int, 3> const& count, Grid<3> const& grid, std::vector<double> const& values, double value) {
  grid.expect_valid();
  expects(count[0] > 1 && count[1] > 1 && count[2] > 1, "isosurface: a box has at least two nodes along each axis");
  expects(values.size() == static_cast<std::size_t>(count[0]) * static_cast<std::size_t>(count[1]) *
                               static_cast<std::size_t>(count[2]),
          "isosurface: there is not one value per node");
  expects(std::isfinite(value) && std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }),
          "isosurface: a value is not finite");
  vtkNew<vtkDoubleArray> array;
  array->SetArray(const_cast<double*>(values.data()), static_cast<vtkIdType>(values.size()), 1);  // 1: stays ours
  vtkNew<vtkImageData> image;
  image->SetDimensions(count[0], count[1], count[2]);
  image->SetOrigin(grid.origin.data);
  image->SetSpacing(grid.spacing.data);
  image->GetPointData()->SetScalars(array);
  vtkNew<vtkFlyingEdges3D> filter;
  filter->SetInputData(image);
  filter->SetValue(0, value);
  filter->ComputeNormalsOff();
  filter->ComputeScalarsOff();
  filter->Update();

  PolyData surface;
  vtkPolyData* const found = filter->GetOutput();
  for (vtkIdType i = 0; i < found->GetNumberOfPoints(); ++i) {
    surface.points.push_back({});
    found->GetPoint(i, surface.points.back().data);
  }
  vtkCellArray* const triangles = found->GetPolys();
  vtkIdType corner_count = 0;
  vtkIdType const* corners = nullptr;
  for (triangles->InitTraversal(); triangles->GetNextCell(corner_count, corners);)
    surface.polygons.emplace_back(corners, corners + corner_count);
  return surface;
}

}  // namespace sparse::io
