#include <sparse/io/vtk/vtu_input.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <vtkCellArray.h>
#include <vtkCellType.h>
#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkPoints.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLDataElement.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <sparse/base/error.hpp>

#include "io/files/failure.hpp"
#include "io/files/file_contents.hpp"
#include "vtk_messages.hpp"

namespace sparse::io {
namespace {

/// VTK's reader, protected from files that crash it. It skips values. Its name begins with `vtk`, because `VtkMessages`
/// removes such names.
class vtkGuardedGridReader : public vtkXMLUnstructuredGridReader {
public:
  vtkTypeMacro(vtkGuardedGridReader, vtkXMLUnstructuredGridReader);
  static vtkGuardedGridReader* New();

  double most = 0;  ///< greatest number of cells or points in a file of this size
  std::string refusal;

protected:
  int ReadPiece(vtkXMLDataElement* piece) override {
    for (char const* const name : {"NumberOfPoints", "NumberOfCells"}) {
      char const* const text = piece->GetAttribute(name);
      double const count = text == nullptr ? -1 : std::strtod(text, nullptr);
      if (!(count >= 0 && count <= most)) {
        refusal = fmt::format("{} is {}, which cannot be", name, text == nullptr ? "missing" : text);
        return 0;
      }
    }
    for (int i = piece->GetNumberOfNestedElements() - 1; i >= 0; --i) {
      auto* const part = piece->GetNestedElement(i);
      std::string const name = part->GetName() == nullptr ? "" : part->GetName();
      if (name == "PointData" || name == "CellData") {
        part->RemoveAllNestedElements();
        continue;
      }
      for (int k = 0; k < part->GetNumberOfNestedElements(); ++k) {
        auto* const array = part->GetNestedElement(k);
        char const* const kind = array->GetName();
        if (kind == nullptr || std::string(kind) != "DataArray") {
          refusal = fmt::format("'{}' stands where an array should", kind == nullptr ? "" : kind);
          return 0;
        }
        char const* const text = array->GetAttribute("NumberOfComponents");
        double const components = text == nullptr ? 1 : std::strtod(text, nullptr);
        if (!(components >= 0 && components <= 3)) {
          refusal = fmt::format("an array has {} components", text);
          return 0;
        }
      }
    }
    return vtkXMLUnstructuredGridReader::ReadPiece(piece);
  }
};
vtkStandardNewMacro(vtkGuardedGridReader);

/// The 32-bit numbers at the beginning of base64 text. There are fewer if the text ends or is not base64.
std::vector<std::uint32_t> base64_words(std::string_view text, std::size_t count) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<std::uint32_t> words;
  std::uint32_t bits = 0, word = 0;
  int bit_count = 0, byte_count = 0;
  for (char const c : text) {
    auto const digit = digits.find(c);
    if (digit == std::string_view::npos || words.size() == count) break;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    bit_count += 6;
    if (bit_count < 8) continue;
    bit_count -= 8;
    word |= (bits >> bit_count & 0xff) << 8 * byte_count;
    if (++byte_count < 4) continue;
    words.push_back(word);
    word = 0;
    byte_count = 0;
  }
  return words;
}

/// Throws unless the file has this library's layout and can hold the sizes that its arrays claim. VTK would allocate
/// memory for any claim.
void expect_own_layout(std::filesystem::path const& path, std::string const& bytes, double most) {
  auto const has = [&](char const* text) { return bytes.find(text) != std::string::npos; };
  if (!has(" header_type=\"UInt32\"") || !has(" compressor=\"vtkZLibDataCompressor\"") || has("<!") || has("appended"))
    file_failure(path, "not in the layout that this library writes: inline base64, compressed by zlib");
  constexpr std::string_view tag = "<DataArray";
  for (auto at = bytes.find(tag); at != std::string::npos; at = bytes.find(tag, at + 1)) {
    std::string_view const rest = std::string_view(bytes).substr(at);
    auto const end = rest.find('>');
    auto const data = end == std::string_view::npos ? end : rest.find_first_not_of(" \t\r\n", end + 1);
    if (data == std::string_view::npos) file_failure(path, "truncated in an array");
    if (rest.substr(0, end).find(" format=\"binary\"") == std::string_view::npos)
      file_failure(path, "an array is not in base64");
    auto const header = base64_words(rest.substr(data), 3);  // number of blocks, size of a block, size of the last one
    if (header.size() < 3 || header[0] > bytes.size() || header[1] > std::max(most, 1e6) || header[2] > header[1])
      file_failure(path, "corrupt: an array has no sizes that could be");
  }
}

vtkSmartPointer<vtkUnstructuredGrid> read_grid(std::filesystem::path const& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) file_failure(path, "is a folder");
  std::string bytes;
  try {
    bytes = contents_of_file(path);
  } catch (std::runtime_error const& reason) {
    file_failure(path, reason.what());
  }
  if (bytes.empty()) file_failure(path, "the file is empty");
  if (bytes.substr(0, 1024).find("<VTKFile") == std::string::npos) file_failure(path, "no XML file of VTK");
  // VTK does not check the end of the file, behind the last array.
  constexpr std::size_t tail = 64;
  if (bytes.find("</VTKFile>", bytes.size() - std::min(bytes.size(), tail)) == std::string::npos)
    file_failure(path, "truncated: '</VTKFile>' is missing");
  VtkMessages const messages;
  vtkNew<vtkGuardedGridReader> reader;
  if (!reader->CanReadFile(path.c_str())) file_failure(path, "holds no unstructured grid");
  constexpr double most_per_byte = 1100;  // zlib turns one byte into at most 1032
  reader->most = most_per_byte * static_cast<double>(bytes.size());
  expect_own_layout(path, bytes, reader->most);
  reader->SetFileName(path.c_str());
  reader->Update();
  if (!reader->refusal.empty()) file_failure(path, reader->refusal);
  if (auto const text = messages.text(); !text.empty()) file_failure(path, text);
  return reader->GetOutput();
}

/// The corners of all cells. Throws unless each cell has `corners` of them and is of kind `type`.
std::vector<vtkIdType> corners_of(std::filesystem::path const& path, vtkUnstructuredGrid& grid, int type,
                                  Index corners) {
  auto* const cells = grid.GetCells();
  auto* const types = grid.GetCellTypesArray();
  Index const count = cells == nullptr ? 0 : cells->GetNumberOfCells();
  if (count == 0) return {};
  if (!cells->IsValid() || types == nullptr || types->GetNumberOfValues() != count)
    file_failure(path, "the cells have no consistent offsets and types");
  std::vector<vtkIdType> points;
  points.reserve(static_cast<std::size_t>(count * corners));
  vtkNew<vtkIdList> ids;
  for (Index i = 0; i < count; ++i) {
    cells->GetCellAtId(i, ids);
    if (types->GetValue(i) != type || ids->GetNumberOfIds() != corners)
      file_failure(path, fmt::format("cell {} is of type {} with {} corners, one of type {} with {} corners is needed",
                                     i, types->GetValue(i), ids->GetNumberOfIds(), type, corners));
    for (Index corner = 0; corner < corners; ++corner) {
      vtkIdType const point = ids->GetId(corner);
      if (point < 0 || point >= grid.GetNumberOfPoints())
        file_failure(path, fmt::format("cell {} has a corner at point {}, which is not there", i, point));
      points.push_back(point);
    }
  }
  return points;
}

/// The cell of the grid with these points as corners.
template <int Dim>
Vec<Coord, Dim> cell_between(std::filesystem::path const& path, vtkPoints& points, vtkIdType const* corners,
                             Grid<Dim> const& grid, Index number) {
  constexpr double most_error = 1.0 / 256;  // of the cell width; the writer's error is less than 1 / 4096
  Vec<Coord, Dim> cell;
  for (int corner = 0; corner < 1 << Dim; ++corner) {
    double x[3];
    points.GetPoint(corners[corner], x);
    for (int axis = 0; axis < Dim; ++axis) {
      double const place = (x[axis] - grid.origin[axis]) / grid.spacing[axis], nearest = std::round(place);
      if (!(nearest > -coord_limit && nearest <= coord_limit))
        file_failure(path, fmt::format("cell {} leaves the range of coordinates, -2^30 < x < 2^30", number));
      if (corner == 0) cell[axis] = static_cast<Coord>(nearest);
      if (std::abs(place - nearest) > most_error || nearest != Index{cell[axis]} + (corner >> axis & 1))
        file_failure(path, fmt::format("cell {} is no cell of the grid: its corner {} is at {} cell widths on axis {}",
                                       number, corner, place, axis));
    }
    if (Dim == 2 && x[2] != 0) file_failure(path, fmt::format("cell {} does not lie in the plane z = 0", number));
  }
  return cell;
}

template <int Dim>
IntervalSet<Dim> cells_of(std::filesystem::path const& path, Grid<Dim> const& grid, Context const& context) {
  constexpr Index corners = Index{1} << Dim;
  auto const mesh = read_grid(path);
  auto const points = corners_of(path, *mesh, Dim == 2 ? VTK_PIXEL : VTK_VOXEL, corners);
  Index const count = static_cast<Index>(points.size()) / corners;
  std::vector<std::pair<RowKey, Coord>> cells;
  cells.reserve(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i) {
    auto const cell = cell_between<Dim>(path, *mesh->GetPoints(), points.data() + i * corners, grid, i);
    cells.emplace_back(row_key(cell), cell[0]);
  }
  std::sort(cells.begin(), cells.end());
  HostSet<Dim> rows;
  rows.row_ptr.push_back(0);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    auto const [key, x] = cells[i];
    if (i > 0 && cells[i] == cells[i - 1]) file_failure(path, "a cell comes twice");
    bool const is_new_row = i == 0 || cells[i - 1].first != key;
    if (is_new_row) {
      rows.row_keys.push_back(key);
      rows.row_ptr.push_back(rows.row_ptr.back());
    }
    if (is_new_row || rows.intervals.back().end != x) {
      rows.intervals.push_back({x, x});
      ++rows.row_ptr.back();
    }
    ++rows.intervals.back().end;
  }
  return from_host(rows, context);
}

}  // namespace

template <int Dim>
IntervalSet<Dim> read_vtu(std::filesystem::path const& path, Grid<Dim> const& grid, int level, Context const& context) {
  constexpr int finest = 30;
  expects(level >= 0 && level <= finest, "read_vtu: levels are 0 to 30");
  for (int axis = 0; axis < Dim; ++axis) expects(grid.spacing[axis] > 0, "read_vtu: the spacing must be positive");
  try {
    return cells_of<Dim>(path, grid.level(level), context);
  } catch (std::bad_alloc const&) {
    file_failure(path, "the grid needs more memory than there is");
  } catch (std::length_error const&) {
    file_failure(path, "the grid needs more memory than there is");
  } catch (std::invalid_argument const& error) {  // a coordinate at the very end of the range
    file_failure(path, error.what());
  }
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template IntervalSet<Dim> read_vtu(std::filesystem::path const&, Grid<Dim> const&, int, Context const&);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse::io
