#pragma once
/// Sets of either dimension as one type of Python.

#include <utility>
#include <variant>

#include <sparse/sets/interval_set.hpp>

#include "arguments.hpp"
#include "runtime.hpp"

namespace sparse::python {

/// What Python knows as `Set`. A value, like `IntervalSet`.
struct Set {
  std::variant<IntervalSet<2>, IntervalSet<3>> any;
  Alive alive = {};

  Set() = default;
  template <int Dim>
  Set(IntervalSet<Dim> set) : any(std::move(set)) {}

  int dim() const { return any.index() == 0 ? 2 : 3; }
  template <class Body>
  auto visit(Body&& body) const {
    return std::visit(std::forward<Body>(body), any);
  }
  Index cell_count() const {
    return visit([](auto const& set) { return set.cell_count(); });
  }
  /// @throws ValueError  if it has the other dimension
  template <int Dim>
  IntervalSet<Dim> const& in(char const* what) const {
    if (auto const* const set = std::get_if<IntervalSet<Dim>>(&any)) return *set;
    throw std::invalid_argument(std::string(what) + " must be a set in " + std::to_string(Dim) + "D, not in " +
                                std::to_string(dim()) + "D");
  }
};

/// A set made by kernels: `body(set)` for the set in its dimension.
template <class Body>
Set map(Set const& a, Body const& body) {
  return with_kernels([&] { return a.visit([&](auto const& set) { return Set(body(set)); }); });
}

/// The same for two sets. @throws ValueError  if their dimensions differ
template <class Body>
Set map(Set const& a, Set const& b, Body const& body) {
  if (a.dim() != b.dim())
    throw std::invalid_argument("the sets must have the same dimension, and they are in " + std::to_string(a.dim()) +
                                "D and " + std::to_string(b.dim()) + "D; see slice and extrude");
  return with_kernels([&] {
    if (auto const* const set = std::get_if<IntervalSet<2>>(&a.any))
      return Set(body(*set, std::get<IntervalSet<2>>(b.any)));
    return Set(body(std::get<IntervalSet<3>>(a.any), std::get<IntervalSet<3>>(b.any)));
  });
}

/// @throws TypeError  for anything but a `Set`
Set const& set_of(nb::handle value, char const* what);

void bind_set(nb::module_& m);
void bind_set_operations(nb::class_<Set>& c);
void bind_fuse(nb::module_& m);
void bind_shapes(nb::module_& m);
void bind_components(nb::module_& m, nb::class_<Set>& c);

}  // namespace sparse::python
