#include <sparse/incompressible/measure/wall_shear.hpp>

#include <algorithm>
#include <cmath>

#include <sparse/incompressible/measure/sample.hpp>
#include <sparse/sets/locate.hpp>

#include "grid/body.hpp"

namespace sparse::incompressible {
namespace {

/// The only axis along which the ends of a line differ.
template <int Dim>
int axis_along(WallLine<Dim> const& line) {
  int along = -1, count = 0;
  for (int axis = 0; axis < Dim; ++axis) {
    expects(std::isfinite(line.from[axis]) && std::isfinite(line.to[axis]),
            "incompressible: an end of a wall is not finite");
    if (line.from[axis] == line.to[axis]) continue;
    along = axis;
    ++count;
  }
  expects(line.normal >= 0 && line.normal < Dim && count == 1 && along != line.normal,
          "incompressible: the ends of a wall must differ along one axis, and not across the wall");
  return along;
}

/// Whether each cell, or face, is in the set.
template <int Dim>
std::vector<bool> are_in(IntervalSet<Dim> const& set, std::vector<Vec<Coord, Dim>> const& cells) {
  auto const found = find(set, to_device(set.context(), cells));
  std::vector<bool> result;
  for (Index const index : to_host(set.context(), static_cast<Index const*>(found.data()), found.size()))
    result.push_back(index >= 0);
  return result;
}

}  // namespace

template <class T, int Dim>
WallShear wall_shear(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity, WallLine<Dim> const& line) {
  detail::expect_alone(grid, "the friction along a wall");
  grid.expect_stored(velocity, Dim, "velocity");
  int const along = axis_along(line), normal = line.normal;
  auto const from = grid.space().to_cells(line.from), to = grid.space().to_cells(line.to);
  auto const box = grid.fluid().bounds();
  constexpr double rounding = 1e-6;
  double const lower = std::max(std::min(from[along], to[along]) - rounding, static_cast<double>(box.begin[along]));
  double const upper = std::min(std::max(from[along], to[along]) + rounding, static_cast<double>(box.end[along]));
  auto const first = static_cast<Coord>(std::ceil(lower)), last = static_cast<Coord>(std::floor(upper));
  double const outward = line.side == FaceSide::lower ? 1 : -1;

  // The cells on both sides of corner `first`, of the next one, and so on; their wall faces, and the cells beyond.
  auto wall_cell = grid.space().cell_of(line.from);
  auto const plane = static_cast<Coord>(std::lround(from[normal]));
  std::vector<Vec<Coord, Dim>> faces, nearest, next;
  for (Coord i = first - 1; i <= last; ++i) {
    wall_cell[along] = i;
    auto const in_layer = [&](Coord layer) {
      auto cell = wall_cell;
      cell[normal] = line.side == FaceSide::lower ? plane + layer : plane - 1 - layer;
      return cell;
    };
    nearest.push_back(in_layer(0));
    next.push_back(in_layer(1));
    auto face = wall_cell;
    face[normal] = plane;
    faces.push_back(face);
  }
  auto const is_wall = are_in(grid.faces_of(BoundaryKind::no_slip, normal), faces);
  auto const is_fluid = are_in(grid.fluid(), nearest), is_deep = are_in(grid.fluid(), next);
  auto const counts = [&](std::size_t i) { return is_wall[i] && is_fluid[i] && is_deep[i]; };

  // Between the wall and half a cell, samples are linear. So two of them tell the velocity of the wall.
  constexpr double distances[] = {0.25, 0.5, 1.5};
  WallShear shear;
  shear.spacing = grid.spacing()[along];
  std::vector<Vec<double, Dim>> points;
  auto at = from;
  for (std::size_t i = 0; i + 1 < faces.size(); ++i) {
    if (!counts(i) || !counts(i + 1)) continue;
    at[along] = first + static_cast<Coord>(i);
    for (double const distance : distances) {
      at[normal] = plane + outward * distance;
      points.push_back(grid.space().to_physical(at));
    }
    shear.positions.push_back(points.back()[along]);
  }
  expects(!points.empty(), "incompressible: beside a line there is no no-slip wall with two cells of fluid");
  auto const values = sample_velocity(grid, velocity, points);
  double const direction = to[along] > from[along] ? 1 : -1;
  for (std::size_t i = 0; i < values.size(); i += 3) {
    double const quarter = static_cast<double>(values[i][along]), half = static_cast<double>(values[i + 1][along]);
    double const wall = 2 * quarter - half, beyond = static_cast<double>(values[i + 2][along]);
    shear.rates.push_back(direction * (3 * (half - wall) - (beyond - wall) / 3) / grid.spacing()[normal]);
  }
  if (direction < 0) {
    std::reverse(shear.positions.begin(), shear.positions.end());
    std::reverse(shear.rates.begin(), shear.rates.end());
  }
  return shear;
}

std::vector<ShearChange> shear_changes(WallShear const& shear) {
  expects(shear.positions.size() == shear.rates.size(), "incompressible: there must be a shear rate for each position");
  auto const& x = shear.positions;
  auto const& rate = shear.rates;
  std::vector<ShearChange> changes;
  std::size_t last = rate.size();  // the last point since a gap whose rate is not 0
  for (std::size_t i = 0; i < rate.size(); ++i) {
    if (i > 0 && std::abs(x[i] - x[i - 1]) > 1.5 * shear.spacing) last = rate.size();
    if (rate[i] == 0) continue;
    if (last < rate.size() && (rate[i] > 0) != (rate[last] > 0)) {
      double const share = i == last + 1 ? rate[last] / (rate[last] - rate[i]) : 0.5;
      changes.push_back({x[last] + share * (x[i] - x[last]), rate[i] > 0});
    }
    last = i;
  }
  return changes;
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template WallShear wall_shear(StaggeredGrid<Dim> const&, Field<T, Dim> const&, WallLine<Dim> const&);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible
