#pragma once
/// Set algebra without waiting for results.

#include <concepts>
#include <memory>

#include <sparse/sets/algebra.hpp>

namespace sparse {

/// Memory for a set, counted in rows and intervals.
struct SetCapacity {
  /// How many there are at most.
  Index rows = 0, intervals = 0;
};

namespace detail {
struct PendingBody;
}

/// A set that may still be in the making, in memory of a given size. So the host can go on before it knows the set's
/// size. An immutable value; copies share memory.
template <int Dim>
class PendingSet {
public:
  /// A set that is complete already.
  PendingSet(IntervalSet<Dim> set) : set_(std::move(set)) {}  // NOLINT: converts on purpose
  /// For the library's own use.
  explicit PendingSet(std::shared_ptr<detail::PendingBody> body) : body_(std::move(body)) {}

  /// Waits for the set and releases the memory it does not need.
  /// @throws std::length_error  if the set, or an operand of it, had too little memory; says how much is needed
  IntervalSet<Dim> get() const;
  /// What kernels see before `get`: the rows of the set, followed by rows without intervals. Does not wait.
  SetView rows() const;
  /// Where it is made; the body is for the library's own use.
  Context context() const;
  detail::PendingBody const* body() const { return body_.get(); }

private:
  IntervalSet<Dim> set_;
  std::shared_ptr<detail::PendingBody> body_;
};

namespace detail {

/// As `combine` with a label for kernels, but writes into memory of size `capacity`.
template <int Dim, int K>
PendingSet<Dim> combine_within(SetCapacity const& capacity, std::array<PendingSet<Dim>, K> const& sets,
                               TruthTable table);

}  // namespace detail

/// The cells where a boolean function of sets is true, as in `fuse`, but without waiting. A chain of such calls is
/// submitted as a whole; only `get` reads back.
///
/// @param capacity  memory for the result. The sums of rows and of intervals of all operands always suffice.
/// @param sets      two to six sets, complete or pending, of one context
/// @throws std::invalid_argument  if the function is true outside of all sets, or a capacity is not positive
/// Cost: as `fuse` where each row has a thread of its own; scratch memory for the intervals of all operands.
template <int Dim, class Function, std::convertible_to<PendingSet<Dim>>... Sets>
PendingSet<Dim> fuse_within(SetCapacity const& capacity, Function const& function, Sets const&... sets) {
  constexpr int count = sizeof...(sets);
  static_assert(count >= 2 && count <= detail::max_arguments, "fuse_within takes two to six sets");
  auto const table = detail::table_of(function, std::make_index_sequence<count>());
  expects((table & 1u) == 0, "fuse_within: the function is true where no set is");
  expects(capacity.rows > 0 && capacity.intervals > 0, "fuse_within: capacities must be positive");
  return detail::combine_within<Dim, count>(capacity, {PendingSet<Dim>(sets)...}, table);
}

}  // namespace sparse
