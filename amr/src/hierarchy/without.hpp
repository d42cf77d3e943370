#pragma once
/// Differences of sets of which one is often empty.

#include <sparse/sets/algebra.hpp>

namespace sparse::amr {

/// The difference of sets, without cost for an empty `taken`.
template <int Dim>
IntervalSet<Dim> without(IntervalSet<Dim> const& set, IntervalSet<Dim> const& taken) {
  return taken.is_empty() ? set : set - taken;
}

}  // namespace sparse::amr
