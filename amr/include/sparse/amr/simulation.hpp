#pragma once
/// A conservation law on levels of resolution that follow the solution.

#include <sparse/amr/hierarchy/advance.hpp>
#include <sparse/amr/hierarchy/regrid.hpp>
