#include <sparse/solvers/poisson/null_space.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include <sparse/components.hpp>
#include <sparse/plan.hpp>
#include <sparse/set_algebra.hpp>

namespace sparse::poisson::detail {
namespace {

/// Trees of things that belong together.
class Unions {
public:
  explicit Unions(Index count) : parent_(static_cast<std::size_t>(count)) {
    std::iota(parent_.begin(), parent_.end(), Index{0});
  }
  Index root(Index i) {
    Index& parent = parent_[static_cast<std::size_t>(i)];
    return parent == i ? i : parent = root(parent);
  }
  void unite(Index a, Index b) { parent_[static_cast<std::size_t>(root(a))] = root(b); }

private:
  std::vector<Index> parent_;
};

/// The runs of `cells` in `storage`, and where they are when moved by `offset`.
template <int Dim>
std::vector<Run<2>> runs_of(IntervalSet<Dim> const& cells, IntervalSet<Dim> const& storage,
                            Vec<Coord, Dim> const& offset) {
  Plan<Dim, 2> const plan(cells, {operand<Dim>(storage.view()), operand<Dim>(storage.view(), offset)}, 0b11);
  return to_host(plan.context(), plan.view().runs, plan.run_count());
}

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
  auto const context = cells_.context();
  auto const components = connected_components(cells_);
  auto const labels = to_host(context, components.interval_labels(), cells_.interval_count());
  auto const offsets = to_host(context, cells_.view().cell_offsets, cells_.interval_count());
  auto const label_of_cell = [&](Index cell) {
    auto const after = std::upper_bound(offsets.begin(), offsets.end(), cell);
    return labels[static_cast<std::size_t>(after - offsets.begin() - 1)];
  };

  Unions unions(components.count());
  std::vector<char> is_fixed(static_cast<std::size_t>(components.count()), problem.zeroth_order > 0);
  for (int axis = 0; axis < Dim; ++axis) {
    if (Coord const period = problem.period[axis]; period > 0) {
      auto const lowest = cells_ & shift(cells_, axis, 1 - period);
      for (auto const& run : runs_of(lowest, cells_, Vec<Coord, Dim>::along(axis, period - 1)))
        unions.unite(label_of_cell(run.index[0]), label_of_cell(run.index[1]));
    }
    auto const& faces = problem.dirichlet[axis];
    for (auto const& run : runs_of((faces | shift(faces, axis, -1)) & cells_, cells_, {}))
      is_fixed[static_cast<std::size_t>(label_of_cell(run.index[0]))] = 1;
  }
  std::vector<char> is_root_fixed(is_fixed.size(), 0);
  for (std::size_t k = 0; k < is_fixed.size(); ++k)
    if (is_fixed[k] != 0) is_root_fixed[static_cast<std::size_t>(unions.root(static_cast<Index>(k)))] = 1;
  for (std::size_t k = 0; k < is_fixed.size(); ++k) {
    if (unions.root(static_cast<Index>(k)) != static_cast<Index>(k)) continue;
    ++component_count_;
    singular_count_ += is_root_fixed[k] == 0;
  }
  if (singular_count_ == 0) return;
  for (Index const label : labels) {
    Index const root = unions.root(label);
    label_.push_back(is_root_fixed[static_cast<std::size_t>(root)] != 0 ? -1 : root);
  }
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
