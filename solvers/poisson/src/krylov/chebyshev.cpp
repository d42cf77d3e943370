/// Chebyshev's iteration, and the eigenvalue it needs to know.

#include <algorithm>

#include "any_solver.hpp"

namespace sparse::poisson::detail {
namespace {

/// step = keep * step + share * D^-1 (b - A x)
template <class T>
struct ChebyshevStep {
  T const *b, *x;
  T* change;
  T keep, share;
  bool is_first;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    Index const cell = rows.run.first + step;
    T const part = share * (b[cell] - rows.applied(x + rows.run.first, step)) * rows.inverse_diagonal(step);
    change[cell] = is_first ? part : keep * change[cell] + part;
  }
};

template <class T>
struct AddCell {
  T const* change;
  T* x;
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Rows const& rows, int step) const {
    x[rows.run.first + step] += change[rows.run.first + step];
  }
};

/// Source: Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., algorithm 12.1.
template <class T, int Dim>
class Chebyshev : public SteppingSolver<T, Dim> {
public:
  Chebyshev(Problem<Dim> const& problem, SolverOptions const& options)
      : SteppingSolver<T, Dim>(problem, options.stop), greatest_(options.greatest_eigenvalue),
        least_(options.least_eigenvalue ? *options.least_eigenvalue
                                        : std::min(estimate_least_eigenvalue(this->matrix()), 0.9 * greatest_)),
        change_(this->cell_values()) {}
  double parameter() const override { return least_; }

protected:
  void start() override { is_first_ = true; }
  double step(T const* b, T* x, T*) override {
    double const middle = 0.5 * (greatest_ + least_), half = 0.5 * (greatest_ - least_), sigma = middle / half;
    double const last = ratio_;
    ratio_ = is_first_ ? 1 / sigma : 1 / (2 * sigma - last);
    double const share = is_first_ ? 1 / middle : 2 * ratio_ / half;
    auto const& level = this->level();
    GroupSums sums(level.chain());
    Pipeline pipeline;
    pipeline.add(cell_stage(level, ChebyshevStep<T>{b, x, change_.data(), static_cast<T>(ratio_ * last),
                                                    static_cast<T>(share), is_first_}));
    pipeline.add(cell_stage(level, AddCell<T>{change_.data(), x}));
    pipeline.add(sum_stage(level, sums, ResidualSquare<T>{b, x}));
    this->run(pipeline);
    is_first_ = false;
    return std::sqrt(sums.total(0));
  }

private:
  double greatest_, least_, ratio_ = 0;
  bool is_first_ = true;
  Buffer<T> change_;
};

/// Values between -1 and 1 that look random.
template <class T>
struct Scatter {
  T* x;
  KOKKOS_FUNCTION void operator()(Index i) const {
    auto hash = static_cast<std::uint32_t>(i) * 2654435761u + 12345u;
    hash = (hash ^ (hash >> 15)) * 2246822519u;
    hash ^= hash >> 13;
    x[i] = static_cast<T>(hash) / T(2147483648.0) - T(1);
  }
};

/// The least eigenvalue of the symmetric matrix with these entries on and beside its diagonal, by bisection.
double least_eigenvalue(std::vector<double> const& diagonal, std::vector<double> const& beside) {
  double lower = 0, upper = diagonal[0];
  for (double const entry : diagonal) upper = std::min(upper, entry);
  for (int halving = 0; halving < 60; ++halving) {
    double const middle = 0.5 * (lower + upper);
    bool has_smaller = false;  // than `middle`: a pivot is negative
    double pivot = 1;
    for (std::size_t i = 0; i < diagonal.size() && !has_smaller; ++i) {
      pivot = diagonal[i] - middle - (i == 0 ? 0 : beside[i - 1] * beside[i - 1] / pivot);
      has_smaller = pivot <= 0;
    }
    (has_smaller ? upper : lower) = middle;
  }
  return upper;
}

}  // namespace

template <class T, int Dim>
double estimate_least_eigenvalue(Operator<T, Dim> const& matrix) {
  constexpr int step_limit = 2000;
  constexpr double safety = 0.95;
  auto const& level = matrix.couplings();
  auto const context = level.context();
  auto const chain = level.chain();
  Field<T, Dim> r("residual", matrix.cells()), x("solution", matrix.cells());
  parallel_for(context, "sparse::poisson::scatter", level.cell_count(), Scatter<T>{r.view().data});
  fill(x, 0);
  matrix.remove_means(r);
  Buffer<T> const p(context, level.cell_count());
  T* const residual = r.view().data;

  GroupSums first(chain);
  Pipeline begin;
  begin.add(sum_stage(level, first, ResidualSums<T, true>{residual}));
  begin.run(context, chain);
  double const rz_first = first.total(0);
  double rz = rz_first, beta = 0, last_alpha = 0;
  std::vector<double> diagonal, beside;
  for (int step = 0; step < step_limit && rz > 1e-10 * rz_first; ++step) {
    GroupSums curvature(chain), sums(chain);
    Pipeline direct, advance;
    direct.add(cell_stage(level, Direction<T, true>{residual, p.data(), static_cast<T>(beta), step == 0}));
    direct.add(sum_stage(level, curvature, Curvature<T>{p.data()}));
    direct.run(context, chain);
    double const pq = curvature.total(0), alpha = rz / pq;
    if (!(pq > 0)) break;
    diagonal.push_back(1 / alpha + (step == 0 ? 0 : beta / last_alpha));
    if (step > 0) beside.push_back(std::sqrt(beta) / last_alpha);
    advance.add(cell_stage(level, Advance<T>{p.data(), x.view().data, residual, static_cast<T>(alpha)}));
    advance.add(sum_stage(level, sums, ResidualSums<T, true>{residual}));
    advance.run(context, chain);
    beta = sums.total(0) / rz;
    rz = sums.total(0);
    last_alpha = alpha;
  }
  if (diagonal.empty()) return 1;  // b = 0 is the only right-hand side there is
  return safety * std::min(1.0, least_eigenvalue(diagonal, beside));
}

template <class T, int Dim>
SolverPtr<T, Dim> make_chebyshev(Problem<Dim> const& problem, SolverOptions const& options) {
  return std::make_unique<Chebyshev<T, Dim>>(problem, options);
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template double estimate_least_eigenvalue<T, Dim>(Operator<T, Dim> const&);                                          \
  template SolverPtr<T, Dim> make_chebyshev<T, Dim>(Problem<Dim> const&, SolverOptions const&);
SPARSE_FOR_ALL_CASES(SPARSE_DEFINE)
#undef SPARSE_DEFINE

}  // namespace sparse::poisson::detail
