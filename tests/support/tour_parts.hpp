#pragma once
/// The stretches of the tour. Each uses what the one before hands on, and checks only that it makes sense: what the
/// operations do is tested elsewhere.

#include <vector>

#include <sparse/sets/interval_set.hpp>

namespace tour {

/// Sets from nothing: shapes, functions, bitmaps, random numbers; all within some 40 cells (3D: 16) of the origin.
template <int Dim>
std::vector<sparse::IntervalSet<Dim>> shapes(int step);

/// Set algebra, and moving and turning what it gives. One set that is not empty.
template <int Dim>
sparse::IntervalSet<Dim> combinations(std::vector<sparse::IntervalSet<Dim>> const& shapes, int step);

/// What surrounds a set, bounds it, fills it and holds it together, and other resolutions.
template <int Dim>
sparse::IntervalSet<Dim> neighbourhoods(sparse::IntervalSet<Dim> const& set, int step);

/// Fields on a set: kernels, arithmetic, thresholds, differences, transfers and subviews.
template <int Dim>
void fields(sparse::IntervalSet<Dim> const& domain);

/// Single cells and points of a field.
template <int Dim>
void points(sparse::IntervalSet<Dim> const& domain, int step);

}  // namespace tour
