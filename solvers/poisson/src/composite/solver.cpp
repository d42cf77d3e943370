#include <sparse/poisson/composite_solver.hpp>

#include <cmath>
#include <limits>
#include <utility>

#include <sparse/fields/transfer.hpp>
#include <sparse/poisson/solver.hpp>

#include "cycle.hpp"
#include "directions.hpp"
#include "krylov/iteration.hpp"
#include "leaf_places.hpp"

namespace sparse::poisson {
namespace detail {

template <class T, int Dim>
class CompositeIteration {
public:
  /// @param last  or null; that of the last matrix
  CompositeIteration(CompositeMatrixPtr<T, Dim> const& matrix, StopRule const& stop, int sweeps,
                     CompositeIteration const* last = nullptr)
      : matrix_(matrix), stop_(stop), places_(last != nullptr ? last->places_ : Places()) {
    places_.resize(matrix->level_count());
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
    for (auto* fields : {&r_, &x_}) fields->levels.clear();
    extras_ = {};
    has_solution_ = false;
  }

  Report solve(LevelFields<T, Dim> const& b, LevelFields<T, Dim>& x) {
    matrix_->expect_field(b, "right-hand side");
    expect_solution(x);
    expect_other_fields(*matrix_, b, x);
    has_solution_ = false;
    Report report;
    if (single_ && places_[0].are_all()) {
      report = single_->solve(b[0], x[0]);
    } else {
      take_solution(x);
      double mean = 0;
      report = single_ ? single_->solve(b[0], x_.levels[0]) : solve_on_cells(b, mean);
      for (std::size_t l = 0; l < x.size(); ++l)
        mean != 0 ? store_solution<true>(l, x[l], mean) : store_solution<false>(l, x[l], mean);
    }
    has_solution_ = true;
    return report;
  }

  void interface_gradient(LevelFaceFields<T, Dim>& result) {
    expects(has_solution_, "poisson: there is no last solution");
    gradient_of_solution(result);
  }
  void interface_gradient(LevelFaceFields<T, Dim>& result, LevelFields<T, Dim> const& x) {
    expect_solution(x);
    has_solution_ = false;
    take_solution(x);
    gradient_of_solution(result);
  }

private:
  using Places = std::vector<LeafPlaces<Dim>>;
  static constexpr double slowest_factor = 0.95;

  void expect_solution(LevelFields<T, Dim> const& x) {
    matrix_->expect_field(x, "solution", [&](std::size_t l, IntervalSet<Dim> const& set) {
      auto const& level = matrix_->levels()[l];
      return places_[l].find(level.leaves, single_ ? level.leaves : level.cells, set);
    });
  }
  /// x to `x_`.
  void take_solution(LevelFields<T, Dim> const& x) {
    if (x_.levels.empty()) take_fields();
    for (std::size_t l = 0; l < x.size(); ++l)
      if (auto const& places = places_[l]; places.are_all())
        matrix_->to_cells(l, x[l], x_.levels[l]);
      else
        copy<T, Dim>(x_.levels[l].view(), places.plan(), x[l].view());
  }

  /// Solves for `x_`. @param mean  what is still to be subtracted from it
  Report solve_on_cells(LevelFields<T, Dim> const& b, double& mean) {
    IterationOn<CompositeMatrix<T, Dim>> iteration(*matrix_, stop_, b, x_, r_, multigrid_patience);
    if (double const factor = iteration.template scale_for_cycles<float>(); factor != 1)
      return iteration.solve_scaled(factor, [&](auto const& scaled, auto&) {
        Report report = solve_on_cells(scaled, mean);
        matrix_->subtract(std::exchange(mean, 0), x_);
        return report;
      });
    kept_ = lacking_ = 0;
    int slow_steps = 0;  // residuals of this method never grow, so they may sink by next to nothing for ever
    double last = std::numeric_limits<double>::infinity(), norm = iteration.residual_norm();
    while (!iteration.is_over()) {
      double const residual = find_direction(norm);
      slow_steps = residual < slowest_factor * last ? 0 : slow_steps + 1;
      last = residual;
      bool const must_check = iteration.must_check(residual) || is_stuck_ || slow_steps == multigrid_patience;
      take_direction(must_check);
      if (must_check) {
        iteration.check();
        norm = iteration.residual_norm();
        kept_ = slow_steps = 0;
        last = std::numeric_limits<double>::infinity();
      } else {
        norm = lower_residual();
      }
    }
    mean = iteration.rest_of_means();
    return iteration.take_report();
  }

  /// `x_`, less a constant, to x.
  template <bool subtracts>
  void store_solution(std::size_t l, Field<T, Dim>& x, double constant) {
    T *const cells = x_.levels[l].view().data, *const values = x.view().data;
    auto const c = static_cast<T>(constant);
    if (places_[l].are_all())
      matrix_->run(l, leaf_stage(matrix_->rows(l), FromCells<T, subtracts>{cells, values, c}));
    else
      for_each("sparse::poisson::store_leaves", places_[l].plan(), StoreLeaves<T, Dim, subtracts>{cells, values, c});
  }
  void gradient_of_solution(LevelFaceFields<T, Dim>& result) {
    auto const& ranks = matrix_->ranks();
    for (std::size_t l = 0; !single_ && ranks && l < x_.levels.size(); ++l)
      ranks->fill_leaves(l, x_.levels[l].view().data);
    matrix_->interface_gradient(result, x_, {});
  }

  void take_fields() {
    if (single_) {
      x_.levels = matrix_->fields("solution");
      return;
    }
    x_ = matrix_->on_cells("solution");
    r_ = matrix_->on_cells("residual");
    for (auto const& level : matrix_->levels()) {
      z_.levels.emplace_back("correction", level.cells);
      for (auto& direction : directions_) direction.levels.emplace_back("direction", level.cells);
    }
    extras_ = Buffer<T>(matrix_->context(), 3 * matrix_->mark_count());
  }

  /// Finds what the next direction consists of. @param norm  of the residual
  /// @return  its norm afterwards, but for rounding
  double find_direction(double norm) {
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
    c1_ = kept_ > 0 ? z1 / length_[newer_] : 0;
    c2_ = kept_ > 1 ? z2 / length_[1 - newer_] : 0;
    double const square = next_length_ = products.total(0) - c1_ * z1 - c2_ * z2;
    is_stuck_ = !(square > 0);
    next_alpha_ = is_stuck_ ? 0 : products.total(3) / square;
    return std::isfinite(square) ? std::sqrt(std::fmax(norm * norm - next_alpha_ * next_alpha_ * square, 0)) : square;
  }

  /// Makes the direction. x changes along three at once, so that it is read and written less often.
  /// @param completes_x  whether x gets all that it lacks
  void take_direction(bool completes_x) {
    bool const adds = completes_x || lacking_ == 2;
    auto const z = z_.pointers(), newer = directions_[newer_].pointers(), older = directions_[1 - newer_].pointers();
    auto const x = x_.pointers();
    double const alpha1 = lacking_ > 0 ? alpha_[newer_] : 0, alpha2 = lacking_ > 1 ? alpha_[1 - newer_] : 0;
    for (std::size_t l = 0; l < z.size(); ++l) {
      auto const take = [&]<int kept, bool adds_to_x>() {
        matrix_->run(l, leaf_stage(matrix_->rows(l),
                                   NextCycleDirection<T, float, kept, adds_to_x>{
                                       z[l], newer[l], older[l], x[l], static_cast<T>(c1_), static_cast<T>(c2_),
                                       static_cast<T>(next_alpha_), static_cast<T>(alpha1), static_cast<T>(alpha2)}));
      };
      auto const with = [&]<int kept>() {
        adds ? take.template operator()<kept, true>() : take.template operator()<kept, false>();
      };
      kept_ == 0   ? with.template operator()<0>()
      : kept_ == 1 ? with.template operator()<1>()
                   : with.template operator()<2>();
    }
    newer_ = 1 - newer_;
    length_[newer_] = next_length_;
    alpha_[newer_] = next_alpha_;
    lacking_ = adds ? 0 : lacking_ + 1;
    kept_ = std::min(kept_ + 1, 2);
  }

  /// Changes the residual along the last direction. @return  its norm
  double lower_residual() {
    Index const marks = matrix_->mark_count();
    T* const of_p = extras_.data() + (newer_ == 0 ? 1 : 2) * marks;
    auto const p = directions_[newer_].pointers();
    auto const r = r_.pointers();
    T const alpha = static_cast<T>(alpha_[newer_]);
    if (auto const& ranks = matrix_->ranks())
      for (std::size_t l = 0; l < p.size(); ++l) ranks->fill_leaves(l, p[l]);
    matrix_->add_up_fluxes(p, of_p);
    auto squares = matrix_->sums();
    for (std::size_t l = 0; l < p.size(); ++l)
      matrix_->run_sums(l, squares, LowerResidual<T, float>{p[l], of_p + matrix_->first_mark(l), r[l], alpha});
    return std::sqrt(squares.total(0));
  }

  CompositeMatrixPtr<T, Dim> matrix_;
  StopRule stop_;
  Places places_;  // [level] of the last solution
  std::unique_ptr<Solver<T, Dim>> single_;
  std::unique_ptr<CompositeCycle<T, float, Dim>> cycle_;
  CellFields<T, Dim> r_, x_;
  CellFields<float, Dim> z_, directions_[2];
  Buffer<T> extras_;  // of z and of the directions
  // Of the directions: the squares of A p, and how far x and r change along them.
  double length_[2] = {0, 0}, alpha_[2] = {0, 0};
  double c1_ = 0, c2_ = 0, next_length_ = 0, next_alpha_ = 0;  // of the next one
  int kept_ = 0, newer_ = 0;  // directions that are known, and which of them is the last one
  int lacking_ = 0;           // the last ones that x has not yet changed along
  bool is_stuck_ = false, has_solution_ = false;
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

template <class T, int Dim>
void CompositeSolver<T, Dim>::interface_gradient(LevelFaceFields<T, Dim>& result) {
  iteration_->interface_gradient(result);
}
template <class T, int Dim>
void CompositeSolver<T, Dim>::interface_gradient(LevelFaceFields<T, Dim>& result, LevelFields<T, Dim> const& x) {
  iteration_->interface_gradient(result, x);
}

template class CompositeSolver<float, 2>;
template class CompositeSolver<float, 3>;
template class CompositeSolver<double, 2>;
template class CompositeSolver<double, 3>;

}  // namespace sparse::poisson
