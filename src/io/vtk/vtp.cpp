#include <sparse/io/vtk/vtp.hpp>

#include <algorithm>

#include <vtkCellArray.h>
#include <vtkDoubleArray.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkXMLPolyDataWriter.h>

#include <sparse/io/files/file.hpp>

#include "io/files/failure.hpp"
#include "vtk_errors.hpp"

namespace sparse::io {
namespace {

vtkNew<vtkCellArray> cells_of(std::vector<std::vector<Index>> const& shapes) {
  vtkNew<vtkCellArray> cells;
  for (auto const& shape : shapes) {
    cells->InsertNextCell(static_cast<int>(shape.size()));
    for (Index const point : shape) cells->InsertCellPoint(point);
  }
  return cells;
}

vtkNew<vtkPolyData> poly_data_of(PolyData const& data) {
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  points->SetNumberOfPoints(static_cast<vtkIdType>(data.points.size()));
  for (std::size_t i = 0; i < data.points.size(); ++i) points->SetPoint(static_cast<vtkIdType>(i), data.points[i].data);
  vtkNew<vtkPolyData> result;
  result->SetPoints(points);
  result->SetLines(cells_of(data.lines));
  result->SetPolys(cells_of(data.polygons));
  for (PointArray const& array : data.arrays) {
    vtkNew<vtkDoubleArray> values;
    values->SetName(array.name.c_str());
    values->SetNumberOfValues(static_cast<vtkIdType>(array.values.size()));
    std::copy(array.values.begin(), array.values.end(), values->GetPointer(0));
    result->GetPointData()->AddArray(values);
  }
  return result;
}

}  // namespace

void write_vtp(std::filesystem::path const& path, PolyData const& data) {
  check_poly_data(data);
  // Written to memory first, because the writer of VTK 9.1 crashes when a disk is full.
  vtkNew<vtkXMLPolyDataWriter> writer;
  VtkErrors const errors(*writer);
  writer->SetInputData(poly_data_of(data));
  writer->SetDataModeToBinary();
  writer->SetCompressorTypeToZLib();
  writer->SetCompressionLevel(1);
  writer->WriteToOutputStringOn();
  if (writer->Write() != 1 || !errors.text().empty())
    file_failure(path, "the lines and polygons could not be encoded: " + errors.text());
  write_text(path, writer->GetOutputString());
}

}  // namespace sparse::io
