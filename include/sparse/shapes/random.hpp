#pragma once
/// Random sets that are the same on every machine.
///
/// Random numbers are hashes of the seed, of coordinates and of a count along a row. Everything else is integer
/// arithmetic. So a set depends neither on the number of threads nor on the backend.

#include <sparse/sets/interval_set.hpp>

namespace sparse {

/// Each cell of `domain` belongs with the same probability, independently of the others.
///
/// Only the seed and the coordinates decide about a cell. So a smaller domain gives the same cells within it.
/// Cost: a hash per cell of the box.
/// @throws std::invalid_argument  if the probability is not in [0, 1], or the domain is not valid (see `box`)
template <int Dim>
IntervalSet<Dim> random_cells(Box<Dim> const& domain, double probability, std::uint64_t seed,
                              Context const& context = Context());

/// Intervals of random length between gaps of random length in every row of `domain`.
///
/// Lengths and gaps are whole numbers of cells with geometric distributions, at least 1. A row begins inside an
/// interval with the probability that any cell belongs, mean_length / (mean_length + mean_gap). Both distributions are
/// memoryless, so a row looks alike everywhere; only the box cuts intervals off. The seed, the row's coordinates and
/// the begin of the box in x decide a row.
/// Cost: that of the intervals; on one core about 0.05 microseconds each.
/// @throws std::invalid_argument  if a mean is not in [1, 2^30], or the domain is not valid
template <int Dim>
IntervalSet<Dim> random_intervals(Box<Dim> const& domain, double mean_length, double mean_gap, std::uint64_t seed,
                                  Context const& context = Context());

}  // namespace sparse
