#pragma once
/// Flows that the ranks of a run share.

#include <sparse/distributed/team.hpp>

#include <sparse/app/incompressible/method.hpp>
#include <sparse/app/run/folder.hpp>

namespace sparse::app {

/// Lets the ranks of a run share a fluid: a `FlowDomain`, or `AdaptiveOptions`. On one level only SMAC can do that;
/// other methods refuse it. Programs then see what their rank stores. Files and pictures have the cells of all ranks.
template <class Shared>
void share(Shared& shared, RunFolder const& folder, FlowOptions const& options) {
  static auto const alone = distributed::alone();  // adds up as ranks do
  shared.team = folder.team() == nullptr && options.has_exact_sums ? alone.get() : folder.team();
  shared.has_exact_sums = options.has_exact_sums;
}

}  // namespace sparse::app
