// Mach-2 flow around a cylinder, or a sphere, on levels that follow the bow shock and the wake.

#include <algorithm>

#include <sparse/compressible/fluxes/any_flux.hpp>
#include <sparse/compressible/laws/euler.hpp>

#include "measure.hpp"
#include "options.hpp"
#include <sparse/app/compressible/run.hpp>

using namespace sparse;

namespace {

template <int Dim>
amr::Domain<Dim> tunnel_with_ball(Options const& o) {
  BoundaryKind const side = o.sides_are_walls ? BoundaryKind::wall : BoundaryKind::outflow;
  int const cells[] = {o.nx, o.ny, o.nz};
  amr::DomainOptions<Dim> domain;
  domain.level_count = o.run.level_count;
  for (int axis = 0; axis < Dim; ++axis) {
    domain.cells[axis] = cells[axis];
    domain.sides[axis] = {side, side};
  }
  domain.sides[0] = {BoundaryKind::inflow, o.mach < 1 ? BoundaryKind::given : BoundaryKind::outflow};
  auto body = sparse::body_from_distance<Dim>("ball", sparse::BallDistance<Dim>{center_of<Dim>(o), o.radius});
  if (!o.is_curved) body.distance = nullptr;
  domain.bodies = {body};
  amr::Domain<Dim> const tunnel(domain);
  if (tunnel.body(tunnel.body_level(), 0).is_empty())
    throw std::runtime_error("--radius: so small that the body has no cell of the finest level");
  return tunnel;
}

/// The flow, its levels, and the mesh between the bow shock and the body.
std::vector<sparse::app::Picture> pictures_of(Options const& o) {
  io::RenderOptions const whole{.length_unit = "cells of level 0"};
  io::RenderOptions levels = whole, nose = whole;
  levels.range = {0.0, std::max(1.0, o.run.level_count - 1.0)};  // the same colours at all times
  nose.mesh = true;
  nose.window = {{{o.cx - 2.6 * o.radius, o.cx - 0.4 * o.radius}, {o.cy - 1.1 * o.radius, o.cy + 1.1 * o.radius}}};
  return {{"density", whole}, {"mach", whole}, {"pressure", whole}, {"level", levels}, {"density", nose, "mesh"}};
}

template <class T, int Dim>
void compute(Options const& o, sparse::app::RunFolder& folder) {
  using Law = compressible::Euler<T, Dim>;
  using Flow = amr::Simulation<compressible::AnyFlux<Law>>;
  typename Law::State inflow{};
  inflow[Law::density] = 1;
  inflow[Law::velocity] = static_cast<T>(o.mach);
  inflow[Law::pressure_index] = static_cast<T>(1 / o.gamma);

  auto const domain = tunnel_with_ball<Dim>(o);
  Law const law{static_cast<T>(o.gamma)};
  auto flow =
      sparse::app::start<Flow>(folder, domain, {law, o.run.flux}, sparse::app::Uniform<Law>{inflow},
                               {inflow, amr::boundary<Law>(amr::OutflowAgainst<Law>{inflow[Law::pressure_index]})},
                               sparse::app::simulation_options<Law>(o.run));
  Drag<Flow> drag(o, domain, folder.is_restart());
  auto show = sparse::app::show_gas(flow, pictures_of(o));
  show.levels = true;
  show.columns = Drag<Flow>::names();
  show.columns.push_back("stand_off");
  show.numbers = [&](Flow& now) {
    auto numbers = drag(now);
    numbers.push_back(stand_off(now, o));
    return numbers;
  };
  if (sparse::app::run(folder, flow, show)) report_flow(folder, flow, o, drag);
}

}  // namespace

int main(int argc, char** argv) {
  auto const app = sparse::app::command_line(
      "Supersonic flow around a cylinder or a sphere: the Euler equations on levels that follow the shocks.\n"
      "Lengths are in cells of level 0, speeds in units of the sound speed of the inflow, and the density and\n"
      "the sound speed there are 1, so its pressure is 1 / gamma.");
  Options const o = parse_options(*app, argc, argv);
  return sparse::app::run_program("mach2_cylinder", *app, o.run, [&](sparse::app::RunFolder& folder) {
    if (o.dim == 2)
      o.is_double ? compute<double, 2>(o, folder) : compute<float, 2>(o, folder);
    else
      o.is_double ? compute<double, 3>(o, folder) : compute<float, 3>(o, folder);
  });
}
