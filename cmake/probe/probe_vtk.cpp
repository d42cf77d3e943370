#include <vtkNew.h>
#include <vtkSTLReader.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridWriter.h>

int main() {
  vtkNew<vtkUnstructuredGrid> grid;
  vtkNew<vtkXMLUnstructuredGridWriter> writer;
  vtkNew<vtkSTLReader> reader;
  writer->SetInputData(grid);
  return 0;
}
