#include <vtkNew.h>
#include <vtkOggTheoraWriter.h>
#include <vtkPNGWriter.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLUnstructuredGridWriter.h>

int main() {
  vtkNew<vtkUnstructuredGrid> grid;
  vtkNew<vtkXMLUnstructuredGridWriter> writer;
  vtkNew<vtkPNGWriter> png;
  vtkNew<vtkOggTheoraWriter> film;
  writer->SetInputData(grid);
  return 0;
}
