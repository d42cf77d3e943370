// Mach-2 flow around a cylinder on levels that follow the bow shock; output for ParaView.

#include <cstdio>
#include <exception>

#include <fmt/format.h>

#include <sparse/runtime.hpp>
#include <sparse/shapes.hpp>

#include <sparse/io/progress.hpp>

#include <sparse/amr/simulation.hpp>
#include <sparse/solvers/compressible/euler.hpp>
#include <sparse/solvers/compressible/rusanov.hpp>

#include "options.hpp"
#include "output.hpp"

using namespace sparse;
using compressible::Euler;
using compressible::Rusanov;

namespace {

/// The same state everywhere.
template <class State>
struct Uniform {
  State state;
  KOKKOS_FUNCTION State operator()(Vec<double, 2> const&) const { return state; }
};

amr::Domain<2> channel_with_cylinder(Options const& o) {
  amr::Side const walls = o.walls == "slip" ? amr::Side::wall : amr::Side::open;
  amr::DomainOptions<2> domain{{o.nx, o.ny}, o.amr_levels};
  domain.sides = {Vec<amr::Side, 2>{amr::Side::inflow, amr::Side::open}, {walls, walls}};
  double const finest = 1 << (o.amr_levels - 1);  // cells of the finest level in one of level 0
  domain.solid = ball<2>({finest * o.cx, finest * o.cy}, finest * o.radius);
  return amr::Domain<2>(domain);
}

template <class T>
void run(Options const& o, Output& output) {
  Euler<T, 2> const law{T(o.gamma)};
  auto const inflow = law.conserved(1, {T(o.mach), 0}, T(1 / o.gamma));
  amr::Simulation<Rusanov<Euler<T, 2>>> flow(
      channel_with_cylinder(o), {law}, Uniform<decltype(inflow)>{inflow}, inflow,
      {.cfl = o.cfl, .regrid_stride = o.regrid_stride, .refine_threshold = o.refine_threshold});
  io::Progress progress(o.t_final, o.max_steps);
  output.write_geometry(flow);
  output.write_fields(flow);
  output.write_history(flow, 0);
  try {
    while (flow.time() < o.t_final && flow.step_count() < o.max_steps) {
      double const dt = flow.advance(o.t_final - flow.time());
      bool const is_last = flow.time() >= o.t_final || flow.step_count() == o.max_steps;
      if (is_last || flow.step_count() % o.history_stride == 0) output.write_history(flow, dt);
      if (is_last || flow.step_count() % o.output_stride == 0) output.write_fields(flow);
      progress.report(flow.step_count(), flow.time(), dt, leaves_per_level(flow), output.mass(), flow.leaf_count());
    }
  } catch (amr::NonFiniteState const&) {
    progress.finish();
    output.write_fields(flow);  // the last good state
    throw;
  }
  progress.finish();
  output.finish(flow, progress);
}

}  // namespace

int main(int argc, char** argv) {
  Options const options = parse_options(argc, argv);
  try {
    Runtime const runtime(options.threads);
    Output output(options);
    try {
      options.precision == "float" ? run<float>(options, output) : run<double>(options, output);
    } catch (std::exception const& error) {
      output.record_failure(error.what());
      throw;
    }
  } catch (std::exception const& error) {
    fmt::print(stderr, "mach2_cylinder: {}\n", error.what());
    return 1;
  }
  return 0;
}
