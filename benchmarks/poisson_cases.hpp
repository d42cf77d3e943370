#pragma once
/// The Poisson problems that solvers are compared on: boxes of cells, some with a ball of solid cells cut out.
///
/// (A p)_i is the sum over the faces of cell i of coupling (p_i - p_j); a face without a fluid neighbour j adds
/// nothing, but on a Dirichlet side of the box it adds 2 coupling p_i. Vectors have one value per fluid cell, x
/// fastest, then y, then z, as fields have. Without sparse and Kokkos, so that programs on MPI can include it.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace poisson_cases {

inline constexpr std::array tolerances{1e-6, 1e-10};  ///< of |b - A x| / |b|
inline constexpr std::uint64_t seed = 20240229;       ///< of the right-hand sides

struct Problem {
  std::string_view name, description;
  int dim;
  std::array<int, 3> cells;                         ///< of the box; 1 along an axis that it does not have
  std::array<double, 3> coupling;                   ///< 1 / (cell width)^2
  std::array<std::array<bool, 2>, 3> is_dirichlet;  ///< [axis][lower, upper side]; the others are Neumann
  double solid_radius;                              ///< of the ball that is cut out; 0: none
  std::array<double, 3> solid_center;

  bool is_singular() const {
    for (auto const& sides : is_dirichlet)
      if (sides[0] || sides[1]) return false;
    return true;
  }
  bool is_solid(int x, int y, int z) const {
    double const dx = x + 0.5 - solid_center[0], dy = y + 0.5 - solid_center[1];
    double const dz = dim == 3 ? z + 0.5 - solid_center[2] : 0;
    return dx * dx + dy * dy + dz * dz <= solid_radius * solid_radius;
  }
};

constexpr std::array<bool, 2> none{false, false}, upper{false, true}, both{true, true};

inline constexpr std::array<Problem, 5> problems{{
    {"P1", "1024^2, Dirichlet", 2, {1024, 1024, 1}, {1, 1, 1}, {both, both, none}, 0, {}},
    {"P2", "2048 x 1024 minus a disk, an outlet", 2, {2048, 1024, 1}, {1, 1, 1}, {upper, none, none}, 100, {512, 512}},
    {"P3", "128^3 minus a ball, Neumann", 3, {128, 128, 128}, {1, 1, 1}, {none, none, none}, 24, {64, 64, 64}},
    {"P4", "256 x 128^2, an outlet", 3, {256, 128, 128}, {1, 1, 1}, {upper, none, none}, 0, {}},
    {"P4a", "P4 with couplings 4:1:1", 3, {256, 128, 128}, {4, 1, 1}, {upper, none, none}, 0, {}},
}};

/// The number of each fluid cell of the box, -1 for solid ones.
class Numbering {
public:
  explicit Numbering(Problem const& problem) : problem_(problem) {
    auto const [nx, ny, nz] = problem.cells;
    numbers_.reserve(static_cast<std::size_t>(nx) * ny * nz);
    for (int z = 0; z < nz; ++z)
      for (int y = 0; y < ny; ++y)
        for (int x = 0; x < nx; ++x) numbers_.push_back(problem.is_solid(x, y, z) ? -1 : fluid_count_++);
  }
  Problem const& problem() const { return problem_; }
  int fluid_count() const { return fluid_count_; }
  int box_count() const { return static_cast<int>(numbers_.size()); }
  int operator[](int box_index) const { return numbers_[static_cast<std::size_t>(box_index)]; }
  int box_index(std::array<int, 3> const& cell) const {
    return cell[0] + problem_.cells[0] * (cell[1] + problem_.cells[1] * cell[2]);
  }

  /// A row of A: the diagonal, and the fluid neighbours (number, or -1) below and above along each axis.
  struct Row {
    double diagonal = 0;
    std::array<std::array<int, 2>, 3> neighbours{{{-1, -1}, {-1, -1}, {-1, -1}}};
  };
  Row row(std::array<int, 3> const& cell) const {
    Row result;
    int stride = 1;
    int const here = box_index(cell);
    for (std::size_t axis = 0; axis < static_cast<std::size_t>(problem_.dim); ++axis) {
      for (std::size_t side = 0; side < 2; ++side) {
        bool const is_last = cell[axis] == (side == 0 ? 0 : problem_.cells[axis] - 1);
        int const number = is_last ? -1 : (*this)[here + (side == 0 ? -stride : stride)];
        result.neighbours[axis][side] = number;
        if (number >= 0)
          result.diagonal += problem_.coupling[axis];
        else if (is_last && problem_.is_dirichlet[axis][side])
          result.diagonal += 2 * problem_.coupling[axis];
      }
      stride *= problem_.cells[axis];
    }
    return result;
  }

  /// Calls `body(cell, number)` for the fluid cells in order.
  template <class Body>
  void for_each_fluid_cell(Body&& body) const {
    std::array<int, 3> cell{};
    int index = 0;
    for (cell[2] = 0; cell[2] < problem_.cells[2]; ++cell[2])
      for (cell[1] = 0; cell[1] < problem_.cells[1]; ++cell[1])
        for (cell[0] = 0; cell[0] < problem_.cells[0]; ++cell[0], ++index)
          if ((*this)[index] >= 0) body(cell, (*this)[index]);
  }

private:
  Problem const& problem_;
  std::vector<int> numbers_;
  int fluid_count_ = 0;
};

/// Uniform in [-1, 1], from a hash of the cell and the seed; without its mean where only then a solution exists.
inline std::vector<double> right_hand_side(Numbering const& numbering) {
  std::vector<double> b;
  b.reserve(static_cast<std::size_t>(numbering.fluid_count()));
  double sum = 0;
  numbering.for_each_fluid_cell([&](std::array<int, 3> const& cell, int) {
    // splitmix64 (Steele, Lea and Flood, 2014)
    std::uint64_t h = seed + 0x9e3779b97f4a7c15u * (static_cast<std::uint64_t>(numbering.box_index(cell)) + 1);
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
    h = (h ^ h >> 27) * 0x94d049bb133111ebu;
    h ^= h >> 31;
    b.push_back(static_cast<double>(h >> 11) * 0x1p-52 - 1);
    sum += b.back();
  });
  if (numbering.problem().is_singular())
    for (double& value : b) value -= sum / static_cast<double>(b.size());
  return b;
}

/// |b - A x| / |b|, for every solver from the same lines.
inline double relative_residual(Numbering const& numbering, std::vector<double> const& b,
                                std::vector<double> const& x) {
  double residual_square = 0, b_square = 0;
  numbering.for_each_fluid_cell([&](std::array<int, 3> const& cell, int number) {
    auto const i = static_cast<std::size_t>(number);
    auto const row = numbering.row(cell);
    double residual = b[i] - row.diagonal * x[i];
    for (std::size_t axis = 0; axis < 3; ++axis)
      for (int const neighbour : row.neighbours[axis])
        if (neighbour >= 0) residual += numbering.problem().coupling[axis] * x[static_cast<std::size_t>(neighbour)];
    residual_square += residual * residual;
    b_square += b[i] * b[i];
  });
  return std::sqrt(residual_square / b_square);
}

}  // namespace poisson_cases
