#pragma once
/// Coarse levels whose unknowns are connected parts of cells.

#include <vector>

#include <sparse/poisson/method.hpp>

#include "operator/couplings.hpp"
#include "singular_means.hpp"

namespace sparse::poisson::detail {

/// What kernels see of the matrix of a level of parts: row i is `(sum of weights + extra) x_i - sum of weight * x_to`.
template <class T>
struct PartView {
  Index count;                ///< parts
  Index const* starts;        ///< [count + 1] entries before those of a row
  std::int32_t const* to;     ///< [entry] column
  T const* weight;            ///< [entry]
  T const *extra, *inverse;   ///< [count] rest of the diagonal, and one over the diagonal
  std::int32_t const* order;  ///< [count] the red parts, then the black ones
  Index red_count;

  KOKKOS_FORCEINLINE_FUNCTION T from_neighbours(T const* x, Index i) const {
    T sum = 0;
    for (Index e = starts[i]; e < starts[i + 1]; ++e) sum += weight[e] * x[to[e]];
    return sum;
  }
  KOKKOS_FORCEINLINE_FUNCTION T applied(T const* x, Index i) const {
    T sum = extra[i] * x[i];
    for (Index e = starts[i]; e < starts[i + 1]; ++e) sum += weight[e] * (x[i] - x[to[e]]);
    return sum;
  }
};

/// Which cells, or finer parts, of the next finer level make a part.
struct PartChildren {
  Buffer<Index> starts;         ///< [count + 1] children before those of a part
  Buffer<std::int32_t> child;   ///< by part
  Buffer<std::int32_t> parent;  ///< [finer value] its part; -1 if it is coupled to nothing
};

/// Levels where coarse cells would join what is separated by thin walls.
///
/// Walls and holes get thinner than coarse cells. One coarse value for both sides of a wall corrects neither side. So
/// here each connected part of a coarse cell has a value of its own. A part may have any number of neighbours. These
/// are parts of neighbouring cells, so red and black alternate, except across odd periods. Each level is visited twice:
/// with such W-cycles, iterations stay few even where flow has to find its way around many walls.
/// Cost: some ten times that of other levels per cell, and one sort of the cells.
template <class T, int Dim>
class PartLevels {
public:
  PartLevels() = default;
  /// @param finer   the level above, which must know what its cells are made of
  /// @param sweeps  of smoothing on each level before and after the coarser ones
  PartLevels(Couplings<T, Dim> const& finer, int sweeps, CoarsestLevel const& coarsest);

  /// x += the correction for the residual r.
  void correct(T const* r, T* x) const;
  bool is_empty() const { return levels_.empty(); }
  int level_count() const { return static_cast<int>(levels_.size()); }
  Index part_count() const;
  /// Removes means of singular components on the first level of at most `most` parts, or on the last level.
  void keep_means_out(Index most);

private:
  struct Level {
    Index count = 0, red_count = 0;
    Buffer<Index> starts;
    Buffer<std::int32_t> to, order;
    Buffer<T> weight, extra, inverse, b, x;
    Buffer<T> scratch;  // for Jacobi's method, where there are not two colours
    PartChildren children;

    PartView<T> view() const {
      return {count, starts.data(), to.data(), weight.data(), extra.data(), inverse.data(), order.data(), red_count};
    }
  };
  void number_by_cell(PartChildren& children, Buffer<std::int32_t> const& cell) const;
  void cycle(std::size_t l, bool from_zero) const;
  void smooth(std::size_t l, int first_colour, int count) const;

  Context context_;
  int sweeps_ = 0;
  CoarsestLevel coarsest_;
  std::vector<Level> levels_;
  std::size_t means_level_ = 0;
  SingularMeans means_;
};

}  // namespace sparse::poisson::detail
