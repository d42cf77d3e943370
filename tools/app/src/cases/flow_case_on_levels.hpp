#pragma once
/// Cases of incompressible flow on several levels.

#include <sparse/app/cases/flow_case.hpp>
#include <sparse/app/run/folder.hpp>

namespace sparse::app {

/// As `run_case`. @throws std::runtime_error  also for what levels cannot do yet
void run_case_on_levels(FlowCase const& flow_case, RunFolder& folder);

}  // namespace sparse::app
