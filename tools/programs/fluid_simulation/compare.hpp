#pragma once
/// All variants, one after the other.

#include <sparse/app/run/folder.hpp>

#include "options.hpp"

/// Runs each variant and layout that this build has in a process of its own, because a process cannot change its number
/// of threads. Prints a table, and draws all histograms in one picture.
/// @throws std::runtime_error  if one of them fails
void compare(Options const& o, sparse::app::RunFolder& folder);
