#pragma once
/// The ranks that run a test.

#include <sparse/distributed/team.hpp>

sparse::distributed::Team& team_of_test();
