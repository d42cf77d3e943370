#pragma once
/// Fields restricted to a region: arithmetic, reductions and stencils there and nowhere else.
///
///     Region<2> const inlet(box<2>({0, 0}, {2, ny}));    // a name for a place; reaches out of the domain if it likes
///     for (int step = 0; step < n; ++step) {
///       fill(view(rho, inlet), 1.4);                     // the first call plans, the others just run
///       scale(view(momentum, inlet), 0.5);               // fields on one domain share the plan
///     }

#include <type_traits>

#include <sparse/fields/algebra.hpp>
#include <sparse/plans/for_each.hpp>
#include <sparse/plans/region.hpp>

namespace sparse {

/// A field and a region. Refers to the field, which must outlive it and stay in its place; what counts is what the
/// field holds, and what its domain is, when the subview is used. A subview of `T const` only reads.
template <class T, int Dim>
class Subview {
public:
  using Value = std::remove_const_t<T>;
  using Parent = std::conditional_t<std::is_const_v<T>, Field<Value, Dim> const, Field<Value, Dim>>;

  Subview(Parent& field, Region<Dim> region) : field_(&field), region_(std::move(region)) {}
  operator Subview<Value const, Dim>() const { return {*field_, region_}; }

  Parent& field() const { return *field_; }
  Region<Dim> const& region() const { return region_; }

  /// The cells of the region in the field's domain; for `for_each` and `reduce`, as a plan, and with face neighbours.
  IntervalSet<Dim> cells() const { return region_.cells_in(field_->domain()); }
  Subset<Dim> subset() const { return region_.subset(field_->domain()); }
  Stencil<Dim> stencil() const { return region_.stencil(field_->domain()); }

private:
  Parent* field_;
  Region<Dim> region_;
};

/// The part of a field in a region. Keep the region (or the subview) where the same one is used again: with a set in
/// its place, each call is a new region.
template <class T, int Dim>
Subview<T, Dim> view(Field<T, Dim>& field, Region<Dim> region) {
  return {field, std::move(region)};
}
template <class T, int Dim>
Subview<T const, Dim> view(Field<T, Dim> const& field, Region<Dim> region) {
  return {field, std::move(region)};
}
template <class T, int Dim>
Subview<T, Dim> view(Field<T, Dim>& field, IntervalSet<Dim> region) {
  return {field, Region<Dim>(std::move(region))};
}
template <class T, int Dim>
Subview<T const, Dim> view(Field<T, Dim> const& field, IntervalSet<Dim> region) {
  return {field, Region<Dim>(std::move(region))};
}

namespace detail {

/// Calls `body(i)` for the position i of each value of a part, component by component.
template <class T, int Dim, class Body>
void for_each_value(char const* label, Subview<T, Dim> const& part, Body const& body) {
  auto const plan = part.subset();
  for (int c = 0; c < part.field().component_count(); ++c) {
    Index const first = c * part.field().view().stride;
    for_each(
        label, plan, KOKKOS_LAMBDA(SubsetPoint<Dim> const& p) { body(first + p.cell); });
  }
}

/// See `all_beyond` for fields.
template <class T, int Dim>
bool all_beyond(Subset<Dim> const& plan, T const* x, T limit) {
  bool const is_minimum = limit > 0;
  return reduce<Kokkos::Max, int>(
             "sparse::subview::beyond_limit", plan, KOKKOS_LAMBDA(SubsetPoint<Dim> const& p, int& kind) {
               int const k = kind_of_extreme(x[p.cell], limit, is_minimum);
               if (k > kind) kind = k;
             }) == 1;
}

}  // namespace detail

// ---- arithmetic; on all components, where the other operand, if any, is a field on the same domain

/// part = value
template <class T, int Dim>
void fill(Subview<T, Dim> const& part, std::type_identity_t<T> value) {
  T* const x = part.field().view().data;
  detail::for_each_value(
      "sparse::subview::fill", part, KOKKOS_LAMBDA(Index i) { x[i] = value; });
}

/// part *= factor
template <class T, int Dim>
void scale(Subview<T, Dim> const& part, std::type_identity_t<T> factor) {
  T* const x = part.field().view().data;
  detail::for_each_value(
      "sparse::subview::scale", part, KOKKOS_LAMBDA(Index i) { x[i] *= factor; });
}

/// to = from, in the region of `to`
/// @throws std::invalid_argument  if the fields differ in domain or number of components, here and in what follows
template <class T, int Dim>
void copy(Field<T, Dim> const& from, Subview<T, Dim> const& to) {
  detail::expect_alike(from, to.field(), "copy");
  T const* const x = from.view().data;
  T* const y = to.field().view().data;
  detail::for_each_value(
      "sparse::subview::copy", to, KOKKOS_LAMBDA(Index i) { y[i] = x[i]; });
}

/// to += a from, in the region of `to`
template <class T, int Dim>
void axpy(std::type_identity_t<T> a, Field<T, Dim> const& from, Subview<T, Dim> const& to) {
  detail::expect_alike(from, to.field(), "axpy");
  T const* const x = from.view().data;
  T* const y = to.field().view().data;
  detail::for_each_value(
      "sparse::subview::axpy", to, KOKKOS_LAMBDA(Index i) { y[i] += a * x[i]; });
}

/// to = f(p, from) for the cells of the region: `f(StencilPoint<Dim> p, T const* x)` returns the new value from
/// `x[p.cell]`, `x[p.neighbour(arm)]`, ...; once for each component. Neighbours may lie outside of the region, but not
/// outside of the domain: there the cell itself stands in.
/// @throws std::invalid_argument  also if both are the same field
template <class T, int Dim, class Function>
void apply_stencil(std::string const& label, Field<T, Dim> const& from, Subview<T, Dim> const& to, Function const& f) {
  detail::expect_alike(from, to.field(), "apply_stencil");
  expects(&from != &to.field(), "apply_stencil: a stencil cannot write to the field that it reads");
  auto const plan = to.stencil();
  for (int c = 0; c < from.component_count(); ++c) {
    T const* const x = from.component(c);
    T* const y = to.field().component(c);
    for_each(
        label, plan, KOKKOS_LAMBDA(StencilPoint<Dim> const& p) { y[p.cell] = f(p, x); });
  }
}

// ---- reductions; they wait for the value

/// Sum of the products of all values of the part and of a field.
template <class T, int Dim>
std::remove_const_t<T> dot(Subview<T, Dim> const& part, Field<std::remove_const_t<T>, Dim> const& other) {
  using Value = std::remove_const_t<T>;
  detail::expect_alike(part.field(), other, "dot");
  auto const plan = part.subset();
  Value sum = 0;
  for (int c = 0; c < other.component_count(); ++c) {
    Value const* const x = part.field().component(c);
    Value const* const y = other.component(c);
    sum += reduce<Kokkos::Sum, Value>(
        "sparse::subview::dot", plan,
        KOKKOS_LAMBDA(SubsetPoint<Dim> const& p, Value& partial) { partial += x[p.cell] * y[p.cell]; });
  }
  return sum;
}

/// Sum of one component.
template <class T, int Dim>
std::remove_const_t<T> sum(Subview<T, Dim> const& part, int component = 0) {
  using Value = std::remove_const_t<T>;
  Value const* const x = part.field().component(component);
  return reduce<Kokkos::Sum, Value>(
      "sparse::subview::sum", part.subset(),
      KOKKOS_LAMBDA(SubsetPoint<Dim> const& p, Value& partial) { partial += x[p.cell]; });
}

/// Least value of one component; the greatest number of the type if there are no cells. A NaN is passed over.
template <class T, int Dim>
std::remove_const_t<T> minimum(Subview<T, Dim> const& part, int component = 0) {
  using Value = std::remove_const_t<T>;
  Value const* const x = part.field().component(component);
  auto const plan = part.subset();
  Value const value = reduce<Kokkos::Min, Value>(
      "sparse::subview::minimum", plan, KOKKOS_LAMBDA(SubsetPoint<Dim> const& p, Value& partial) {
        if (x[p.cell] < partial) partial = x[p.cell];
      });
  if constexpr (std::numeric_limits<Value>::has_infinity)
    if (value == std::numeric_limits<Value>::max() && detail::all_beyond(plan, x, value))
      return std::numeric_limits<Value>::infinity();
  return value;
}

/// Greatest value of one component; the lowest number of the type if there are no cells. A NaN is passed over.
template <class T, int Dim>
std::remove_const_t<T> maximum(Subview<T, Dim> const& part, int component = 0) {
  using Value = std::remove_const_t<T>;
  Value const* const x = part.field().component(component);
  auto const plan = part.subset();
  Value const value = reduce<Kokkos::Max, Value>(
      "sparse::subview::maximum", plan, KOKKOS_LAMBDA(SubsetPoint<Dim> const& p, Value& partial) {
        if (x[p.cell] > partial) partial = x[p.cell];
      });
  if constexpr (std::numeric_limits<Value>::has_infinity)
    if (value == std::numeric_limits<Value>::lowest() && detail::all_beyond(plan, x, value))
      return -std::numeric_limits<Value>::infinity();
  return value;
}

/// Square root of the sum of squares of all components.
template <class T, int Dim>
std::remove_const_t<T> norm(Subview<T, Dim> const& part) {
  return std::sqrt(dot(part, part.field()));
}

}  // namespace sparse
