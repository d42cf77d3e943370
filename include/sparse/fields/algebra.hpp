#pragma once
/// Arithmetic, norms and extrema of fields and of parts of fields.
///
/// The result is the first argument, inputs follow. `x` and `result` below are a `Field` or a part of one,
/// `view(field, region)`. Of a part, cells outside of its region are neither read nor written. Functions act on every
/// component. Inputs must have the domain of the result. Another domain, or a component that does not exist, throws
/// `std::invalid_argument`. Reductions wait for their value.

#include <cmath>
#include <concepts>
#include <limits>

#include <sparse/base/error.hpp>
#include <sparse/fields/subview.hpp>
#include <sparse/plans/for_each.hpp>

namespace sparse {
namespace detail {

template <class T, int Dim>
Field<T, Dim>& whole(Field<T, Dim>& field) {
  return field;
}
template <class T, int Dim>
Field<T, Dim> const& whole(Field<T, Dim> const& field) {
  return field;
}
template <class T, int Dim>
typename Subview<T, Dim>::Parent& whole(Subview<T, Dim> const& part) {
  return part.field();
}

}  // namespace detail

/// A field, or the part of a field in a region.
template <class X>
concept FieldOrPart = requires(X& x) {
  detail::whole(x);
};

/// The whole field behind an argument, and the type of its values.
template <FieldOrPart X>
using WholeField = std::remove_cvref_t<decltype(detail::whole(std::declval<X&>()))>;
template <FieldOrPart X>
using ValueOf = typename WholeField<X>::value_type;

/// A field that may be written to, or a part of one. So an input that is constant cannot stand where the result does.
template <class X>
concept WritableField =
    FieldOrPart<X> && std::same_as<decltype(detail::whole(std::declval<X&>()).view()), FieldView<ValueOf<X>>>;

namespace detail {

template <class T, class U, int Dim>
void expect_alike(Field<T, Dim> const& a, Field<U, Dim> const& b, char const* operation) {
  if (a.component_count() != b.component_count() || !(a.domain() == b.domain()))
    fail(std::string(operation) + ": fields '" + a.name() + "' and '" + b.name() +
         "' differ in domain or number of components");
}

/// Calls `body(i)` for the position i of each value, component by component.
template <class T, int Dim, class Body>
void for_each_value(char const* label, Field<T, Dim> const& field, Body const& body) {
  for (int c = 0; c < field.component_count(); ++c) {
    Index const first = c * field.view().stride;
    parallel_for(
        field.context(), label, field.cell_count(), KOKKOS_LAMBDA(Index i) { body(first + i); });
  }
}
template <class T, int Dim, class Body>
void for_each_value(char const* label, Subview<T, Dim> const& part, Body const& body) {
  auto const plan = part.subset();
  for (int c = 0; c < part.field().component_count(); ++c) {
    Index const first = c * part.field().view().stride;
    for_each(
        label, plan, KOKKOS_LAMBDA(SubsetPoint<Dim> const& p) { body(first + p.cell); });
  }
}

/// Reduces `body(i, partial)` over the positions i of the values of one component.
template <template <class...> class Reducer, class Value, class T, int Dim, class Body>
Value reduce_values(char const* label, Field<T, Dim> const& field, Body const& body) {
  return parallel_reduce<Reducer, Value>(field.context(), label, field.cell_count(), body);
}
template <template <class...> class Reducer, class Value, class T, int Dim, class Body>
Value reduce_values(char const* label, Subview<T, Dim> const& part, Body const& body) {
  return reduce<Reducer, Value>(
      label, part.subset(), KOKKOS_LAMBDA(SubsetPoint<Dim> const& p, Value& partial) { body(p.cell, partial); });
}

/// result = f(x...), value by value.
template <class T, class Function, int N>
struct ApplyToValues {
  Function f;
  T* result;
  T const* x[N];

  template <std::size_t... I>
  KOKKOS_FORCEINLINE_FUNCTION T call(Index i, std::index_sequence<I...>) const {
    return f(x[I][i]...);
  }
  KOKKOS_FUNCTION void operator()(Index i) const { result[i] = call(i, std::make_index_sequence<N>()); }
};

/// Returns 0 for NaN, 1 for a value beyond `limit` (an infinity), 2 for any other value.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION int kind_of_extreme(T value, T limit, bool is_minimum) {
  return value != value ? 0 : (is_minimum ? value > limit : value < limit) ? 1 : 2;
}

/// True when some values are beyond `limit` and all others are NaN. Kokkos' minimum and maximum return `limit` both for
/// no values and for infinities alone, so these cases are told apart here.
template <class X, class T>
bool all_beyond(X const& x, T const* values, T limit) {
  bool const is_minimum = limit > 0;
  return reduce_values<Kokkos::Max, int>(
             "sparse::field::beyond_limit", x, KOKKOS_LAMBDA(Index i, int& kind) {
               int const k = kind_of_extreme(values[i], limit, is_minimum);
               if (k > kind) kind = k;
             }) == 1;
}

}  // namespace detail

/// result = value
template <WritableField X>
void fill(X&& result, ValueOf<X> value) {
  ValueOf<X>* const y = detail::whole(result).view().data;
  detail::for_each_value(
      "sparse::field::fill", result, KOKKOS_LAMBDA(Index i) { y[i] = value; });
}

/// result *= factor
template <WritableField X>
void scale(X&& result, ValueOf<X> factor) {
  ValueOf<X>* const y = detail::whole(result).view().data;
  detail::for_each_value(
      "sparse::field::scale", result, KOKKOS_LAMBDA(Index i) { y[i] *= factor; });
}

/// result = x
/// @throws std::invalid_argument  if x has another domain or number of components than the result
template <WritableField X>
void assign(X&& result, WholeField<X> const& x) {
  detail::expect_alike(x, detail::whole(result), "assign");
  ValueOf<X> const* const from = x.view().data;
  ValueOf<X>* const y = detail::whole(result).view().data;
  detail::for_each_value(
      "sparse::field::assign", result, KOKKOS_LAMBDA(Index i) { y[i] = from[i]; });
}

/// result += x
/// @throws std::invalid_argument  as `assign`
template <WritableField X>
void add(X&& result, WholeField<X> const& x) {
  detail::expect_alike(x, detail::whole(result), "add");
  ValueOf<X> const* const from = x.view().data;
  ValueOf<X>* const y = detail::whole(result).view().data;
  detail::for_each_value(
      "sparse::field::add", result, KOKKOS_LAMBDA(Index i) { y[i] += from[i]; });
}

/// result += factor x
/// @throws std::invalid_argument  as `assign`
template <WritableField X>
void add(X&& result, ValueOf<X> factor, WholeField<X> const& x) {
  detail::expect_alike(x, detail::whole(result), "add");
  ValueOf<X> const* const from = x.view().data;
  ValueOf<X>* const y = detail::whole(result).view().data;
  detail::for_each_value(
      "sparse::field::add_multiple", result, KOKKOS_LAMBDA(Index i) { y[i] += factor * from[i]; });
}

/// result *= x, value by value
/// @throws std::invalid_argument  as `assign`
template <WritableField X>
void multiply(X&& result, WholeField<X> const& x) {
  detail::expect_alike(x, detail::whole(result), "multiply");
  ValueOf<X> const* const from = x.view().data;
  ValueOf<X>* const y = detail::whole(result).view().data;
  detail::for_each_value(
      "sparse::field::multiply", result, KOKKOS_LAMBDA(Index i) { y[i] *= from[i]; });
}

/// result /= x, value by value
/// @throws std::invalid_argument  as `assign`
template <WritableField X>
void divide(X&& result, WholeField<X> const& x) {
  detail::expect_alike(x, detail::whole(result), "divide");
  ValueOf<X> const* const from = x.view().data;
  ValueOf<X>* const y = detail::whole(result).view().data;
  detail::for_each_value(
      "sparse::field::divide", result, KOKKOS_LAMBDA(Index i) { y[i] /= from[i]; });
}

/// result = f(fields...), value by value: `apply("sparse::gas::pressure", p, law, rho, e)` with a function of two
/// values. `result` may be one of the fields.
/// @throws std::invalid_argument  if a field has another domain or number of components than the result
/// Cost: one pass for each component.
template <class T, int Dim, class Function, class... Rest>
void apply(std::string const& label, Field<T, Dim>& result, Function const& f, Field<T, Dim> const& first,
           Rest const&... rest) {
  constexpr int count = 1 + sizeof...(rest);
  detail::expect_alike(first, result, "apply");
  (detail::expect_alike(rest, result, "apply"), ...);
  for (int c = 0; c < result.component_count(); ++c)
    parallel_for(
        result.context(), label, result.cell_count(),
        detail::ApplyToValues<T, Function, count>{f, result.component(c), {first.component(c), rest.component(c)...}});
}

/// result = f(p, x) for the cells of the region. `f(StencilPoint<Dim> p, T const* x)` computes the new value from
/// `x[p.cell]`, `x[p.neighbour(arm)]`, ...; it is called for each component. Neighbours may lie outside of the region.
/// Where a neighbour lies outside of the domain, the cell itself stands in.
/// @throws std::invalid_argument  if both are the same field, or differ in domain or number of components
/// Cost: one pass for each component; the region makes its plan at the first use on a domain.
template <class T, int Dim, class Function>
void apply_stencil(std::string const& label, Subview<T, Dim> const& result, Function const& f, Field<T, Dim> const& x) {
  detail::expect_alike(x, result.field(), "apply_stencil");
  expects(&x != &result.field(), "apply_stencil: a stencil cannot write to the field that it reads");
  auto const plan = result.stencil();
  for (int c = 0; c < x.component_count(); ++c) {
    T const* const from = x.component(c);
    T* const y = result.field().component(c);
    for_each(
        label, plan, KOKKOS_LAMBDA(StencilPoint<Dim> const& p) { y[p.cell] = f(p, from); });
  }
}

/// A new field with the same values, in memory of its own.
template <class T, int Dim>
Field<T, Dim> clone(Field<T, Dim> const& field) {
  Field<T, Dim> result(field.name(), field.domain(), field.component_count());
  assign(result, field);
  return result;
}

/// Sum of the products of all values of x and the values of a whole field.
/// @throws std::invalid_argument  if the two differ in domain or number of components
/// Cost of all reductions: a pass, and a number that the host waits for, for each component.
template <FieldOrPart X>
ValueOf<X> dot(X const& x, WholeField<X> const& y) {
  using T = ValueOf<X>;
  detail::expect_alike(detail::whole(x), y, "dot");
  T sum = 0;
  for (int c = 0; c < y.component_count(); ++c) {
    T const* const a = detail::whole(x).component(c);
    T const* const b = y.component(c);
    sum += detail::reduce_values<Kokkos::Sum, T>(
        "sparse::field::dot", x, KOKKOS_LAMBDA(Index i, T & partial) { partial += a[i] * b[i]; });
  }
  return sum;
}

/// Sum of one component.
/// @throws std::invalid_argument  if there is no such component
template <FieldOrPart X>
ValueOf<X> sum(X const& x, int component = 0) {
  using T = ValueOf<X>;
  T const* const a = detail::whole(x).component(component);
  return detail::reduce_values<Kokkos::Sum, T>(
      "sparse::field::sum", x, KOKKOS_LAMBDA(Index i, T & partial) { partial += a[i]; });
}

/// Least value of one component. NaN is ignored. Without cells, the greatest number of the type.
/// @throws std::invalid_argument  if there is no such component
template <FieldOrPart X>
ValueOf<X> minimum(X const& x, int component = 0) {
  using T = ValueOf<X>;
  T const* const a = detail::whole(x).component(component);
  T const value = detail::reduce_values<Kokkos::Min, T>(
      "sparse::field::minimum", x, KOKKOS_LAMBDA(Index i, T & partial) {
        if (a[i] < partial) partial = a[i];
      });
  if constexpr (std::numeric_limits<T>::has_infinity)
    if (value == std::numeric_limits<T>::max() && detail::all_beyond(x, a, value))
      return std::numeric_limits<T>::infinity();
  return value;
}

/// Greatest value of one component. NaN is ignored. Without cells, the lowest number of the type.
/// @throws std::invalid_argument  if there is no such component
template <FieldOrPart X>
ValueOf<X> maximum(X const& x, int component = 0) {
  using T = ValueOf<X>;
  T const* const a = detail::whole(x).component(component);
  T const value = detail::reduce_values<Kokkos::Max, T>(
      "sparse::field::maximum", x, KOKKOS_LAMBDA(Index i, T & partial) {
        if (a[i] > partial) partial = a[i];
      });
  if constexpr (std::numeric_limits<T>::has_infinity)
    if (value == std::numeric_limits<T>::lowest() && detail::all_beyond(x, a, value))
      return -std::numeric_limits<T>::infinity();
  return value;
}

/// Square root of the sum of squares of all components.
template <FieldOrPart X>
ValueOf<X> norm(X const& x) {
  return std::sqrt(dot(x, detail::whole(x)));
}

/// Sum of the magnitudes of all components. Like `norm`, it is NaN if a value is.
template <FieldOrPart X>
ValueOf<X> norm_1(X const& x) {
  using T = ValueOf<X>;
  T sum = 0;
  for (int c = 0; c < detail::whole(x).component_count(); ++c) {
    T const* const a = detail::whole(x).component(c);
    sum += detail::reduce_values<Kokkos::Sum, T>(
        "sparse::field::norm_1", x, KOKKOS_LAMBDA(Index i, T & partial) { partial += a[i] < 0 ? -a[i] : a[i]; });
  }
  return sum;
}

/// Greatest magnitude of all components; 0 without values. NaN is ignored.
template <FieldOrPart X>
ValueOf<X> norm_max(X const& x) {
  using T = ValueOf<X>;
  T greatest = 0;
  for (int c = 0; c < detail::whole(x).component_count(); ++c) {
    T const* const a = detail::whole(x).component(c);
    T const value = detail::reduce_values<Kokkos::Max, T>(
        "sparse::field::norm_max", x, KOKKOS_LAMBDA(Index i, T & partial) {
          T const size = a[i] < 0 ? -a[i] : a[i];
          if (size > partial) partial = size;
        });
    if (value > greatest) greatest = value;
  }
  return greatest;
}

}  // namespace sparse
