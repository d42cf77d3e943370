#pragma once
/// Sets with cached plans.

#include <memory>

#include <sparse/plans/stencil.hpp>
#include <sparse/plans/subset.hpp>

namespace sparse {

/// A set of cells that operations on fields are restricted to: a strip of inflow cells, a probe, a layer around a body.
///
/// A region may reach outside of a field's domain; only the intersection counts. Its plan is made when the region is
/// first used on a domain. Later uses find it by the domain's identity and neither compute nor allocate.
///
/// A region keeps plans for the last `kept_domains` domains, but does not keep these domains alive. Copies share the
/// plans. Plans for a domain that is gone are dropped at the next use. So regions may live on while domains change.
/// Thread-safe on the host.
template <int Dim>
class Region {
public:
  /// For how many domains plans are kept.
  static constexpr int kept_domains = 4;

  /// The region without cells.
  Region() : Region(IntervalSet<Dim>()) {}
  explicit Region(IntervalSet<Dim> cells);

  /// The cells that were given.
  IntervalSet<Dim> const& cells() const;
  /// The cells of the region in `domain`, as a set and as plans. The first call for a domain intersects; the first call
  /// for each kind of plan builds it.
  IntervalSet<Dim> cells_in(IntervalSet<Dim> const& domain) const;
  Subset<Dim> subset(IntervalSet<Dim> const& domain) const;
  Stencil<Dim> stencil(IntervalSet<Dim> const& domain) const;

private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace sparse
