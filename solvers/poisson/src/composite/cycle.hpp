#pragma once
/// The multigrid cycle on the levels of a composite problem.

#include "matrix.hpp"
#include "multigrid/hierarchy.hpp"

namespace sparse::poisson::detail {

/// A V-cycle that smooths each level on its own cells, covered ones included.
///
/// Its matrix couples the cells on both sides of an interface directly, by `interface_weight` c / h^2, the part of the
/// coarse value in the gradient there. For a fine cell that is like a Dirichlet face, so smoothers are those of a
/// single level. On the way up, fine leaves get the whole gradient, slopes along the interface included: without them
/// each cycle would leave errors of every second fine cell. Below level 0 is the multigrid of a single level. So the
/// work is that on the leaves and a third more in 2D, a seventh in 3D, for any number of levels. Source: local
/// smoothing as in Thompson, Ferziger, J. Comput. Phys. 82 (1989) 94.
/// @tparam T, P  types of right-hand sides and of values inside the cycle
template <class T, class P, int Dim>
class CompositeCycle {
public:
  static constexpr double interface_weight = 0.5;

  /// @param last  or null; that of the last matrix, and for as many sweeps. What belongs to levels that stay is taken
  /// from it
  CompositeCycle(CompositeMatrix<T, Dim> const& matrix, int sweeps, CompositeCycle const* last);

  /// z = M r. @param r  [level] on cells; covered values change, and those of other ranks, others do not
  /// @param z  over ranks right on all that is stored
  void apply(std::vector<T*> const& r, std::vector<P*> const& z);

private:
  struct Level {
    std::shared_ptr<Couplings<P, Dim> const> matrix;  // on level 0 in `base_`
    Subset<Dim> covered;                              // among the cells
    // What the matrix is made of, besides cells: Dirichlet faces, and whether finer levels have bodies that cut off
    // children. Then rows of covered cells are made of those of their children.
    std::array<IntervalSet<Dim>, Dim> dirichlet;
    bool has_bodies = false;
  };
  /// Makes the matrices of all levels.
  void make_matrices(CompositeCycle const* last);
  /// Adds to r of level l what comes across the interface from the other side, and keeps what was there.
  void add_to_fine(std::size_t l, std::vector<T*> const& r, std::vector<P*> const& z);
  void add_to_coarse(std::size_t l, std::vector<T*> const& r, std::vector<P*> const& z);
  /// Over ranks: gives all that is stored the right-hand sides of others.
  void fill_right_side(std::size_t l, std::vector<T*> const& r);
  void restore(bool is_to_fine, std::size_t l, std::vector<T*> const& r);

  CompositeMatrix<T, Dim> const& composite_;
  int sweeps_;
  std::vector<Level> levels_;
  std::shared_ptr<Hierarchy<P, Dim>> base_;
  Buffer<T> kept_;
};

}  // namespace sparse::poisson::detail
