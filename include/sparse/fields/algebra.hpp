#pragma once
/// Arithmetic and norms of whole fields. All act on every component; operands must share their domain.
/// Operands that do not, or a component that does not exist, throw `std::invalid_argument`.

#include <cmath>
#include <limits>

#include <sparse/base/error.hpp>
#include <sparse/fields/field.hpp>

namespace sparse {
namespace detail {

template <class T, class U, int Dim>
void expect_alike(Field<T, Dim> const& a, Field<U, Dim> const& b, char const* operation) {
  if (a.component_count() != b.component_count() || !(a.domain() == b.domain()))
    fail(std::string(operation) + ": fields '" + a.name() + "' and '" + b.name() +
         "' differ in domain or number of components");
}

template <class T, int Dim, class Body>
void for_each_value(char const* label, Field<T, Dim> const& field, Body const& body) {
  for (int c = 0; c < field.component_count(); ++c) {
    Index const first = c * field.view().stride;
    parallel_for(
        field.context(), label, field.cell_count(), KOKKOS_LAMBDA(Index i) { body(first + i); });
  }
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

/// 0 for NaN, 1 for a value beyond `limit`, which only infinity is, 2 for all others.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION int kind_of_extreme(T value, T limit, bool is_minimum) {
  return value != value ? 0 : (is_minimum ? value > limit : value < limit) ? 1 : 2;
}

/// Kokkos' minimum and maximum of no values, `limit`, are those of infinities too. True when there are values beyond
/// the limit and, but for NaN, no others.
template <class T>
bool all_beyond(Context const& context, T const* x, Index count, T limit) {
  bool const is_minimum = limit > 0;
  return parallel_reduce<Kokkos::Max, int>(
             context, "sparse::field::beyond_limit", count, KOKKOS_LAMBDA(Index i, int& kind) {
               int const k = kind_of_extreme(x[i], limit, is_minimum);
               if (k > kind) kind = k;
             }) == 1;
}

}  // namespace detail

/// field = value
template <class T, int Dim>
void fill(Field<T, Dim>& field, std::type_identity_t<T> value) {
  T* const x = field.view().data;
  detail::for_each_value(
      "sparse::field::fill", field, KOKKOS_LAMBDA(Index i) { x[i] = value; });
}

/// field *= factor
template <class T, int Dim>
void scale(Field<T, Dim>& field, std::type_identity_t<T> factor) {
  T* const x = field.view().data;
  detail::for_each_value(
      "sparse::field::scale", field, KOKKOS_LAMBDA(Index i) { x[i] *= factor; });
}

/// to = from
template <class T, int Dim>
void copy(Field<T, Dim> const& from, Field<T, Dim>& to) {
  detail::expect_alike(from, to, "copy");
  T const* const x = from.view().data;
  T* const y = to.view().data;
  detail::for_each_value(
      "sparse::field::copy", to, KOKKOS_LAMBDA(Index i) { y[i] = x[i]; });
}

/// y += a x
template <class T, int Dim>
void axpy(std::type_identity_t<T> a, Field<T, Dim> const& from, Field<T, Dim>& to) {
  detail::expect_alike(from, to, "axpy");
  T const* const x = from.view().data;
  T* const y = to.view().data;
  detail::for_each_value(
      "sparse::field::axpy", to, KOKKOS_LAMBDA(Index i) { y[i] += a * x[i]; });
}

/// to += from
template <class T, int Dim>
void add(Field<T, Dim> const& from, Field<T, Dim>& to) {
  detail::expect_alike(from, to, "add");
  T const* const x = from.view().data;
  T* const y = to.view().data;
  detail::for_each_value(
      "sparse::field::add", to, KOKKOS_LAMBDA(Index i) { y[i] += x[i]; });
}

/// to *= from, value by value
template <class T, int Dim>
void multiply(Field<T, Dim> const& from, Field<T, Dim>& to) {
  detail::expect_alike(from, to, "multiply");
  T const* const x = from.view().data;
  T* const y = to.view().data;
  detail::for_each_value(
      "sparse::field::multiply", to, KOKKOS_LAMBDA(Index i) { y[i] *= x[i]; });
}

/// to /= from, value by value
template <class T, int Dim>
void divide(Field<T, Dim> const& from, Field<T, Dim>& to) {
  detail::expect_alike(from, to, "divide");
  T const* const x = from.view().data;
  T* const y = to.view().data;
  detail::for_each_value(
      "sparse::field::divide", to, KOKKOS_LAMBDA(Index i) { y[i] /= x[i]; });
}

/// result = f(fields...), value by value: `apply("sparse::gas::pressure", p, law, rho, e)` with a function of two T.
/// `result` may be one of the fields.
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

/// A new field with the same values.
template <class T, int Dim>
Field<T, Dim> clone(Field<T, Dim> const& field) {
  Field<T, Dim> result(field.name(), field.domain(), field.component_count());
  copy(field, result);
  return result;
}

/// Sum of the products of all values. Reductions wait for their value.
template <class T, int Dim>
T dot(Field<T, Dim> const& a, Field<T, Dim> const& b) {
  detail::expect_alike(a, b, "dot");
  T sum = 0;
  for (int c = 0; c < a.component_count(); ++c) {
    T const* const x = a.component(c);
    T const* const y = b.component(c);
    sum += parallel_reduce<Kokkos::Sum, T>(
        a.context(), "sparse::field::dot", a.cell_count(),
        KOKKOS_LAMBDA(Index i, T & partial) { partial += x[i] * y[i]; });
  }
  return sum;
}

/// Sum of one component.
template <class T, int Dim>
T sum(Field<T, Dim> const& field, int component = 0) {
  T const* const x = field.component(component);
  return parallel_reduce<Kokkos::Sum, T>(
      field.context(), "sparse::field::sum", field.cell_count(),
      KOKKOS_LAMBDA(Index i, T & partial) { partial += x[i]; });
}

/// Least value of one component; the greatest number of type T if there are no cells. A NaN is passed over.
template <class T, int Dim>
T minimum(Field<T, Dim> const& field, int component = 0) {
  T const* const x = field.component(component);
  T const value = parallel_reduce<Kokkos::Min, T>(
      field.context(), "sparse::field::minimum", field.cell_count(), KOKKOS_LAMBDA(Index i, T & partial) {
        if (x[i] < partial) partial = x[i];
      });
  if constexpr (std::numeric_limits<T>::has_infinity)
    if (value == std::numeric_limits<T>::max() && detail::all_beyond(field.context(), x, field.cell_count(), value))
      return std::numeric_limits<T>::infinity();
  return value;
}

/// Greatest value of one component; the lowest number of type T if there are no cells. A NaN is passed over.
template <class T, int Dim>
T maximum(Field<T, Dim> const& field, int component = 0) {
  T const* const x = field.component(component);
  T const value = parallel_reduce<Kokkos::Max, T>(
      field.context(), "sparse::field::maximum", field.cell_count(), KOKKOS_LAMBDA(Index i, T & partial) {
        if (x[i] > partial) partial = x[i];
      });
  if constexpr (std::numeric_limits<T>::has_infinity)
    if (value == std::numeric_limits<T>::lowest() && detail::all_beyond(field.context(), x, field.cell_count(), value))
      return -std::numeric_limits<T>::infinity();
  return value;
}

/// Square root of the sum of squares of all components.
template <class T, int Dim>
T norm(Field<T, Dim> const& field) {
  return std::sqrt(dot(field, field));
}

/// Sum of the magnitudes of all components. Like `norm`, NaN when a value is.
template <class T, int Dim>
T norm_1(Field<T, Dim> const& field) {
  T sum = 0;
  for (int c = 0; c < field.component_count(); ++c) {
    T const* const x = field.component(c);
    sum += parallel_reduce<Kokkos::Sum, T>(
        field.context(), "sparse::field::norm_1", field.cell_count(),
        KOKKOS_LAMBDA(Index i, T & partial) { partial += x[i] < 0 ? -x[i] : x[i]; });
  }
  return sum;
}

/// Greatest magnitude of all components; 0 if there are no values. A NaN is passed over.
template <class T, int Dim>
T norm_max(Field<T, Dim> const& field) {
  T greatest = 0;
  for (int c = 0; c < field.component_count(); ++c) {
    T const* const x = field.component(c);
    T const value = parallel_reduce<Kokkos::Max, T>(
        field.context(), "sparse::field::norm_max", field.cell_count(), KOKKOS_LAMBDA(Index i, T & partial) {
          T const size = x[i] < 0 ? -x[i] : x[i];
          if (size > partial) partial = size;
        });
    if (value > greatest) greatest = value;
  }
  return greatest;
}

}  // namespace sparse
