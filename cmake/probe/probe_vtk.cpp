#include <vtkNew.h>
#include <vtkPNGWriter.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridWriter.h>

int main() {
  vtkNew<vtkUnstructuredGrid> grid;
  vtkNew<vtkXMLUnstructuredGridWriter> writer;
  vtkNew<vtkPNGWriter> png;
  writer->SetInputData(grid);
  return 0;
}
