/// VTK image data as input.

#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>
#include <vtkImageData.h>
#include <vtkIntArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkSmartPointer.h>
#include <vtkStructuredPoints.h>
#include <vtkStructuredPointsWriter.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLImageDataWriter.h>
#include <vtkXMLUnstructuredGridWriter.h>

#include <sparse/io/files/file.hpp>
#include <sparse/io/vtk/vtk_image.hpp>
#include <sparse/shapes/shapes.hpp>

#include "support/io_levels.hpp"

namespace {

using namespace io_test;
using sparse::Vec;

template <class Array>
vtkSmartPointer<Array> array_of(std::string const& name, vtkIdType count, std::function<double(vtkIdType)> const& value,
                                int components = 1) {
  auto array = vtkSmartPointer<Array>::New();
  array->SetName(name.c_str());
  array->SetNumberOfComponents(components);
  array->SetNumberOfTuples(count);
  for (vtkIdType i = 0; i < count; ++i)
    for (int c = 0; c < components; ++c)
      array->SetComponent(i, c, static_cast<typename Array::ValueType>(value(i) + 100 * c));
  return array;
}

double cell_value(vtkIdType i) { return 0.125 * static_cast<double>((i * i) % 1000) - 3; }
double point_value(vtkIdType i) { return 0.25 * static_cast<double>((i * 7) % 512); }

/// 5 x 4 x 3 points from (2, -1, 10) on, or one layer of them.
vtkSmartPointer<vtkImageData> image_with_arrays(bool is_flat) {
  auto image = vtkSmartPointer<vtkImageData>::New();
  image->SetExtent(2, 6, -1, 2, 10, is_flat ? 10 : 12);
  image->SetOrigin(0.5, -2, 3);
  image->SetSpacing(0.25, 1, 2);
  vtkIdType const cells = image->GetNumberOfCells(), points = image->GetNumberOfPoints();
  image->GetCellData()->AddArray(array_of<vtkDoubleArray>("velocity", cells, cell_value, 3));
  image->GetCellData()->AddArray(array_of<vtkFloatArray>("density", cells, cell_value));
  image->GetCellData()->AddArray(
      array_of<vtkIntArray>("number", cells, [](vtkIdType i) { return static_cast<double>(i); }));
  image->GetPointData()->AddArray(array_of<vtkDoubleArray>("height", points, point_value));
  image->GetPointData()->AddArray(array_of<vtkUnsignedCharArray>("number", points, [](vtkIdType) { return 200.0; }));
  return image;
}

class VtkImages : public testing::Test {
protected:
  /// Some of the ways to write XML: 0 ASCII, 1 binary, 2 appended, 3 appended without encoding or compression.
  std::string xml(vtkImageData* image, int way) {
    vtkNew<vtkXMLImageDataWriter> writer;
    writer->SetInputData(image);
    writer->SetFileName((folder / "vtk.vti").c_str());
    if (way == 0) writer->SetDataModeToAscii();
    if (way == 1) writer->SetDataModeToBinary();
    if (way >= 2) writer->SetDataModeToAppended();
    if (way == 3) {
      writer->EncodeAppendedDataOff();
      writer->SetCompressorTypeToNone();
    }
    writer->Write();
    return contents(folder / "vtk.vti");
  }
  std::string legacy(vtkImageData* image, bool binary) {
    vtkNew<vtkStructuredPoints> points;
    points->ShallowCopy(image);
    vtkNew<vtkStructuredPointsWriter> writer;
    writer->SetInputData(points);
    writer->SetFileName((folder / "vtk.vtk").c_str());
    binary ? writer->SetFileTypeToBinary() : writer->SetFileTypeToASCII();
    writer->Write();
    return contents(folder / "vtk.vtk");
  }
  io::CellImage read(std::string const& bytes, std::string const& array = "") {
    io::write_text(folder / "image", bytes);
    return io::read_vtk_image(folder / "image", array);
  }
  void expect_refused(std::string const& bytes, std::string const& reason, std::string const& array = "") {
    testing::internal::CaptureStderr();
    testing::internal::CaptureStdout();
    try {
      auto const image = read(bytes, array);
      ADD_FAILURE() << image.array << " of " << image.values.size() << " cells was read, expected: " << reason;
    } catch (std::runtime_error const& error) {
      std::string const what = error.what();
      EXPECT_EQ(what.find((folder / "image").string() + ": "), 0u) << what;
      EXPECT_NE(what.find(reason), std::string::npos) << what;
      EXPECT_EQ(what.find('\n'), std::string::npos) << what;
    }
    EXPECT_EQ(testing::internal::GetCapturedStderr() + testing::internal::GetCapturedStdout(), "");
  }
  Folder folder;
};

}  // namespace

TEST_F(VtkImages, AllKindsOfFilesAreRead) {
  for (bool const is_flat : {false, true}) {
    auto const image = image_with_arrays(is_flat);
    std::vector<std::string> files;
    for (int way = 0; way < 4; ++way) files.push_back(xml(image, way));
    for (bool const binary : {false, true}) files.push_back(legacy(image, binary));
    for (std::size_t f = 0; f < files.size(); ++f) {
      bool const is_legacy = f >= 4;
      auto const density = read(files[f], "density");
      EXPECT_EQ(density.array, "density");
      // Legacy files know no extent: points are counted from 0, and the origin is that of the first one.
      Vec<Coord, 3> const begin = is_legacy ? Vec<Coord, 3>{0, 0, 0} : Vec<Coord, 3>{2, -1, 10};
      Vec<double, 3> const origin = is_legacy ? Vec<double, 3>{1, -3, 23} : Vec<double, 3>{0.5, -2, 3};
      EXPECT_EQ(density.cells.begin, begin) << f;
      EXPECT_EQ(density.cells.end, (begin + Vec<Coord, 3>{4, 3, is_flat ? 1 : 2})) << f;
      EXPECT_EQ(density.grid.origin, origin) << f;
      EXPECT_EQ(density.grid.spacing, (Vec<double, 3>{0.25, 1, 2})) << f;
      ASSERT_EQ(density.values.size(), is_flat ? 12u : 24u) << f;
      for (std::size_t i = 0; i < density.values.size(); ++i)
        EXPECT_EQ(density.values[i], cell_value(static_cast<vtkIdType>(i))) << f;

      EXPECT_EQ(read(files[f]).array, "density");     // the first one of one component
      auto const numbers = read(files[f], "number");  // of the cells, not of the points
      for (std::size_t i = 0; i < numbers.values.size(); ++i) EXPECT_EQ(numbers.values[i], static_cast<double>(i)) << f;
      EXPECT_EQ(sparse::Box<3>(numbers.cells), density.cells);

      auto const height = read(files[f], "height");
      ASSERT_EQ(height.values.size(), density.values.size());
      std::size_t cell = 0;
      for (int z = 0; z < (is_flat ? 1 : 2); ++z)
        for (int y = 0; y < 3; ++y)
          for (int x = 0; x < 4; ++x, ++cell) {
            double sum = 0;
            for (int corner = 0; corner < (is_flat ? 4 : 8); ++corner)
              sum += point_value(((z + (corner >> 2)) * 4 + y + (corner >> 1 & 1)) * 5 + x + (corner & 1));
            EXPECT_EQ(height.values[cell], sum / (is_flat ? 4 : 8)) << f;
          }
    }
  }
}

TEST_F(VtkImages, ThresholdsMakeSets) {
  auto const flat = read(xml(image_with_arrays(true), 2), "density");
  auto const deep = read(xml(image_with_arrays(false), 2), "density");
  for (double const bound : {-4.0, -3.0, 0.125, 5.0, 1e9}) {
    Cells<2> above, below;
    std::size_t i = 0;
    for (auto const& cell : reference::box<2>({2, -1}, {6, 2})) {
      if (flat.values[i] > bound) above.insert(cell);
      if (flat.values[i] < bound) below.insert(cell);
      ++i;
    }
    EXPECT_TRUE(reference::matches(io::cells_above<2>(flat, bound), above)) << bound;
    EXPECT_TRUE(reference::matches(io::cells_below<2>(flat, bound), below)) << bound;
    Cells<3> above_3, below_3;
    i = 0;
    for (auto const& cell : reference::box<3>({2, -1, 10}, {6, 2, 12})) {
      if (deep.values[i] > bound) above_3.insert(cell);
      if (deep.values[i] < bound) below_3.insert(cell);
      ++i;
    }
    EXPECT_TRUE(reference::matches(io::cells_above<3>(deep, bound), above_3)) << bound;
    EXPECT_TRUE(reference::matches(io::cells_below<3>(deep, bound), below_3)) << bound;
  }
  EXPECT_EQ(io::cells_above<3>(flat, -99).cell_count(), 12);
  EXPECT_THROW(io::cells_above<2>(deep, 0), std::invalid_argument);
  auto broken = deep;
  broken.values.pop_back();
  EXPECT_THROW(io::cells_above<3>(broken, 0), std::invalid_argument);
  auto with_nan = flat;
  with_nan.values.assign(12, std::numeric_limits<double>::quiet_NaN());
  EXPECT_TRUE(io::cells_above<2>(with_nan, 0).is_empty() && io::cells_below<2>(with_nan, 0).is_empty());
}

TEST_F(VtkImages, ASphereComesBack) {
  vtkNew<vtkImageData> image;
  image->SetDimensions(41, 41, 41);
  image->GetCellData()->AddArray(array_of<vtkFloatArray>("distance", image->GetNumberOfCells(), [](vtkIdType i) {
    double sum = 0;
    for (vtkIdType const place : {i % 40, i / 40 % 40, i / 1600})
      sum += std::pow(static_cast<double>(place) + 0.5 - 20.25, 2);
    return std::sqrt(sum) - 15;
  }));
  auto const set = io::cells_below<3>(read(xml(image, 2)), 0);
  EXPECT_TRUE(set == sparse::ball<3>(Vec<double, 3>::filled(20.25), 15));
}

TEST_F(VtkImages, TruncatedFilesAreReported) {
  auto const image = image_with_arrays(false);
  for (int way = 0; way < 4; ++way) {
    std::string const whole = xml(image, way);
    std::size_t const end = whole.find_last_of('<');  // all but the line "</VTKFile>"
    for (std::size_t length = 0; length <= end; length += length < 600 ? 7 : 97)
      expect_refused(whole.substr(0, length), "");
    expect_refused(whole.substr(0, end), "");
  }
  for (int way = 0; way < 3; ++way) {  // a piece missing in the middle of the values
    std::string holed = xml(image, way);
    std::size_t const values = way == 2 ? holed.find("<AppendedData") : holed.find('>', holed.find("\"density\""));
    holed.erase(values + 60, 40);
    expect_refused(holed, "", "density");
  }
  for (bool const binary : {false, true}) {
    std::string const whole = legacy(image, binary);
    std::size_t const values = whole.find("CELL_DATA");
    for (std::size_t length = 0; length < values; length += 11) expect_refused(whole.substr(0, length), "");
    // In the middle of an array that was asked for.
    std::size_t const density = whole.find("density");
    expect_refused(whole.substr(0, density + 40), "", "density");
  }
  expect_refused("", "the file is empty");
}

namespace {

/// 2 x 2 cells and one array with these attributes and this text, but no element for points, as other programs write
/// it.
std::string with_cells_only(std::string const& attributes, std::string const& text, std::string const& appended = "",
                            std::string const& piece = "0 2 0 2 0 1") {
  return "<?xml version=\"1.0\"?>\n<VTKFile type=\"ImageData\" version=\"0.1\" byte_order=\"LittleEndian\">\n"
         "<ImageData WholeExtent=\"0 2 0 2 0 1\" Origin=\"0 0 0\" Spacing=\"1 1 1\">\n<Piece Extent=\"" +
         piece + "\">\n<CellData Scalars=\"v\">\n<DataArray type=\"Float32\" Name=\"v\" " + attributes + ">" + text +
         "</DataArray>\n</CellData>\n</Piece>\n</ImageData>\n" + appended + "\n</VTKFile>\n";
}
std::string base64(std::string const& text) { return "<AppendedData encoding=\"base64\">_" + text + "</AppendedData>"; }
char const* const four_ones = "EAAAAAAAgD8AAIA/AACAPwAAgD8=";  // 16 bytes, 1 1 1 1
char const* const three_ones = "DAAAAAAAgD8AAIA/AACAPw==";

}  // namespace

TEST_F(VtkImages, WithCellsOnlyAreRead) {
  std::vector<double> const counted{1, 2, 3, 4}, ones(4, 1.0);
  EXPECT_EQ(read(with_cells_only("format=\"ascii\"", "1 2 3 4")).values, counted);
  EXPECT_EQ(read(with_cells_only("format=\"ascii\" NumberOfComponents=\"1\"", "\n1.0\t2e0\n3 +4\n")).values, counted);
  EXPECT_EQ(read(with_cells_only("", "1 2 3 4")).values, counted);
  EXPECT_EQ(read(with_cells_only("format=\"binary\"", four_ones)).values, ones);
  EXPECT_EQ(read(with_cells_only("format=\"appended\" offset=\"0\"", "", base64(four_ones))).values, ones);
}

TEST_F(VtkImages, TooFewValuesAreReported) {
  std::string const reason = "too short";
  for (std::string const text :
       {"1 r 3 4", "r", "1 2 3 x", "1 2 3", "", "1 2 <!-- 3 --> 3 4", "&#49; 2 3 4", "1 2 nano 4"})
    for (std::string const format : {"format=\"ascii\"", "", "format=\"ASCII\""})
      expect_refused(with_cells_only(format, text), reason);
  expect_refused(with_cells_only("format=\"ascii\" NumberOfComponents=\"3\"", "1 2 3 4"), reason);
  for (std::string const text : {"", "AAAA", "1 r 3 4", "!!!!", three_ones})
    expect_refused(with_cells_only("format=\"binary\"", text), reason);
  expect_refused(with_cells_only("format=\"appended\" offset=\"0\"", "", base64(three_ones)), reason);
  expect_refused(with_cells_only("format=\"appended\" offset=\"1000\"", "", base64(four_ones)), reason);
  expect_refused(with_cells_only("format=\"appended\" offset=\"-5\"", "", base64(four_ones)), reason);
  expect_refused(with_cells_only("format=\"appended\" offset=\"0\"", ""), reason);
}

TEST_F(VtkImages, TruncatedFilesWithCellsOnlyAreReported) {
  std::string const ascii = with_cells_only("format=\"ascii\"", "1 2 3 4");
  std::string const appended = with_cells_only("format=\"appended\" offset=\"0\"", "", base64(four_ones));
  for (auto const& whole : {ascii, appended})
    for (std::size_t length = 0; length < whole.size() - 3; length += 3) expect_refused(whole.substr(0, length), "");
  for (std::size_t length = 0; length < ascii.find("</ImageData>"); length += 3)
    expect_refused(ascii.substr(0, length) + "</VTKFile>", "");
}

TEST_F(VtkImages, ExtentsAndCountsThatCannotBeAreReported) {
  std::string const ascii = "format=\"ascii\"";
  expect_refused(with_cells_only(ascii, "1 2", "", "0 2 0 1 0 1"), "the pieces do not make up the whole extent");
  expect_refused(with_cells_only(ascii, "1 2", "", "0 2 0 0 0 1"), "the pieces do not make up the whole extent");
  expect_refused(with_cells_only(ascii, "1 2 3 4", "", "5 7 0 2 0 1"), "the pieces do not make up the whole extent");
  expect_refused(with_cells_only(ascii, "1 2 3 4", "", "0 2 0 2"), "");
  expect_refused(with_cells_only(ascii + " NumberOfComponents=\"2000000000\"", "1 2 3 4"), "2000000000 components");
  expect_refused(with_cells_only(ascii + " NumberOfComponents=\"-3\"", "1 2 3 4"), "-3 components");
  std::string const good = with_cells_only(ascii, "1 2 3 4");
  auto const replaced = [&](std::string const& from, std::string const& to) {
    std::string text = good;
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
    return text;
  };
  expect_refused(replaced("Float32", "Float"), "");
  expect_refused(replaced("Float32", "String"), "");
  expect_refused(replaced("0 2 0 2 0 1", "0 1000000000 0 1000000000 0 1000000000"), "more memory than there is");
  expect_refused(replaced("0 2 0 2 0 1", "0 2 0 2 0 2000000000"), "range");
  std::string const piece = good.substr(good.find("<Piece"), good.find("</ImageData>") - good.find("<Piece"));
  expect_refused(replaced("</Piece>\n", "</Piece>\n" + piece), "two pieces have the same cells");
}

TEST_F(VtkImages, WhatIsNoImageIsReported) {
  auto const image = image_with_arrays(false);
  std::string const good = xml(image, 0);
  expect_refused("hello", "neither an XML nor a legacy file of VTK");
  expect_refused("<VTKFile", "");
  expect_refused("# vtk DataFile Version 3.0\nhello\nASCII\nDATASET POLYDATA\nPOINTS 0 float\n", "");
  expect_refused("# vtk DataFile Version 3.0\n", "");
  expect_refused(good,
                 "has no array 'mass', only 'velocity' (cell data, 3 components), 'density' (cell data, 1 component), "
                 "'number' (cell data, 1 component), 'height' (point data, 1 component), 'number' (point data, 1 ",
                 "mass");
  expect_refused(good, "array 'velocity' has 3 components, one is needed", "velocity");
  vtkNew<vtkUnstructuredGrid> grid;
  vtkNew<vtkXMLUnstructuredGridWriter> writer;
  writer->SetInputData(grid);
  writer->SetFileName((folder / "grid.vtu").c_str());
  writer->Write();
  expect_refused(contents(folder / "grid.vtu"), "holds no image data");

  auto const changed = [&](auto&& change) {
    auto other = image_with_arrays(false);
    change(*other);
    return xml(other, 1);
  };
  expect_refused(changed([](vtkImageData& i) { i.SetSpacing(1, -0.5, 1); }),
                 "the spacing -0.5 on axis 1 is not positive");
  expect_refused(changed([](vtkImageData& i) { i.SetSpacing(1, 1, 0); }), "the spacing 0 on axis 2 is not positive");
  expect_refused(changed([](vtkImageData& i) { i.SetDirectionMatrix(0, 1, 0, -1, 0, 0, 0, 0, 1); }), "turned");
  expect_refused(changed([](vtkImageData& i) { i.SetExtent(1 << 30, (1 << 30) + 4, -1, 2, 10, 12); }), "range");
  expect_refused(changed([](vtkImageData& i) {
                   i.GetCellData()->Initialize();
                   i.GetPointData()->Initialize();
                 }),
                 "has no array of numbers");
  expect_refused(changed([](vtkImageData& i) {
                   i.GetPointData()->Initialize();
                   i.GetCellData()->RemoveArray("density");
                   i.GetCellData()->RemoveArray("number");
                 }),
                 "has no array of one component, only 'velocity'");
  EXPECT_THROW(io::read_vtk_image(folder / "missing.vti"), std::runtime_error);
  EXPECT_THROW(io::read_vtk_image(folder / ""), std::runtime_error);
}
