#include "singular_means.hpp"

#include <algorithm>
#include <cmath>

#include <sparse/base/parallel.hpp>

namespace sparse::poisson::detail {
namespace {

/// Components, cut into parts.
struct Parts {
  Index const *member, *starts, *first_own, *end_own;
  double* sums;
};

template <class T>
struct SumPart {
  Parts parts;
  T const* values;
  KOKKOS_FUNCTION void operator()(Index part) const {
    Index const begin = parts.starts[part], count = parts.starts[part + 1] - begin;
    double sum = 0;
    if (parts.member == nullptr) {
      T const* const own = values + begin;
#pragma omp simd reduction(+ : sum)
      for (Index k = 0; k < count; ++k) sum += static_cast<double>(own[k]);
    } else {
      Index const* const own = parts.member + begin;
      for (Index k = 0; k < count; ++k) sum += static_cast<double>(values[own[k]]);
    }
    parts.sums[part] = sum;
  }
};

/// Subtracts from the values of a part the mean of its component.
template <class T>
struct SubtractMean {
  Parts parts;
  T* values;
  KOKKOS_FUNCTION void operator()(Index part) const {
    Index const first = parts.first_own[part], end = parts.end_own[part];
    double sum = 0;
    for (Index other = first; other < end; ++other) sum += parts.sums[other];
    auto const mean = static_cast<T>(sum / static_cast<double>(parts.starts[end] - parts.starts[first]));
    Index const begin = parts.starts[part], own_end = parts.starts[part + 1];
    if (parts.member == nullptr)
      for (Index k = begin; k < own_end; ++k) values[k] -= mean;
    else
      for (Index k = begin; k < own_end; ++k) values[parts.member[k]] -= mean;
  }
};

/// Small levels are done by this thread, since others take longer to wake.
template <class Body>
void on_parts(Context const& context, char const* label, Index part_count, Index value_count, Body const& body) {
  if (!sparse::detail::is_done_at_once(value_count, sparse::detail::light_loop_limit)) {
    parallel_for(context, label, part_count, body);
    return;
  }
  sparse::detail::AnnouncedKernel const kernel(label);
  for (Index part = 0; part < part_count; ++part) body(part);
}

}  // namespace

std::vector<std::vector<Index>> singular_components(LevelGraph const& graph) {
  auto const at = [](Index i) { return static_cast<std::size_t>(i); };
  auto const count = static_cast<Index>(graph.is_fixed.size());
  std::vector<char> is_seen(at(count), 0);
  std::vector<std::vector<Index>> found;
  for (Index start = 0; start < count; ++start) {
    if (is_seen[at(start)] != 0) continue;
    is_seen[at(start)] = 1;
    std::vector<Index> component{start};
    bool is_singular = true;
    for (std::size_t k = 0; k < component.size(); ++k) {
      Index const i = component[k];
      is_singular = is_singular && graph.is_fixed[at(i)] == 0;
      for (Index e = graph.starts[at(i)]; e < graph.starts[at(i) + 1]; ++e) {
        Index const other = graph.to[at(e)];
        if (is_seen[at(other)] != 0) continue;
        is_seen[at(other)] = 1;
        component.push_back(other);
      }
    }
    if (!is_singular) continue;
    std::sort(component.begin(), component.end());
    found.push_back(std::move(component));
  }
  return found;
}

template <class T, int Dim>
LevelGraph graph_of(Couplings<T, Dim> const& level) {
  auto const context = level.context();
  auto const view = level.view();
  Index const count = level.cell_count();
  auto const runs = to_host(context, view.runs, view.run_count);
  bool const has_arrays =
      !std::all_of(runs.begin(), runs.end(), [](CouplingRun<T, Dim> const& run) { return run.is_uniform != 0; });
  auto const values = [&](T const* array) { return to_host(context, array, has_arrays ? count : Index{0}); };
  std::vector<std::vector<T>> lower;
  for (int axis = 0; axis < Dim; ++axis) lower.push_back(values(view.lower[axis]));
  auto const dirichlet = values(view.dirichlet), zeroth = values(view.zeroth);

  LevelGraph graph;
  graph.starts.push_back(0);
  for (auto const& run : runs)
    for (Index cell = run.first; cell < run.first + run.count; ++cell) {
      auto const own = static_cast<std::size_t>(cell);
      graph.is_fixed.push_back(run.is_uniform != 0 ? run.extra > 0 : dirichlet[own] + zeroth[own] > 0);
      for (int arm = 0; arm < 2 * Dim; ++arm) {
        Index const neighbour = cell + run.offset[arm];
        if (!(run.weight[arm] > 0)) continue;
        if (run.is_uniform == 0 &&
            !(lower[static_cast<std::size_t>(arm / 2)][static_cast<std::size_t>(arm % 2 == 0 ? cell : neighbour)] > 0))
          continue;
        graph.to.push_back(neighbour);
      }
      graph.starts.push_back(static_cast<Index>(graph.to.size()));
    }
  return graph;
}

SingularMeans::SingularMeans(Context const& context, LevelGraph const& graph) {
  constexpr Index least_length = 64;  // of a part, for one thread of a device
  auto components = singular_components(graph);
  std::erase_if(components, [](auto const& component) { return component.size() == 1; });
  std::vector<Index> member, starts{0}, first_own, end_own;
  for (auto const& component : components) {
    auto const size = static_cast<Index>(component.size());
    // With this length a thread adds as many sums as values.
    Index const length = std::max(least_length, static_cast<Index>(std::sqrt(static_cast<double>(size))));
    Index const first = part_count_;
    for (Index done = 0; done < size; done += length, ++part_count_)
      starts.push_back(static_cast<Index>(member.size()) + std::min(size, done + length));
    first_own.resize(static_cast<std::size_t>(part_count_), first);
    end_own.resize(static_cast<std::size_t>(part_count_), part_count_);
    member.insert(member.end(), component.begin(), component.end());
  }
  if (part_count_ == 0) return;
  value_count_ = static_cast<Index>(member.size());
  bool const is_whole = components.size() == 1 && member.size() == graph.is_fixed.size();
  if (!is_whole) member_ = to_device(context, member);
  part_starts_ = to_device(context, starts);
  first_own.insert(first_own.end(), end_own.begin(), end_own.end());
  own_parts_ = to_device(context, first_own);
  sums_ = Buffer<double>(context, part_count_);
}

template <class T>
void SingularMeans::remove(Context const& context, T* values) const {
  if (is_empty()) return;
  Parts const parts{member_.data(), part_starts_.data(), own_parts_.data(), own_parts_.data() + part_count_,
                    sums_.data()};
  on_parts(context, "sparse::poisson::level_sums", part_count_, value_count_, SumPart<T>{parts, values});
  on_parts(context, "sparse::poisson::level_means", part_count_, value_count_, SubtractMean<T>{parts, values});
}

#define SPARSE_INSTANTIATE(T)                                                                                          \
  template LevelGraph graph_of(Couplings<T, 2> const&);                                                                \
  template LevelGraph graph_of(Couplings<T, 3> const&);                                                                \
  template void SingularMeans::remove(Context const&, T*) const;
SPARSE_INSTANTIATE(float)
SPARSE_INSTANTIATE(double)
#undef SPARSE_INSTANTIATE

}  // namespace sparse::poisson::detail
