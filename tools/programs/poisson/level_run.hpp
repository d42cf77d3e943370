#pragma once
/// A problem on levels that are refined pass by pass.

#include <chrono>
#include <cmath>
#include <memory>

#include <sparse/fields/algebra.hpp>
#include <sparse/fields/select.hpp>
#include <sparse/io/language/evaluate.hpp>
#include <sparse/io/levels/field_array.hpp>
#include <sparse/poisson/composite_solver.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>

#include "cases.hpp"
#include "solve.hpp"

template <int Dim>
using Sets = std::vector<sparse::IntervalSet<Dim>>;

/// The gradient changes by so much of its greatest change within a cell that is refined.
constexpr double refined_share = 0.25;

/// Operands: the leaf; its lower and its upper face.
template <class T, int Dim>
struct Bend {
  T const* gradient;
  T width;
  T* bend;
  KOKKOS_FUNCTION void operator()(sparse::RunPoint<Dim, 3> const& p) const {
    T const change = (gradient[p.operand(2)] - gradient[p.operand(1)]) * width, size = change < 0 ? -change : change;
    T& value = bend[p.operand(0)];
    value = size > value ? size : value;
  }
};

/// What a set of levels costs and gives.
struct LevelOutcome {
  Outcome outcome;
  sparse::Index leaf_count = 0;
  int level_count = 0;
  double seconds() const { return outcome.setup_seconds + outcome.seconds; }
};

/// The levels, and what is solved on them.
template <class T, int Dim>
class LevelRun {
public:
  /// @param n  cells along each side of level 0, whatever the options say
  LevelRun(Options const& o, int n) : o_(o), n_(n), finer_count_(static_cast<std::size_t>(o.levels.finer_count)) {
    domain_.resize(finer_count_ + 1);
    sides_.resize(finer_count_ + 1);
    Options whole = o;
    whole.solids.clear();
    for (std::size_t l = 0; l <= finer_count_; ++l) {
      auto const uniform = problem_of<Dim>(whole, n << l);
      sides_[l] = uniform.dirichlet;
      domain_[l] = uniform.cells;
      if (l == 0) period_ = uniform.period;
    }
    wanted_.resize(finer_count_);
    if (o.solids.empty()) return;
    // Bodies have the cells of the finest level. A coarser cell belongs to the domain if one of its children does.
    auto const with_solids = problem_of<Dim>(o, n << finer_count_).cells;
    auto solid = domain_[finer_count_] - with_solids;
    domain_[finer_count_] = with_solids;
    for (std::size_t l = finer_count_; l-- > 0;) {
      solid = sparse::coarsen(solid);
      wanted_[l] = sparse::expand(solid, 2) & domain_[l];  // leaves around bodies are the finest ones
      domain_[l] = sparse::coarsen(domain_[l + 1]);
    }
  }

  /// Refines the cells of a set on level 0 up to the finest level.
  void want(sparse::IntervalSet<Dim> region) {
    if ((region & domain_[0]).is_empty()) throw std::runtime_error("--refine: the set has no cell of the domain");
    for (std::size_t l = 0; l < finer_count_; ++l) {
      wanted_[l] = wanted_[l] | region;
      region = sparse::refine(region);
    }
  }

  /// Refines where the solution bends most. @return  whether a cell was refined
  bool refine_bends() {
    auto const& matrix = solver_->matrix();
    auto gradient = matrix.face_fields("gradient");
    matrix.gradient(gradient, u_, given_);
    std::vector<sparse::Field<T, Dim>> bends = matrix.fields("bend");
    double greatest = 0;
    for (std::size_t l = 0; l < std::min(bends.size(), finer_count_); ++l) {
      auto const& leaves = bends[l].domain();
      if (leaves.is_empty()) continue;
      for (int axis = 0; axis < Dim; ++axis) {
        sparse::SetView const faces = gradient[l][axis].domain().view();
        sparse::Plan<Dim, 3> const plan(leaves,
                                        {sparse::operand<Dim>(leaves.view()), sparse::operand<Dim>(faces),
                                         sparse::operand<Dim>(faces, sparse::Vec<sparse::Coord, Dim>::along(axis, 1))},
                                        0b111);
        double const h = problem_.grid.spacing_of(static_cast<int>(l))[axis];
        sparse::for_each("sparse::poisson::bend", plan,
                         Bend<T, Dim>{gradient[l][axis].component(0), static_cast<T>(h), bends[l].component(0)});
      }
      greatest = std::max(greatest, static_cast<double>(sparse::maximum(bends[l])));
    }
    bool is_new = false;
    for (std::size_t l = 0; l < std::min(bends.size(), finer_count_); ++l) {
      if (bends[l].domain().is_empty()) continue;
      auto const found = sparse::threshold(bends[l], static_cast<T>(refined_share * greatest));
      is_new = is_new || !found.is_empty();
      wanted_[l] = wanted_[l] | found;
    }
    return is_new;
  }

  LevelOutcome solve() {
    make_levels();
    auto const middle = sparse::Vec<double, Dim>::filled(0.5);
    Outcome outcome{Method::pcg, n_};
    auto const start = now();
    solver_ = std::make_unique<sparse::poisson::CompositeSolver<T, Dim>>(
        problem_, sparse::poisson::StopRule{o_.tolerance, o_.iteration_limit > 0 ? o_.iteration_limit : 100});
    outcome.setup_seconds = now() - start;
    auto const& matrix = solver_->matrix();
    auto b = matrix.fields("source");
    u_ = matrix.fields("solution");
    exact_.clear();
    given_ = sparse::poisson::LevelFaceFields<double, Dim>(problem_.dirichlet.size());
    for (std::size_t l = 0; l < b.size(); ++l) {
      Case<Dim> const here(o_, n_ << l);
      b[l] = field_of<T>(here, What::source, b[l].domain(), middle);
      exact_.push_back(field_of<T>(here, What::solution, b[l].domain(), middle));
      for (int axis = 0; axis < Dim; ++axis) {
        auto on_face = middle;
        on_face[axis] = 0;
        auto const a = static_cast<std::size_t>(axis);
        given_[l][a] = field_of<double>(here, What::solution, problem_.dirichlet[l][a], on_face);
      }
    }
    matrix.add_boundary_values(b, given_);
    auto const solving = now();
    outcome.report = solver_->solve(b, u_);
    outcome.seconds = now() - solving;
    outcome.residual = outcome.report.true_residual;
    if (o_.has_exact_solution()) outcome.errors = errors();
    return {std::move(outcome), matrix.leaf_count(), matrix.level_count()};
  }

  sparse::Grid<Dim> const& grid() const { return problem_.grid; }
  /// Errors, level by level.
  void print_levels() const {
    for (std::size_t l = 0; l < u_.size(); ++l) {
      fmt::print("  level {:>2}: {:>10} leaves", l, u_[l].cell_count());
      if (o_.has_exact_solution() && u_[l].cell_count() > 0) {
        auto const is = sparse::to_host(u_[l]), should_be = sparse::to_host(exact_[l]);
        double greatest = 0;
        for (std::size_t i = 0; i < is.size(); ++i)
          greatest = std::max(greatest, std::abs(static_cast<double>(is[i]) - static_cast<double>(should_be[i])));
        fmt::print("  max error {:.4g}", greatest);
      }
      fmt::print("\n");
    }
  }

  /// The solution and, if known, its error on the leaves.
  std::vector<sparse::io::LevelCells<Dim>> cells() const {
    std::vector<sparse::io::LevelCells<Dim>> levels(u_.size());
    for (std::size_t l = 0; l < u_.size(); ++l) {
      levels[l].level = static_cast<int>(l);
      levels[l].cells = u_[l].domain().to_host();
      levels[l].arrays.push_back(sparse::io::array_of<float>(u_[l]));
      if (!o_.has_exact_solution()) continue;
      auto error = sparse::clone(u_[l]);
      sparse::add(error, -1, exact_[l]);
      levels[l].arrays.push_back(sparse::io::array_of<float>(error, "error"));
    }
    return levels;
  }

private:
  static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  void make_levels() {
    problem_ = {};
    problem_.grid.spacing = sparse::Vec<double, Dim>::filled(1.0 / n_);
    problem_.period = period_;
    Sets<Dim> refined(finer_count_);
    for (std::size_t l = finer_count_; l-- > 0;) {
      refined[l] = wanted_[l];
      if (l + 1 < finer_count_) {
        auto near = sparse::expand(refined[l + 1], 2);
        for (int axis = 0; axis < Dim; ++axis)
          if (sparse::Coord const period = period_[axis] * (1 << (l + 1)); period > 0)
            near = near | sparse::shift(near, axis, period) | sparse::shift(near, axis, -period);
        refined[l] = refined[l] | sparse::coarsen(near);
      }
      refined[l] = refined[l] & domain_[l];
    }
    problem_.cells = {domain_[0]};
    for (std::size_t l = 0; l < finer_count_ && !refined[l].is_empty(); ++l)
      problem_.cells.push_back(sparse::refine(refined[l]) & domain_[l + 1]);
    auto const leaves = sparse::poisson::leaves_of(problem_.cells);
    problem_.dirichlet.resize(leaves.size());
    for (std::size_t l = 0; l < leaves.size(); ++l)
      for (int axis = 0; axis < Dim; ++axis) {
        auto const a = static_cast<std::size_t>(axis);
        problem_.dirichlet[l][a] = sides_[l][a] & (leaves[l] | sparse::shift(leaves[l], axis, 1));
      }
  }

  Errors errors() const {
    Errors all;
    double volume = 0;
    for (std::size_t l = 0; l < u_.size(); ++l) {
      double const weight = std::pow(0.5, Dim * static_cast<double>(l));
      auto const is = sparse::to_host(u_[l]), should_be = sparse::to_host(exact_[l]);
      for (std::size_t i = 0; i < is.size(); ++i) {
        double const error = std::abs(static_cast<double>(is[i]) - static_cast<double>(should_be[i]));
        all.greatest = std::max(all.greatest, error);
        all.mean += weight * error;
        all.root_mean_square += weight * error * error;
        volume += weight;
      }
    }
    all.mean /= volume;
    all.root_mean_square = std::sqrt(all.root_mean_square / volume);
    return all;
  }

  Options const& o_;
  int n_;
  std::size_t finer_count_;
  Sets<Dim> domain_, wanted_;  ///< [level] all cells; what gets children
  std::vector<std::array<sparse::IntervalSet<Dim>, Dim>> sides_;
  sparse::Vec<sparse::Coord, Dim> period_{};
  sparse::poisson::CompositeProblem<Dim> problem_;
  std::unique_ptr<sparse::poisson::CompositeSolver<T, Dim>> solver_;
  sparse::poisson::LevelFields<T, Dim> u_, exact_;
  sparse::poisson::LevelFaceFields<double, Dim> given_;
};
