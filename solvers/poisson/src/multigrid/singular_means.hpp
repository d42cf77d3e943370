#pragma once
/// Means on components where the matrix of a coarse level is singular.

#include <vector>

#include <sparse/base/buffer.hpp>

#include "operator/couplings.hpp"

namespace sparse::poisson::detail {

/// Which values of a level are coupled to each other, and which to something given.
struct LevelGraph {
  std::vector<Index> starts;   ///< [value + 1] entries before those of a value
  std::vector<Index> to;       ///< [entry] what the value is coupled to
  std::vector<char> is_fixed;  ///< [value] whether its diagonal has more than the couplings
};

/// The values of each connected component that is coupled to nothing given. Cost: grows with the entries.
std::vector<std::vector<Index>> singular_components(LevelGraph const& graph);

/// Cost: a copy of the level to the host.
template <class T, int Dim>
LevelGraph graph_of(Couplings<T, Dim> const& level);

/// The connected components of a level on which its matrix is singular: it maps constants to 0.
///
/// Right-hand sides must have the mean 0 there. But rounding errors leave a small mean, and sums over children pass it
/// on undiminished. The coarsest level then answers with a constant that grows with each sweep. In float it soon
/// exceeds everything else. So means are subtracted: a cycle M from this level on becomes P M P, with the orthogonal
/// projection P onto values of mean 0. That stays symmetric and positive semidefinite. Components are those of this
/// level's matrix. Coarse cells may join components of finer levels, and a component that contains something given is
/// not singular.
class SingularMeans {
public:
  SingularMeans() = default;
  /// Cost: grows with the entries, on the host.
  SingularMeans(Context const& context, LevelGraph const& graph);

  bool is_empty() const { return part_count_ == 0; }
  /// Subtracts from the values of each such component their mean. Cost: two passes over the values, no fence.
  template <class T>
  void remove(Context const& context, T* values) const;

private:
  Index part_count_ = 0, value_count_ = 0;
  Buffer<Index> member_;       ///< values, one component after the other; empty if they are all values in order
  Buffer<Index> part_starts_;  ///< [part + 1] stretches of members, of one component each
  Buffer<Index> own_parts_;    ///< [part] the first part of its component, then [part] the end of these
  Buffer<double> sums_;        ///< [part]
};

}  // namespace sparse::poisson::detail
