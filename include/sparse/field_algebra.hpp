#pragma once
/// Arithmetic and norms of whole fields. All act on every component; operands must share their domain.
/// Operands that do not, or a component that does not exist, throw `std::invalid_argument`.

#include <cmath>

#include <sparse/error.hpp>
#include <sparse/field.hpp>

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

/// Least value of one component; the greatest number of type T if there are no cells.
template <class T, int Dim>
T minimum(Field<T, Dim> const& field, int component = 0) {
  T const* const x = field.component(component);
  return parallel_reduce<Kokkos::Min, T>(
      field.context(), "sparse::field::minimum", field.cell_count(), KOKKOS_LAMBDA(Index i, T & partial) {
        if (x[i] < partial) partial = x[i];
      });
}

/// Greatest value of one component; the lowest number of type T if there are no cells.
template <class T, int Dim>
T maximum(Field<T, Dim> const& field, int component = 0) {
  T const* const x = field.component(component);
  return parallel_reduce<Kokkos::Max, T>(
      field.context(), "sparse::field::maximum", field.cell_count(), KOKKOS_LAMBDA(Index i, T & partial) {
        if (x[i] > partial) partial = x[i];
      });
}

/// Square root of the sum of squares of all components.
template <class T, int Dim>
T norm(Field<T, Dim> const& field) {
  return std::sqrt(dot(field, field));
}

}  // namespace sparse
