#pragma once
/// Reductions to several numbers at once.

#include <sparse/plans/for_each.hpp>

namespace sparse {

namespace detail {

template <class Value, class Part>
struct Accumulate {
  using value_type = Value;
  Part part;
  KOKKOS_FUNCTION void init(Value& value) const { value = Value{}; }
  KOKKOS_FUNCTION void join(Value& a, Value const& b) const { a.add(b); }
  // Kokkos 3 joins volatile partial results.
  KOKKOS_FUNCTION void join(Value volatile& a, Value const volatile& b) const { Value::add_volatile(a, b); }
  KOKKOS_FUNCTION void operator()(Index i, Value& partial) const { part(i, partial); }
};

}  // namespace detail

/// Reduces `body(point, partial)` over the cells of a plan. Without cells the result is `Value{}`. `add` and
/// `add_volatile` of Value join partial values. Waits for the value.
template <class Value, class AnyPlan, class Body>
Value accumulate(std::string const& label, AnyPlan const& plan, Body const& body) {
  using Point = typename AnyPlan::Point;
  constexpr int K = AnyPlan::operand_count;
  using Part = std::conditional_t<is_host_backend, detail::ReduceChunk<Point, K, Value, Body>,
                                  detail::ReduceCell<Point, K, Value, Body>>;
  Index const count = is_host_backend ? sparse::detail::chunk_count(plan.cell_count()) : plan.cell_count();
  Context const context = plan.context();
  return detail::reduce_by_itself<Value>(context, label, count,
                                         detail::Accumulate<Value, Part>{Part{plan.view(), body}});
}

}  // namespace sparse
