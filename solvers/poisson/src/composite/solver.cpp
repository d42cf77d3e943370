#include <sparse/poisson/composite_solver.hpp>

#include <cmath>
#include <limits>

#include <sparse/poisson/solver.hpp>

#include "cycle.hpp"
#include "krylov/iteration.hpp"

namespace sparse::poisson {
namespace detail {
namespace {

// The residual is made shorter along p = z - c_1 p_1 - c_2 p_2, so that A p is at right angles to A p_1 and A p_2. To
// make these products again is cheaper than to store them.

/// Adds up (A z)^2, A z A p_1, A z A p_2 and A z r. @tparam kept  number of last directions
template <class T, class P, int kept>
struct CycleProducts {
  static constexpr int sum_count = 4;
  P const* z;
  T const *r, *of_z;
  P const* p1;
  T const* of_p1;
  P const* p2;
  T const* of_p2;
  template <class Leaves>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Leaves const& at, int step, double& zz, double& z1, double& z2,
                                              double& zr) const {
    auto const az = static_cast<double>(at.applied(z, of_z, step));
    zz += az * az;
    zr += az * static_cast<double>(r[at.cell(step)]);
    if constexpr (kept > 0) z1 += az * static_cast<double>(at.applied(p1, of_p1, step));
    if constexpr (kept > 1) z2 += az * static_cast<double>(at.applied(p2, of_p2, step));
  }
};

/// p = z - c_1 p_1 - c_2 p_2 in the place of p_2; x += alpha p. Directions are rounded as z is: what counts is that x
/// and r change along the same one.
template <class T, class P, int kept>
struct NextCycleDirection {
  P const *z, *p1;
  P* p;
  T* x;
  T c1, c2, alpha;
  template <class Leaves>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Leaves const& at, int step) const {
    Index const cell = at.cell(step);
    T value = static_cast<T>(z[cell]);
    if constexpr (kept > 0) value -= c1 * static_cast<T>(p1[cell]);
    if constexpr (kept > 1) value -= c2 * static_cast<T>(p[cell]);
    P const rounded = static_cast<P>(value);
    p[cell] = rounded;
    x[at.leaf(step)] += alpha * static_cast<T>(rounded);
  }
};

/// r -= alpha A p; adds up r^2.
template <class T, class P>
struct LowerResidual {
  static constexpr int sum_count = 1;
  P const* p;
  T const* extra;
  T* r;
  T alpha;
  template <class Leaves>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Leaves const& at, int step, double& square, double&, double&,
                                              double&) const {
    T const value = r[at.cell(step)] - alpha * at.applied(p, extra, step);
    r[at.cell(step)] = value;
    square += static_cast<double>(value) * static_cast<double>(value);
  }
};

}  // namespace

template <class T, int Dim>
class CompositeIteration {
public:
  /// @param last  or null; that of the last matrix
  CompositeIteration(CompositeMatrixPtr<T, Dim> const& matrix, StopRule const& stop, int sweeps,
                     CompositeIteration const* last = nullptr)
      : matrix_(matrix), stop_(stop) {
    if (matrix->level_count() == 1) {
      single_ = std::make_unique<Solver<T, Dim>>(problem_of(matrix->problem(), matrix->all_levels()[0]),
                                                 MultigridCg{{.sweeps = sweeps}}, stop);
      return;
    }
    cycle_ = std::make_unique<CompositeCycle<T, float, Dim>>(*matrix, sweeps,
                                                             last != nullptr ? last->cycle_.get() : nullptr);
    take_fields();
  }

  void forget_fields() {
    for (auto* fields : {&z_, &directions_[0], &directions_[1]}) fields->levels.clear();
    r_.levels.clear();
    extras_ = {};
  }

  Report solve(LevelFields<T, Dim> const& b, LevelFields<T, Dim>& x) {
    matrix_->expect_field(b, "right-hand side");
    matrix_->expect_field(x, "solution");
    if (single_) return single_->solve(b[0], x[0]);
    if (r_.levels.empty()) take_fields();
    IterationOn<CompositeMatrix<T, Dim>> iteration(*matrix_, stop_, b, x, r_, multigrid_patience);
    if (double const factor = iteration.template scale_for_cycles<float>(); factor != 1)
      return iteration.solve_scaled(factor, [&](auto const& of_b, auto& of_x) { return solve(of_b, of_x); });
    kept_ = 0;
    int slow_steps = 0;  // residuals of this method never grow, so they may sink by next to nothing for ever
    double last = std::numeric_limits<double>::infinity(), norm = iteration.residual_norm();
    while (!iteration.is_over()) {
      double const residual = step(x, norm);
      slow_steps = residual < slowest_factor * last ? 0 : slow_steps + 1;
      last = residual;
      if (iteration.must_check(residual) || is_stuck_ || slow_steps == multigrid_patience) {
        iteration.check();
        norm = iteration.residual_norm();
        kept_ = slow_steps = 0;
        last = std::numeric_limits<double>::infinity();
      } else {
        norm = lower_residual();
      }
    }
    return iteration.finish();
  }

private:
  static constexpr double slowest_factor = 0.95;

  void take_fields() {
    r_ = matrix_->on_cells("residual");
    for (auto const& level : matrix_->levels()) {
      z_.levels.emplace_back("correction", level.cells);
      for (auto& direction : directions_) direction.levels.emplace_back("direction", level.cells);
    }
    extras_ = Buffer<T>(matrix_->context(), 3 * matrix_->mark_count());
  }

  /// Finds a direction, and changes x along it. @param norm  of the residual
  /// @return  its norm afterwards, but for rounding
  double step(LevelFields<T, Dim>& x, double norm) {
    auto const r = r_.pointers();
    auto const z = z_.pointers();
    cycle_->apply(r, z);
    Index const marks = matrix_->mark_count();
    T *const of_z = extras_.data(), *of_newer = of_z + (newer_ == 0 ? 1 : 2) * marks,
             *of_older = of_z + (newer_ == 0 ? 2 : 1) * marks;
    matrix_->add_up_fluxes(z, of_z);
    auto const newer = directions_[newer_].pointers(), older = directions_[1 - newer_].pointers();

    auto products = matrix_->sums();
    for (std::size_t l = 0; l < z.size(); ++l) {
      Index const first = matrix_->first_mark(l);
      auto const add = [&]<int kept>() {
        matrix_->run_sums(l, products,
                          CycleProducts<T, float, kept>{z[l], r[l], of_z + first, newer[l], of_newer + first, older[l],
                                                        of_older + first});
      };
      kept_ == 0   ? add.template operator()<0>()
      : kept_ == 1 ? add.template operator()<1>()
                   : add.template operator()<2>();
    }
    double const z1 = products.total(1), z2 = products.total(2);
    double const c1 = kept_ > 0 ? z1 / length_[newer_] : 0, c2 = kept_ > 1 ? z2 / length_[1 - newer_] : 0;
    double const square = products.total(0) - c1 * z1 - c2 * z2;
    is_stuck_ = !(square > 0);
    double const alpha = is_stuck_ ? 0 : products.total(3) / square;
    for (std::size_t l = 0; l < z.size(); ++l) {
      auto const add = [&]<int kept>() {
        matrix_->run(l, leaf_stage(matrix_->rows(l), NextCycleDirection<T, float, kept>{
                                                         z[l], newer[l], older[l], x[l].view().data, static_cast<T>(c1),
                                                         static_cast<T>(c2), static_cast<T>(alpha)}));
      };
      kept_ == 0   ? add.template operator()<0>()
      : kept_ == 1 ? add.template operator()<1>()
                   : add.template operator()<2>();
    }
    newer_ = 1 - newer_;
    length_[newer_] = square;
    alpha_ = alpha;
    kept_ = std::min(kept_ + 1, 2);
    return std::isfinite(square) ? std::sqrt(std::fmax(norm * norm - alpha * alpha * square, 0)) : square;
  }

  /// Changes the residual along the last direction. @return  its norm
  double lower_residual() {
    Index const marks = matrix_->mark_count();
    T* const of_p = extras_.data() + (newer_ == 0 ? 1 : 2) * marks;
    auto const p = directions_[newer_].pointers();
    auto const r = r_.pointers();
    if (auto const& ranks = matrix_->ranks())
      for (std::size_t l = 0; l < p.size(); ++l) ranks->fill_leaves(l, p[l]);
    matrix_->add_up_fluxes(p, of_p);
    auto squares = matrix_->sums();
    for (std::size_t l = 0; l < p.size(); ++l)
      matrix_->run_sums(l, squares,
                        LowerResidual<T, float>{p[l], of_p + matrix_->first_mark(l), r[l], static_cast<T>(alpha_)});
    return std::sqrt(squares.total(0));
  }

  CompositeMatrixPtr<T, Dim> matrix_;
  StopRule stop_;
  std::unique_ptr<Solver<T, Dim>> single_;
  std::unique_ptr<CompositeCycle<T, float, Dim>> cycle_;
  CellFields<T, Dim> r_;
  CellFields<float, Dim> z_, directions_[2];
  Buffer<T> extras_;           // of z and of the directions
  double length_[2] = {0, 0};  // squares of A p
  double alpha_ = 0;           // how far along the last direction
  int kept_ = 0, newer_ = 0;   // directions that are known, and which of them is the last one
  bool is_stuck_ = false;
};

}  // namespace detail

template <class T, int Dim>
CompositeSolver<T, Dim>::CompositeSolver(CompositeProblem<Dim> const& problem, StopRule const& stop, int sweeps)
    : matrix_([&] {
        stop.expect_valid("poisson");
        expects(sweeps > 0, "poisson: the numbers of sweeps of multigrid must be positive");
        return std::make_shared<detail::CompositeMatrix<T, Dim> const>(
            problem, detail::reach_of<Dim>(Multigrid{.sweeps = sweeps}));
      }()),
      stop_(stop), sweeps_(sweeps) {
  iteration_ = std::make_unique<detail::CompositeIteration<T, Dim>>(matrix_.matrix_, stop, sweeps);
}
template <class T, int Dim>
CompositeSolver<T, Dim>::~CompositeSolver() = default;
template <class T, int Dim>
CompositeSolver<T, Dim>::CompositeSolver(CompositeSolver&&) noexcept = default;
template <class T, int Dim>
CompositeSolver<T, Dim>& CompositeSolver<T, Dim>::operator=(CompositeSolver&&) noexcept = default;

template <class T, int Dim>
void CompositeSolver<T, Dim>::change(CompositeProblem<Dim> const& problem) {
  auto const matrix = std::make_shared<detail::CompositeMatrix<T, Dim> const>(
      problem, detail::reach_of<Dim>(Multigrid{.sweeps = sweeps_}), matrix_.matrix_.get());
  forget_fields();
  iteration_ = std::make_unique<detail::CompositeIteration<T, Dim>>(matrix, stop_, sweeps_, iteration_.get());
  matrix_.matrix_ = matrix;
}

template <class T, int Dim>
void CompositeSolver<T, Dim>::forget_fields() {
  iteration_->forget_fields();
}

template <class T, int Dim>
Report CompositeSolver<T, Dim>::solve(LevelFields<T, Dim> const& b, LevelFields<T, Dim>& x) {
  return iteration_->solve(b, x);
}

template class CompositeSolver<float, 2>;
template class CompositeSolver<float, 3>;
template class CompositeSolver<double, 2>;
template class CompositeSolver<double, 3>;

}  // namespace sparse::poisson
