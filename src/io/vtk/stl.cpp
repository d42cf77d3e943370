#include <sparse/io/vtk/stl.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <string>

#include <fmt/format.h>
#include <vtkCellArray.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPolyData.h>
#include <vtkSTLReader.h>

#include "io/files/failure.hpp"
#include "vtk_messages.hpp"

namespace sparse::io {
namespace {

constexpr std::uintmax_t header_bytes = 84, triangle_bytes = 50;

/// `count` bytes from `position` on, or fewer if the file ends before.
std::string part_of(std::ifstream& file, std::uintmax_t position, std::uintmax_t count) {
  std::string part(static_cast<std::size_t>(count), '\0');
  file.clear();
  file.seekg(static_cast<std::streamoff>(position));
  file.read(part.data(), static_cast<std::streamsize>(count));
  part.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return part;
}

bool begins_with(std::string const& text, std::string_view word) {
  return text.size() >= word.size() && std::equal(word.begin(), word.end(), text.begin(), [](char a, char b) {
           return a == std::tolower(static_cast<unsigned char>(b));
         });
}

/// Refuses truncated files, because VTK would silently read as much as there is.
void check_length(std::filesystem::path const& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) file_failure(path, "is a folder");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) file_failure(path, errno != 0 ? std::strerror(errno) : "cannot be read");
  file.seekg(0, std::ios::end);
  auto const size = static_cast<std::uintmax_t>(std::max<std::streamoff>(file.tellg(), 0));
  if (size == 0) file_failure(path, "the file is empty");

  std::string const header = part_of(file, 0, header_bytes);
  std::uintmax_t count = 0;
  if (header.size() == header_bytes)
    for (std::size_t i = header_bytes; i-- > header_bytes - 4;)
      count = count << 8 | static_cast<unsigned char>(header[i]);
  std::uintmax_t const needed = header_bytes + count * triangle_bytes;
  bool const is_binary = header.size() == header_bytes && size == needed;
  if (is_binary) {
    if (count == 0) file_failure(path, "has no triangles");
    return;
  }
  if (begins_with(header, "solid")) {
    std::uintmax_t const tail_bytes = std::min<std::uintmax_t>(size, 1 << 16);
    std::string tail = part_of(file, size - tail_bytes, tail_bytes);
    while (!tail.empty() && std::isspace(static_cast<unsigned char>(tail.back()))) tail.pop_back();
    std::size_t const line_end = tail.find_last_of("\r\n");
    std::string last_line = line_end == std::string::npos ? tail : tail.substr(line_end + 1);
    last_line.erase(0, std::min(last_line.find_first_not_of(" \t"), last_line.size()));
    if (!begins_with(last_line, "endsolid")) file_failure(path, "truncated: the last line is not 'endsolid'");
    return;
  }
  if (header.size() < header_bytes)
    file_failure(path, "not an STL file: it neither begins with 'solid' nor has the 84 bytes of a binary header");
  if (size < needed)
    file_failure(path,
                 fmt::format("truncated, or not an STL file: a header of {} triangles needs {} bytes, {} are there",
                             count, needed, size));
  file_failure(path,
               fmt::format("not an STL file: {} bytes where a header of {} triangles needs {}", size, count, needed));
}

/// Numbers points; points with equal coordinates get one number.
class Vertices {
public:
  explicit Vertices(TriangleMesh& mesh) : mesh_(mesh) {}
  int number_of(Vec<double, 3> const& point) {
    auto const [place, is_new] =
        numbers_.try_emplace({point[0], point[1], point[2]}, static_cast<int>(mesh_.vertices.size()));
    if (is_new) mesh_.vertices.push_back(point);
    return place->second;
  }

private:
  TriangleMesh& mesh_;
  std::map<std::array<double, 3>, int> numbers_;  // -0 and 0 are equal
};

}  // namespace

TriangleMesh read_stl(std::filesystem::path const& path) {
  check_length(path);
  VtkMessages const messages;
  vtkNew<vtkSTLReader> reader;
  reader->SetFileName(path.c_str());
  reader->MergingOff();  // done below, because VTK's way is undefined for coordinates that are not finite
  reader->Update();
  if (auto const text = messages.text(); !text.empty()) file_failure(path, text);
  vtkPolyData* const surface = reader->GetOutput();
  vtkIdType const count = surface->GetNumberOfPolys();
  if (count == 0) file_failure(path, "has no triangles");
  if (count > std::numeric_limits<int>::max() / 3) file_failure(path, "has more triangles than can be numbered");

  TriangleMesh mesh;
  Vertices vertices(mesh);
  vtkNew<vtkIdList> corners;
  for (vtkIdType i = 0; i < count; ++i) {
    surface->GetPolys()->GetCellAtId(i, corners);
    if (corners->GetNumberOfIds() != 3)
      file_failure(path, fmt::format("facet {} has {} corners", i, corners->GetNumberOfIds()));
    Vec<int, 3> triangle;
    for (int corner = 0; corner < 3; ++corner) {
      Vec<double, 3> point;
      surface->GetPoint(corners->GetId(corner), point.data);
      for (double const x : point.data)
        if (!std::isfinite(x)) file_failure(path, fmt::format("facet {} has a coordinate that is not finite", i));
      triangle[corner] = vertices.number_of(point);
    }
    if (triangle[0] != triangle[1] && triangle[1] != triangle[2] && triangle[2] != triangle[0])
      mesh.triangles.push_back(triangle);
  }
  return mesh;
}

}  // namespace sparse::io
