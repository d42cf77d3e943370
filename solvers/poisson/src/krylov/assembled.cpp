// Solvers of other libraries.

#include <algorithm>
#include <set>
#include <utility>

#include <sparse/base/buffer.hpp>
#include <sparse/sets/locate.hpp>

#include "any_solver.hpp"
#include "iteration.hpp"
#include "operator/rows.hpp"

namespace sparse::poisson::detail {
namespace {

/// The values of couplings, where the host can read them.
template <class T, int Dim>
struct HostRows {
  std::vector<CouplingRun<T, Dim>> runs;
  std::vector<std::vector<T>> values;  ///< [2 + Dim] empty if all runs are uniform
  CouplingView<T, Dim> view;

  explicit HostRows(Couplings<T, Dim> const& couplings) : view(couplings.view()) {
    auto const context = couplings.context();
    runs = to_host(context, view.runs, view.run_count);
    view.runs = runs.data();
    auto const take = [&](T const*& from) {
      if (from == nullptr) return;
      values.push_back(to_host(context, from, view.cell_count));
      from = values.back().data();
    };
    for (auto& lower : view.lower) take(lower);
    take(view.dirichlet);
    take(view.zeroth);
  }
};

/// One cell of each singular component.
template <class T, int Dim>
std::vector<Vec<Coord, Dim>> first_cells(Matrix<T, Dim> const& matrix) {
  std::vector<Vec<Coord, Dim>> cells;
  if (matrix.singular_count() == 0) return cells;
  auto const all = matrix.problem().cells.to_host();
  for (Index const i : matrix.null_space().first_intervals()) {
    auto const row = std::upper_bound(all.row_ptr.begin(), all.row_ptr.end(), i) - all.row_ptr.begin() - 1;
    cells.push_back(
        cell_at<Dim>(all.row_keys[static_cast<std::size_t>(row)], all.intervals[static_cast<std::size_t>(i)].begin));
  }
  return cells;
}

/// The rows of a rank, in the order of the runs. One row of each singular component has a greater diagonal, which makes
/// the matrix definite: for a right-hand side without a mean the solution there is 0, and solves the problem.
template <class T, int Dim>
class RowsOfRank {
public:
  explicit RowsOfRank(Matrix<T, Dim> const& matrix)
      : numbers_(static_cast<std::size_t>(matrix.couplings().cell_count())) {
    HostRows<T, Dim> const from(matrix.couplings());
    for (auto const& run : from.runs)
      if (run.is_foreign == 0)
        for (std::int32_t i = 0; i < run.count; ++i) positions_.push_back(run.first + i);
    if (auto const& ranks = matrix.ranks()) {
      std::vector<std::int64_t> counts(static_cast<std::size_t>(ranks->team().size()));
      auto const rank = static_cast<std::size_t>(ranks->team().rank());
      counts[rank] = static_cast<std::int64_t>(positions_.size());
      ranks->team().add(counts);
      for (std::size_t r = 0; r < rank; ++r) rows_.first += counts[r];
    }
    // In double, as fields are: exact up to 2^53.
    for (std::size_t i = 0; i < positions_.size(); ++i)
      numbers_[static_cast<std::size_t>(positions_[i])] = static_cast<double>(rows_.first + static_cast<Index>(i));
    if (auto const& ranks = matrix.ranks()) ranks->fill(ranks->finest(), numbers_.data());
    auto const found = find(matrix.cells(), to_device(matrix.couplings().context(), first_cells(matrix)));
    for (Index const place :
         to_host(matrix.couplings().context(), static_cast<Index const*>(found.data()), found.size()))
      fixed_.insert(place);
    for_runs(from.view, {0, from.view.run_count, 0, 0, 0, 0, 0}, Adder{this});
  }

  /// [rows] where their cells are.
  std::vector<Index> const& positions() const { return positions_; }
  distributed::MatrixRows const& rows() const { return rows_; }

private:
  struct Adder {
    RowsOfRank* to;
    template <class Rows>
    void along(Rows const& rows) const {
      if (rows.run.is_foreign != 0) return;
      for (std::int32_t step = 0; step < rows.run.count; ++step) to->add(rows, step);
    }
  };

  template <class Rows>
  void add(Rows const& rows, int step) {
    auto const begin = rows_.columns.size();
    auto const add_entry = [&](Index position, double value) {
      auto const column = static_cast<std::int64_t>(numbers_[static_cast<std::size_t>(position)]);
      // Two arms may lead to the same cell, across a period of two.
      for (std::size_t i = begin; i < rows_.columns.size(); ++i)
        if (rows_.columns[i] == column) {
          rows_.values[i] += value;
          return;
        }
      rows_.columns.push_back(column);
      rows_.values.push_back(value);
    };
    Index const here = rows.run.first + step;
    add_entry(here, static_cast<double>(rows.extra(step)));
    for (int arm = 0; arm < 2 * Dim; ++arm)
      if (auto const weight = static_cast<double>(rows.weight(arm, step)); weight != 0) {
        add_entry(here, weight);
        add_entry(here + rows.run.offset[arm], -weight);
      }
    if (fixed_.contains(here)) rows_.values[begin] *= 2;
    if (rows_.values[begin] == 0) rows_.values[begin] = 1;
    rows_.starts.push_back(static_cast<std::int64_t>(rows_.columns.size()));
  }

  std::vector<double> numbers_;  ///< [cells of the window] of their rows
  std::vector<Index> positions_;
  std::set<Index> fixed_;  // positions of rows with a greater diagonal
  distributed::MatrixRows rows_;
};

template <class T, int Dim>
class SolverOfRows : public AnySolver<T, Dim> {
public:
  SolverOfRows(MatrixPtr<T, Dim> const& matrix, Assembled const& method, StopRule const& stop)
      : matrix_(matrix), stop_(stop), r_("residual", matrix->cells()) {
    RowsOfRank<T, Dim> rows(*matrix);
    positions_ = rows.positions();
    solver_ = method.make(matrix->ranks() ? &matrix->ranks()->team() : nullptr, rows.rows());
  }

  using AnySolver<T, Dim>::solve;
  Report solve(Field<T, Dim> const& b, Field<T, Dim>& x) override {
    Iteration<T, Dim> iteration(*matrix_, stop_, b, x, r_);
    std::vector<double> right;
    for (double tolerance = stop_.tolerance; !iteration.is_over(); tolerance /= 10) {
      if (right.empty()) {
        auto compatible = clone(b);
        matrix_->remove_means(compatible);
        right = values_of(compatible);
      }
      auto left = values_of(x);
      int const done = iteration.report().iterations;
      int const most = stop_.iteration_limit - done, least = std::min(stop_.least_iterations - done, most);
      int const count =
          least > 0 ? solver_->solve(right, left, 0, least) : solver_->solve(right, left, tolerance, most);
      set_values(x, left);
      iteration.look_after(count);
    }
    return iteration.finish();
  }

private:
  std::vector<double> values_of(Field<T, Dim> const& field) const {
    auto const all = to_host(field);
    std::vector<double> values(positions_.size());
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<double>(all[static_cast<std::size_t>(positions_[i])]);
    return values;
  }
  void set_values(Field<T, Dim>& field, std::vector<double> const& values) const {
    std::vector<T> all(static_cast<std::size_t>(field.cell_count()));
    for (std::size_t i = 0; i < values.size(); ++i)
      all[static_cast<std::size_t>(positions_[i])] = static_cast<T>(values[i]);
    copy_to_device(field.context(), field.view().data, all.data(), std::ssize(all));
    field.context().fence();
    if (auto const& ranks = matrix_->ranks()) ranks->fill(ranks->finest(), field.view().data);
  }

  MatrixPtr<T, Dim> matrix_;
  StopRule stop_;
  Field<T, Dim> r_;
  std::vector<Index> positions_;
  std::unique_ptr<distributed::AssembledSolver> solver_;
};

}  // namespace

template <class T, int Dim>
SolverPtr<T, Dim> make_solver(MatrixPtr<T, Dim> const& matrix, Assembled const& method, StopRule const& stop) {
  return std::make_unique<SolverOfRows<T, Dim>>(matrix, method, stop);
}
SPARSE_DEFINE_SOLVERS(Assembled, MatrixPtr)

}  // namespace sparse::poisson::detail
