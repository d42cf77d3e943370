/// Geometry in VTK unstructured grids, read back.

#include <cmath>
#include <random>
#include <stdexcept>

#include <gtest/gtest.h>

#include <sparse/io/files/file.hpp>
#include <sparse/io/vtk/vtu.hpp>
#include <sparse/io/vtk/vtu_input.hpp>

#include "support/io_levels.hpp"

namespace {

using namespace io_test;
using sparse::Vec;

template <class Dimension>
class VtuInput : public testing::Test {
protected:
  static constexpr int dimension = Dimension::value;
  std::string written(Cells<dimension> const& cells, sparse::Grid<dimension> const& grid = {}, int level = 0) {
    io::write_geometry<dimension>(folder / "written.vtu", grid, level, reference::host_set_of<dimension>(cells));
    return contents(folder / "written.vtu");
  }
  sparse::IntervalSet<dimension> read(std::string const& bytes, sparse::Grid<dimension> const& grid = {},
                                      int level = 0) {
    io::write_text(folder / "grid", bytes);
    return io::read_vtu<dimension>(folder / "grid", grid, level);
  }
  void expect_refused(std::string const& bytes, std::string const& reason, sparse::Grid<dimension> const& grid = {},
                      int level = 0) {
    std::string what;
    try {
      read(bytes, grid, level);
    } catch (std::runtime_error const& error) {
      what = error.what();
    }
    EXPECT_EQ(what.find((folder / "grid").string() + ": "), 0u) << what << ", expected: " << reason;
    EXPECT_NE(what.find(reason), std::string::npos) << what << ", expected: " << reason;
  }
  Folder folder;
};
TYPED_TEST_SUITE(VtuInput, reference::Dimensions);

/// `text` with the first `from` changed.
std::string changed(std::string text, std::string const& from, std::string const& to) {
  auto const at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace

TYPED_TEST(VtuInput, GivesBackWhatWasWritten) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= reference::seed_count / 8; ++seed) {
    auto const cells = reference::random_cells<Dim>(seed);
    sparse::Grid<Dim> grid;
    for (int axis = 0; axis < Dim; ++axis) {
      grid.origin[axis] = 0.7 * (seed % 11) - 3 * axis;
      grid.spacing[axis] = 0.1 + 0.3 * ((seed + static_cast<unsigned>(axis)) % 5);
    }
    int const level = static_cast<int>(seed % 6);
    EXPECT_TRUE(reference::matches(this->read(this->written(cells, grid, level), grid, level), cells))
        << "seed " << seed;
  }
  EXPECT_TRUE(this->read(this->written({})).is_empty());
}

TYPED_TEST(VtuInput, PassesOverValues) {
  constexpr int Dim = TypeParam::value;
  auto const cells = reference::box<Dim>(Cell<Dim>::filled(-2), Cell<Dim>::filled(3));
  io::LevelCells<Dim> level{2, reference::host_set_of<Dim>(cells), {}};
  io::write_vtu<Dim>(this->folder / "values.vtu", {}, {level});
  EXPECT_TRUE(reference::matches(io::read_vtu<Dim>(this->folder / "values.vtu", {}, 2), cells));
}

TYPED_TEST(VtuInput, RefusesCellsOfOtherGridsAndLevels) {
  constexpr int Dim = TypeParam::value;
  auto const file = this->written(reference::box<Dim>(Cell<Dim>::filled(0), Cell<Dim>::filled(3)));
  sparse::Grid<Dim> moved, wide;
  moved.origin[0] = 0.25;
  wide.spacing[1] = 2;
  this->expect_refused(file, "is no cell of the grid", moved);
  this->expect_refused(file, "is no cell of the grid", wide);
  this->expect_refused(file, "is no cell of the grid", {}, 1);
  sparse::Grid<Dim> fine;
  fine.spacing[0] = 1e-12;
  this->expect_refused(file, "leaves the range", fine);
  for (int const level : {-1, 31}) EXPECT_THROW(this->read(file, {}, level), std::invalid_argument);
  wide.spacing[0] = 0;
  EXPECT_THROW(this->read(file, wide), std::invalid_argument);
  sparse::Grid<5 - Dim> other;
  EXPECT_THROW(io::read_vtu<5 - Dim>(this->folder / "grid", other), std::runtime_error);
}

TYPED_TEST(VtuInput, RefusesBrokenFiles) {
  constexpr int Dim = TypeParam::value;
  auto const file = this->written(reference::box<Dim>(Cell<Dim>::filled(0), Cell<Dim>::filled(4)));
  for (std::size_t length = 0; length < file.find("</VTKFile>"); length += 17) {
    this->expect_refused(file.substr(0, length), "");
    this->expect_refused(file.substr(0, std::min(length, file.find("</Piece>"))) + "</VTKFile>", "");
  }
  this->expect_refused("", "the file is empty");
  this->expect_refused("hello", "no XML file of VTK");
  this->expect_refused("<VTKFile type=\"ImageData\"></VTKFile>", "holds no unstructured grid");
  std::string const cells = "NumberOfCells=\"" + std::to_string(Dim == 2 ? 16 : 64) + "\"";
  for (std::string const count : {"-1", "1000000000000", "x"})
    this->expect_refused(changed(file, cells, "NumberOfCells=\"" + count + "\""), count == "x" ? "" : "cannot be");
  this->expect_refused(changed(file, cells, "NumberOfCells=\"65\""), "");
  this->expect_refused(changed(file, "NumberOfComponents=\"3\"", "NumberOfComponents=\"2000000000\""), "components");
  EXPECT_THROW(io::read_vtu<Dim>(this->folder / "missing"), std::runtime_error);
  EXPECT_THROW(io::read_vtu<Dim>(this->folder / ""), std::runtime_error);
}

TYPED_TEST(VtuInput, SurvivesAnyChange) {
  constexpr int Dim = TypeParam::value;
  auto const file = this->written(reference::box<Dim>(Cell<Dim>::filled(-2), Cell<Dim>::filled(3)));
  std::size_t refused = 0;
  for (unsigned seed = 1; seed <= 2 * reference::seed_count; ++seed) {
    auto engine = reference::random_engine(seed);
    std::string bytes = file;
    for (int change = reference::random_int(engine, 1, 3); change > 0; --change) {
      auto const at = static_cast<std::size_t>(reference::random_int(engine, 0, static_cast<int>(bytes.size()) - 9));
      auto const length = static_cast<std::size_t>(reference::random_int(engine, 1, 8));
      switch (reference::random_int(engine, 0, 3)) {
      case 0:
        bytes.erase(at, length);
        break;
      case 1:
        bytes[at] = static_cast<char>(reference::random_int(engine, 0, 127));
        break;
      case 2:
        bytes.insert(at, bytes.substr(at / 2, length));
        break;
      default:
        bytes[at] = static_cast<char>('0' + reference::random_int(engine, 0, 9));
      }
    }
    try {
      this->read(bytes);
    } catch (std::runtime_error const& error) {
      ++refused;
      ASSERT_EQ(std::string(error.what()).find((this->folder / "grid").string() + ": "), 0u)
          << error.what() << ", seed " << seed;
    }
  }
  EXPECT_GT(refused, reference::seed_count / 2);
}
