#include <algorithm>
#include <cmath>

#include <sparse/distributed/exact_sum.hpp>
#include <sparse/plans/periodic_components.hpp>
#include <sparse/sets/algebra.hpp>

#include "matrix.hpp"

namespace sparse::poisson::detail {
namespace {

/// Groups of numbers that are joined step by step.
class Groups {
public:
  Index add(Index count) {
    auto const first = static_cast<Index>(parent_.size());
    for (Index k = 0; k < count; ++k) parent_.push_back(first + k);
    return first;
  }
  Index of(Index k) {
    while (at(k) != k) k = at(k) = at(at(k));
    return k;
  }
  void join(Index a, Index b) { at(std::max(of(a), of(b))) = std::min(of(a), of(b)); }
  std::size_t size() const { return parent_.size(); }

private:
  Index& at(Index k) { return parent_[static_cast<std::size_t>(k)]; }
  std::vector<Index> parent_;
};

}  // namespace

template <int Dim>
CompositeNullSpace<Dim>::CompositeNullSpace(std::vector<CompositeLevel<Dim>> const& levels,
                                            std::vector<Buffer<BesideLeaf<Dim>>> const& beside,
                                            std::shared_ptr<CompositeRanks<Dim> const> ranks, bool has_exact_sums)
    : ranks_(std::move(ranks)), has_exact_sums_(ranks_ != nullptr && has_exact_sums) {
  constexpr Index parts = InterfaceFace<Dim>::fine_count;
  Groups groups;
  std::vector<PeriodicComponents<Dim>> found;
  std::vector<Index> first, coarse_label;
  std::vector<char> is_fixed, is_label;
  for (std::size_t l = 0; l < levels.size(); ++l) {
    auto const& level = levels[l];
    auto const& components = found.emplace_back(level.leaves, level.period());
    first.push_back(groups.add(components.label_end()));
    is_fixed.resize(groups.size(), level.of_leaves.zeroth_order > 0);
    is_label.resize(groups.size(), 0);
    for (Index const label : components.interval_labels()) is_label[static_cast<std::size_t>(first[l] + label)] = 1;
    for (int axis = 0; axis < Dim; ++axis) {
      auto const& faces = level.of_leaves.dirichlet[axis];
      if (faces.is_empty()) continue;
      auto const touched = components.with_cells_in((faces | shift(faces, axis, -1)) & level.leaves);
      for (std::size_t k = 0; k < touched.size(); ++k) is_fixed[static_cast<std::size_t>(first[l]) + k] |= touched[k];
    }
    // Both sides of a face are one component.
    std::vector<Index> label_of_face;
    for (auto const& leaf : to_host(level.cells.context(), beside[l].data(), beside[l].size())) {
      Index const label = first[l] + components.of_cell(leaf.leaf);
      for (Index const part : leaf.part) {
        if (part < 0) continue;
        auto const face = static_cast<std::size_t>(part / parts);
        if (leaf.is_fine != 0) {
          groups.join(label, coarse_label[face]);
        } else {
          label_of_face.resize(std::max(label_of_face.size(), face + 1), -1);
          label_of_face[face] = label;
        }
      }
    }
    coarse_label = std::move(label_of_face);
  }
  std::vector<char> group_is_fixed(groups.size(), 0), group_exists(groups.size(), 0);
  for (std::size_t k = 0; k < groups.size(); ++k) {
    auto const group = static_cast<std::size_t>(groups.of(static_cast<Index>(k)));
    group_is_fixed[group] |= is_fixed[k];
    group_exists[group] |= is_label[k];
  }
  std::vector<Index> number(groups.size(), -1);
  for (std::size_t k = 0; k < groups.size(); ++k) {
    component_count_ += group_exists[k];
    if (group_exists[k] != 0 && group_is_fixed[k] == 0) number[k] = singular_count_++;
  }
  if (singular_count_ == 0) return;
  component_volumes_.assign(static_cast<std::size_t>(singular_count_), 0);
  for (std::size_t l = 0; l < levels.size(); ++l) {
    std::vector<Index> component;
    auto const intervals = levels[l].leaves.to_host().intervals;
    for (Index const label : found[l].interval_labels()) {
      Index const k = number[static_cast<std::size_t>(groups.of(first[l] + label))];
      auto const [begin, end] = intervals[component.size()];
      if (k >= 0) component_volumes_[static_cast<std::size_t>(k)] += levels[l].volume * (end - begin);
      component.push_back(k);
    }
    auto const& leaves = ranks_ ? ranks_->levels()[l].leaves : levels[l].leaves;
    if (ranks_) {
      component.clear();
      SetView const all = levels[l].leaves.view();
      leaves.to_host().for_each_interval([&](RowKey key, Interval interval, Index) {
        Index const label = found[l].of_cell(all.find(cell_at<Dim>(key, interval.begin)));
        component.push_back(number[static_cast<std::size_t>(groups.of(first[l] + label))]);
      });
    }
    if (ranks_) own_components_.push_back(component);
    levels_.emplace_back(leaves, component, component_count_, singular_count_);
    cell_volumes_.push_back(levels[l].volume);
  }
}

template <int Dim>
template <class T>
std::vector<double> CompositeNullSpace<Dim>::plain_sums(std::vector<SetView> const& places,
                                                        std::vector<T*> const& values) const {
  std::vector<double> all(static_cast<std::size_t>(singular_count_), 0);
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    auto const sums = levels_[l].sums(places[l], static_cast<T const*>(values[l]));
    for (std::size_t k = 0; k < all.size(); ++k) all[k] += cell_volumes_[l] * sums[k];
  }
  if (ranks_) ranks_->team().add(all);
  return all;
}

template <int Dim>
template <class T>
std::vector<double> CompositeNullSpace<Dim>::exact_sums(std::vector<SetView> const& places,
                                                        std::vector<T*> const& values) const {
  auto const count = static_cast<std::size_t>(singular_count_);
  std::vector<distributed::ExactSum> of_levels(levels_.size() * count);
  for (std::size_t l = 0; l < levels_.size(); ++l)
    for (std::size_t i = 0; i < own_components_[l].size(); ++i) {
      Index const k = own_components_[l][i];
      auto const [begin, end] = places[l].intervals[i];
      if (k >= 0)
        of_levels[l * count + static_cast<std::size_t>(k)].add(
            static_cast<T const*>(values[l]) + places[l].cell_offsets[i], end - begin);
    }
  auto const totals = distributed::exact_totals(ranks_->team(), std::move(of_levels));
  std::vector<double> all(count, 0);
  for (std::size_t i = 0; i < totals.size(); ++i) all[i % count] += cell_volumes_[i / count] * totals[i];
  return all;
}

template <int Dim>
template <class T>
double CompositeNullSpace<Dim>::project(std::vector<SetView> const& places, std::vector<T*> const& values) const {
  if (singular_count_ == 0) return 0;
  auto means = has_exact_sums_ ? exact_sums(places, values) : plain_sums(places, values);
  double greatest = 0;
  for (std::size_t k = 0; k < means.size(); ++k) {
    means[k] /= component_volumes_[k];
    double const size = std::abs(means[k]);
    greatest = size <= greatest ? greatest : size;  // lets a NaN through
  }
  for (std::size_t l = 0; l < levels_.size(); ++l) levels_[l].subtract(places[l], values[l], means);
  return greatest;
}

template class CompositeNullSpace<2>;
template class CompositeNullSpace<3>;
template double CompositeNullSpace<2>::project(std::vector<SetView> const&, std::vector<float*> const&) const;
template double CompositeNullSpace<3>::project(std::vector<SetView> const&, std::vector<float*> const&) const;
template double CompositeNullSpace<2>::project(std::vector<SetView> const&, std::vector<double*> const&) const;
template double CompositeNullSpace<3>::project(std::vector<SetView> const&, std::vector<double*> const&) const;

}  // namespace sparse::poisson::detail
