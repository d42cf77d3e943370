#pragma once
/// The single-grid multi-level method for Poisson and Helmholtz problems on boxes of 2^n + 1 nodes per axis.

#include <array>
#include <vector>

#include <sparse/fields/field.hpp>
#include <sparse/poisson/report.hpp>

namespace sparse::poisson {

/// What holds on a side of a box of nodes.
enum class NodeSide {
  dirichlet,  ///< its nodes keep the values that they have
  neumann,    ///< zero normal derivative: the solution is mirrored there
};

/// Which neighbours a difference takes; both kinds are second order.
enum class NodeStencil {
  radial,  ///< all of the cube around a node, 9 points in 2D and 27 in 3D, weighted by 1 / distance^2
  axes,    ///< those along the axes, 5 points in 2D and 7 in 3D: converges at less than half the speed
};

template <int Dim>
struct SingleGridOptions {
  /// An iteration is a cycle.
  StopRule stop{1e-10, 40};
  NodeStencil stencil = NodeStencil::radial;
  /// Lower x, upper x, lower y, ... An edge that two sides share is Dirichlet if one of them is.
  std::array<NodeSide, 2 * Dim> sides{};
  /// Relaxations per visit of a level, at most; > 0. The coarsest levels take fewer.
  int relaxation_count = 2;
  /// Pseudo-time step over s^-1 (2^level h)^2. Stable up to 1/2 (radial), 1/4 (axes, 2D) and 1/6 (axes, 3D), which are
  /// the bounds; 0 stands for 1/3, 1/5 and 1/7, which are close to the best.
  double step = 0;
};

/// A coefficient that is the same everywhere or has a value per node.
template <class T, int Dim>
struct NodalCoefficient {
  NodalCoefficient(double value) : constant(value) {}
  NodalCoefficient(Field<T, Dim> const& field) : values(&field) {}
  double constant = 0;
  Field<T, Dim> const* values = nullptr;
};

/// Solves div(s grad u) + a u = f by cycles that start on few nodes of one dense array and take in more and more.
///
/// Level l is the nodes whose coordinates are multiples of 2^l. A cycle goes from coarse to fine in a saw-like way and
/// knows two operations: a restriction averages the residual (and, once, the coefficients) for a level; a relaxation
/// takes explicit steps in pseudo-time there and adds the linear interpolation of its change to the nodes between. Each
/// cycle divides the residual by about 30 (radial stencils), whatever the size of the grid.
///
/// The cells of a box set are taken as nodes: cell c is the node at c times the spacing. A Dirichlet node is no
/// unknown; its value in u is the boundary value, and f and the residual do not count there.
///
/// Meant for s > 0 and a <= 0. With a > 0 the cycles converge while all eigenvalues of the operator are negative; where
/// all sides are Neumann, the constant, which then has a positive one, is solved for by itself. Coefficients that jump
/// by orders of magnitude between nodes converge slowly or not at all, which the report then says.
///
/// Cost: a cycle is about 20 passes over the nodes, and linear in them. Memory: about 3.6 values per node (3.3 in 3D),
/// and 2.7 (2.3) more for coefficients with values. `MultigridCg` is faster and takes any set of cells: for 1025^2
/// nodes or 1024^2 cells to 1e-10 on one core 0.10 s against 0.21 s. This is for values at nodes.
///
/// Source: Becerra-Sagredo, Mandujano, Malaga (2017), A GPU-based multi-level algorithm for boundary value problems,
/// arXiv:1703.07206. But with denominators h^2 l^2 in its eq. 5, where the printed h l is not consistent; with
/// restrictions up to distance 2^(level - 1), not 2^level; with changes taken to the nodes between at once, not one
/// step later; and with time steps from the diagonal of the operator, not from s alone, which is not stable where s
/// jumps. The paper changes all nodes in each step; here the nodes that the next steps do not read get the sum of all
/// changes when they are first needed. This alters nothing else.
template <class T, int Dim>
class SingleGrid {
public:
  /// @param nodes    a box of 2^n + 1 cells along each axis, n > 0
  /// @param spacing  distance of neighbouring nodes [m], > 0
  /// @param s        > 0; a field of it must live on `nodes`, and is copied
  /// @param a        likewise, [s / m^2], any finite value
  /// @throws std::invalid_argument  if one of these, or an option, is not as it must be
  SingleGrid(IntervalSet<Dim> nodes, double spacing, SingleGridOptions<Dim> const& options = {},
             NodalCoefficient<T, Dim> const& s = 1, NodalCoefficient<T, Dim> const& a = 0);
  SingleGrid(SingleGrid&&) noexcept = default;
  SingleGrid& operator=(SingleGrid&&) noexcept = default;
  SingleGrid(SingleGrid const&) = delete;
  SingleGrid& operator=(SingleGrid const&) = delete;

  /// @param f  right-hand side [s u / m^2]
  /// @param[in,out] u  initial guess and boundary values, then the solution
  /// @return  what was done; its residuals are true ones, computed from u, and relative to the Euclidean norm, over the
  ///          unknowns, of f less what the boundary values contribute
  ///
  /// All sides Neumann and a = 0: the mean of f is taken off and reported, and u gets the mean 0. (Means are
  /// trapezoidal.) If there is nothing to balance, f and boundary values being 0, u is 0.
  /// `stagnated` means three cycles in a row that took less than a tenth off the residual: rounding, mostly, else a
  /// problem that is beyond the method.
  /// @throws std::invalid_argument  if a field is not one value per node, or has one that is not finite
  /// Cost: no allocation but the report's; one value read back per cycle.
  Report solve(Field<T, Dim> const& f, Field<T, Dim>& u);

  /// div(s grad u) + a u on the finest level; 0 at Dirichlet nodes.
  /// @throws std::invalid_argument  if u is not one value per node
  Field<T, Dim> apply(Field<T, Dim> const& u) const;

  IntervalSet<Dim> const& nodes() const { return nodes_; }
  /// n.
  int level_count() const { return level_count_; }

private:
  void expect_field(Field<T, Dim> const& field, char const* name) const;
  void store_coefficients(NodalCoefficient<T, Dim> const& s, NodalCoefficient<T, Dim> const& a);
  bool is_neumann_only() const { return dirichlet_sides_ == 0; }

  Index intervals(int level) const { return Index{1} << (level_count_ - level); }
  void cycle();
  void visit(int level, int finest, int count);
  void restrict_to(int level, Buffer<T> const& values) const;
  /// result = f_factor (f - mean) + factor operator(u); 0 at Dirichlet nodes.
  void combine(T const* f, T f_factor, T mean, T const* u, T factor, T* result) const;
  /// Sum of values, or of their squares, over all nodes; weighted like the trapezoidal rule does.
  double sum(T const* values, bool squares, bool trapezoidal) const;
  double mean(T const* values) const;

  Context context_;
  IntervalSet<Dim> nodes_;
  SingleGridOptions<Dim> options_;
  double spacing_;
  int level_count_ = 0;
  unsigned dirichlet_sides_ = 0;  // bit 2 axis + (0 lower, 1 upper)
  bool is_nodal_ = false;         // coefficients have values per node
  bool is_singular_ = false;      // constants are in the kernel of the operator
  double mean_a_ = 0;
  T s_ = 1, a_ = 0;
  std::vector<Index> starts_;        // of the levels in the next three, each level dense by itself
  Buffer<T> s_values_, a_values_;    // restricted to all levels; empty unless is_nodal_
  Buffer<T> source_;                 // the residual, restricted likewise
  Buffer<T> step_change_;            // of one relaxation on a level that others are interpolated from
  Buffer<T> change_, other_change_;  // what a cycle adds to u, on all nodes
};

extern template class SingleGrid<double, 2>;
extern template class SingleGrid<double, 3>;
extern template class SingleGrid<float, 2>;
extern template class SingleGrid<float, 3>;

}  // namespace sparse::poisson
