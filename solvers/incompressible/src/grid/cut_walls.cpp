#include "body.hpp"

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/locate.hpp>

#include "cut_geometry.hpp"

namespace sparse::incompressible::detail {
namespace {

constexpr double nearly_open = 1 - 1e-9;

/// Makes the lists of cut faces and cells, on the host.
template <int Dim>
class CutWallsMaker {
public:
  explicit CutWallsMaker(GridBody<Dim> const& body)
      : body_(body), spacing_(body.domain.grid.spacing), geometry_(body.domain.distance, body.domain.grid) {
    find_candidates();
    open_faces();
  }

  CutWalls<Dim> make() {
    auto const context = body_.storage.context();
    CutWalls<Dim> walls;
    std::vector<CutCell<Dim>> cells;
    std::vector<CutOpening> openings;
    std::array<std::vector<CutFace<Dim>>, Dim> faces;
    std::array<std::vector<Cell>, Dim> cut, closed;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      for (int axis = 0; axis < Dim; ++axis) {
        auto const a = static_cast<std::size_t>(axis);
        int const kind = kind_of(axis, candidates_[i].near[middle]);
        if (kind == FaceKind::absent) continue;
        double const share = candidates_[i].share[axis];
        if (share < nearly_open) openings.push_back(opening_of(candidates_[i], axis));
        if (share == 0) closed[a].push_back(candidates_[i].cell);
        if (kind != FaceKind::open || !is_cut(candidates_[i], axis)) continue;
        faces[a].push_back(face_of(candidates_[i], axis));
        cut[a].push_back(candidates_[i].cell);
      }
      if (is_fluid(candidates_[i].near[middle])) add_cell(candidates_[i], cells);
    }
    set_in_fluid(cells, faces);
    walls.cells = to_device(context, cells);
    walls.openings = to_device(context, openings);
    for (int axis = 0; axis < Dim; ++axis) {
      auto const a = static_cast<std::size_t>(axis);
      walls.faces[a] = to_device(context, faces[a]);
      walls.cut[axis] = set_of<Dim>(cut[a], context);
      walls.closed[axis] = set_of<Dim>(closed[a], context);
    }
    return walls;
  }

private:
  using Cell = Vec<Coord, Dim>;
  static constexpr int box_size = Dim == 2 ? 9 : 27, middle = box_size / 2;

  /// A cell near the surface.
  struct Candidate {
    Cell cell;
    std::array<Index, box_size> near;  // positions in storage of the cells in the box around it, or -1
    Vec<double, Dim> share;            // open shares of its lower faces
    Vec<double, Dim> shift[Dim];       // from the centre of each face to the centre of its open part
  };

  static std::size_t in_box(Cell const& offset) {
    int at = 0;
    for (int axis = Dim - 1; axis >= 0; --axis) at = 3 * at + offset[axis] + 1;
    return static_cast<std::size_t>(at);
  }
  static Cell along(int axis, int step) { return Cell::along(axis, step); }
  int kind_of(int axis, Index position) const {
    return position < 0 ? FaceKind::absent : kinds_[static_cast<std::size_t>(axis)][static_cast<std::size_t>(position)];
  }
  bool is_own(Cell const& cell) const { return !body_.ranks || body_.own().contains(body_.periodicity.stored(cell)); }
  bool is_fluid(Index position) const { return kind_of(Dim, position) == FaceKind::open; }
  Candidate const* candidate_at(Index position) const {
    int const i = position < 0 ? -1 : number_[static_cast<std::size_t>(position)];
    return i < 0 ? nullptr : &candidates_[static_cast<std::size_t>(i)];
  }
  double share_of(int axis, Index position) const {
    auto const* const candidate = candidate_at(position);
    return candidate == nullptr ? 1 : candidate->share[axis];
  }

  void find_candidates() {
    auto const context = body_.storage.context();
    for (int c = 0; c <= Dim; ++c) kinds_[static_cast<std::size_t>(c)] = to_host(body_.kinds, c);
    number_.assign(static_cast<std::size_t>(body_.storage.cell_count()), -1);
    std::vector<Cell> wanted;
    auto const add = [&](Cell const& cell, Index position) {
      number_[static_cast<std::size_t>(position)] = static_cast<int>(candidates_.size());
      Candidate candidate{};
      candidate.cell = cell;
      candidates_.push_back(candidate);
      for (int k = 0; k < box_size; ++k) {
        Cell next = cell;
        for (int axis = 0, rest = k; axis < Dim; ++axis, rest /= 3) next[axis] += rest % 3 - 1;
        wanted.push_back(body_.periodicity.stored(next));
      }
    };
    visit_by_distance<Dim>(geometry_, body_.storage.to_host(), add, [](RowKey, Interval, bool) {});
    auto const found = sparse::find(body_.storage, to_device(context, wanted));
    auto const positions = to_host(context, static_cast<Index const*>(found.data()), found.size());
    for (std::size_t i = 0; i < candidates_.size(); ++i)
      for (std::size_t k = 0; k < box_size; ++k) candidates_[i].near[k] = positions[i * box_size + k];
  }

  void open_faces() {
    for (auto& candidate : candidates_)
      for (int axis = 0; axis < Dim; ++axis) {
        auto const opening = geometry_.opening(candidate.cell, axis);
        int const kind = kind_of(axis, candidate.near[middle]);
        bool const is_computed =
            kind == FaceKind::open || (kind >= FaceKind::boundary && condition(kind).kind == BoundaryKind::outflow);
        bool const is_closed = opening.share < least_opening;
        candidate.share[axis] = !is_closed ? opening.share : is_computed ? least_opening : 0;
        candidate.shift[axis] = opening.middle - middle_in_cells(candidate.cell, axis);
      }
  }
  Condition<Dim> const& condition(int kind) const {
    return body_.condition_list[static_cast<std::size_t>(kind - FaceKind::boundary)];
  }

  CutOpening opening_of(Candidate const& candidate, int axis) const {
    Index const position = candidate.near[middle];
    Index const below = candidate.near[in_box(along(axis, -1))];
    bool const has_above = is_fluid(position) && is_own(candidate.cell),
               has_below = is_fluid(below) && is_own(candidate.cell - along(axis, 1));
    return {position, axis, (has_above ? 1 : 0) + (has_below ? 1 : 0), candidate.share[axis]};
  }

  void add_cell(Candidate const& candidate, std::vector<CutCell<Dim>>& cells) const {
    CutCell<Dim> cell{};
    cell.cell = candidate.cell;
    bool is_cut = false;
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      cell.faces[arm] = candidate.near[arm % 2 == 0 ? std::size_t{middle} : in_box(along(arm / 2, 1))];
      cell.share[arm] = share_of(arm / 2, cell.faces[arm]);
      is_cut = is_cut || cell.share[arm] < nearly_open;
    }
    if (!is_cut) return;
    cell.volume = geometry_.volume(candidate.cell);
    double exchange = 0, open_exchange = 0;
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      double const of_face = 1 / (spacing_[arm / 2] * spacing_[arm / 2]);
      exchange += cell.share[arm] * of_face;
      open_exchange += of_face;
    }
    cell.capacity = std::max(cell.volume, exchange / (greatest_exchange * open_exchange));
    cells.push_back(cell);
  }

  /// The faces whose openings carry fluid through a side of the volume around a face; -1 where there is none.
  std::array<Index, 2> carriers(Candidate const& candidate, int axis, int across, int step) const {
    if (across == axis) return {candidate.near[middle], candidate.near[in_box(along(axis, step))]};
    Cell const up = along(across, step > 0 ? 1 : 0);
    return {candidate.near[in_box(up)], candidate.near[in_box(up - along(axis, 1))]};
  }
  double opening_of_side(Candidate const& candidate, int axis, int across, int step) const {
    auto place = middle_in_cells(candidate.cell, axis);
    place[across] += 0.5 * step;
    return geometry_.opening(place, across).share;
  }

  /// Whether a face differs in any way from a face of the open grid.
  bool is_cut(Candidate const& candidate, int axis) const {
    auto const place = middle_in_cells(candidate.cell, axis);
    if (geometry_.at(place) > 0.8 * geometry_.reach()) return false;
    for (int across = 0; across < Dim; ++across)
      for (int step : {-1, 1}) {
        for (Index const carrier : carriers(candidate, axis, across, step))
          if (share_of(across, carrier) < nearly_open) return true;
        if (share_of(axis, candidate.near[in_box(along(across, step))]) < nearly_open) return true;
        if (opening_of_side(candidate, axis, across, step) < nearly_open) return true;
      }
    return false;
  }

  CutFace<Dim> face_of(Candidate const& candidate, int axis) const {
    auto const middle_of_face = middle_in_cells(candidate.cell, axis);
    auto const place = middle_of_face + candidate.shift[axis];
    auto const wall = geometry_.wall_near(place);
    double const distance = far_enough(wall.distance);
    CutFace<Dim> face{};
    face.face = candidate.cell;
    face.position = candidate.near[middle];
    face.share = candidate.share[axis];
    Vec<double, Dim> wall_area{};  // wall area over volume
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      int const across = arm / 2, step = arm % 2 == 0 ? -1 : 1;
      double const open = opening_of_side(candidate, axis, across, step);
      wall_area[across] += step * open / spacing_[across];
      face.sides[arm] = side_of(candidate, axis, across, step, open, wall, distance, face.closed_friction);
    }
    double square = 0;
    for (int b = 0; b < Dim; ++b) square += wall_area[b] * wall_area[b];
    face.friction = std::sqrt(square) / distance;
    return face;
  }

  CutSide side_of(Candidate const& candidate, int axis, int across, int step, double open,
                  typename CutGeometry<Dim>::Wall const& wall, double distance, double& closed_friction) const {
    CutSide side{};
    double const h = spacing_[across];
    auto const carrier = carriers(candidate, axis, across, step);
    for (int k = 0; k < 2; ++k) {
      Index const position = carrier[static_cast<std::size_t>(k)];
      side.carrier[k] = std::max(position, Index{0});
      side.share[k] = kind_of(across, position) == FaceKind::absent ? 0 : 0.5 * share_of(across, position);
    }
    Index const beside = candidate.near[in_box(along(across, step))];
    int const kind = kind_of(axis, beside);
    Cell const next = candidate.cell + along(across, step);
    auto const opening = geometry_.opening(next, axis);
    if (kind != FaceKind::absent && share_of(axis, beside) > 0) {
      // The conductance acts between the centres of two openings. Their offset along the side is corrected as if
      // velocity were proportional to the distance from the wall.
      side.beside = beside;
      auto const shift_there = opening.middle - middle_in_cells(next, axis);
      auto const difference = shift_there - candidate.shift[axis];
      auto const other = geometry_.wall_near(opening.middle);
      double part = 0;
      for (int e = 0; e < Dim; ++e)
        if (e != across) part += 0.5 * (wall.normal[e] + other.normal[e]) * spacing_[e] * difference[e];
      part = std::clamp(part / (distance + far_enough(other.distance)), -1.0, 1.0);
      double const conductance = open / (h * h * std::max(1 + step * difference[across], 0.1));
      side.toward = conductance * (1 - part);
      side.from = conductance * (1 + part);
      return side;
    }
    side.beside = -1;
    if (opening.share < least_opening) {  // the side is closed by the surface, where velocity is 0
      side.from = open / h * std::max(0.0, -step * wall.normal[across]) / distance;
      closed_friction += side.from;
      return side;
    }
    add_images(candidate, axis, across, carrier, side);
    double const way = std::max(1 - 2 * step * candidate.shift[axis][across], 0.1);
    side.toward = side.from = open / (h * h * way);
    return side;
  }

  /// Adds the mirror images beyond boundaries along a face, as `visit_images` does.
  void add_images(Candidate const& candidate, int axis, int across, std::array<Index, 2> const& carrier,
                  CutSide& side) const {
    bool const is_in[2] = {is_fluid(candidate.near[middle]), is_fluid(candidate.near[in_box(along(axis, -1))])};
    for (int k = 0; k < 2; ++k) {
      if (!is_in[k]) continue;
      double const share = is_in[0] && is_in[1] ? 0.5 : 1;
      int const kind = kind_of(across, carrier[static_cast<std::size_t>(k)]);
      Mirror const mirror = kind < FaceKind::boundary ? Mirror{1, 0} : mirror_of(condition(kind), axis);
      side.slope += share * mirror.slope;
      side.offset += share * mirror.offset;
    }
  }

  /// Bounds a distance from below, so that it can be divided by.
  double far_enough(double distance) const {
    double least = spacing_[0];
    for (int axis = 1; axis < Dim; ++axis) least = std::min(least, spacing_[axis]);
    return std::max(distance, 0.25 * least_opening * least);
  }

  /// Looks up the positions in the fluid, for all lists at once.
  void set_in_fluid(std::vector<CutCell<Dim>>& cells, std::array<std::vector<CutFace<Dim>>, Dim>& faces) const {
    auto const context = body_.storage.context();
    std::vector<Cell> wanted;
    for (auto const& cell : cells) wanted.push_back(cell.cell);
    for (int axis = 0; axis < Dim; ++axis)
      for (auto const& face : faces[static_cast<std::size_t>(axis)]) {
        wanted.push_back(face.face);
        wanted.push_back(body_.periodicity.stored(face.face - along(axis, 1)));
      }
    auto const found = sparse::find(body_.domain.fluid, to_device(context, wanted));
    auto const positions = to_host(context, static_cast<Index const*>(found.data()), found.size());
    std::size_t next = 0;
    for (auto& cell : cells) cell.in_fluid = positions[next++];
    for (auto& list : faces)
      for (auto& face : list) {
        face.above = positions[next++];
        face.below = positions[next++];
      }
  }

  GridBody<Dim> const& body_;
  Vec<double, Dim> spacing_;
  CutGeometry<Dim> geometry_;
  std::array<std::vector<std::uint8_t>, Dim + 1> kinds_;
  std::vector<int> number_;  // [position in storage] of the candidate, or -1
  std::vector<Candidate> candidates_;
};

}  // namespace

template <int Dim>
CutWalls<Dim> cut_walls_of(GridBody<Dim> const& body) {
  return CutWallsMaker<Dim>(body).make();
}

template CutWalls<2> cut_walls_of(GridBody<2> const&);
template CutWalls<3> cut_walls_of(GridBody<3> const&);

}  // namespace sparse::incompressible::detail
