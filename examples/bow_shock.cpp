// Mach-2 flow around a cylinder by the library alone: a law, a flux, a domain, levels that follow the shock, files.
#include <iostream>

#include <sparse/amr/measure/probes.hpp>
#include <sparse/amr/measure/snapshot.hpp>
#include <sparse/base/runtime.hpp>
#include <sparse/compressible/fluxes/any_flux.hpp>
#include <sparse/io/pictures/render.hpp>
#include <sparse/io/vtk/vtu.hpp>

using namespace sparse;
using Law = compressible::Euler<double, 2>;                // what is conserved: mass, momentum, energy
using Flow = amr::Simulation<compressible::AnyFlux<Law>>;  // how it flows between cells: HLLC, unless told otherwise

int main() {
  Runtime const runtime;
  Law const air{1.4};
  Law::State const inflow = {1, 2, 0, 1 / 1.4};  // density, velocity, pressure: the speed of sound is 1

  amr::DomainOptions<2> tunnel;
  tunnel.cells = {48, 64};
  tunnel.level_count = 3;  // cells of width 1, 1/2 and 1/4
  tunnel.sides = {Vec<BoundaryKind, 2>{BoundaryKind::inflow, BoundaryKind::outflow},
                  {BoundaryKind::outflow, BoundaryKind::outflow}};
  tunnel.bodies = {body_from_distance<2>("cylinder", BallDistance<2>{{16, 32}, 4})};

  Flow::Options options;
  options.criteria = {amr::relative_gradient<Law>(Law::density, 0.1)};  // refine where density changes by 10 % per cell
  auto const everywhere = KOKKOS_LAMBDA(Vec<double, 2> const&) { return inflow; };
  Flow flow(amr::Domain<2>(tunnel), {air}, everywhere, {inflow}, options);
  double const t_end = 60;
  while (flow.time() < t_end) flow.advance(t_end - flow.time());

  auto const shown = KOKKOS_LAMBDA(Law::State const& u) {
    auto const w = air.primitive(u);
    return Vec<float, 2>{static_cast<float>(w[Law::density]), static_cast<float>(w[Law::pressure_index])};
  };
  auto const levels = amr::snapshot(flow, shown, {{"density", 0, 1}, {"pressure", 1, 1}});
  Grid<2> const grid = flow.domain().grid(0);
  io::write_png("bow_shock.png", io::render(grid, levels, "density", {.length_unit = "cells of level 0"}));
  io::write_vtu("bow_shock.vtu", grid, levels);

  auto const nose = amr::primitive_at(flow, {{16 - 4 - 0.125, 32}})[0];  // in the last cell before the cylinder
  std::cout << "steps: " << flow.step_count() << "\ncells: " << flow.leaf_count()
            << "\npressure at the nose over that of the inflow: "
            << nose[Law::pressure_index] / inflow[Law::pressure_index]
            << "\nby Rayleigh's formula for Pitot tubes: 5.640\n";
}
