#pragma once
/// Fields restricted to a region. Functions of algebra.hpp then act on this region only.
///
///     Region<2> const inlet(box({0, 0}, {2, ny}));       // a name for a place; may reach outside the domain
///     for (int step = 0; step < n; ++step) {
///       fill(view(rho, inlet), 1.4);                     // the first call makes the plan, later calls use it
///       scale(view(momentum, inlet), 0.5);               // fields on one domain share the plan
///     }

#include <type_traits>

#include <sparse/fields/field.hpp>
#include <sparse/plans/region.hpp>

namespace sparse {

/// A field and a region. It refers to the field, which must outlive it and must not be moved. It uses the values and
/// the domain that the field has at the time of use. A subview of `T const` only reads.
template <class T, int Dim>
class Subview {
public:
  /// The type of values, and of the field.
  using Value = std::remove_const_t<T>;
  using Parent = std::conditional_t<std::is_const_v<T>, Field<Value, Dim> const, Field<Value, Dim>>;

  /// The part of `field` in `region`. The field must outlive it.
  Subview(Parent& field, Region<Dim> region) : field_(&field), region_(std::move(region)) {}
  /// A part that is only read.
  operator Subview<Value const, Dim>() const { return {*field_, region_}; }

  /// What the part is made of.
  Parent& field() const { return *field_; }
  Region<Dim> const& region() const { return region_; }

  /// The cells of the region in the field's domain: as a set, as a plan, and as a plan with face neighbours.
  IntervalSet<Dim> cells() const { return region_.cells_in(field_->domain()); }
  Subset<Dim> subset() const { return region_.subset(field_->domain()); }
  Stencil<Dim> stencil() const { return region_.stencil(field_->domain()); }

private:
  Parent* field_;
  Region<Dim> region_;
};

/// The part of a field in a region. Keep the region or the subview if it is used again, because a call with a set makes
/// a new region each time.
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

}  // namespace sparse
