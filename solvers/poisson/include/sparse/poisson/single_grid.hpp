#pragma once
/// The single-grid multi-level method for Poisson and Helmholtz problems on boxes of 2^n + 1 nodes per axis.

#include <array>
#include <functional>
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
  radial,  ///< all of the cube around a node, weighted by 1 / distance^2: 9 points in 2D, 27 in 3D
  axes,    ///< those along the axes, 5 points in 2D, 7 in 3D; converges less than half as fast
};

/// What an observer learns before each relaxation of a cycle.
struct SingleGridVisit {
  /// The number of the cycle, and the level that is relaxed.
  int cycle, level;
  /// Operations on all nodes up to here since the solve began, as the paper counts them: a relaxation is one, a
  /// restriction to level l is l. This program needs fewer, because it keeps what it has restricted.
  Index work;
  double residual;  ///< greatest magnitude on the level's nodes, of restricted sources and coefficients [f]
};

/// How the single-grid method computes.
template <int Dim>
struct SingleGridOptions {
  /// An iteration is a cycle.
  StopRule stop{1e-10, 40};
  /// Which neighbours a difference takes.
  NodeStencil stencil = NodeStencil::radial;
  /// Lower x, upper x, lower y, ... An edge that two sides share is Dirichlet if one of them is.
  std::array<NodeSide, 2 * Dim> sides{};
  /// Relaxations per visit of a level, at most; > 0. The coarsest levels take fewer.
  int relaxation_count = 2;
  /// Pseudo-time step over s^-1 (2^level h)^2. It is stable up to 1/2 (radial), 1/4 (axes, 2D) and 1/6 (axes, 3D);
  /// larger ones are refused. 0 stands for 1/3, 1/5 and 1/7, which are close to the best.
  double step = 0;
  /// Each cycle takes what it has added off the residual, as in the paper, instead of computing the residual from u
  /// again. So the residual falls below the rounding errors of u, to any tolerance. `converged` then speaks of this
  /// residual, while `Report::true_residual` is always computed from u.
  bool accumulates_residual = false;
  /// Called before each relaxation. Costs a pass over the level's nodes and a read-back each time.
  std::function<void(SingleGridVisit const&)> observe = {};
};

/// A coefficient that is the same everywhere or has a value per node.
template <class T, int Dim>
struct NodalCoefficient {
  /// A number for all nodes, or a field with one for each.
  NodalCoefficient(double value) : constant(value) {}
  NodalCoefficient(Field<T, Dim> const& field) : values(&field) {}
  /// The number.
  double constant = 0;
  /// The field, or null. It must outlive the object.
  Field<T, Dim> const* values = nullptr;
};

/// Solves div(s grad u) + a u = f at nodes by cycles from few nodes to all nodes of one dense array.
///
/// Level l is the nodes whose coordinates are multiples of 2^l. A cycle goes from coarse to fine in a saw-like way. It
/// has two operations. A restriction averages the residual (and, once, the coefficients) for a level. A relaxation
/// takes explicit steps in pseudo-time there and adds the linear interpolation of its change to the nodes between. Each
/// cycle divides the residual by about 30 (radial stencils), whatever the size of the grid.
///
/// The cells of a box set are taken as nodes: cell c is the node at c times the spacing. A Dirichlet node is no
/// unknown: its value in u is the boundary value, and f does not count there.
///
/// Meant for s > 0 and a <= 0. With a > 0 the cycles converge as long as all eigenvalues of the operator are negative.
/// If all sides are Neumann, that of the constant is positive then; the constant is solved for by itself. With
/// coefficients that jump by orders of magnitude between nodes, convergence is slow or fails, and the report says so.
///
/// Cost: a cycle is about 20 passes over the nodes. Memory: about 3.6 values per node (3.3 in 3D), and 2.7 (2.3) more
/// for coefficients with values. `MultigridCg` is faster and takes any set of cells: 0.10 s for 1024^2 cells to 1e-10
/// on one core, against 0.21 s here for 1025^2 nodes. Take this method for values at nodes.
///
/// Source: Becerra-Sagredo, Mandujano, Malaga (2017), A GPU-based multi-level algorithm for boundary value problems,
/// arXiv:1703.07206. Four things differ. Denominators in its eq. 5 are h^2 l^2; the printed h l is not consistent.
/// Restrictions go up to distance 2^(level - 1), not 2^level. Changes go to the nodes between at once, not one step
/// later. Time steps come from the diagonal of the operator; from s alone they are not stable where s jumps.
/// The paper changes all nodes in each step. Here, nodes that the next steps do not read get the sum of all changes
/// when they are first needed, with the same result.
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
  /// @return  what was done. Residuals are true ones, computed from u (but see `accumulates_residual`). They are
  ///          relative to f less what the boundary values contribute, in Euclidean norms over the unknowns.
  ///
  /// If all sides are Neumann and a = 0, the mean of f is taken off and reported, and u gets the mean 0. (Means are
  /// trapezoidal.) If f and the boundary values are 0, u becomes 0.
  /// `stagnated` means three cycles in a row that took less than a tenth off the residual. Mostly that is rounding,
  /// else the problem is beyond the method.
  /// @throws std::invalid_argument  if a field is not one value per node, or has one that is not finite
  /// Cost: no allocation but the report's; one value read back per cycle.
  Report solve(Field<T, Dim> const& f, Field<T, Dim>& u);

  /// div(s grad u) + a u on the finest level; 0 at Dirichlet nodes.
  /// @throws std::invalid_argument  if u is not one value per node
  Field<T, Dim> apply(Field<T, Dim> const& u) const;

  /// The nodes that were given.
  IntervalSet<Dim> const& nodes() const { return nodes_; }
  /// n.
  int level_count() const { return level_count_; }

private:
  void expect_field(Field<T, Dim> const& field, char const* name) const;
  void store_coefficients(NodalCoefficient<T, Dim> const& s, NodalCoefficient<T, Dim> const& a);
  bool is_neumann_only() const { return dirichlet_sides_ == 0; }

  Index intervals(int level) const { return Index{1} << (level_count_ - level); }
  void cycle();
  void observe(int level);
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
  std::vector<Index> starts_;        // of the levels in the next three arrays, where each level is dense
  Buffer<T> s_values_, a_values_;    // restricted to all levels; empty unless is_nodal_
  Buffer<T> source_;                 // the residual, restricted likewise
  Buffer<T> step_change_;            // of one relaxation on a level that others are interpolated from
  Buffer<T> change_, other_change_;  // what a cycle adds to u, on all nodes
  Buffer<T> observed_;               // the residual of a level; empty unless somebody observes
  SingleGridVisit now_{};            // for the observer
};

extern template class SingleGrid<double, 2>;
extern template class SingleGrid<double, 3>;
extern template class SingleGrid<float, 2>;
extern template class SingleGrid<float, 3>;

}  // namespace sparse::poisson
