#pragma once
/// Everything the core can do, once: for tests that watch what it does to memory and to profilers.

/// Takes the core through all its operations on sets that move with `step`, as a time loop with regridding does.
template <int Dim>
void tour_the_core(int step);
