#pragma once
/// The ranks of a flow.

#include <sparse/distributed/team.hpp>

namespace sparse::amr {

/// The ranks that share a flow; nullptr if there is one.
template <class Flow>
distributed::Team* team_of(Flow const& flow) {
  if constexpr (requires { flow.options().team; })
    return flow.options().team;
  else
    return nullptr;
}

}  // namespace sparse::amr
