#pragma once
/// Flows that the ranks of a run share.

#include <algorithm>
#include <cmath>

#include <sparse/distributed/team.hpp>

#include <sparse/app/incompressible/method.hpp>
#include <sparse/app/run/folder.hpp>

namespace sparse::app {

/// Lets the ranks of a run share a fluid: `AdaptiveOptions`, or a `FlowDomain`. Programs then see what their rank
/// stores. Files and pictures have the cells of all ranks.
template <class Shared>
void share(Shared& shared, RunFolder const& folder) {
  static auto const alone = distributed::alone();  // adds up as ranks do
  bool const is_exact = shared.has_exact_sums = folder.options().has_exact_sums;
  shared.team = folder.team() == nullptr && is_exact ? alone.get() : folder.team();
}
/// The same for a method on one level: SMAC or leapfrog flow maps. Others refuse it.
template <int Dim>
void share(incompressible::FlowDomain<Dim>& domain, RunFolder const& folder, FlowOptions const& options) {
  share(domain, folder);
  if (options.method != FlowMethod::leapfrog_flow_map) return;
  // Room for a cycle in which the fluid gets twice as fast.
  domain.reach = std::max(domain.reach,
                          static_cast<Coord>(std::ceil(2 * options.longest_way())) + incompressible::flow_map_margin);
}

}  // namespace sparse::app
