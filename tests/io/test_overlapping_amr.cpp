#include <map>
#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <hdf5.h>

#include <sparse/io/files/file.hpp>
#include <sparse/io/levels/overlapping_amr.hpp>

#include "support/io_levels.hpp"

namespace {

using namespace io_test;

/// The little reading of HDF5 that the tests need; every failed call is a failed test.
class Hdf5Reader {
public:
  explicit Hdf5Reader(std::filesystem::path const& path) : file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) {
    EXPECT_GE(file_, 0);
  }
  ~Hdf5Reader() { EXPECT_GE(H5Fclose(file_), 0); }

  bool has(std::string const& path) const { return H5Lexists(file_, path.c_str(), H5P_DEFAULT) > 0; }

  std::vector<double> attribute(std::string const& object, std::string const& name) const {
    hid_t const id = H5Aopen_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    hid_t const space = H5Aget_space(id);
    std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    EXPECT_GE(H5Aread(id, H5T_NATIVE_DOUBLE, values.data()), 0) << name;
    H5Sclose(space);
    H5Aclose(id);
    return values;
  }
  std::string text(std::string const& object, std::string const& name) const {
    hid_t const id = H5Aopen_by_name(file_, object.c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    hid_t const type = H5Aget_type(id);
    std::string value(H5Tget_size(type), '\0');
    EXPECT_GE(H5Aread(id, type, value.data()), 0) << name;
    H5Tclose(type);
    H5Aclose(id);
    return value;
  }
  /// All numbers of a data set, its first extent, and whether it has the wanted type.
  std::vector<double> values(std::string const& path, hsize_t& rows, hid_t wanted) const {
    hid_t const id = H5Dopen2(file_, path.c_str(), H5P_DEFAULT), space = H5Dget_space(id), type = H5Dget_type(id);
    hsize_t shape[2] = {0, 0};
    H5Sget_simple_extent_dims(space, shape, nullptr);
    rows = shape[0];
    EXPECT_GT(H5Tequal(type, wanted), 0) << path;
    std::vector<double> found(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
    EXPECT_GE(H5Dread(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.data()), 0) << path;
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(id);
    return found;
  }

private:
  hid_t file_;
};

template <class TypeParam>
class OverlappingAmr : public testing::Test {
protected:
  Folder folder;
};
TYPED_TEST_SUITE(OverlappingAmr, reference::Dimensions);

template <int Dim>
void expect_same(Hdf5Reader const& file, sparse::Grid<Dim> const& grid, Levels<Dim> const& levels) {
  EXPECT_EQ(file.attribute("VTKHDF", "Version"), (std::vector<double>{1, 0}));
  EXPECT_EQ(file.text("VTKHDF", "Type"), "OverlappingAMR");
  EXPECT_EQ(file.text("VTKHDF", "GridDescription"), "XYZ");
  auto const origin = file.attribute("VTKHDF", "Origin");
  ASSERT_EQ(origin.size(), 3u);
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_EQ(origin[static_cast<std::size_t>(axis)], axis < Dim ? grid.origin[axis] : 0);

  std::size_t levels_with_cells = 0;
  for (auto const& cells : levels.cells) levels_with_cells += !cells.empty();
  EXPECT_FALSE(file.has("VTKHDF/Level" + std::to_string(levels_with_cells)));
  for (std::size_t l = 0; l < levels_with_cells; ++l) {
    SCOPED_TRACE(testing::Message() << "level " << l);
    std::string const group = "VTKHDF/Level" + std::to_string(l);
    auto const spacing = file.attribute(group, "Spacing");
    for (int axis = 0; axis < Dim; ++axis)
      EXPECT_EQ(spacing[static_cast<std::size_t>(axis)], grid.spacing[axis] / (1 << l));
    EXPECT_GT(spacing[2], 0);

    hsize_t box_count = 0, rows = 0;
    auto const boxes = file.values(group + "/AMRBox", box_count, H5T_NATIVE_INT);
    ASSERT_EQ(boxes.size(), 6 * box_count);
    hsize_t size = 0;
    auto const mass = file.values(group + "/CellData/mass", size, H5T_NATIVE_FLOAT);
    auto const velocity = file.values(group + "/CellData/velocity", rows, H5T_NATIVE_DOUBLE);
    EXPECT_EQ(rows, size);
    ASSERT_EQ(velocity.size(), 3 * size);
    auto const ghost = file.values(group + "/CellData/vtkGhostType", rows, H5T_NATIVE_UCHAR);
    EXPECT_EQ(rows, size);
    auto const number = file.values(group + "/CellData/level", rows, H5T_NATIVE_UCHAR);
    EXPECT_EQ(rows, size);
    ASSERT_EQ(mass.size(), size);

    Cells<Dim> in_boxes, shown;
    std::size_t i = 0;
    for (std::size_t b = 0; b < box_count; ++b) {
      int low[3], high[3];
      for (std::size_t axis = 0; axis < 3; ++axis) {
        low[axis] = static_cast<int>(boxes[6 * b + 2 * axis]);
        high[axis] = static_cast<int>(boxes[6 * b + 2 * axis + 1]);
        ASSERT_LE(low[axis], high[axis]);
        ASSERT_LT(high[axis] - low[axis], Dim == 2 ? 128 : 32);
        if (l > 0 && (Dim == 3 || axis < 2)) {
          EXPECT_EQ(low[axis] & 1, 0);
          EXPECT_EQ(high[axis] & 1, 1);
        }
      }
      if (Dim == 2) {
        EXPECT_EQ(low[2], 0);
        EXPECT_EQ(high[2], 0);
      }
      for (int z = low[2]; z <= high[2]; ++z)
        for (int y = low[1]; y <= high[1]; ++y)
          for (int x = low[0]; x <= high[0]; ++x, ++i) {
            ASSERT_LT(i, size);
            Cell<Dim> cell{x, y};
            if constexpr (Dim == 3) cell[2] = z;
            ASSERT_TRUE(in_boxes.insert(cell).second) << "two patches hold " << cell;
            ASSERT_EQ(ghost[i], levels.leaves[l].count(cell) ? 0 : 32) << cell;
            ASSERT_EQ(number[i], static_cast<double>(l));
            if (ghost[i] == 0) shown.insert(cell);
            if (levels.cells[l].count(cell)) {
              ASSERT_EQ(mass[i], value_at<Dim>(static_cast<int>(l), cell, 7)) << cell;
              for (std::size_t c = 0; c < 3; ++c)
                ASSERT_EQ(velocity[3 * i + c], static_cast<int>(c) < Dim
                                                   ? value_at<Dim>(static_cast<int>(l), cell, static_cast<int>(c))
                                                   : 0);
            } else {  // repeats a value that is in the field anyway
              bool repeated = false;
              for (auto const& other : levels.cells[l])
                repeated = repeated || mass[i] == value_at<Dim>(static_cast<int>(l), other, 7);
              ASSERT_TRUE(repeated);
            }
          }
    }
    EXPECT_EQ(i, size);
    EXPECT_TRUE(shown == levels.leaves[l]);
    for (auto const& cell : levels.cells[l]) ASSERT_TRUE(in_boxes.count(cell)) << cell;
  }
}

TYPED_TEST(OverlappingAmr, PatchesHoldEveryCellOnceAndShowOnlyLeaves) {
  constexpr int Dim = TypeParam::value;
  sparse::Grid<Dim> grid;
  grid.spacing = sparse::Vec<double, Dim>::along(0, 0.25) + sparse::Vec<double, Dim>::filled(0.5);
  grid.origin = sparse::Vec<double, Dim>::filled(-3.5);
  for (unsigned seed = 1; seed <= 20; ++seed)
    for (bool const compress : {false, true}) {
      SCOPED_TRACE(testing::Message() << "seed " << seed << ", compressed " << compress);
      auto const levels = random_levels<Dim>(seed);
      io::write_overlapping_amr(this->folder / "a.hdf", grid, levels.data, {compress});
      expect_same(Hdf5Reader(this->folder / "a.hdf"), grid, levels);
      if (this->HasFatalFailure()) return;
    }
  EXPECT_EQ(this->folder.names(), std::vector<std::string>{"a.hdf"});
}

// Processes own cells at random; some have none.
TYPED_TEST(OverlappingAmr, PartsOfProcessesMakeTheFileOfOne) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    auto const levels = random_levels<Dim>(seed);
    auto engine = reference::random_engine(seed);
    int const count = reference::random_int(engine, 1, 5), has_none = reference::random_int(engine, 0, 5);
    std::vector<std::vector<Cells<Dim>>> owned(static_cast<std::size_t>(count), {levels.cells.size(), Cells<Dim>()});
    std::vector<sparse::HostSet<Dim>> all;
    for (std::size_t l = 0; l < levels.cells.size(); ++l) {
      all.push_back(levels.data[l].cells);
      for (auto const& cell : levels.cells[l]) {
        int owner = reference::random_int(engine, 0, count - 1);
        if (owner == has_none) owner = (owner + 1) % count;
        owned[static_cast<std::size_t>(owner)][l].insert(cell);
      }
    }
    auto const path = this->folder / "parts.hdf";
    std::size_t written = 0, size = 0;
    for (int process = 0; process < count; ++process) {
      auto own = levels_of<Dim>(owned[static_cast<std::size_t>(process)]).data;
      for (std::size_t l = 0; l < own.size(); ++l) own[l].covered = levels.data[l].covered;
      auto const parts = io::overlapping_amr_parts<Dim>({}, all, own, process == count / 2);
      if (process == 0) io::reserve_file(path, parts.file_size);
      size = parts.file_size;
      io::write_into(path, parts);
      std::uint64_t end = 0;
      for (auto const& part : parts.parts) {
        ASSERT_GE(part.at, end);
        end = part.at + part.size;
        ASSERT_LE(end, parts.file_size);
        written += part.size;
      }
    }
    EXPECT_EQ(written, size);  // so no byte is written twice
    io::write_overlapping_amr<Dim>(this->folder / "a.hdf", {}, levels.data);
    ASSERT_TRUE(contents(path) == contents(this->folder / "a.hdf"));
  }
}

TYPED_TEST(OverlappingAmr, LongRowsAreCutAtTileBorders) {
  constexpr int Dim = TypeParam::value;
  Cells<Dim> cells;
  for (Coord x = -200; x < 150; ++x)
    for (Coord y : {-1, 0, 140}) {
      Cell<Dim> cell{x, y};
      if (x % 77 != 0) cells.insert(cell);
    }
  io::write_overlapping_amr<Dim>(this->folder / "a.hdf", {}, levels_of<Dim>({cells}).data);
  expect_same<Dim>(Hdf5Reader(this->folder / "a.hdf"), {}, levels_of<Dim>({cells}));
}

TYPED_TEST(OverlappingAmr, TrailingLevelsWithoutCellsAreLeftOut) {
  constexpr int Dim = TypeParam::value;
  auto const levels = levels_of<Dim>({{Cell<Dim>::filled(3)}, {}, {}});
  io::write_overlapping_amr<Dim>(this->folder / "a.hdf", {}, levels.data);
  expect_same<Dim>(Hdf5Reader(this->folder / "a.hdf"), {}, levels);
}

TYPED_TEST(OverlappingAmr, GapsAndEmptinessAreRefused) {
  constexpr int Dim = TypeParam::value;
  Cells<Dim> const one = {Cell<Dim>::filled(3)};
  auto const expect_refused = [&](std::vector<io::LevelCells<Dim>> const& levels) {
    EXPECT_THROW(io::write_overlapping_amr<Dim>(this->folder / "a.hdf", {}, levels), std::invalid_argument);
  };
  expect_refused({});
  expect_refused(levels_of<Dim>({{}}).data);
  expect_refused(levels_of<Dim>({one}, 1).data);
  expect_refused(levels_of<Dim>({one, {}, one}).data);
  EXPECT_TRUE(this->folder.names().empty());
}

}  // namespace
