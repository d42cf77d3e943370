#pragma once
/// Levels of cells for tests of writers, kept as plain sets of cells next to what the writers take.

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <unistd.h>

#include <sparse/io/levels/cells.hpp>

#include "reference.hpp"

namespace io_test {

using reference::Cell;
using reference::Cells;
using sparse::Coord;
using sparse::Index;
namespace io = sparse::io;

/// A folder that is empty at first and gone at the end.
class Folder {
public:
  Folder() {
    auto name = (std::filesystem::temp_directory_path() / "sparse-io-").string() + std::string(6, 'X');  // for mkdtemp
    path_ = mkdtemp(name.data());
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::filesystem::path operator/(std::string const& name) const { return path_ / name; }

  /// Names of all files, hidden ones too.
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (auto const& entry : std::filesystem::directory_iterator(path_)) found.push_back(entry.path().filename());
    std::sort(found.begin(), found.end());
    return found;
  }

private:
  std::filesystem::path path_;
};

inline std::string contents(std::filesystem::path const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A different value for every level, cell and component, none of which single precision rounds.
template <int Dim>
double value_at(int level, Cell<Dim> const& cell, int component) {
  double value = 1000 * level + 0.25 * component;
  for (int axis = 0; axis < Dim; ++axis) value += (axis == 0 ? 1 : axis == 1 ? 64 : 4096) * cell[axis];
  return value;
}

template <int Dim>
struct Levels {
  std::vector<Cells<Dim>> cells, leaves;
  std::vector<io::LevelCells<Dim>> data;  ///< arrays "mass" [float] and "velocity" [double, Dim components]
};

/// The levels `first, first + 1, ...` with these cells. A cell is covered when a cell of the next level lies in it.
template <int Dim>
Levels<Dim> levels_of(std::vector<Cells<Dim>> cells, int first = 0) {
  Levels<Dim> levels{cells, cells, {}};
  for (std::size_t l = 0; l < cells.size(); ++l) {
    Cells<Dim> covered;
    if (l + 1 < cells.size())
      for (auto cell : cells[l + 1]) {
        for (int axis = 0; axis < Dim; ++axis) cell[axis] >>= 1;
        covered.insert(cell);
        levels.leaves[l].erase(cell);
      }
    int const number = first + static_cast<int>(l);
    std::vector<float> mass;
    std::vector<double> velocity;
    for (auto const& cell : cells[l]) mass.push_back(static_cast<float>(value_at<Dim>(number, cell, 7)));
    for (int c = 0; c < Dim; ++c)
      for (auto const& cell : cells[l]) velocity.push_back(value_at<Dim>(number, cell, c));
    levels.data.push_back({number,
                           reference::host_set_of<Dim>(cells[l]),
                           {{"mass", 1, mass}, {"velocity", Dim, velocity}},
                           reference::host_set_of<Dim>(covered)});
  }
  return levels;
}

/// Three levels with random refinement and random holes, around the origin.
template <int Dim>
Levels<Dim> random_levels(unsigned seed) {
  auto engine = reference::random_engine(seed);
  auto const often = [&](int per_ten) { return reference::random_int(engine, 1, 10) <= per_ten; };
  std::vector<Cells<Dim>> cells(3);
  int const size = Dim == 2 ? 9 : 5, holes = reference::random_int(engine, 0, 4);
  for (Coord z = Dim == 2 ? 0 : -2; z < (Dim == 2 ? 1 : size - 2); ++z)
    for (Coord y = -3; y < size - 3; ++y)
      for (Coord x = -4; x < size - 4; ++x) {
        Cell<Dim> cell{x, y};
        if constexpr (Dim == 3) cell[2] = z;
        if (!often(holes)) cells[0].insert(cell);
      }
  cells[0].insert(Cell<Dim>::filled(-1));
  for (std::size_t l = 0; l < 2; ++l)
    for (auto const& parent : cells[l]) {
      if (parent != Cell<Dim>::filled(-1) && !often(4)) continue;
      for (int child = 0; child < 1 << Dim; ++child) {
        auto cell = 2 * parent;
        for (int axis = 0; axis < Dim; ++axis) cell[axis] += child >> axis & 1;
        if (child == (1 << Dim) - 1 || !often(holes / 2)) cells[l + 1].insert(cell);
      }
    }
  return levels_of<Dim>(cells);
}

/// Volume in level-0 cells.
template <int Dim>
double volume(Levels<Dim> const& levels) {
  double sum = 0;
  for (std::size_t l = 0; l < levels.leaves.size(); ++l)
    sum += static_cast<double>(levels.leaves[l].size()) / static_cast<double>(1 << (Dim * levels.data[l].level));
  return sum;
}

}  // namespace io_test
