#pragma once
/// Gradient, divergence and Laplacian of cell values.
///
/// They are second-order central differences between centres where both neighbours along an axis exist. Each operator
/// has two forms. The first takes the result field and the stencil from the caller, and allocates nothing. The second
/// returns a new field for all cells.

#include <cmath>

#include <sparse/fields/field.hpp>
#include <sparse/plans/for_each.hpp>
#include <sparse/plans/stencil.hpp>

namespace sparse {
namespace detail {

/// Number of neighbours that a cell has along an axis.
template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION int arms_along(StencilPoint<Dim> const& p, int axis) {
  return (p.has_neighbour(2 * axis) ? 1 : 0) + (p.has_neighbour(2 * axis + 1) ? 1 : 0);
}
/// Slope of x along an axis: a central difference, one-sided where a neighbour is missing. Where both are missing it is
/// 0, since a missing neighbour has the cell's own value.
template <class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION T slope(StencilPoint<Dim> const& p, T const* x, int axis, T inverse_spacing) {
  T const factor = arms_along(p, axis) == 2 ? T(0.5) * inverse_spacing : inverse_spacing;
  return factor * (x[p.neighbour(2 * axis + 1)] - x[p.neighbour(2 * axis)]);
}

/// 1 / spacing. @throws std::invalid_argument  unless it is positive
template <class T, int Dim>
Vec<T, Dim> inverse(Vec<T, Dim> const& spacing, char const* operation) {
  static_assert(std::is_floating_point_v<T>, "differences over distances are not integers");
  Vec<T, Dim> result;
  for (int axis = 0; axis < Dim; ++axis) {
    if (!(spacing[axis] > 0)) fail(std::string(operation) + ": the spacing must be positive");
    result[axis] = 1 / spacing[axis];
  }
  return result;
}

template <class T, int Dim>
void expect_operands(Field<T, Dim> const& from, Field<T, Dim> const& to, bool has_components, char const* operation) {
  if (!has_components || from.view().data == to.view().data || !(from.domain() == to.domain()))
    fail(std::string(operation) + ": field '" + to.name() + "' must be another field on the domain of '" + from.name() +
         "', with the components that it needs");
}

}  // namespace detail

/// result, component a = d field / d x_a, for the cells of `cells`.
///
/// Where one neighbour along an axis is missing, the difference is one-sided and of first order. Where both are missing
/// it is 0.
/// @param result   Dim components, in units of the field's per unit of `spacing`
/// @param cells    a stencil whose storage is the domain of both fields
/// @param field    one component, `component`, is read
/// @param spacing  cell widths, > 0
/// @throws std::invalid_argument  if the fields do not fit together or a spacing is not positive
template <class T, int Dim>
void gradient(Field<T, Dim>& result, Stencil<Dim> const& cells, Field<T, Dim> const& field,
              std::type_identity_t<Vec<T, Dim>> const& spacing, int component = 0) {
  detail::expect_operands(field, result, result.component_count() == Dim, "gradient");
  Vec<T, Dim> const inverse = detail::inverse(spacing, "gradient");
  T const* const x = field.component(component);
  FieldView<T> const out = result.view();
  for_each(
      "sparse::operators::gradient", cells, KOKKOS_LAMBDA(StencilPoint<Dim> const& p) {
        SPARSE_UNROLL
        for (int axis = 0; axis < Dim; ++axis) out(axis, p.cell) = detail::slope(p, x, axis, inverse[axis]);
      });
}

/// result = sum over a of d field_a / d x_a, for the cells of `cells`; each difference as in `gradient`.
/// @param result   one component, in units of the field's per unit of `spacing`
/// @param field    Dim components
/// @param spacing  cell widths, > 0
/// @throws std::invalid_argument  if the fields do not fit together or a spacing is not positive
template <class T, int Dim>
void divergence(Field<T, Dim>& result, Stencil<Dim> const& cells, Field<T, Dim> const& field,
                std::type_identity_t<Vec<T, Dim>> const& spacing) {
  detail::expect_operands(field, result, field.component_count() == Dim && result.component_count() == 1, "divergence");
  Vec<T, Dim> const inverse = detail::inverse(spacing, "divergence");
  FieldView<T const> const x = field.view();
  FieldView<T> const out = result.view();
  for_each(
      "sparse::operators::divergence", cells, KOKKOS_LAMBDA(StencilPoint<Dim> const& p) {
        T sum = 0;
        SPARSE_UNROLL
        for (int axis = 0; axis < Dim; ++axis) sum += detail::slope(p, x.data + axis * x.stride, axis, inverse[axis]);
        out(p.cell) = sum;
      });
}

/// result = sum over a of d^2 field / d x_a^2, component by component, for the cells of `cells`.
///
/// There is no flux where a neighbour is missing (homogeneous Neumann). So the result sums to 0 over all cells.
/// @param result   as many components as `field`, in units of the field's per square unit of `spacing`
/// @param spacing  cell widths, > 0
/// @throws std::invalid_argument  if the fields do not fit together or a spacing is not positive
template <class T, int Dim>
void laplacian(Field<T, Dim>& result, Stencil<Dim> const& cells, Field<T, Dim> const& field,
               std::type_identity_t<Vec<T, Dim>> const& spacing) {
  detail::expect_operands(field, result, field.component_count() == result.component_count(), "laplacian");
  Vec<T, Dim> const inverse = detail::inverse(spacing, "laplacian");
  Vec<T, Dim> weight;
  for (int axis = 0; axis < Dim; ++axis) weight[axis] = inverse[axis] * inverse[axis];
  for (int c = 0; c < field.component_count(); ++c) {
    T const* const x = field.component(c);
    T* const out = result.component(c);
    for_each(
        "sparse::operators::laplacian", cells, KOKKOS_LAMBDA(StencilPoint<Dim> const& p) {
          T sum = 0;
          T const here = x[p.cell];
          SPARSE_UNROLL
          for (int axis = 0; axis < Dim; ++axis)
            sum += weight[axis] * ((x[p.neighbour(2 * axis)] - here) + (x[p.neighbour(2 * axis + 1)] - here));
          out[p.cell] = sum;
        });
  }
}

/// result = square root of the sum of the squares of the components of `field`, for every cell.
/// @param result  one component
/// @throws std::invalid_argument  if the result has more components, or another domain than the field
template <class T, int Dim>
void magnitude(Field<T, Dim>& result, Field<T, Dim> const& field) {
  static_assert(std::is_floating_point_v<T>, "roots of integers are not integers");
  expects(field.domain() == result.domain() && result.component_count() == 1,
          "magnitude: the result must have one component and the domain of the field");
  FieldView<T const> const x = field.view();
  T* const out = result.view().data;
  int const count = field.component_count();
  parallel_for(
      field.context(), "sparse::operators::magnitude", field.cell_count(), KOKKOS_LAMBDA(Index i) {
        T sum = 0;
        for (int c = 0; c < count; ++c) sum += x(c, i) * x(c, i);
        out[i] = std::sqrt(sum);
      });
}

// ---- the same as new fields on the whole domain; the cost includes building the stencil

/// The same as a new field. Cost: a stencil of the whole domain is built (not for the magnitude).
/// @throws std::invalid_argument  as above
template <class T, int Dim>
Field<T, Dim> gradient(Field<T, Dim> const& field,
                       std::type_identity_t<Vec<T, Dim>> const& spacing = Vec<T, Dim>::filled(1), int component = 0) {
  Field<T, Dim> result(field.name() + "_gradient", field.domain(), Dim);
  gradient(result, Stencil<Dim>(field.domain(), field.domain()), field, spacing, component);
  return result;
}
template <class T, int Dim>
Field<T, Dim> divergence(Field<T, Dim> const& field,
                         std::type_identity_t<Vec<T, Dim>> const& spacing = Vec<T, Dim>::filled(1)) {
  Field<T, Dim> result(field.name() + "_divergence", field.domain());
  divergence(result, Stencil<Dim>(field.domain(), field.domain()), field, spacing);
  return result;
}
template <class T, int Dim>
Field<T, Dim> laplacian(Field<T, Dim> const& field,
                        std::type_identity_t<Vec<T, Dim>> const& spacing = Vec<T, Dim>::filled(1)) {
  Field<T, Dim> result(field.name() + "_laplacian", field.domain(), field.component_count());
  laplacian(result, Stencil<Dim>(field.domain(), field.domain()), field, spacing);
  return result;
}
template <class T, int Dim>
Field<T, Dim> magnitude(Field<T, Dim> const& field) {
  Field<T, Dim> result(field.name() + "_magnitude", field.domain());
  magnitude(result, field);
  return result;
}

}  // namespace sparse
