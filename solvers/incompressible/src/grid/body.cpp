#include "body.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include <sparse/fields/algebra.hpp>
#include <sparse/plans/for_each.hpp>
#include <sparse/plans/periodic_components.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>

#include "middle_in_cells.hpp"
#include "ranks.hpp"

namespace sparse::incompressible::detail {
namespace {

constexpr std::size_t greatest_part_count = 250;  // kinds are bytes

template <int Dim>
void mark(FieldView<std::uint8_t> const& kinds, IntervalSet<Dim> const& set, IntervalSet<Dim> const& storage,
          int component, std::uint8_t kind) {
  for_each(
      "sparse::incompressible::mark", Subset<Dim>(set, storage),
      KOKKOS_LAMBDA(SubsetPoint<Dim> const& p) { kinds(component, p.cell) = kind; });
}

/// Throws unless this solver supports the kind of a part of the boundary.
void expect_known(BoundaryKind kind, std::size_t part) {
  bool const is_periodic = kind == BoundaryKind::periodic;
  if (is_periodic || kind == BoundaryKind::given)
    fail("incompressible: part " + std::to_string(part) +
         " of the boundary must be a wall, an inflow or an outflow, not " +
         (is_periodic ? "periodic: that is the domain's period" : "given: an inflow may have a profile"));
}

/// Throws unless a part's heat flux makes sense.
template <int Dim>
void expect_valid_flux(BoundaryPart<Dim> const& part) {
  if (!part.heat_flux) return;
  expects(std::isfinite(*part.heat_flux), "incompressible: a heat flux on the boundary is not finite");
  expects(!part.temperature, "incompressible: a part of the boundary has a temperature or a heat flux, not both");
  expects(part.kind == BoundaryKind::no_slip || part.kind == BoundaryKind::wall,
          "incompressible: only walls can have a heat flux");
}

/// Throws unless the fluid fits into one period.
template <int Dim>
void expect_valid(Periodicity<Dim> const& periodicity, IntervalSet<Dim> const& fluid) {
  auto const end = fluid.bounds().end;
  for (int axis = 0; axis < Dim; ++axis) {
    Coord const period = periodicity.period[axis];
    if (period < 0 || period == 1 || (period > 0 && end[axis] - periodicity.begin[axis] > period))
      fail("incompressible: the period " + std::to_string(period) + " along axis " + std::to_string(axis) +
           " must be at least 2, and the fluid fit into it");
  }
}

}  // namespace

template <int Dim>
GridBody<Dim>::GridBody(FlowDomain<Dim> const& d, std::shared_ptr<GridRanks<Dim> const> const& shared)
    : ranks(shared), domain(d) {
  expects(!domain.fluid.is_empty(), "incompressible: there is no fluid");
  domain.grid.expect_valid();
  expects(domain.others == BoundaryKind::no_slip || domain.others == BoundaryKind::wall,
          "incompressible: boundary faces in no part must be walls");
  for (std::size_t i = 0; i < domain.parts.size(); ++i) expect_known(domain.parts[i].kind, i);
  expects(domain.parts.size() <= greatest_part_count, "incompressible: there are too many parts of the boundary");
  periodicity = domain.periodicity();
  expect_valid(periodicity, domain.fluid);
  make_sets();
  mark_faces();
  make_table();
  expect_short_steps();
  if (domain.distance) cut = cut_walls_of(*this);
  give_velocities();
}

template <int Dim>
GridBody<Dim>::GridBody(std::shared_ptr<GridRanks<Dim>> const& shared) : GridBody(shared->window(), shared) {
  shared->connect(storage);
}

template <int Dim>
bool GridBody<Dim>::is_whole() const {
  return !ranks || ranks->team().size() == 1;
}
template <int Dim>
IntervalSet<Dim> const& GridBody<Dim>::own() const {
  return ranks ? ranks->own() : domain.fluid;
}
template <int Dim>
IntervalSet<Dim> GridBody<Dim>::own_of(IntervalSet<Dim> const& of, int axis) const {
  if (!ranks) return of;
  return of & (own() | (periodicity.stored(shift(own(), axis, 1)) - domain.fluid));
}
template <int Dim>
double GridBody<Dim>::greatest(double value) const {
  return ranks ? ranks->greatest(value) : value;
}
template <int Dim>
double GridBody<Dim>::sum(double value) const {
  if (!ranks) return value;
  std::vector<double> values{value};
  ranks->add(values);
  return values[0];
}

template <int Dim>
GridView<Dim> GridBody<Dim>::view() const {
  return {storage.view(),      kinds.view(),     steps().view(), conditions.data(), domain.grid.origin,
          domain.grid.spacing, row_table.data(), table_begin,    table_size,        periodicity};
}

template <int Dim>
void GridBody<Dim>::make_sets() {
  FaceSets<Dim> rest;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const above = periodicity.stored(shift(domain.fluid, axis, 1));
    faces[axis] = domain.fluid | above;
    open[axis] = domain.fluid & above;
    storage = storage | faces[axis];
    rest[axis] = faces[axis] - open[axis];
  }
  parts.resize(1);
  for (auto const& part : domain.parts) {
    parts.emplace_back();
    for (int axis = 0; axis < Dim; ++axis) {
      auto const& set = parts.back()[axis] = periodicity.stored(part.faces[axis]);
      if (!(set - rest[axis]).is_empty())
        fail("incompressible: part " + std::to_string(parts.size() - 2) + " of the boundary has faces normal to axis " +
             std::to_string(axis) + " that are not on the boundary, or in another part, too");
      rest[axis] = rest[axis] - set;
      auto& same = of_kind[static_cast<std::size_t>(part.kind)][axis];
      same = same | set;
    }
  }
  parts[0] = rest;
  for (int axis = 0; axis < Dim; ++axis) {
    auto& same = of_kind[static_cast<std::size_t>(domain.others)][axis];
    same = same | rest[axis];
    computed[axis] = open[axis] | of_kind[static_cast<std::size_t>(BoundaryKind::outflow)][axis];
  }
}

template <int Dim>
void GridBody<Dim>::mark_faces() {
  kinds = Field<std::uint8_t, Dim>("kinds", storage, Dim + 1);
  fill(kinds, 0);
  auto const view = kinds.view();
  auto& list = condition_list = {{domain.others, {}}};
  for (auto const& part : domain.parts) {
    for (int axis = 0; axis < Dim; ++axis)
      expects(std::isfinite(part.velocity[axis]), "incompressible: a velocity on the boundary is not finite");
    expects(std::isfinite(part.temperature.value_or(0)), "incompressible: a temperature on the boundary is not finite");
    expect_valid_flux(part);
    list.push_back({part.kind, part.velocity, part.temperature.has_value(), part.temperature.value_or(0)});
  }
  for (int axis = 0; axis < Dim; ++axis) {
    mark(view, open[axis], storage, axis, FaceKind::open);
    for (std::size_t part = 0; part < parts.size(); ++part)
      mark(view, parts[part][axis], storage, axis,
           static_cast<std::uint8_t>(FaceKind::boundary + static_cast<int>(part)));
  }
  mark(view, domain.fluid, storage, Dim, FaceKind::open);
  conditions = to_device(storage.context(), list);
}

template <int Dim>
void GridBody<Dim>::make_table() {
  auto const box = storage.bounds();
  Index entries = 1;
  for (int axis = 1; axis < Dim; ++axis) entries *= Index{box.end[axis]} - box.begin[axis];
  if (entries > 8 * storage.row_count() + 65536) return;
  table_begin = box.begin;
  for (int axis = 0; axis < Dim; ++axis) table_size[axis] = box.end[axis] - box.begin[axis];
  std::vector<Index> table(static_cast<std::size_t>(entries), -1);
  auto const rows = storage.to_host();
  for (std::size_t r = 0; r < rows.row_keys.size(); ++r) {
    auto const cell = cell_at<Dim>(rows.row_keys[r], 0);
    Index at = 0;
    for (int axis = Dim - 1; axis > 0; --axis) at = at * table_size[axis] + (cell[axis] - table_begin[axis]);
    table[static_cast<std::size_t>(at)] = static_cast<Index>(r);
  }
  row_table = to_device(storage.context(), table);
}

template <int Dim>
void GridBody<Dim>::give_velocities() {
  std::vector<GivenVelocity> list;
  Places inside;  // the fluid cells beside faces with a given flow, and the flux of each
  std::vector<double> outward_flux;
  std::map<std::pair<int, Index>, double> share;  // the share of partly open faces
  for (auto const& opening :
       to_host(storage.context(), static_cast<CutOpening const*>(cut.openings.data()), cut.openings.size()))
    share[{opening.axis, opening.position}] = opening.share;
  double volume = 1;
  for (int axis = 0; axis < Dim; ++axis) volume *= domain.grid.spacing[axis];
  for (std::size_t part = 0; part < parts.size(); ++part) {
    auto const* const said = part == 0 ? nullptr : &domain.parts[part - 1];
    if (said != nullptr && said->kind == BoundaryKind::outflow) continue;
    for (int axis = 0; axis < Dim; ++axis) {
      auto const& set = parts[part][axis];
      Places places;
      set.to_host().for_each_cell([&](Vec<Coord, Dim> const& face, Index) { places.push_back(face); });
      auto const context = storage.context();
      auto const found = sparse::find(storage, to_device(context, places));
      auto const positions = to_host(context, static_cast<Index const*>(found.data()), found.size());
      for (std::size_t i = 0; i < places.size(); ++i) {
        double value = said == nullptr ? 0 : said->velocity[axis];
        if (said != nullptr && said->profile)
          value = said->profile(domain.grid.to_physical(middle_in_cells(places[i], axis)));
        expects(std::isfinite(value), "incompressible: a velocity on the boundary is not finite");
        list.push_back({positions[i], axis, value});
        if (value == 0) continue;
        bool const is_lower = domain.fluid.contains(places[i]);
        inside.push_back(is_lower ? places[i] : periodicity.stored(places[i] - Vec<Coord, Dim>::along(axis, 1)));
        auto const found_share = share.find({axis, positions[i]});
        outward_flux.push_back((is_lower ? -value : value) * (found_share == share.end() ? 1 : found_share->second) *
                               volume / domain.grid.spacing[axis]);
      }
    }
  }
  given = to_device(storage.context(), list);
  if (!inside.empty()) expect_balance(inside, outward_flux);
}

template <int Dim>
void GridBody<Dim>::expect_balance(Places const& inside, std::vector<double> const& outward_flux) const {
  PeriodicComponents<Dim> const components(domain.fluid, periodicity.period);
  IntervalSet<Dim> beside_outflow;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const& out = of_kind[static_cast<std::size_t>(BoundaryKind::outflow)][axis];
    beside_outflow = beside_outflow | (domain.fluid & (out | periodicity.stored(shift(out, axis, -1))));
  }
  auto const has_outflow = components.with_cells_in(beside_outflow);
  auto const found = sparse::find(domain.fluid, to_device(storage.context(), inside));
  auto const positions = to_host(storage.context(), static_cast<Index const*>(found.data()), found.size());
  std::vector<double> net(has_outflow.size()), total(net);
  for (std::size_t i = 0; i < positions.size(); ++i) {
    auto const k = static_cast<std::size_t>(components.of_cell(positions[i]));
    net[k] += outward_flux[i];
    total[k] += std::abs(outward_flux[i]);
  }
  for (std::size_t k = 0; k < net.size(); ++k)
    if (has_outflow[k] == 0 && std::abs(net[k]) > 1e-9 * total[k])
      fail("incompressible: a part of the fluid has no outflow, but " + std::to_string(std::abs(net[k])) +
           " of fluid per time flows " + (net[k] < 0 ? "into" : "out of") + " it");
}

template struct GridBody<2>;
template struct GridBody<3>;

}  // namespace sparse::incompressible::detail
