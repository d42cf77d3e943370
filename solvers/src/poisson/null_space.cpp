#include <sparse/solvers/poisson/null_space.hpp>

#include <algorithm>
#include <cmath>

#include <sparse/set_algebra.hpp>

#include "../periodic_components.hpp"

namespace sparse::poisson::detail {
namespace {

template <class T>
struct SumInterval {
  SetView set;
  T const* values;
  double* sums;
  KOKKOS_FUNCTION void operator()(Index i) const {
    T const* const first = values + set.cell_offsets[i];
    Coord const count = set.intervals[i].end - set.intervals[i].begin;
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (Coord x = 0; x < count; ++x) sum += static_cast<double>(first[x]);
    sums[i] = sum;
  }
};

template <class T>
struct SubtractFromInterval {
  SetView set;
  T* values;
  double const* means;
  KOKKOS_FUNCTION void operator()(Index i) const {
    T* const first = values + set.cell_offsets[i];
    Coord const count = set.intervals[i].end - set.intervals[i].begin;
    T const mean = static_cast<T>(means[i]);
    for (Coord x = 0; x < count; ++x) first[x] -= mean;
  }
};

}  // namespace

template <int Dim>
NullSpace<Dim>::NullSpace(Problem<Dim> const& problem) : cells_(problem.cells) {
  sparse::detail::PeriodicComponents<Dim> const components(cells_, problem.period);
  std::vector<char> is_fixed(static_cast<std::size_t>(components.label_end()), problem.zeroth_order > 0);
  std::vector<char> is_label(is_fixed.size(), 0);
  for (Index const label : components.interval_labels()) is_label[static_cast<std::size_t>(label)] = 1;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const& faces = problem.dirichlet[axis];
    auto const touched = components.have((faces | shift(faces, axis, -1)) & cells_);
    for (std::size_t k = 0; k < touched.size(); ++k) is_fixed[k] |= touched[k];
  }
  for (std::size_t k = 0; k < is_fixed.size(); ++k) {
    component_count_ += is_label[k];
    singular_count_ += is_label[k] != 0 && is_fixed[k] == 0;
  }
  if (singular_count_ == 0) return;
  for (Index const label : components.interval_labels())
    label_.push_back(is_fixed[static_cast<std::size_t>(label)] != 0 ? -1 : label);
}

template <int Dim>
template <class T>
double NullSpace<Dim>::project(T* values) const {
  if (singular_count_ == 0) return 0;
  auto const context = cells_.context();
  SetView const set = cells_.view();
  Buffer<double> const by_interval(context, set.interval_count);
  parallel_for(context, "sparse::poisson::interval_sums", set.interval_count,
               SumInterval<T>{set, values, by_interval.data()});
  auto of_interval = to_host(context, by_interval.data(), set.interval_count);
  auto const lengths = to_host(context, set.intervals, set.interval_count);
  std::size_t const root_count = static_cast<std::size_t>(*std::max_element(label_.begin(), label_.end())) + 1;
  std::vector<double> sum(root_count, 0), cells(root_count, 0);
  for (std::size_t i = 0; i < label_.size(); ++i) {
    if (label_[i] < 0) continue;
    sum[static_cast<std::size_t>(label_[i])] += of_interval[i];
    cells[static_cast<std::size_t>(label_[i])] += lengths[i].end - lengths[i].begin;
  }
  double greatest = 0;
  for (std::size_t k = 0; k < root_count; ++k) {
    if (cells[k] == 0) continue;
    sum[k] /= cells[k];
    greatest = std::abs(sum[k]) <= greatest ? greatest : std::abs(sum[k]);  // lets a NaN through
  }
  for (std::size_t i = 0; i < label_.size(); ++i)
    of_interval[i] = label_[i] < 0 ? 0 : sum[static_cast<std::size_t>(label_[i])];
  Buffer<double> const means = to_device(context, of_interval);
  parallel_for(context, "sparse::poisson::subtract_means", set.interval_count,
               SubtractFromInterval<T>{set, values, means.data()});
  context.fence();
  return greatest;
}

template class NullSpace<2>;
template class NullSpace<3>;
template double NullSpace<2>::project(float*) const;
template double NullSpace<3>::project(float*) const;
template double NullSpace<2>::project(double*) const;
template double NullSpace<3>::project(double*) const;

}  // namespace sparse::poisson::detail
