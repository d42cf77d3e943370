#pragma once
/// A matrix as iterations see it, whatever it is made of.

#include <memory>

#include <sparse/fields/algebra.hpp>
#include <sparse/poisson/problem.hpp>

#include "passes/bodies.hpp"
#include "passes/sums.hpp"

namespace sparse::poisson::detail {

template <int Dim>
class NullSpace;

/// Sums over all cells.
struct Moments {
  double square = 0, sum = 0;
};
struct ResidualMoments {
  Moments b, x, r;
  bool knows_x = true;  ///< else that of x is not found on the way
};

/// A matrix on the cells of a set: passes over its cells, and what these add up to.
///
/// Fields have one component on the cells. A matrix never changes, so solvers share it.
template <class T, int Dim>
class AnyMatrix {
public:
  using Value = T;
  using Fields = Field<T, Dim>;
  using Solution = Field<T, Dim>;
  using ResidualFields = Field<T, Dim>;

  virtual ~AnyMatrix() = default;
  AnyMatrix(AnyMatrix const&) = delete;
  AnyMatrix& operator=(AnyMatrix const&) = delete;

  IntervalSet<Dim> const& cells() const { return cells_; }
  Context context() const { return cells_.context(); }
  NullSpace<Dim> const& null_space() const { return *null_space_; }
  Index component_count() const;
  Index singular_count() const;

  // ---- passes, which a matrix defines

  virtual Chain chain() const = 0;
  virtual void add(Pipeline& to, CellPass<T> const& pass) const = 0;
  virtual void add(Pipeline& to, GroupSums& sums, SumPass<T> const& pass) const = 0;
  void run(Pipeline const& pipeline) const { pipeline.run(context(), chain()); }
  /// Sums over the cells, of all ranks that share the matrix.
  GroupSums sums() const { return GroupSums(chain(), team_, has_exact_sums_); }

  // ---- what is made of them

  /// @throws std::invalid_argument  if the field is not one value per cell. @param what  names it in the message
  void expect_field(Field<T, Dim> const& field, char const* what) const;
  /// result = A x
  void apply(Field<T, Dim>& result, Field<T, Dim> const& x) const;
  /// r = b - A x, less its mean on singular components. @return  its norm
  double residual(Field<T, Dim>& r, Field<T, Dim> const& b, Field<T, Dim> const& x) const;
  /// r = b - A x as it is, and sums over r, over b if `has_b`, and over x if all cells are one singular component: in
  /// one pass behind those of `first`.
  ResidualMoments residual_moments(Field<T, Dim> const& b, Field<T, Dim> const& x, Field<T, Dim>& r, bool has_b,
                                   Pipeline first = {}) const;
  /// x -= constant
  void subtract(double constant, Field<T, Dim>& x) const;
  /// Subtracts the mean from singular components. @return  the greatest mean, without sign
  double remove_means(Field<T, Dim>& x) const;
  /// The Euclidean norm of values in the order of the cells.
  double norm(T const* x) const;
  double norm(Field<T, Dim> const& x) const { return norm(x.view().data); }
  /// What a constant 1 adds up to.
  double weight() const { return static_cast<double>(row_count_); }

  // ---- fields, for iterations

  static bool share_values(Field<T, Dim> const& a, Field<T, Dim> const& b) { return a.view().data == b.view().data; }
  static void assign_to(Field<T, Dim>& r, Field<T, Dim> const& b) { assign(r, b); }
  static Field<T, Dim> clone(Field<T, Dim> const& x) { return sparse::clone(x); }
  static void scale(Field<T, Dim>& x, T factor) { sparse::scale(x, factor); }
  static void clear(Field<T, Dim>& x) { fill(x, T(0)); }

protected:
  AnyMatrix(IntervalSet<Dim> const& cells, std::shared_ptr<NullSpace<Dim> const> null_space)
      : cells_(cells), null_space_(std::move(null_space)), team_(nullptr), row_count_(cells.cell_count()) {}
  /// @param cells  those whose rows the process has, of those of the problem
  AnyMatrix(Problem<Dim> const& problem, IntervalSet<Dim> const& cells,
            std::shared_ptr<NullSpace<Dim> const> null_space)
      : cells_(cells), null_space_(std::move(null_space)), team_(problem.team),
        has_exact_sums_(problem.team != nullptr && problem.has_exact_sums), row_count_(problem.cells.cell_count()) {}

private:
  IntervalSet<Dim> cells_;
  std::shared_ptr<NullSpace<Dim> const> null_space_;
  distributed::Team* team_;  // the ranks that share the matrix, or null
  bool has_exact_sums_ = false;
  Index row_count_;  // of all of them
};

template <class T, int Dim>
using AnyMatrixPtr = std::shared_ptr<AnyMatrix<T, Dim> const>;

/// Where constants on each connected component of the cells are not determined, or nowhere.
template <int Dim>
std::shared_ptr<NullSpace<Dim> const> null_space_of(IntervalSet<Dim> const& cells, bool has_constants);

}  // namespace sparse::poisson::detail
