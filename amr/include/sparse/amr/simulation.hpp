#pragma once
/// A conservation law on levels of resolution that follow the solution.

#include <sparse/amr/advance.hpp>
#include <sparse/amr/regrid.hpp>
