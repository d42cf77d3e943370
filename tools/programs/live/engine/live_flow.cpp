#include "live_flow.hpp"

#include <stdexcept>

#include <sparse/app/cases/case_shapes.hpp>
#include <sparse/app/cases/gas_domain.hpp>
#include <sparse/compressible/laws/navier_stokes.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/shapes.hpp>

#include "flow_on_levels.hpp"
#include "incompressible_flow.hpp"

namespace sparse::live {

template <class Law>
std::unique_ptr<LiveFlow> make_gas_flow(app::GasCase const& c, Law const& law, Bodies const& bodies);

namespace {

Bodies bodies_of_gas(app::GasCase const& c) {
  auto const finest = app::finest_box(c);
  auto const box = app::box_of<2>(finest);
  auto free = sparse::box<2>(box.begin, box.end);
  Bodies bodies;
  for (auto const& body : app::bodies_of<2>(c)) {
    bodies.push_back(body.cells(app::grid_of<2>(finest), box, Context()) & free);
    free = free - bodies.back();
  }
  return bodies;
}

}  // namespace

app::CaseBox body_box_of(app::CaseFile const& file) {
  if (auto const* const gas = std::get_if<app::GasCase>(&file.content)) return app::finest_box(*gas);
  auto const& flow = std::get<app::FlowCase>(file.content);
  return app::finest_box(flow);
}

int body_level_of(app::CaseFile const& file) {
  if (auto const* const gas = std::get_if<app::GasCase>(&file.content)) return gas->run.level_count - 1;
  return std::get<app::FlowCase>(file.content).flow.run.level_count - 1;
}

Bodies bodies_of_case(app::CaseFile const& file) {
  if (auto const* const gas = std::get_if<app::GasCase>(&file.content)) return bodies_of_gas(*gas);
  auto const& flow = std::get<app::FlowCase>(file.content);
  return app::bodies_of<2>(flow, app::finest_box(flow));
}

std::unique_ptr<LiveFlow> make_flow(app::CaseFile const& file, Bodies const& bodies) {
  if (auto const* const flow = std::get_if<app::FlowCase>(&file.content)) {
    if (flow->flow.run.level_count > 1) return std::make_unique<FlowOnLevels>(*flow, bodies);
    return std::make_unique<IncompressibleFlow>(*flow, bodies);
  }
  auto const& gas = std::get<app::GasCase>(file.content);
  compressible::Euler<double, 2> const ideal{gas.gamma};
  if (!gas.viscosity) return make_gas_flow(gas, ideal, bodies);
  return make_gas_flow(gas, compressible::NavierStokes<double, 2>{ideal, *gas.viscosity, gas.prandtl}, bodies);
}

}  // namespace sparse::live
