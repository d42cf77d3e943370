#include <sparse/io/vtk/vtk_image.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <stdexcept>

#include <fmt/format.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkImageData.h>
#include <vtkInformation.h>
#include <vtkMatrix3x3.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPointData.h>
#include <vtkStreamingDemandDrivenPipeline.h>
#include <vtkStructuredPoints.h>
#include <vtkStructuredPointsReader.h>
#include <vtkXMLDataElement.h>
#include <vtkXMLImageDataReader.h>

#include "io/files/failure.hpp"
#include "vtk_messages.hpp"

namespace sparse::io {
namespace {

/// The first and the last bytes of a file.
struct Ends {
  std::string first, last;
};

Ends ends_of(std::filesystem::path const& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) file_failure(path, "is a folder");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) file_failure(path, errno != 0 ? std::strerror(errno) : "cannot be read");
  constexpr std::streamoff some = 1024;
  Ends ends{std::string(some, '\0'), std::string(some, '\0')};
  file.read(ends.first.data(), some);
  ends.first.resize(static_cast<std::size_t>(file.gcount()));
  if (ends.first.empty()) file_failure(path, "the file is empty");
  file.clear();
  file.seekg(0, std::ios::end);
  file.seekg(std::max<std::streamoff>(file.tellg() - some, 0));
  file.read(ends.last.data(), some);
  ends.last.resize(static_cast<std::size_t>(file.gcount()));
  return ends;
}

/// The cells of an extent. VTK gives extents in points.
Box<3> cells_of(std::filesystem::path const& path, int const* extent) {
  Box<3> cells;
  for (int axis = 0; axis < 3; ++axis) {
    Index const begin = extent[2 * axis], end = std::max<Index>(extent[2 * axis + 1], begin + 1);
    if (begin <= -coord_limit || end > coord_limit)
      file_failure(path, "the extent leaves the range of coordinates, -2^30 < x < 2^30");
    cells.begin[axis] = static_cast<Coord>(begin);
    cells.end[axis] = static_cast<Coord>(end);
  }
  return cells;
}

Box<3> common(Box<3> const& a, Box<3> const& b) {
  Box<3> result;
  for (int axis = 0; axis < 3; ++axis) {
    result.begin[axis] = std::max(a.begin[axis], b.begin[axis]);
    result.end[axis] = std::min(a.end[axis], b.end[axis]);
  }
  return result;
}

/// VTK's reader, protected from files that crash it. Its name begins with `vtk`, because `VtkMessages` removes such
/// names.
class vtkGuardedImageReader : public vtkXMLImageDataReader {
public:
  vtkTypeMacro(vtkGuardedImageReader, vtkXMLImageDataReader);
  static vtkGuardedImageReader* New();

  std::vector<std::array<int, 6>> extents;  ///< extents of the pieces
  std::string refusal;

protected:
  int ReadPiece(vtkXMLDataElement* piece) override {
    for (int i = 0; i < piece->GetNumberOfNestedElements(); ++i)
      for (int k = 0; k < piece->GetNestedElement(i)->GetNumberOfNestedElements(); ++k) {
        auto* const array = piece->GetNestedElement(i)->GetNestedElement(k);
        long long components = 1;
        char const* const text = array->GetAttribute("NumberOfComponents");
        if (text != nullptr) components = std::strtoll(text, nullptr, 10);
        constexpr int most = 1 << 16;
        if (components < 0 || components > most) {
          refusal = fmt::format("an array has {} components", components);
          return 0;
        }
      }
    auto& extent = extents.emplace_back();
    if (piece->GetVectorAttribute("Extent", 6, extent.data()) != 6) extents.pop_back();
    int const result = vtkXMLImageDataReader::ReadPiece(piece);
    // VTK 9.1 mistakes an array of cells that is too short for one of points, whether there are points or not.
    if (result != 0 && PointDataElements[Piece] == nullptr) {
      no_points_->SetName("PointData");
      PointDataElements[Piece] = no_points_;
    }
    return result;
  }

private:
  vtkNew<vtkXMLDataElement> no_points_;
};
vtkStandardNewMacro(vtkGuardedImageReader);

/// Throws unless each cell is in one of the pieces. VTK leaves the values of other cells unset.
void expect_covered(std::filesystem::path const& path, Box<3> const& whole,
                    std::vector<std::array<int, 6>> const& extents) {
  std::vector<Box<3>> pieces;
  Index count = 0;
  for (auto const& extent : extents) {
    Box<3> piece = cells_of(path, extent.data());
    for (int axis = 0; axis < 3; ++axis) {
      // One layer of points has cells only if the whole image has one layer, too.
      if (extent[2 * axis] == extent[2 * axis + 1] && whole.end[axis] - whole.begin[axis] > 1)
        piece.end[axis] = piece.begin[axis];
    }
    piece = common(piece, whole);
    if (piece.is_empty()) continue;
    for (auto const& other : pieces)
      if (!common(piece, other).is_empty()) file_failure(path, "two pieces have the same cells");
    pieces.push_back(piece);
    count += piece.cell_count();
  }
  if (count != whole.cell_count()) file_failure(path, "the pieces do not make up the whole extent");
}

vtkSmartPointer<vtkImageData> read_xml(std::filesystem::path const& path, VtkMessages const& messages) {
  vtkNew<vtkGuardedImageReader> reader;
  if (!reader->CanReadFile(path.c_str())) file_failure(path, "holds no image data");
  reader->SetFileName(path.c_str());
  reader->UpdateInformation();
  if (!reader->refusal.empty()) file_failure(path, reader->refusal);
  int whole[6];
  auto* const information = reader->GetOutputInformation(0);
  if (!messages.text().empty() || !information->Has(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT())) return nullptr;
  information->Get(vtkStreamingDemandDrivenPipeline::WHOLE_EXTENT(), whole);
  Box<3> const cells = cells_of(path, whole);
  double count = 1;
  for (int axis = 0; axis < 3; ++axis) count *= static_cast<double>(cells.end[axis]) - cells.begin[axis];
  constexpr double most = 1e15;
  if (count > most) throw std::bad_alloc();
  expect_covered(path, cells, reader->extents);
  reader->Update();
  return reader->GetOutput();
}

vtkSmartPointer<vtkImageData> read_image(std::filesystem::path const& path, VtkMessages const& messages) {
  Ends const ends = ends_of(path);
  vtkSmartPointer<vtkImageData> image;
  if (ends.first.rfind("# vtk DataFile", 0) == 0) {
    vtkNew<vtkStructuredPointsReader> reader;
    reader->SetFileName(path.c_str());
    reader->ReadAllScalarsOn();
    reader->ReadAllFieldsOn();
    reader->Update();
    image = reader->GetOutput();
  } else if (ends.first.find("<VTKFile") != std::string::npos) {
    // VTK does not check the end of the file, behind the last array.
    if (ends.last.find("</VTKFile>") == std::string::npos) file_failure(path, "truncated: '</VTKFile>' is missing");
    image = read_xml(path, messages);
  } else {
    file_failure(path, "neither an XML nor a legacy file of VTK");
  }
  if (auto const text = messages.text(); !text.empty()) file_failure(path, text);
  if (image == nullptr || image->GetNumberOfPoints() == 0) file_failure(path, "the image is empty");
  return image;
}

/// The array of that name, or the first with one component, and whether its values belong to cells.
struct Found {
  vtkDataArray* values = nullptr;
  bool is_of_cells = false;
};

Found find_array(std::filesystem::path const& path, vtkImageData& image, std::string const& wanted) {
  std::string others;
  for (bool const is_of_cells : {true, false}) {
    vtkDataSetAttributes* const data =
        is_of_cells ? static_cast<vtkDataSetAttributes*>(image.GetCellData()) : image.GetPointData();
    for (int i = 0; i < data->GetNumberOfArrays(); ++i) {
      vtkDataArray* const values = data->GetArray(i);
      if (values == nullptr) continue;
      std::string const name = values->GetName() == nullptr ? "" : values->GetName();
      int const components = values->GetNumberOfComponents();
      if (wanted.empty() ? components == 1 && name != "vtkGhostType" : name == wanted) {
        if (components != 1)
          file_failure(path, fmt::format("array '{}' has {} components, one is needed", name, components));
        if (values->GetNumberOfTuples() != (is_of_cells ? image.GetNumberOfCells() : image.GetNumberOfPoints()))
          file_failure(path, fmt::format("array '{}' has {} values, which are not as many as there are {}", name,
                                         values->GetNumberOfTuples(), is_of_cells ? "cells" : "points"));
        return {values, is_of_cells};
      }
      others += fmt::format("{}'{}' ({} data, {} component{})", others.empty() ? "" : ", ", name,
                            is_of_cells ? "cell" : "point", components, components == 1 ? "" : "s");
    }
  }
  if (others.empty()) file_failure(path, "has no array of numbers");
  if (wanted.empty()) file_failure(path, "has no array of one component, only " + others);
  file_failure(path, fmt::format("has no array '{}', only {}", wanted, others));
}

/// For each cell, the mean of the points at its corners.
std::vector<double> means_of_corners(vtkDataArray& values, Vec<Index, 3> const& points, Vec<Index, 3> const& cells) {
  std::vector<double> means;
  means.reserve(static_cast<std::size_t>(cells[0] * cells[1] * cells[2]));
  Vec<Index, 3> corners;  // per axis: two, but one along an axis with one layer of points
  for (int axis = 0; axis < 3; ++axis) corners[axis] = points[axis] > 1 ? 2 : 1;
  double const share = 1.0 / static_cast<double>(corners[0] * corners[1] * corners[2]);
  for (Index z = 0; z < cells[2]; ++z)
    for (Index y = 0; y < cells[1]; ++y)
      for (Index x = 0; x < cells[0]; ++x) {
        double sum = 0;
        for (Index k = z; k < z + corners[2]; ++k)
          for (Index j = y; j < y + corners[1]; ++j)
            for (Index i = x; i < x + corners[0]; ++i)
              sum += values.GetComponent((k * points[1] + j) * points[0] + i, 0);
        means.push_back(share * sum);
      }
  return means;
}

CellImage cell_image(std::filesystem::path const& path, std::string const& array) {
  VtkMessages const messages;
  auto const image = read_image(path, messages);
  auto const [values, is_of_cells] = find_array(path, *image, array);
  if (!image->GetDirectionMatrix()->IsIdentity()) file_failure(path, "the axes of the image are turned");

  CellImage result;
  result.array = values->GetName() == nullptr ? "" : values->GetName();
  int const* const extent = image->GetExtent();
  result.cells = cells_of(path, extent);
  Vec<Index, 3> points, cells;
  for (int axis = 0; axis < 3; ++axis) {
    double const spacing = image->GetSpacing()[axis], origin = image->GetOrigin()[axis];
    if (!(std::isfinite(spacing) && spacing > 0))
      file_failure(path, fmt::format("the spacing {} on axis {} is not positive", spacing, axis));
    if (!std::isfinite(origin)) file_failure(path, fmt::format("the origin on axis {} is not finite", axis));
    result.grid.spacing[axis] = spacing;
    result.grid.origin[axis] = origin;
    points[axis] = Index{extent[2 * axis + 1]} - extent[2 * axis] + 1;
    cells[axis] = std::max<Index>(points[axis] - 1, 1);
  }
  if (is_of_cells) {
    result.values.resize(static_cast<std::size_t>(values->GetNumberOfTuples()));
    for (vtkIdType i = 0; i < values->GetNumberOfTuples(); ++i)
      result.values[static_cast<std::size_t>(i)] = values->GetComponent(i, 0);
  } else {
    result.values = means_of_corners(*values, points, cells);
  }
  return result;
}

}  // namespace

CellImage read_vtk_image(std::filesystem::path const& path, std::string const& array) {
  try {
    return cell_image(path, array);
  } catch (std::bad_alloc const&) {
    file_failure(path, "the image needs more memory than there is");
  } catch (std::length_error const&) {
    file_failure(path, "the image needs more memory than there is");
  }
}

}  // namespace sparse::io
