#pragma once
/// The flow whose steps are measured: Mach 2 around a cylinder, on four levels.

#include <cmath>

#include <sparse/amr/simulation.hpp>
#include <sparse/compressible/fluxes/any_flux.hpp>
#include <sparse/compressible/laws/euler.hpp>

namespace cylinder_case {

using namespace sparse;

template <class T>
struct Uniform {
  Vec<T, 4> state;
  KOKKOS_FUNCTION Vec<T, 4> operator()(Vec<double, 2> const&) const { return state; }
};

constexpr int level_count = 4;

/// The state of another flow, where it has one.
template <class T>
struct Sampled {
  Vec<T, 4> inflow;
  Vec<SetView, level_count> cells;
  Vec<FieldView<T const>, level_count> states;
  Vec<Grid<2>, level_count> grids;

  template <class Flow>
  explicit Sampled(Flow const& flow, Vec<T, 4> const& elsewhere) : inflow(elsewhere) {
    for (int l = 0; l < level_count; ++l) {
      cells[l] = flow.sets(l).storage.view();
      states[l] = flow.state(l).view();
      grids[l] = flow.domain().grid(l);
    }
  }
  KOKKOS_FUNCTION Vec<T, 4> operator()(Vec<double, 2> const& x) const {
    for (int l = level_count - 1; l >= 0; --l) {
      Vec<Coord, 2> cell;
      for (int axis = 0; axis < 2; ++axis)
        cell[axis] = static_cast<Coord>(std::floor((x[axis] - grids[l].origin[axis]) / grids[l].spacing[axis]));
      Index const found = cells[l].find(cell);
      if (found >= 0) return compressible::Euler<T, 2>{}.primitive(states[l].template load<4>(found));
    }
    return inflow;
  }
};

template <class T, bool second_order>
struct Cylinder {
  using Law = compressible::Euler<T, 2>;
  using Flux = compressible::AnyFlux<Law>;
  using Flow = amr::Simulation<Flux>;
  static constexpr Flux flux{{}, second_order ? compressible::FluxKind::hllc : compressible::FluxKind::rusanov};
  static constexpr Vec<T, 4> inflow{1, 2, 0, T(1 / 1.4)};

  /// In radii the box is 12 x 16. @param radius  in the finest cells
  template <class Initial>
  static Flow make(int radius, Initial const& initial) {
    amr::DomainOptions<2> domain{{12 * radius / 8, 16 * radius / 8}, level_count};
    domain.grid.spacing = Vec<double, 2>::filled(8.0 / radius);
    domain.grid.origin = {-4, -8};
    domain.sides = {Vec<BoundaryKind, 2>{BoundaryKind::inflow, BoundaryKind::outflow},
                    {BoundaryKind::outflow, BoundaryKind::outflow}};
    domain.bodies = {sparse::body_from_distance<2>("cylinder", sparse::BallDistance<2>{{0, 0}, 1})};
    amr::SimulationOptions<Law> options;
    options.scheme = second_order ? amr::Scheme::hancock : amr::Scheme::godunov;
    options.regrid_stride = 4;
    options.longest_stride = 1000;  // all levels change together, so that there is one regrid to time
    return Flow(amr::Domain<2>(domain), flux, initial, {inflow, {}}, options);
  }
  /// Runs until the bow shock is there. A finer flow begins with that of 40 cells and has some time to become sharp.
  static Flow developed(int radius, double sharpening_time = 2) {
    Flow flow = make(40, Uniform<T>{inflow});
    while (flow.time() < 12) flow.advance();
    if (radius == 40) return flow;
    flow.synchronise();
    Flow finer = make(radius, Sampled<T>(flow, inflow));
    while (finer.time() < sharpening_time) finer.advance();
    return finer;
  }
};

}  // namespace cylinder_case
