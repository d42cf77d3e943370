#pragma once
/// Flows that ranks share, and those of one process.

#include <cmath>
#include <cstring>
#include <string>

#include <sparse/fields/transfer.hpp>
#include <sparse/incompressible/measure/forces.hpp>
#include <sparse/incompressible/measure/sums.hpp>
#include <sparse/incompressible/method/smac.hpp>
#include <sparse/incompressible/step/divergence.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/shapes.hpp>
#include <support/fields.hpp>
#include <support/refused.hpp>

#include "team_of_test.hpp"

namespace flows_on_ranks {

using namespace reference;
using namespace sparse::incompressible;
using sparse::BoundaryKind;
using sparse::FaceSide;
using sparse::Field;
using sparse::IntervalSet;
using sparse::distributed::Curve;

inline constexpr double pi = 3.14159265358979;

/// A flow with ink (carried field 0) and warmth (1).
template <int Dim>
struct Flow {
  std::string name;
  FlowDomain<Dim> domain;
  IntervalSet<Dim> solid;
  SmacOptions<Dim> options = {};
};

template <int Dim>
Cell<Dim> size_of_box(bool is_large) {
  Cell<Dim> size;
  for (int axis = 0; axis < Dim; ++axis)
    size[axis] = Dim == 2 ? (is_large ? 240 - 64 * axis : 64 - 12 * axis) : (is_large ? 40 - 4 * axis : 24 - 3 * axis);
  return size;
}

template <int Dim>
Flow<Dim> flow_in(std::string const& name, Cell<Dim> const& size, IntervalSet<Dim> const& solid) {
  Flow<Dim> flow{name, {}, solid};
  flow.domain.fluid = sparse::box<Dim>({}, size) - solid;
  flow.domain.grid.spacing = Vec<double, Dim>::filled(1.0 / size[1]);
  flow.domain.grid.origin[0] = -0.25;
  flow.options.viscosity = 2e-3;
  flow.options.transported = {{1, 3e-3, {}}};
  flow.options.buoyancy = {{1, Vec<double, Dim>::along(1, 0.7)}};
  return flow;
}

template <int Dim>
IntervalSet<Dim> block_in(Cell<Dim> const& size) {
  Cell<Dim> begin, end;
  for (int axis = 0; axis < Dim; ++axis) {
    begin[axis] = 2 * size[axis] / 5;
    end[axis] = begin[axis] + size[1] / 6;
  }
  return sparse::box<Dim>(begin, end);
}

/// In on the left, out on the right, past a block that is warm.
template <int Dim>
Flow<Dim> channel(bool is_large) {
  auto const size = size_of_box<Dim>(is_large);
  auto flow = flow_in<Dim>("a channel with a block", size, block_in(size));
  auto& domain = flow.domain;
  domain.parts.push_back(
      {BoundaryKind::inflow, side_faces(domain.fluid, 0, FaceSide::lower), Vec<double, Dim>::along(0, 1)});
  domain.parts.back().temperature = 0.2;
  domain.parts.push_back({BoundaryKind::outflow, side_faces(domain.fluid, 0, FaceSide::upper)});
  domain.parts.push_back({BoundaryKind::no_slip, faces_between(domain.fluid, flow.solid)});
  domain.parts.back().temperature = 1;
  return flow;
}

/// Periodic along all axes, but for a block. The lowest cell is not 0.
template <int Dim>
Flow<Dim> periodic() {
  auto const size = size_of_box<Dim>(false);
  auto flow = flow_in<Dim>("a periodic box", size, block_in(size));
  auto const away = Vec<Coord, Dim>::filled(-7);
  flow.domain.fluid = shift(flow.domain.fluid, away);
  flow.solid = shift(flow.solid, away);
  flow.domain.period = size;
  flow.options.transported[0].sources = {{flow.domain.fluid & sparse::box<Dim>(away, {}), 0.5}};
  return flow;
}

/// Without walls, and so small that the windows of some ranks are all of it, where others have no cells of their own.
template <int Dim>
Flow<Dim> small_and_periodic() {
  auto const size = Cell<Dim>::filled(Dim == 2 ? 20 : 12);
  auto flow = flow_in<Dim>("a small periodic box", size, {});
  flow.domain.period = size;
  return flow;
}

/// A box with a lid that moves and a floor that heats.
template <int Dim>
Flow<Dim> cavity() {
  auto flow = flow_in<Dim>("a cavity", size_of_box<Dim>(false), {});
  auto& domain = flow.domain;
  domain.parts.push_back(
      {BoundaryKind::no_slip, side_faces(domain.fluid, 1, FaceSide::upper), Vec<double, Dim>::along(0, 1)});
  domain.parts.push_back({BoundaryKind::no_slip, side_faces(domain.fluid, 1, FaceSide::lower)});
  domain.parts.back().heat_flux = 0.05;
  domain.others = BoundaryKind::wall;
  return flow;
}

/// The channel, with a warm ball that cuts cells.
template <int Dim>
Flow<Dim> around_a_ball() {
  auto flow = channel<Dim>(false);
  auto& domain = flow.domain;
  auto const size = size_of_box<Dim>(false);
  domain.parts.pop_back();
  domain.distance = [size](Vec<double, Dim> const& x) {
    double square = 0;
    for (int axis = 0; axis < Dim; ++axis)
      square += std::pow(x[axis] + (axis == 0 ? 0.25 : 0) - 0.47 * size[axis] / size[1], 2);
    return std::sqrt(square) - 0.13;
  };
  domain.wall_heat = [](Vec<double, Dim> const&) { return WallHeat{1, {}}; };
  auto const all = sparse::box<Dim>({}, size);
  domain.fluid = open_cells(all, domain.grid, domain.distance);
  domain.parts.clear();
  domain.parts.push_back(
      {BoundaryKind::inflow, side_faces(domain.fluid, 0, FaceSide::lower), Vec<double, Dim>::along(0, 1)});
  domain.parts.push_back({BoundaryKind::outflow, side_faces(domain.fluid, 0, FaceSide::upper)});
  flow.solid = all - domain.fluid;
  flow.name = "a channel with a ball";
  return flow;
}

/// The whole of a flow, or a rank's part.
template <class T, int Dim, class Method = Smac<T, Dim>>
struct Part {
  StaggeredGrid<Dim> grid;
  Method method;
  State<T, Dim> state;
  BodyForces<Dim> forces;

  Part(Flow<Dim> const& flow, FlowDomain<Dim> const& domain) : Part(flow, domain, flow.options) {}
  template <class Options>
  Part(Flow<Dim> const& flow, FlowDomain<Dim> const& domain, Options const& options)
      : grid(domain), method(grid, options), state(grid, {"ink", "warmth"}), forces(grid, flow.solid) {
    auto const wave = [](double x, double phase) { return std::sin(2 * pi * x + phase); };
    set_velocity(grid, state, [&](Vec<double, Dim> const& x) {
      Vec<double, Dim> u;
      for (int axis = 0; axis < Dim; ++axis)
        u[axis] = (axis == 0 ? 0.6 : 0) + 0.4 * wave(x[(axis + 1) % Dim], 1 + axis) * wave(2 * x[axis], axis);
      return u;
    });
    set_cells(grid, state.carried[0], [&](Vec<double, Dim> const& x) { return wave(x[0], 0) * wave(x[1], 2) > 0; });
    set_cells(grid, state.carried[1], [&](Vec<double, Dim> const& x) { return 0.5 + 0.4 * wave(3 * x[1], x[0]); });
  }
  double step(double safety = 0.4) {
    double const dt = method.longest_step(state, safety);
    method.advance(state, dt);
    return dt;
  }
  std::vector<double> measures() const {
    auto const divergence = divergence_of(grid, state.velocity);
    std::vector<double> all = {kinetic_energy(grid, state.velocity),
                               total(grid, state.carried[0]),
                               total(grid, state.carried[1]),
                               outward_flux(grid, state.velocity, BoundaryKind::inflow),
                               outward_flux(grid, state.velocity, BoundaryKind::outflow),
                               divergence.greatest,
                               divergence.root_mean_square};
    auto const force = forces(state.velocity, state.pressure, method.options().viscosity);
    for (auto const* part : {&force.pressure, &force.viscous, &force.carried})
      for (int axis = 0; axis < Dim; ++axis) all.push_back((*part)[axis]);
    return all;
  }
};

template <class T, int Dim>
bool are_same(Field<T, Dim> const& a, Field<T, Dim> const& b) {
  if (!(a.domain() == b.domain())) return false;
  for (int c = 0; c < a.component_count(); ++c) {
    auto const x = to_host(a, c), y = to_host(b, c);
    if (!x.empty() && std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) != 0) return false;
  }
  return true;
}

/// All values that a rank has are those of the whole, beside its own cells, too.
template <class T, int Dim, class Method>
void expect_part(Part<T, Dim, Method> const& part, Part<T, Dim, Method> const& all, std::string const& where) {
  auto const& grid = part.grid;
  ASSERT_TRUE(are_same(part.state.velocity, remap(all.state.velocity, grid.storage()))) << where << ": velocity";
  ASSERT_TRUE(are_same(part.state.pressure, remap(all.state.pressure, grid.fluid()))) << where << ": pressure";
  for (std::size_t i = 0; i < all.state.carried.size(); ++i)
    ASSERT_TRUE(are_same(remap(part.state.carried[i], grid.fluid()), remap(all.state.carried[i], grid.fluid())))
        << where << ": " << all.state.carried[i].name();
}

template <int Dim>
FlowDomain<Dim> shared(FlowDomain<Dim> domain, sparse::distributed::Team* team, Curve curve = Curve::hilbert) {
  domain.team = team;
  domain.has_exact_sums = true;
  domain.partition.curve = curve;
  return domain;
}

}  // namespace flows_on_ranks
