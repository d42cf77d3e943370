#include "passes/null_space.hpp"

#include <algorithm>
#include <cmath>

#include <sparse/base/parallel.hpp>
#include <sparse/distributed/exact_sum.hpp>
#include <sparse/plans/periodic_components.hpp>
#include <sparse/sets/algebra.hpp>

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

/// The sum over the intervals of a part.
struct SumPart {
  Index const* order;
  Index const* starts;
  double const* by_interval;
  double* sums;
  KOKKOS_FUNCTION void operator()(Index part) const {
    double sum = 0;
    for (Index i = starts[part]; i < starts[part + 1]; ++i) sum += by_interval[order[i]];
    sums[part] = sum;
  }
};

struct FindMean {
  Index const* first_part;
  double const* by_part;
  double const* cell_counts;
  double* means;
  KOKKOS_FUNCTION void operator()(Index component) const {
    double sum = 0;
    for (Index part = first_part[component]; part < first_part[component + 1]; ++part) sum += by_part[part];
    means[component] = sum / cell_counts[component];
  }
};

struct SumParts {
  Index const* first_part;
  double const* by_part;
  double* sums;
  KOKKOS_FUNCTION void operator()(Index component) const {
    double sum = 0;
    for (Index part = first_part[component]; part < first_part[component + 1]; ++part) sum += by_part[part];
    sums[component] = sum;
  }
};

/// Writes the greatest mean behind all means; for one thread.
struct FindGreatest {
  double* means;
  Index count;
  KOKKOS_FUNCTION void operator()(Index) const {
    double greatest = 0;
    for (Index k = 0; k < count; ++k) {
      double const size = means[k] < 0 ? -means[k] : means[k];
      greatest = size <= greatest ? greatest : size;  // lets a NaN through
    }
    means[count] = greatest;
  }
};

template <class T>
struct SubtractFromInterval {
  SetView set;
  Index const* component;
  T* values;
  double const* means;
  KOKKOS_FUNCTION void operator()(Index i) const {
    if (component[i] < 0) return;
    T* const first = values + set.cell_offsets[i];
    Coord const count = set.intervals[i].end - set.intervals[i].begin;
    T const mean = static_cast<T>(means[component[i]]);
    for (Coord x = 0; x < count; ++x) first[x] -= mean;
  }
};

}  // namespace

template <int Dim>
NullSpace<Dim>::NullSpace(Problem<Dim> const& problem, IntervalSet<Dim> const& cells, IntervalSet<Dim> const& own)
    : cells_(cells), team_(problem.team), has_exact_sums_(problem.has_exact_sums) {
  auto const& all = problem.cells;
  PeriodicComponents<Dim> const components(all, problem.period);
  std::vector<char> is_fixed(static_cast<std::size_t>(components.label_end()), problem.zeroth_order > 0);
  std::vector<char> is_label(is_fixed.size(), 0);
  for (Index const label : components.interval_labels()) is_label[static_cast<std::size_t>(label)] = 1;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const& faces = problem.dirichlet[axis];
    auto const touched = components.with_cells_in((faces | shift(faces, axis, -1)) & all);
    for (std::size_t k = 0; k < touched.size(); ++k) is_fixed[k] |= touched[k];
  }
  for (std::size_t k = 0; k < is_fixed.size(); ++k) {
    component_count_ += is_label[k];
    singular_count_ += is_label[k] != 0 && is_fixed[k] == 0;
  }
  if (singular_count_ == 0) return;
  std::vector<Index> number(is_fixed.size(), -1), component;
  Index next = 0;
  for (Index const label : components.interval_labels()) {
    auto const k = static_cast<std::size_t>(label);
    if (is_fixed[k] == 0 && number[k] < 0) {
      number[k] = next++;
      first_intervals_.push_back(static_cast<Index>(component.size()));
    }
    component.push_back(number[k]);
  }
  if (team_ == nullptr) {
    list_parts(component);
    return;
  }

  // The components are those of all cells, the cells those of the rank.
  auto const of_all = all.to_host();
  own_counts_.assign(static_cast<std::size_t>(singular_count_), 0);
  for (std::size_t i = 0; i < component.size(); ++i)
    if (component[i] >= 0)
      own_counts_[static_cast<std::size_t>(component[i])] += of_all.intervals[i].end - of_all.intervals[i].begin;
  auto const component_of = [&](RowKey key, Coord x) {
    auto const row = std::lower_bound(of_all.row_keys.begin(), of_all.row_keys.end(), key) - of_all.row_keys.begin();
    auto const begin = of_all.intervals.begin() + of_all.row_ptr[static_cast<std::size_t>(row)];
    auto const end = of_all.intervals.begin() + of_all.row_ptr[static_cast<std::size_t>(row) + 1];
    auto const after = std::upper_bound(begin, end, x, [](Coord at, Interval i) { return at < i.begin; });
    return component[static_cast<std::size_t>(after - of_all.intervals.begin()) - 1];
  };
  std::vector<Index> of_window;
  if (!cells.is_empty())
    cells.to_host().for_each_interval(
        [&](RowKey key, Interval interval, Index) { of_window.push_back(component_of(key, interval.begin)); });
  component_ = to_device(cells.context(), of_window);
  SetView const view = cells.view();
  if (!own.is_empty())
    own.to_host().for_each_interval([&](RowKey key, Interval interval, Index) {
      if (Index const k = component_of(key, interval.begin); k >= 0)
        own_stretches_.push_back({view.find(cell_at<Dim>(key, interval.begin)), interval.end - interval.begin, k});
    });
}

template <int Dim>
NullSpace<Dim>::NullSpace(IntervalSet<Dim> const& cells, std::vector<Index> const& component, Index component_count,
                          Index singular_count)
    : cells_(cells), component_count_(component_count), singular_count_(singular_count) {
  if (singular_count > 0) list_parts(component);
}

template <int Dim>
void NullSpace<Dim>::list_parts(std::vector<Index> const& component) {
  constexpr std::size_t part_length = 256;  // enough to share the work, few enough for one thread
  auto const lengths = cells_.to_host().intervals;
  std::vector<std::vector<Index>> intervals(static_cast<std::size_t>(singular_count_));
  std::vector<double> cell_counts(intervals.size(), 0);
  for (std::size_t i = 0; i < component.size(); ++i) {
    if (component[i] < 0) continue;
    auto const k = static_cast<std::size_t>(component[i]);
    intervals[k].push_back(static_cast<Index>(i));
    cell_counts[k] += lengths[i].end - lengths[i].begin;
  }
  std::vector<Index> order, part_starts, first_part{0};
  for (auto const& of_component : intervals) {
    for (std::size_t i = 0; i < of_component.size(); ++i) {
      if (i % part_length == 0) part_starts.push_back(static_cast<Index>(order.size()));
      order.push_back(of_component[i]);
    }
    first_part.push_back(static_cast<Index>(part_starts.size()));
  }
  part_starts.push_back(static_cast<Index>(order.size()));
  Context const context = cells_.context();
  for (double const count : cell_counts) own_counts_.push_back(static_cast<Index>(count));
  component_ = to_device(context, component);
  order_ = to_device(context, order);
  part_starts_ = to_device(context, part_starts);
  first_part_ = to_device(context, first_part);
  cell_counts_ = to_device(context, cell_counts);
}

template <int Dim>
template <class T>
double NullSpace<Dim>::project(T* values) const {
  if (singular_count_ == 0) return 0;
  if (team_ != nullptr) return project_together(values);
  auto const context = cells_.context();
  SetView const set = cells_.view();
  Index const part_count = part_starts_.size() - 1;
  Buffer<double> const by_interval(context, set.interval_count), by_part(context, part_count),
      means(context, singular_count_ + 1);
  parallel_for(context, "sparse::poisson::interval_sums", set.interval_count,
               SumInterval<T>{set, values, by_interval.data()});
  parallel_for(context, "sparse::poisson::part_sums", part_count,
               SumPart{order_.data(), part_starts_.data(), by_interval.data(), by_part.data()});
  parallel_for(context, "sparse::poisson::means", singular_count_,
               FindMean{first_part_.data(), by_part.data(), cell_counts_.data(), means.data()});
  parallel_for(context, "sparse::poisson::greatest_mean", 1, FindGreatest{means.data(), singular_count_});
  parallel_for(context, "sparse::poisson::subtract_means", set.interval_count,
               SubtractFromInterval<T>{set, component_.data(), values, means.data()});
  return read_back(context, static_cast<double const*>(means.data() + singular_count_));
}

template <int Dim>
template <class T>
double NullSpace<Dim>::project_together(T* values) const {
  auto const count = static_cast<std::size_t>(singular_count_);
  std::vector<double> means(count);
  cells_.context().fence();
  if (has_exact_sums_) {
    std::vector<distributed::ExactSum> sums(count);
    for (auto const& [first, length, component] : own_stretches_)
      sums[static_cast<std::size_t>(component)].add(static_cast<T const*>(values) + first, length);
    means = distributed::exact_totals(*team_, std::move(sums));
  } else {
    for (auto const& [first, length, component] : own_stretches_) {
      double sum = 0;
      for (Index i = first; i < first + length; ++i) sum += static_cast<double>(values[i]);
      means[static_cast<std::size_t>(component)] += sum;
    }
    team_->add(means);
  }
  double greatest = 0;
  for (std::size_t k = 0; k < means.size(); ++k) {
    means[k] /= static_cast<double>(own_counts_[k]);
    greatest = std::abs(means[k]) <= greatest ? greatest : std::abs(means[k]);  // lets a NaN through
  }
  subtract(cells_.view(), values, means);
  return greatest;
}

template <int Dim>
template <class T>
std::vector<double> NullSpace<Dim>::sums(SetView const& places, T const* values) const {
  if (places.interval_count == 0) return std::vector<double>(static_cast<std::size_t>(singular_count_), 0);
  auto const context = cells_.context();
  Index const part_count = part_starts_.size() - 1;
  Buffer<double> const by_interval(context, places.interval_count), by_part(context, part_count),
      sums(context, singular_count_);
  parallel_for(context, "sparse::poisson::interval_sums", places.interval_count,
               SumInterval<T>{places, values, by_interval.data()});
  parallel_for(context, "sparse::poisson::part_sums", part_count,
               SumPart{order_.data(), part_starts_.data(), by_interval.data(), by_part.data()});
  parallel_for(context, "sparse::poisson::component_sums", singular_count_,
               SumParts{first_part_.data(), by_part.data(), sums.data()});
  return to_host(context, static_cast<double const*>(sums.data()), singular_count_);
}

template <int Dim>
template <class T>
void NullSpace<Dim>::subtract(SetView const& places, T* values, std::vector<double> const& means) const {
  auto const context = cells_.context();
  auto const taken = to_device(context, means);
  parallel_for(context, "sparse::poisson::subtract_means", places.interval_count,
               SubtractFromInterval<T>{places, component_.data(), values, taken.data()});
}

template class NullSpace<2>;
template class NullSpace<3>;
template double NullSpace<2>::project(float*) const;
template double NullSpace<3>::project(float*) const;
template double NullSpace<2>::project(double*) const;
template double NullSpace<3>::project(double*) const;
#define SPARSE_INSTANTIATE(T, Dim)                                                                                     \
  template std::vector<double> NullSpace<Dim>::sums(SetView const&, T const*) const;                                   \
  template void NullSpace<Dim>::subtract(SetView const&, T*, std::vector<double> const&) const;
SPARSE_INSTANTIATE(float, 2)
SPARSE_INSTANTIATE(float, 3)
SPARSE_INSTANTIATE(double, 2)
SPARSE_INSTANTIATE(double, 3)
#undef SPARSE_INSTANTIATE

}  // namespace sparse::poisson::detail
