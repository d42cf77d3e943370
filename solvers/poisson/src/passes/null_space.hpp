#pragma once
/// Where the solution is determined only up to a constant: on connected components on which p is given nowhere.

#include <vector>

#include <sparse/base/buffer.hpp>
#include <sparse/poisson/problem.hpp>

namespace sparse::poisson::detail {

template <int Dim>
class NullSpace {
public:
  NullSpace() = default;
  /// Cost: that of finding the connected components.
  explicit NullSpace(Problem<Dim> const& problem) : NullSpace(problem, problem.cells, problem.cells) {}
  /// That of the rank that stores `cells` and owns `own`, if ranks share the problem.
  NullSpace(Problem<Dim> const& problem, IntervalSet<Dim> const& cells, IntervalSet<Dim> const& own);
  /// The part on one level of several. @param component  [interval] number of its singular component, or -1
  NullSpace(IntervalSet<Dim> const& cells, std::vector<Index> const& component, Index component_count,
            Index singular_count);

  Index component_count() const { return component_count_; }
  /// Components on which the solution is determined up to a constant.
  Index singular_count() const { return singular_count_; }
  /// [singular component] its first interval, among those of all cells of the problem.
  std::vector<Index> const& first_intervals() const { return first_intervals_; }
  /// Whether all cells are one such component.
  bool is_whole() const { return singular_count_ == 1 && component_count_ == 1; }

  /// Subtracts the mean from the values of each singular component. @return  the greatest mean, without sign
  /// Cost: two passes over the cells, none where nothing is singular. Over ranks collective.
  template <class T>
  double project(T* values) const;
  /// [singular component] sums of values. @param places  the cells, numbered as the values are
  template <class T>
  std::vector<double> sums(SetView const& places, T const* values) const;
  /// Subtracts a number from the values of each singular component.
  template <class T>
  void subtract(SetView const& places, T* values, std::vector<double> const& means) const;

private:
  void list_parts(std::vector<Index> const& component);
  template <class T>
  double project_together(T* values) const;

  IntervalSet<Dim> cells_;
  Buffer<Index> component_;     ///< [interval] number of its component, or -1 where that is not singular
  Buffer<Index> order_;         ///< the intervals of singular components, one component after the other
  Buffer<Index> part_starts_;   ///< [part + 1] short stretches of `order_`, of one component each
  Buffer<Index> first_part_;    ///< [component + 1]
  Buffer<double> cell_counts_;  ///< [component]
  std::vector<Index> own_counts_, first_intervals_;
  distributed::Team* team_ = nullptr;
  bool has_exact_sums_ = false;
  /// Own cells of singular components, if ranks share the problem.
  struct Stretch {
    Index first, count, component;
  };
  std::vector<Stretch> own_stretches_;
  Index component_count_ = 0, singular_count_ = 0;
};

}  // namespace sparse::poisson::detail
