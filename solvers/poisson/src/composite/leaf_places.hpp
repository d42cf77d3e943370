#pragma once
/// Solutions on sets that contain the leaves.

#include <stdexcept>

#include <sparse/plans/for_each.hpp>
#include <sparse/plans/transfer.hpp>

namespace sparse::poisson::detail {

/// The leaves of a level in another set, and in the storage of a solver. Made again only for other sets.
template <int Dim>
class LeafPlaces {
public:
  /// @return  whether the set contains the leaves
  bool find(IntervalSet<Dim> const& leaves, IntervalSet<Dim> const& storage, IntervalSet<Dim> const& set) {
    auto const is_same = [](auto const& a, auto const& b) { return a.identity() == b.identity(); };
    if (is_same(set, set_) && is_same(leaves, leaves_) && is_same(storage, storage_)) return true;
    bool const are_leaves = set == leaves;
    try {
      plan_ = are_leaves ? CopyPlan<Dim>() : CopyPlan<Dim>(leaves, storage, set);
    } catch (std::invalid_argument const&) {  // it lacks a leaf
      return false;
    }
    are_all_ = are_leaves;
    set_ = set;
    leaves_ = leaves;
    storage_ = storage;
    return true;
  }
  bool are_all() const { return are_all_; }  ///< whether the set has nothing but the leaves
  /// From the set to the storage. Empty if the set is that of the leaves.
  CopyPlan<Dim> const& plan() const { return plan_; }

private:
  IntervalSet<Dim> set_, leaves_, storage_;
  CopyPlan<Dim> plan_;
  bool are_all_ = false;
};

/// Values of the storage back to the set.
/// @tparam subtracts  both lose a constant first
template <class T, int Dim, bool subtracts>
struct StoreLeaves {
  T *stored, *values;
  T constant;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(RunPoint<Dim, 2> const& p) const {
    if constexpr (subtracts) stored[p.operand(0)] -= constant;
    values[p.operand(1)] = stored[p.operand(0)];
  }
};

}  // namespace sparse::poisson::detail
