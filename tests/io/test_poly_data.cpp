// Lines and surfaces in space: files, pictures, and surfaces of equal values.

#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include <gtest/gtest.h>
#include <vtkCell.h>
#include <vtkDataArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkXMLPolyDataReader.h>

#include <sparse/base/vec_products.hpp>
#include <sparse/io/pictures/scene.hpp>
#include <sparse/io/vtk/isosurface.hpp>
#include <sparse/io/vtk/vtp.hpp>

#include "support/io_levels.hpp"
#include "support/refused.hpp"

namespace {

using namespace sparse;
using reference::is_refused;
using Point = Vec<double, 3>;

/// A triangle, a quadrangle and a line of three points.
io::PolyData example() {
  return {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0.1}, {0, 1, 0.3}, {2, 2, 1.0 / 3}},
          {{0, 2, 4}},
          {{0, 1, 2}, {0, 1, 2, 3}},
          {{"heat", {1, 2, 3, 4, 0.1}}}};
}

/// A square in the plane z = height.
io::SceneObject square(double half, double height, io::Colour colour, double opacity = 1) {
  return {.data = {{{-half, -half, height}, {half, -half, height}, {half, half, height}, {-half, half, height}},
                   {},
                   {{0, 1, 2, 3}}},
          .colour = colour,
          .opacity = opacity};
}

TEST(PolyData, FilesHoldWhatWasWritten) {
  io_test::Folder const folder;
  auto const data = example();
  io::write_vtp(folder / "data.vtp", data);
  vtkNew<vtkXMLPolyDataReader> reader;
  reader->SetFileName((folder / "data.vtp").c_str());
  reader->Update();
  vtkPolyData* const read = reader->GetOutput();
  ASSERT_EQ(read->GetNumberOfPoints(), 5);
  ASSERT_EQ(read->GetNumberOfLines(), 1);
  ASSERT_EQ(read->GetNumberOfPolys(), 2);
  for (std::size_t i = 0; i < 5; ++i) {
    double const* const at = read->GetPoint(static_cast<vtkIdType>(i));
    for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(at[axis], data.points[i][axis]);
    EXPECT_EQ(read->GetPointData()->GetArray("heat")->GetComponent(static_cast<vtkIdType>(i), 0),
              data.arrays[0].values[i]);
  }
  std::vector<std::vector<Index>> cells;
  for (vtkIdType c = 0; c < read->GetNumberOfCells(); ++c) {
    cells.emplace_back();
    for (vtkIdType k = 0; k < read->GetCell(c)->GetNumberOfPoints(); ++k)
      cells.back().push_back(read->GetCell(c)->GetPointId(static_cast<int>(k)));
  }
  EXPECT_EQ(cells, (std::vector<std::vector<Index>>{{0, 2, 4}, {0, 1, 2}, {0, 1, 2, 3}}));
  EXPECT_THROW(io::write_vtp(folder / "no" / "data.vtp", data), std::runtime_error);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"data.vtp"});
}

TEST(PolyData, BrokenDataAreRefused) {
  io_test::Folder const folder;
  auto const refuses = [&](auto const& change, std::string const& why) {
    auto data = example();
    change(data);
    EXPECT_TRUE(is_refused([&] { io::write_vtp(folder / "data.vtp", data); }, why));
    EXPECT_TRUE(is_refused([&] { io::draw({{.data = data}}, {{}}, 64); }, why));
  };
  refuses([](auto& data) { data.points[3][1] = std::nan(""); }, "not finite");
  refuses([](auto& data) { data.lines[0] = {1}; }, "less than two");
  refuses([](auto& data) { data.polygons[0] = {1, 2}; }, "less than three");
  refuses([](auto& data) { data.polygons[1][2] = 5; }, "not there");
  refuses([](auto& data) { data.lines[0][0] = -1; }, "not there");
  refuses([](auto& data) { data.arrays[0].values.pop_back(); }, "one value per point");
  refuses([](auto& data) { data.arrays.push_back(data.arrays[0]); }, "unique");
  EXPECT_TRUE(folder.names().empty());
}

TEST(PolyData, AnAddedLineExtendsAllArrays) {
  auto data = example();
  data.add_line({{5, 5, 5}, {6, 6, 6}});
  EXPECT_EQ(data.lines.back(), (std::vector<Index>{5, 6}));
  EXPECT_EQ(data.arrays[0].values.size(), 7u);
  io::check_poly_data(data);
}

/// The surface of a sphere is closed, and its area and its volume are right to second order.
TEST(Isosurface, OfADistanceIsASphere) {
  double last_error = 0;
  for (int const n : {16, 32}) {
    double const h = 1.0 / n, radius = 0.35;
    std::vector<double> values;
    for (int k = 0; k <= n; ++k)
      for (int j = 0; j <= n; ++j)
        for (int i = 0; i <= n; ++i) values.push_back(length(Point{i * h - 0.5, j * h - 0.45, k * h - 0.55}));
    auto const surface = io::isosurface({n + 1, n + 1, n + 1}, {{2, 0, 0}, {h, h, h}}, values, radius);
    Point const centre = {2.5, 0.45, 0.55};
    double area = 0, volume = 0;
    std::map<std::pair<Index, Index>, int> edges;
    for (auto const& triangle : surface.polygons) {
      ASSERT_EQ(triangle.size(), 3u);
      Point corners[3];
      for (std::size_t k = 0; k < 3; ++k) {
        corners[k] = surface.points[static_cast<std::size_t>(triangle[k])] - centre;
        ++edges[std::minmax(triangle[k], triangle[(k + 1) % 3])];
      }
      Point const normal = cross(corners[1] - corners[0], corners[2] - corners[0]);
      area += 0.5 * length(normal);
      volume += std::abs(dot(corners[0], normal)) / 6;
    }
    for (auto const& [edge, uses] : edges) EXPECT_EQ(uses, 2);
    double const pi = std::numbers::pi;
    double const error = std::abs(area / (4 * pi * radius * radius) - 1);
    EXPECT_LT(error, 0.02);
    EXPECT_LT(std::abs(volume / (4 * pi * radius * radius * radius / 3) - 1), 0.03);
    if (n == 32) {
      EXPECT_GT(last_error / error, 3.3);
    }
    last_error = error;
  }
}

TEST(Isosurface, BrokenInputIsRefused) {
  Grid<3> const grid;
  EXPECT_TRUE(is_refused([&] { io::isosurface({2, 2, 2}, grid, std::vector<double>(7), 0); }, "one value per node"));
  EXPECT_TRUE(is_refused([&] { io::isosurface({2, 1, 2}, grid, std::vector<double>(4), 0); }, "two nodes"));
  EXPECT_TRUE(is_refused(
      [&] {
        io::isosurface({2, 2, 2}, grid, std::vector<double>(8, std::nan("")), 0);
      },
      "not finite"));
  EXPECT_TRUE(io::isosurface({2, 2, 2}, grid, std::vector<double>(8, 1.0), 2).polygons.empty());
}

TEST(Scenes, TheNearerOfTwoSquaresCoversTheOther) {
  io::Colour const red = {250, 0, 0}, blue = {0, 0, 250}, white = {255, 255, 255};
  auto const at = [](io::Image const& image, double x, double y) {
    return image.at(static_cast<int>(x * image.width), static_cast<int>(y * image.height));
  };
  // The order of the objects does not matter; from behind, the other square covers.
  for (bool const is_first : {true, false}) {
    auto const small = square(1, 1, red), large = square(2, 0, blue);
    std::vector<io::SceneObject> const objects = is_first ? std::vector{small, large} : std::vector{large, small};
    auto const front = io::draw(objects, {{}}, 200), behind = io::draw(objects, {{{0, 0, -1}, {0, 1, 0}}}, 200);
    EXPECT_EQ(at(front, 0.5, 0.5), red);
    EXPECT_EQ(at(front, 0.1, 0.5), blue);
    EXPECT_EQ(at(front, 0.01, 0.5), white);
    EXPECT_EQ(at(behind, 0.5, 0.5), blue);
  }
  // A square at an angle of 60 degrees is half as high, and darker.
  auto const tilted = io::draw({square(1, 0, red), square(2, -9, white)}, {{{0, -std::sqrt(3.0), 1}, {0, 0, 1}}}, 400);
  int rows = 0;
  io::Colour middle{};
  for (int y = 0; y < tilted.height; ++y) {
    auto const colour = tilted.at(200, y);
    if (colour[0] == 255 || colour[1] != 0) continue;
    ++rows;
    middle = colour;
  }
  EXPECT_LT(middle[0], 200);
  EXPECT_GT(middle[0], 100);
  EXPECT_GT(rows, 20);
}

TEST(Scenes, ATranslucentSquareMixesColours) {
  auto const image = io::draw({square(1, 0, {200, 0, 0}), square(1, 1, {0, 0, 100}, 0.25)}, {{}}, 100);
  auto const [r, g, b] = image.at(50, 50);
  EXPECT_NEAR(r, 150, 1);
  EXPECT_EQ(g, 0);
  EXPECT_NEAR(b, 25, 1);
}

TEST(Scenes, LinesTakeColoursFromValues) {
  io::PolyData line{{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}}, {}, {{"speed", {0, 0, 2}}}};
  auto const image = io::draw({{.data = line, .line_width = 50, .array = "speed", .range = {0, 1}}}, {{}}, 200);
  EXPECT_EQ(image.at(60, 100), io::colour_of(io::ColourMap::viridis, 0));
  EXPECT_EQ(image.at(140, 100), io::colour_of(io::ColourMap::viridis, 1));
}

TEST(Scenes, EachCameraHasASquareAtTheSameScale) {
  io::PolyData const box = io::box_edges({0, 0, 0}, {4, 2, 1});
  EXPECT_EQ(box.lines.size(), 12u);
  auto const image = io::draw({{.data = box}}, {{{0, 0, 1}, {0, 1, 0}}, {{1, 0, 0}, {0, 0, 1}}}, 100);
  EXPECT_EQ(image.width, 200);
  auto const inked = [&](int begin) {
    int columns = 0;
    for (int x = begin; x < begin + 100; ++x) {
      bool is_inked = false;
      for (int y = 0; y < 100; ++y) is_inked = is_inked || image.at(x, y)[0] < 200;
      columns += is_inked ? 1 : 0;
    }
    return columns;
  };
  EXPECT_NEAR(inked(0), 94, 2);
  EXPECT_NEAR(inked(100), 47, 2);
  EXPECT_EQ(io::draw({}, {{}}, 20).at(10, 10), (io::Colour{255, 255, 255}));
}

TEST(Scenes, WrongOptionsAreRefused) {
  auto const refuses = [](io::SceneObject const& object, std::vector<io::Camera> const& cameras, int size,
                          char const* why) {
    EXPECT_TRUE(is_refused([&] { io::draw({object}, cameras, size); }, why));
  };
  auto const good = square(1, 0, {0, 0, 0});
  refuses(good, {{}}, 15, "16 to 16384");
  refuses(good, {}, 64, "cameras");
  refuses(good, {{{0, 0, 0}, {0, 1, 0}}}, 64, "no direction");
  refuses(good, {{{0, 0, 1}, {0, 0, 2}}}, 64, "parallel");
  refuses(square(1, 0, {}, 0), {{}}, 64, "opacity");
  auto object = good;
  object.array = "heat";
  refuses(object, {{}}, 64, "no array");
  object = good;
  object.range = {1, 1};
  refuses(object, {{}}, 64, "range");
}

}  // namespace
