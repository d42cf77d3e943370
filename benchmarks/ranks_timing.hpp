#pragma once
/// What ranks_poisson and ranks_composite measure.

#include <algorithm>
#include <chrono>

#include <sparse/base/context.hpp>

/// A solver of one process or of all ranks, the shortest times of all rounds.
struct Timed {
  double set_up = 1e30, solve = 1e30;  ///< [s]
  int iterations = 0;
  sparse::Index bytes = 0;  ///< that this rank sends in a solution
};

template <class Work>
void keep_least(double& least, Work const& work) {
  auto const start = std::chrono::steady_clock::now();
  work();
  sparse::Context().fence();
  least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}
