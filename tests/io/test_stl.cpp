/// Triangle meshes from STL files.

#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>
#include <vtkCellArray.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkSTLWriter.h>

#include <sparse/io/files/file.hpp>
#include <sparse/io/vtk/stl.hpp>

#include "support/io_levels.hpp"
#include "support/meshes.hpp"

namespace {

using namespace io_test;
using sparse::triangle_mesh;
using sparse::TriangleMesh;

class Stl : public testing::Test {
protected:
  TriangleMesh read(std::string const& bytes) {
    io::write_text(folder / "mesh.stl", bytes);
    return io::read_stl(folder / "mesh.stl");
  }
  void expect_refused(std::string const& bytes, std::string const& reason) {
    testing::internal::CaptureStderr();
    try {
      auto const mesh = read(bytes);
      ADD_FAILURE() << mesh.triangles.size() << " triangles were read, expected: " << reason;
    } catch (std::runtime_error const& error) {
      std::string const what = error.what();
      EXPECT_EQ(what.find((folder / "mesh.stl").string() + ": "), 0u) << what;
      EXPECT_NE(what.find(reason), std::string::npos) << what;
      EXPECT_EQ(what.find('\n'), std::string::npos) << what;
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  }
  /// A mesh as VTK writes it.
  std::string written_by_vtk(TriangleMesh const& mesh, bool binary) {
    vtkNew<vtkPoints> points;
    points->SetDataTypeToDouble();
    for (auto const& vertex : mesh.vertices) points->InsertNextPoint(vertex.data);
    vtkNew<vtkCellArray> triangles;
    for (auto const& triangle : mesh.triangles) {
      vtkIdType const ids[3] = {triangle[0], triangle[1], triangle[2]};
      triangles->InsertNextCell(3, ids);
    }
    vtkNew<vtkPolyData> surface;
    surface->SetPoints(points);
    surface->SetPolys(triangles);
    vtkNew<vtkSTLWriter> writer;
    writer->SetInputData(surface);
    writer->SetFileName((folder / "vtk.stl").c_str());
    binary ? writer->SetFileTypeToBinary() : writer->SetFileTypeToASCII();
    writer->Write();
    return contents(folder / "vtk.stl");
  }
  Folder folder;
};

std::string binary(TriangleMesh const& mesh, std::string header = "made by a test") {
  header.resize(80);
  auto const add = [&](auto value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    header.append(bytes, sizeof value);
  };
  add(static_cast<std::uint32_t>(mesh.triangles.size()));
  for (auto const& triangle : mesh.triangles) {
    for (int i = 0; i < 3; ++i) add(0.0f);
    for (int const corner : triangle.data)
      for (double const x : mesh.vertices[static_cast<std::size_t>(corner)].data) add(static_cast<float>(x));
    add(std::uint16_t{0});
  }
  return header;
}

std::string ascii(TriangleMesh const& mesh, std::string const& name) {
  std::string text = "solid " + name + "\n";
  for (auto const& triangle : mesh.triangles) {
    text += " facet normal 0 0 0\n  outer loop\n";
    for (int const corner : triangle.data) {
      text += "   vertex";
      for (double const x : mesh.vertices[static_cast<std::size_t>(corner)].data)
        text.append(" ").append(std::to_string(x));
      text += "\n";
    }
    text += "  endloop\n endfacet\n";
  }
  return text + "endsolid " + name + "\n";
}

/// The corners of all triangles: what a mesh is, apart from the numbers of its vertices.
std::vector<std::vector<double>> corners(TriangleMesh const& mesh) {
  std::vector<std::vector<double>> all;
  for (auto const& triangle : mesh.triangles) {
    all.emplace_back();
    for (int const corner : triangle.data)
      for (double const x : mesh.vertices[static_cast<std::size_t>(corner)].data)
        all.back().push_back(static_cast<float>(x));
  }
  return all;
}

}  // namespace

TEST_F(Stl, MeshesComeBackWithTheirVerticesJoined) {
  auto const box = meshes::box({-1.5, 0, 0.25}, {3, 4.125, 5}), ball = meshes::sphere({1, 2, 3}, 7, 3);
  for (auto const& mesh : {box, ball})
    for (auto const& bytes : {binary(mesh), binary(mesh, "solid is how some binary files begin, too"),
                              written_by_vtk(mesh, true), written_by_vtk(mesh, false)}) {
      auto const read_back = read(bytes);
      EXPECT_EQ(corners(read_back), corners(mesh));
      EXPECT_EQ(read_back.vertices.size(), mesh.vertices.size());
      EXPECT_NO_THROW(triangle_mesh(read_back));
    }
  EXPECT_EQ(corners(read(ascii(box, "a box"))), corners(box));
  EXPECT_TRUE(triangle_mesh(read(binary(box))) == triangle_mesh(box));
}

TEST_F(Stl, SeveralSolidsAndFlatTriangles) {
  auto const a = meshes::box({0, 0, 0}, {3, 4, 5}), b = meshes::box({9, 9, 9}, {11, 12, 13});
  auto both = a;
  meshes::append(both, b);
  EXPECT_EQ(corners(read(ascii(a, "a") + ascii(b, "b"))), corners(both));
  EXPECT_EQ(corners(read(ascii(a, ""))), corners(a));
  auto with_flat = a;
  with_flat.triangles.push_back({0, 1, 1});
  EXPECT_EQ(corners(read(binary(with_flat))), corners(a));
  // Windows line ends, capitals, no line end at the end.
  std::string text = ascii(a, "a");
  for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2) text.replace(at, 1, "\r\n");
  EXPECT_EQ(corners(read(text)), corners(a));
  text = ascii(a, "a");
  text.pop_back();
  EXPECT_EQ(corners(read(text)), corners(a));
}

TEST_F(Stl, ZeroOfEitherSignIsOnePlace) {
  auto mesh = meshes::box({0, 0, 0}, {3, 4, 5});
  std::string bytes = binary(mesh);
  float const minus = -0.0f;
  // The first corner of the second triangle: VTK would see two points there.
  std::memcpy(bytes.data() + 84 + 50 + 12, &minus, sizeof minus);
  auto const read_back = read(bytes);
  EXPECT_EQ(read_back.vertices.size(), 8u);
  EXPECT_NO_THROW(triangle_mesh(read_back));
}

TEST_F(Stl, EveryTruncationIsReported) {
  auto const mesh = meshes::tetrahedron({0, 0, 0}, {3, 0, 0}, {0, 4, 0}, {0, 0, 5});
  std::string const bytes = binary(mesh), text = ascii(mesh, "four sides");
  EXPECT_NO_THROW(read(bytes));
  for (std::size_t length = 0; length < bytes.size(); ++length) expect_refused(bytes.substr(0, length), "");
  for (std::size_t length = 0; length < text.rfind("endsolid") + 8; ++length)
    expect_refused(text.substr(0, length), "");
  expect_refused("", "the file is empty");
  expect_refused(bytes.substr(0, 83), "not an STL file");
  expect_refused(bytes.substr(0, 200), "a header of 4 triangles needs 284 bytes, 200 are there");
  expect_refused(bytes + "x", "285 bytes where a header of 4 triangles needs 284");
  expect_refused(text.substr(0, text.rfind("endsolid")), "truncated: the last line is not 'endsolid'");
}

TEST_F(Stl, WhatIsNoStlIsReported) {
  auto const mesh = meshes::tetrahedron({0, 0, 0}, {3, 0, 0}, {0, 4, 0}, {0, 0, 5});
  expect_refused("hello", "not an STL file");
  expect_refused(std::string(1000, 'x'), "not an STL file");
  expect_refused("solid nothing\nendsolid nothing\n", "");
  expect_refused(binary({{}, {}}), "has no triangles");
  expect_refused("solid a\n facet normal 0 0\n  outer\nendsolid a\n", "");
  std::string text = ascii(mesh, "a");
  text.replace(text.find("vertex"), 6, "vertix");
  expect_refused(text, "");
  text = ascii(mesh, "a");
  text.replace(text.find("vertex 0.0"), 10, "vertex x.0");
  expect_refused(text, "");

  std::string bytes = binary(mesh);
  for (float const bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    std::memcpy(bytes.data() + 84 + 50 + 16, &bad, sizeof bad);
    expect_refused(bytes, "facet 1 has a coordinate that is not finite");
  }
  EXPECT_THROW(io::read_stl(folder / "missing.stl"), std::runtime_error);
  EXPECT_THROW(io::read_stl(folder / ""), std::runtime_error);
}
