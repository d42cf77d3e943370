#include "cut_groups.hpp"

#include <algorithm>
#include <map>

#include "cut_geometry.hpp"

namespace sparse::incompressible::detail {
namespace {

constexpr double nearly_open = 1 - 1e-9;

/// Joins cells on the host.
template <int Dim>
class Joiner {
public:
  Joiner(GridBody<Dim> const& body, double least_volume) : body_(body), least_volume_(least_volume) {
    auto const context = body.storage.context();
    for (int arm = 0; arm < 2 * Dim; ++arm) steps_[static_cast<std::size_t>(arm)] = to_host(body.steps(), arm);
    is_fluid_ = to_host(body.kinds, Dim);
    auto const& cut = body.cut.cells;
    for (auto const& cell : to_host(context, static_cast<CutCell<Dim> const*>(cut.data()), cut.size())) {
      auto& one = add(cell.faces[0], cell.cell);
      one.volume = cell.capacity;
      for (int arm = 0; arm < 2 * Dim; ++arm) one.share[arm] = cell.share[arm] < nearly_open ? cell.share[arm] : 1;
    }
    std::vector<Index> first;
    for (auto const& entry : cells_) first.push_back(entry.first);
    for (Index const position : first) enlarge(position);
  }

  CellGroups<Dim> groups() const {
    std::vector<Vec<Coord, Dim>> places;
    std::vector<GroupCell<Dim>> cells;
    std::vector<Index> begins;
    for (auto const& [position, cell] : cells_) {
      places.push_back(cell.place);
      if (cell.group != position) continue;
      begins.push_back(static_cast<Index>(cells.size()));
      for (Index const member : members_.at(position)) {
        auto const& one = cells_.at(member);
        GroupCell<Dim> result{member, one.volume, {}};
        for (int arm = 0; arm < 2 * Dim; ++arm)
          result.share[arm] = group_of(neighbour(member, arm)) == position ? 0 : one.share[arm];
        cells.push_back(result);
      }
    }
    begins.push_back(static_cast<Index>(cells.size()));
    auto const context = body_.storage.context();
    return {to_device(context, cells), to_device(context, begins), set_of<Dim>(places, context)};
  }

private:
  struct Cell {
    Vec<Coord, Dim> place;
    Index group;
    double volume;
    double share[2 * Dim];
  };

  Cell& add(Index position, Vec<Coord, Dim> const& place) {
    Cell cell{place, position, 1, {}};
    std::fill(cell.share, cell.share + 2 * Dim, 1);
    members_[position] = {position};
    return cells_[position] = cell;
  }
  /// The cell of the fluid beside another one, or -1.
  Index neighbour(Index position, int arm) const {
    auto const step = steps_[static_cast<std::size_t>(arm)][static_cast<std::size_t>(position)];
    if (step == 0 || is_fluid_[static_cast<std::size_t>(position + step)] != FaceKind::open) return -1;
    return position + step;
  }
  /// The group of a cell, or -1.
  Index group_of(Index position) const {
    auto const found = cells_.find(position);
    return found == cells_.end() ? -1 : found->second.group;
  }
  double volume_of(Index group) const {
    double sum = 0;
    for (Index const member : members_.at(group)) sum += cells_.at(member).volume;
    return sum;
  }

  /// Joins the group of a cell with others until it is large enough.
  void enlarge(Index position) {
    for (Index group = group_of(position); volume_of(group) < least_volume_; group = group_of(position)) {
      Index best = -1;
      Vec<Coord, Dim> place{};
      double widest = 0;
      for (Index const member : members_.at(group)) {
        auto const& cell = cells_.at(member);
        for (int arm = 0; arm < 2 * Dim; ++arm) {
          Index const beside = neighbour(member, arm);
          if (beside < 0 || cell.share[arm] <= widest || group_of(beside) == group) continue;
          widest = cell.share[arm];
          best = beside;
          place = body_.periodicity.stored(cell.place + Vec<Coord, Dim>::along(arm / 2, arm % 2 == 0 ? -1 : 1));
        }
      }
      if (best < 0) return;
      if (group_of(best) < 0) add(best, place);
      join(group, group_of(best));
    }
  }
  void join(Index a, Index b) {
    Index const to = std::min(a, b), from = std::max(a, b);
    auto& members = members_.at(to);
    for (Index const member : members_.at(from)) {
      cells_.at(member).group = to;
      members.push_back(member);
    }
    members_.erase(from);
  }

  GridBody<Dim> const& body_;
  double least_volume_;
  std::array<std::vector<std::int32_t>, 2 * Dim> steps_;
  std::vector<std::uint8_t> is_fluid_;
  std::map<Index, Cell> cells_;                  // [position in storage]
  std::map<Index, std::vector<Index>> members_;  // [group], which is the least position in it
};

}  // namespace

template <int Dim>
CellGroups<Dim> cell_groups(GridBody<Dim> const& body, double least_volume) {
  if (body.cut.cells.size() == 0) return {{}, {}, {}};
  return Joiner<Dim>(body, least_volume).groups();
}

template CellGroups<2> cell_groups(GridBody<2> const&, double);
template CellGroups<3> cell_groups(GridBody<3> const&, double);

}  // namespace sparse::incompressible::detail
