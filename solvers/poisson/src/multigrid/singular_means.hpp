#pragma once
/// Constants that a coarse level's matrix cannot see.

#include <vector>

#include <sparse/base/buffer.hpp>

#include "operator/couplings.hpp"

namespace sparse::poisson::detail {

/// Which values of a level are coupled, and which of them to something given.
struct LevelGraph {
  std::vector<Index> starts;   ///< [value + 1] entries before those of a value
  std::vector<Index> to;       ///< [entry] what the value is coupled to
  std::vector<char> is_fixed;  ///< [value] whether its diagonal has more than the couplings
};

/// The values of each connected component that nothing given is coupled to. Cost: grows with the entries.
std::vector<std::vector<Index>> singular_components(LevelGraph const& graph);

/// Cost: a copy of the level to the host.
template <class T, int Dim>
LevelGraph graph_of(Couplings<T, Dim> const& level);

/// The connected components of a level on which its matrix is singular: it gives 0 for a constant.
///
/// There, right-hand sides must have the mean 0. Rounding errors leave another one, which sums over children pass on
/// undiminished, and to which the coarsest level answers with a constant that grows with each sweep: in float it soon
/// exceeds all else. With P the orthogonal projection onto values of mean 0, a cycle M from this level on becomes
/// P M P, which stays symmetric and positive semidefinite. Components are those of the level's matrix: a level may join
/// what is apart on finer ones, and is not singular where that joins in something that is given.
class SingularMeans {
public:
  SingularMeans() = default;
  /// Cost: grows with the entries, on the host.
  SingularMeans(Context const& context, LevelGraph const& graph);

  bool is_empty() const { return part_count_ == 0; }
  /// Subtracts from the values of each such component their mean. Cost: two passes over them, no fence.
  template <class T>
  void remove(Context const& context, T* values) const;

private:
  Index part_count_ = 0, value_count_ = 0;
  Buffer<Index> member_;       ///< values, one component after the other; none where they follow in order
  Buffer<Index> part_starts_;  ///< [part + 1] stretches of members, of one component each
  Buffer<Index> own_parts_;    ///< [part] the first part of its component, then [part] the end of these
  Buffer<double> sums_;        ///< [part]
};

}  // namespace sparse::poisson::detail
