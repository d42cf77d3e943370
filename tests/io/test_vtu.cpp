#include <set>
#include <string>

#include <gtest/gtest.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLPUnstructuredGridReader.h>
#include <vtkXMLUnstructuredGridReader.h>

#include <sparse/io/vtk/vtu.hpp>

#include "support/io_levels.hpp"

namespace {

using namespace io_test;

template <class Reader = vtkXMLUnstructuredGridReader>
vtkSmartPointer<vtkUnstructuredGrid> read(std::filesystem::path const& path) {
  vtkNew<Reader> reader;
  reader->SetFileName(path.c_str());
  reader->Update();
  EXPECT_EQ(reader->GetErrorCode(), 0u);
  return reader->GetOutput();
}

template <class TypeParam>
class Vtu : public testing::Test {
protected:
  Folder folder;
};
TYPED_TEST_SUITE(Vtu, reference::Dimensions);

/// Lower corners of all leaves' vertices in units of the finest level: the points that must exist.
template <int Dim>
Cells<Dim> vertices(Levels<Dim> const& levels) {
  Cells<Dim> found;
  int const finest = levels.data.back().level;
  for (std::size_t l = 0; l < levels.leaves.size(); ++l)
    for (auto const& cell : levels.leaves[l])
      for (int corner = 0; corner < 1 << Dim; ++corner) {
        auto vertex = cell;
        for (int axis = 0; axis < Dim; ++axis)
          vertex[axis] = (vertex[axis] + (corner >> axis & 1)) * (1 << (finest - levels.data[l].level));
        found.insert(vertex);
      }
  return found;
}

/// Compares a file with levels whose grid has dyadic numbers, so that coordinates are exact.
template <int Dim>
void expect_same(vtkUnstructuredGrid& file, sparse::Grid<Dim> const& grid, Levels<Dim> const& levels,
                 bool shares_points = true) {
  std::size_t leaf_count = 0;
  for (auto const& leaves : levels.leaves) leaf_count += leaves.size();
  ASSERT_EQ(static_cast<std::size_t>(file.GetNumberOfCells()), leaf_count);
  if (shares_points) {
    EXPECT_EQ(static_cast<std::size_t>(file.GetNumberOfPoints()), vertices(levels).size());
  }

  auto* const data = file.GetCellData();
  ASSERT_TRUE(data->GetArray("level") && data->GetArray("mass") && data->GetArray("velocity"));
  EXPECT_EQ(data->GetArray("mass")->GetDataType(), VTK_FLOAT);
  EXPECT_EQ(data->GetArray("velocity")->GetDataType(), VTK_DOUBLE);
  ASSERT_EQ(data->GetArray("velocity")->GetNumberOfComponents(), 3);
  std::vector<Cells<Dim>> found(levels.leaves.size());
  for (vtkIdType i = 0; i < file.GetNumberOfCells(); ++i) {
    ASSERT_EQ(file.GetCellType(i), Dim == 2 ? VTK_PIXEL : VTK_VOXEL);
    int const level = static_cast<int>(data->GetArray("level")->GetComponent(i, 0));
    auto const width = grid.spacing_of(level);
    double bounds[6];
    file.GetCellBounds(i, bounds);
    Cell<Dim> cell;
    for (int axis = 0; axis < Dim; ++axis) {
      cell[axis] = static_cast<Coord>((bounds[2 * axis] - grid.origin[axis]) / width[axis]);
      ASSERT_EQ(bounds[2 * axis], grid.origin[axis] + cell[axis] * width[axis]);
      ASSERT_EQ(bounds[2 * axis + 1], grid.origin[axis] + (cell[axis] + 1) * width[axis]);
    }
    ASSERT_EQ(data->GetArray("mass")->GetComponent(i, 0), value_at<Dim>(level, cell, 7));
    for (int c = 0; c < 3; ++c)
      ASSERT_EQ(data->GetArray("velocity")->GetComponent(i, c), c < Dim ? value_at<Dim>(level, cell, c) : 0);
    // The corners of pixels and voxels come with x fastest.
    vtkNew<vtkIdList> corners;
    file.GetCellPoints(i, corners);
    ASSERT_EQ(corners->GetNumberOfIds(), 1 << Dim);
    for (int k = 0; k < 1 << Dim; ++k)
      for (int axis = 0; axis < Dim; ++axis)
        ASSERT_EQ(file.GetPoint(corners->GetId(k))[axis], bounds[2 * axis + (k >> axis & 1)]);
    found[static_cast<std::size_t>(level - levels.data[0].level)].insert(cell);
  }
  for (std::size_t l = 0; l < found.size(); ++l) EXPECT_TRUE(found[l] == levels.leaves[l]) << "level " << l;
}

TYPED_TEST(Vtu, VtksReaderFindsEveryLeafOnceWithItsValuesAndSharedPoints) {
  constexpr int Dim = TypeParam::value;
  sparse::Grid<Dim> grid;
  grid.spacing = sparse::Vec<double, Dim>::along(0, 0.25) + sparse::Vec<double, Dim>::filled(0.5);
  grid.origin = sparse::Vec<double, Dim>::filled(-3.5);
  for (unsigned seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    auto const levels = random_levels<Dim>(seed);
    io::write_vtu(this->folder / "levels.vtu", grid, levels.data);
    expect_same(*read(this->folder / "levels.vtu"), grid, levels);
    if (this->HasFatalFailure()) return;
  }
  EXPECT_EQ(this->folder.names(), std::vector<std::string>{"levels.vtu"});
}

TYPED_TEST(Vtu, PointsAreSharedAcrossALevelThatIsLeftOut) {
  constexpr int Dim = TypeParam::value;
  auto levels = levels_of<Dim>({{Cell<Dim>::filled(0)}});
  Cells<Dim> fine;  // a cell of level 2 that touches the coarse one in a corner
  fine.insert(Cell<Dim>::filled(4));
  auto const second = levels_of<Dim>({fine}, 2);
  levels.cells.push_back(fine);
  levels.leaves.push_back(fine);
  levels.data.push_back(second.data[0]);
  io::write_vtu(this->folder / "a.vtu", sparse::Grid<Dim>{}, levels.data);
  EXPECT_EQ(read(this->folder / "a.vtu")->GetNumberOfPoints(), 2 * (1 << Dim) - 1);
}

TYPED_TEST(Vtu, DataAreInlineAndCompressedWithSmallIndices) {
  constexpr int Dim = TypeParam::value;
  io::write_vtu(this->folder / "a.vtu", sparse::Grid<Dim>{}, random_levels<Dim>(1).data);
  auto const text = contents(this->folder / "a.vtu");
  EXPECT_EQ(text.find("<AppendedData"), std::string::npos);
  EXPECT_EQ(text.find("format=\"appended\""), std::string::npos);
  EXPECT_NE(text.find("vtkZLibDataCompressor"), std::string::npos);
  EXPECT_NE(text.find("type=\"Int32\" Name=\"connectivity\""), std::string::npos);
  EXPECT_NE(text.find("type=\"Float32\" Name=\"Points\""), std::string::npos);
}

TYPED_TEST(Vtu, CoordinatesThatFloatsWouldMoveAreDoubles) {
  constexpr int Dim = TypeParam::value;
  sparse::Grid<Dim> grid;
  grid.origin = sparse::Vec<double, Dim>::filled(1e6);
  grid.spacing = sparse::Vec<double, Dim>::filled(std::ldexp(1.0, -10));
  auto const levels = random_levels<Dim>(2);
  io::write_vtu(this->folder / "a.vtu", grid, levels.data);
  EXPECT_NE(contents(this->folder / "a.vtu").find("type=\"Float64\" Name=\"Points\""), std::string::npos);
  expect_same(*read(this->folder / "a.vtu"), grid, levels);
}

TYPED_TEST(Vtu, PiecesAreOneGrid) {
  constexpr int Dim = TypeParam::value;
  sparse::Box<Dim> const box{Cell<Dim>::filled(-4), Cell<Dim>::filled(8)};
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    auto engine = reference::random_engine(seed);
    auto const whole = random_levels<Dim>(seed);
    sparse::Grid<Dim> grid;  // the points of a piece alone may fit into floats
    if (seed % 2 == 0) grid.origin = sparse::Vec<double, Dim>::filled(std::ldexp(1, 22));
    std::vector<std::vector<Cells<Dim>>> parts(4, std::vector<Cells<Dim>>(whole.cells.size()));
    for (std::size_t l = 0; l < whole.cells.size(); ++l)
      for (auto const& cell : whole.cells[l])
        parts[static_cast<std::size_t>(reference::random_int(engine, 0, 2))][l].insert(cell);  // the last has none
    std::vector<std::filesystem::path> pieces;
    std::filesystem::create_directories(this->folder / "pieces");
    for (auto const& cells : parts) {
      auto part = levels_of<Dim>(cells).data;
      for (std::size_t l = 0; l < part.size(); ++l) part[l].covered = whole.data[l].covered;
      pieces.push_back(this->folder / "pieces" / (std::to_string(pieces.size()) + " & more.vtu"));
      io::write_vtu<Dim>(pieces.back(), grid, part, {box});
      bool const is_single = contents(pieces.back()).find("\"Float32\" Name=\"Points\"") != std::string::npos;
      EXPECT_EQ(is_single, seed % 2 == 1);
    }
    io::write_pvtu<Dim>(this->folder / "all.pvtu", grid, levels_of<Dim>(parts.back()).data, box, pieces);
    expect_same(*read<vtkXMLPUnstructuredGridReader>(this->folder / "all.pvtu"), grid, whole, false);
    if (this->HasFatalFailure()) return;
  }
  EXPECT_THROW(io::write_pvtu<Dim>(this->folder / "none.pvtu", {}, {}, box, {}), std::invalid_argument);
}

TYPED_TEST(Vtu, GeometryIsASetWithoutValues) {
  constexpr int Dim = TypeParam::value;
  auto const cells = reference::random_cells<Dim>(11, 0, 1000);
  io::write_geometry(this->folder / "fluid.vtu", sparse::Grid<Dim>{}, 1, reference::host_set_of<Dim>(cells));
  auto const file = read(this->folder / "fluid.vtu");
  EXPECT_EQ(static_cast<std::size_t>(file->GetNumberOfCells()), cells.size());
  EXPECT_EQ(file->GetCellData()->GetNumberOfArrays(), 1);
}

TYPED_TEST(Vtu, NoCellsAreAValidFile) {
  constexpr int Dim = TypeParam::value;
  io::write_vtu<Dim>(this->folder / "none.vtu", {}, {});
  EXPECT_EQ(read(this->folder / "none.vtu")->GetNumberOfCells(), 0);
  io::write_vtu<Dim>(this->folder / "none.vtu", {}, levels_of<Dim>({{}}).data);
  EXPECT_EQ(read(this->folder / "none.vtu")->GetNumberOfCells(), 0);
}

TYPED_TEST(Vtu, LevelsThatDoNotFitTogetherAreRefused) {
  constexpr int Dim = TypeParam::value;
  auto const good = random_levels<Dim>(3).data;
  auto const expect_refused = [&](auto&& change) {
    auto levels = good;
    change(levels);
    EXPECT_THROW(io::write_vtu<Dim>(this->folder / "bad.vtu", {}, levels), std::invalid_argument);
  };
  expect_refused([](auto& l) { l[1].level = 0; });
  expect_refused([](auto& l) { l[0].level = -1; });
  expect_refused([](auto& l) { l[2].level = 31; });
  expect_refused([](auto& l) { l[1].arrays.pop_back(); });
  expect_refused([](auto& l) { l[1].arrays[0].name = "other"; });
  expect_refused([](auto& l) { l[1].arrays[0].components = 2; });
  expect_refused([](auto& l) { l[1].arrays[0].values = std::vector<double>(l[1].cells.cell_count()); });
  expect_refused([](auto& l) { std::get<0>(l[2].arrays[0].values).push_back(0); });
  for (auto const* name : {"", "level", "vtkGhostType", "velocity"})
    expect_refused([&](auto& levels) {
      for (auto& level : levels) level.arrays[0].name = name;
    });
  EXPECT_TRUE(this->folder.names().empty());
}

}  // namespace
