#pragma once
/// The sets on which set algebra is measured, on a domain of 16384 x 16384 cells, or several of them in a column:
///
///   A     the union of 2000 random disks of radius 20 to 400
///   B     the domain minus a checkerboard of disks, 1.9 M intervals
///   C, D  random intervals of 128 cells on average, as many cells between them: a million each

#include <cmath>
#include <random>
#include <vector>

#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/shapes.hpp>

namespace geometry_cases {

using namespace sparse;
using Set = IntervalSet<2>;

constexpr Coord size = 16384;

struct Disk {
  double x, y, radius;
};

inline std::vector<Disk> random_disks(int domains = 1) {
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> place(0, size), height(0, 1.0 * domains * size), radius(20, 400);
  std::vector<Disk> disks(static_cast<std::size_t>(2000 * domains));
  for (auto& disk : disks) {
    disk.x = place(engine);
    disk.y = height(engine);
    disk.radius = radius(engine);
  }
  return disks;
}

inline std::vector<Set> sets_of(std::vector<Disk> const& disks) {
  std::vector<Set> sets;
  for (auto const& disk : disks) sets.push_back(ball(Vec<double, 2>{disk.x, disk.y}, disk.radius));
  return sets;
}

inline Set whole_domain(int domains = 1) { return box(Vec<Coord, 2>{0, 0}, Vec<Coord, 2>{size, domains * size}); }

inline Set checkerboard_of_holes(int domains = 1) {
  constexpr Coord width = 66;
  constexpr double radius = 31;
  HostSet<2> holes;
  holes.row_ptr = {0};
  for (Coord y = 0; y < domains * size; ++y) {
    holes.row_keys.push_back(y);
    double const dy = y % width + 0.5 - width / 2;
    auto const half = static_cast<Coord>(std::sqrt(std::max(0.0, radius * radius - dy * dy)));
    for (Coord square = y / width % 2; square * width < size && half > 0; square += 2) {
      Coord const centre = square * width + width / 2, end = std::min(size, centre + half);
      if (centre - half < end) holes.intervals.push_back({centre - half, end});
    }
    holes.row_ptr.push_back(static_cast<Index>(holes.intervals.size()));
  }
  return whole_domain(domains) - from_host(holes);
}

inline Set random_intervals(unsigned seed, int domains = 1) {
  std::mt19937 engine(seed);
  std::geometric_distribution<Coord> length(1.0 / 128);
  HostSet<2> rows;
  rows.row_ptr = {0};
  for (Coord y = 0; y < domains * size; ++y) {
    rows.row_keys.push_back(y);
    for (Coord x = length(engine); x < size;) {
      Coord const end = std::min(size, x + 1 + length(engine));
      rows.intervals.push_back({x, end});
      x = end + 1 + length(engine);
    }
    rows.row_ptr.push_back(static_cast<Index>(rows.intervals.size()));
  }
  return from_host(rows);
}

}  // namespace geometry_cases
