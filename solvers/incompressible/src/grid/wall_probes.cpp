#include "wall_probes.hpp"

#include <cmath>

#include <sparse/sets/locate.hpp>

#include "body.hpp"
#include "cut_geometry.hpp"

namespace sparse::incompressible::detail {
namespace {

constexpr double nearly_open = 1 - 1e-9;
constexpr int try_count = 3;
/// The slope at the wall of the parabola through it and two points: of the wall, of the near and of the far point.
constexpr double parabola[3] = {1.5, 2, -0.5};

/// The positions of cells in a set, or -1.
template <int Dim>
std::vector<Index> positions_in(IntervalSet<Dim> const& set, std::vector<Vec<Coord, Dim>> const& cells) {
  auto const found = sparse::find(set, to_device(set.context(), cells));
  return to_host(set.context(), static_cast<Index const*>(found.data()), found.size());
}

/// The positions in storage of cells of the fluid, -1 of others.
template <int Dim>
std::vector<Index> fluid_positions(StaggeredGrid<Dim> const& grid, std::vector<Vec<Coord, Dim>> const& cells) {
  auto const in_fluid = positions_in(grid.fluid(), cells);
  auto positions = positions_in(grid.storage(), cells);
  for (std::size_t i = 0; i < cells.size(); ++i)
    if (in_fluid[i] < 0) positions[i] = -1;
  return positions;
}

/// Makes the probes, on the host.
template <int Dim>
class ProbeMaker {
public:
  using Cell = Vec<Coord, Dim>;
  using Probe = WallProbe<Dim>;
  ProbeMaker(StaggeredGrid<Dim> const& grid, Box<Dim> const& domain)
      : grid_(grid), geometry_(grid.domain().distance, grid.space()), bounds_(domain) {}

  std::vector<WallProbe<Dim>> make() {
    std::vector<char> is_small(static_cast<std::size_t>(grid_.storage().cell_count()), 0);
    for (auto const& cell : cut_cells_of(grid_)) {
      if (cell.capacity > cell.volume) is_small[static_cast<std::size_t>(cell.faces[0])] = 1;
      add(cell);
    }
    auto const positions = fluid_positions(grid_, wanted_);
    auto const is_good = [&](Index const* at) {
      bool result = true;
      for (int c = 0; c < Probe::corner_count; ++c)
        result = result && at[c] >= 0 && is_small[static_cast<std::size_t>(at[c])] == 0;
      return result;
    };
    for (std::size_t i = 0; i < probes_.size(); ++i)
      for (std::size_t k = i * try_count; k < (i + 1) * try_count; ++k) {
        Index const* const at = positions.data() + k * static_cast<std::size_t>(Probe::point_count);
        if (!is_good(at)) continue;
        bool const has_far = is_good(at + Probe::corner_count);
        auto& probe = probes_[i] = tries_[k];
        probe.own = has_far ? parabola[0] : 1;
        for (int c = 0; c < Probe::point_count; ++c) {
          bool const is_far = c >= Probe::corner_count;
          probe.weight[c] *= has_far ? parabola[is_far ? 2 : 1] : is_far ? 0 : 1;
          probe.at[c] = is_far && !has_far ? at[0] : at[c];
        }
        break;
      }
    return probes_;
  }

private:
  void add(CutCell<Dim> const& cell) {
    double square = 0;
    for (int b = 0; b < Dim; ++b) {
      double const open = (cell.share[2 * b + 1] - cell.share[2 * b]) / grid_.spacing()[b];
      square += open * open;
    }
    if (square == 0) return;
    auto const wall = geometry_.wall_near(middle_in_cells(cell.cell, Dim));
    auto const on_wall = grid_.space().center(cell.cell) - wall.distance * wall.normal;
    WallProbe<Dim> probe{};
    probe.place = on_wall;
    probe.position = cell.faces[0];
    probe.area = std::sqrt(square);
    probe.capacity = cell.capacity;
    give(probe, on_wall);
    double width = 0;  // between planes along the wall through a cell's corners
    for (int b = 0; b < Dim; ++b) width += std::abs(wall.normal[b]) * grid_.spacing()[b];
    for (int k = 0; k < try_count; ++k) tries_.push_back(probe_at(probe, on_wall, wall.normal, (1 + 0.25 * k) * width));
    for (auto& at : probe.at) at = probe.position;
    probe.weight[0] = probe.own = 1;
    probe.distance = std::max(wall.distance, 0.75 * width);
    probes_.push_back(probe);
  }

  void give(WallProbe<Dim>& probe, Vec<double, Dim> const& on_wall) const {
    auto const& function = grid_.domain().wall_heat;
    WallHeat const heat = function ? function(on_wall) : WallHeat{};
    expects(!heat.temperature || !heat.heat_flux,
            "incompressible: a curved wall has a temperature or a heat flux, not both");
    probe.kind = heat.temperature ? WallProbe<Dim>::with_temperature
                 : heat.heat_flux ? WallProbe<Dim>::with_flux
                                  : WallProbe<Dim>::insulated;
    probe.given = heat.temperature.value_or(heat.heat_flux.value_or(0));
    expects(std::isfinite(probe.given), "incompressible: what a curved wall gives is not finite");
  }

  WallProbe<Dim> probe_at(WallProbe<Dim> probe, Vec<double, Dim> const& on_wall, Vec<double, Dim> const& normal,
                          double distance) {
    probe.distance = distance;
    for (int point = 0; point < 2; ++point)
      add_corners(on_wall + (distance * (point + 1)) * normal, probe.weight + point * Probe::corner_count);
    return probe;
  }

  /// The cells around a position, and their weights in the value there.
  void add_corners(Vec<double, Dim> const& position, double* weight) {
    Cell base;
    Vec<double, Dim> share;
    for (int b = 0; b < Dim; ++b) {
      double const place = (position[b] - grid_.space().origin[b]) / grid_.spacing()[b] - 0.5;
      base[b] = static_cast<Coord>(std::floor(place));
      share[b] = place - base[b];
    }
    for (int c = 0; c < Probe::corner_count; ++c) {
      Cell cell = base;
      weight[c] = 1;
      for (int b = 0; b < Dim; ++b) {
        bool const is_upper = ((c >> b) & 1) != 0;
        weight[c] *= is_upper ? share[b] : 1 - share[b];
        cell[b] += is_upper ? 1 : 0;
        if (grid_.domain().period[b] == 0) cell[b] = std::clamp(cell[b], bounds_.begin[b], bounds_.end[b] - 1);
      }
      wanted_.push_back(grid_.domain().periodicity().stored(cell));
    }
  }

  StaggeredGrid<Dim> grid_;
  CutGeometry<Dim> geometry_;
  Box<Dim> bounds_;
  std::vector<WallProbe<Dim>> probes_, tries_;
  std::vector<Cell> wanted_;
};

}  // namespace

template <int Dim>
std::vector<CutCell<Dim>> cut_cells_of(StaggeredGrid<Dim> const& grid) {
  auto const& cells = grid.body().cut.cells;
  return to_host(grid.context(), static_cast<CutCell<Dim> const*>(cells.data()), cells.size());
}

template <int Dim>
std::vector<CutTransport<Dim>> cut_transport_of(StaggeredGrid<Dim> const& grid) {
  auto const cut = cut_cells_of(grid);
  auto const periodicity = grid.domain().periodicity();
  std::vector<CutTransport<Dim>> list;
  std::vector<Vec<Coord, Dim>> wanted;
  for (auto const& cell : cut) {
    CutTransport<Dim> one{};
    one.position = cell.faces[0];
    one.capacity = cell.capacity;
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      one.faces[arm] = cell.faces[arm];
      one.share[arm] = cell.share[arm] < nearly_open ? cell.share[arm] : 1;
      for (int far = 1; far <= 2; ++far)
        wanted.push_back(periodicity.stored(cell.cell + Vec<Coord, Dim>::along(arm / 2, arm % 2 == 0 ? -far : far)));
    }
    list.push_back(one);
  }
  auto const positions = fluid_positions(grid, wanted);
  std::size_t next = 0;
  for (auto& one : list)
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      one.beside[arm] = positions[next++];
      one.far[arm] = positions[next++];
      if (one.beside[arm] < 0) one.far[arm] = -1;
    }
  return list;
}

template <int Dim>
std::vector<WallProbe<Dim>> wall_probes_of(StaggeredGrid<Dim> const& grid, Box<Dim> const& domain) {
  if (!grid.has_curved_walls()) return {};
  return ProbeMaker<Dim>(grid, domain).make();
}

template std::vector<CutCell<2>> cut_cells_of(StaggeredGrid<2> const&);
template std::vector<CutCell<3>> cut_cells_of(StaggeredGrid<3> const&);
template std::vector<CutTransport<2>> cut_transport_of(StaggeredGrid<2> const&);
template std::vector<CutTransport<3>> cut_transport_of(StaggeredGrid<3> const&);
template std::vector<WallProbe<2>> wall_probes_of(StaggeredGrid<2> const&, Box<2> const&);
template std::vector<WallProbe<3>> wall_probes_of(StaggeredGrid<3> const&, Box<3> const&);

}  // namespace sparse::incompressible::detail
