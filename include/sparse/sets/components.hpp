#pragma once
/// Connected components of sets, and holes.

#include <vector>

#include <sparse/sets/interval_set.hpp>

namespace sparse {

/// Which cells are neighbours. `faces`: cells that share a face (4 in 2D, 6 in 3D). `edges`: also cells that share only
/// an edge (18 in 3D). `corners`: also cells that share only a corner (26 in 3D). In 2D the last two are equal: 8
/// neighbours.
enum class Neighbours { faces = 1, edges = 2, corners = 3 };

/// The connected components of a set, numbered from 0 in the order of their first cells. Copies share memory.
template <int Dim>
class Components {
public:
  /// The components of the empty set: none.
  Components() = default;
  /// For the library's own use; see `connected_components`.
  Components(IntervalSet<Dim> set, Buffer<Index> labels, Index count)
      : set_(std::move(set)), labels_(std::move(labels)), count_(count) {}

  /// The set that was split, and into how many components.
  IntervalSet<Dim> const& set() const { return set_; }
  Index count() const { return count_; }
  /// The component of each interval [set().interval_count()], in device memory. An interval lies in one component as a
  /// whole.
  Index const* interval_labels() const { return labels_.data(); }

private:
  IntervalSet<Dim> set_;
  Buffer<Index> labels_;
  Index count_ = 0;
};

/// Finds the connected components of a set.
///
/// The numbers of components do not depend on the number of threads. Cost: one sweep over the intervals of each pair of
/// touching rows, nearly constant time per pair of touching intervals, and nothing per cell. Memory: 8 bytes per
/// interval for the result, as many during the call; one number is read back.
/// Source: union-find with path halving, linking to the smaller index as in Jaiganesh and Burtscher, A high-performance
/// connected components implementation for GPUs (2018).
template <int Dim>
Components<Dim> connected_components(IntervalSet<Dim> const& set, Neighbours neighbours = Neighbours::faces);

/// Number of connected components. Cost: as `connected_components`.
template <int Dim>
Index component_count(IntervalSet<Dim> const& set, Neighbours neighbours = Neighbours::faces);

/// Number of cells of each component, on the host. Cost: one pass over the intervals.
template <int Dim>
std::vector<Index> component_sizes(Components<Dim> const& components);

/// The cells of component `k`. Cost: one pass over all intervals of the set, here and in the next two functions.
/// @throws std::invalid_argument  if there is no such component
template <int Dim>
IntervalSet<Dim> component(Components<Dim> const& components, Index k);

/// The components of at least `least_cells` cells, as one set.
template <int Dim>
IntervalSet<Dim> components_of_size(Components<Dim> const& components, Index least_cells);

/// The components with at least one cell in `seeds`, as one set. Seeds outside of the components are ignored.
template <int Dim>
IntervalSet<Dim> components_touching(Components<Dim> const& components, IntervalSet<Dim> const& seeds);

/// The set and its holes. A hole is a region outside of the set that no path leaves. `neighbours` says which steps a
/// path may take. With `faces`, a wall is also closed where its cells touch only along edges or at corners. Cost: as
/// `connected_components`, with one more interval per row; the size of a hole does not matter.
template <int Dim>
IntervalSet<Dim> fill_holes(IntervalSet<Dim> const& set, Neighbours neighbours = Neighbours::faces);

}  // namespace sparse
