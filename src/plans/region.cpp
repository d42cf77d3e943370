#include <sparse/plans/region.hpp>

#include <algorithm>
#include <list>
#include <mutex>
#include <optional>

#include <sparse/sets/algebra.hpp>

namespace sparse {

template <int Dim>
struct Region<Dim>::State {
  /// The set and plans made for one domain.
  struct Entry {
    void const* identity;
    std::weak_ptr<void const> lifetime;
    IntervalSet<Dim> cells;
    std::optional<Subset<Dim>> subset;
    std::optional<Stencil<Dim>> stencil;
  };

  IntervalSet<Dim> const cells;
  std::mutex mutex;
  std::list<Entry> entries;  // most recently used first

  explicit State(IntervalSet<Dim> set) : cells(std::move(set)) {}

  Entry& entry(IntervalSet<Dim> const& domain) {
    // Must come first, because a new set may get the identity of one that is gone.
    entries.remove_if([](Entry const& entry) { return entry.lifetime.expired(); });
    auto const found = std::find_if(entries.begin(), entries.end(),
                                    [&](Entry const& entry) { return entry.identity == domain.identity(); });
    if (found != entries.end()) {
      entries.splice(entries.begin(), entries, found);
    } else {
      entries.push_front(Entry{domain.identity(), domain.lifetime(), cells & domain, {}, {}});
      if (entries.size() > static_cast<std::size_t>(kept_domains)) entries.pop_back();
    }
    return entries.front();
  }
};

template <int Dim>
Region<Dim>::Region(IntervalSet<Dim> cells) : state_(std::make_shared<State>(std::move(cells))) {}

template <int Dim>
IntervalSet<Dim> const& Region<Dim>::cells() const {
  return state_->cells;
}

template <int Dim>
IntervalSet<Dim> Region<Dim>::cells_in(IntervalSet<Dim> const& domain) const {
  std::lock_guard const lock(state_->mutex);
  return state_->entry(domain).cells;
}

template <int Dim>
Subset<Dim> Region<Dim>::subset(IntervalSet<Dim> const& domain) const {
  std::lock_guard const lock(state_->mutex);
  auto& entry = state_->entry(domain);
  if (!entry.subset) entry.subset.emplace(entry.cells, domain);
  return *entry.subset;
}

template <int Dim>
Stencil<Dim> Region<Dim>::stencil(IntervalSet<Dim> const& domain) const {
  std::lock_guard const lock(state_->mutex);
  auto& entry = state_->entry(domain);
  if (!entry.stencil) entry.stencil.emplace(entry.cells, domain);
  return *entry.stencil;
}

template class Region<2>;
template class Region<3>;

}  // namespace sparse
