#pragma once
/// Transfer of values between sets and between resolutions.

#include <sparse/fields/field.hpp>
#include <sparse/plans/for_each.hpp>
#include <sparse/plans/transfer.hpp>

namespace sparse {

/// How children get values from their parent. Each way keeps the mean.
enum class Prolongation {
  injection,       ///< the parent's value
  limited_linear,  ///< and its minmod slopes, which are 0 beside missing neighbours; no new extrema along an axis
  /// And its central slopes, which are one-sided beside missing neighbours. Exact for linear functions on cells with a
  /// neighbour along each axis. At steep fronts it makes new extrema.
  linear,
};

namespace detail {

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T minmod(T a, T b) {
  T const least = (a < 0 ? -a : a) < (b < 0 ? -b : b) ? a : b;
  return a * b > 0 ? least : T(0);
}

/// A quarter of a parent's change from cell to cell along an axis: what children differ by from its value.
template <class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION T quarter_slope(FieldView<T const> const& coarse, int c, ProlongPoint<Dim> const& p,
                                            int axis, Prolongation kind) {
  if (kind == Prolongation::injection) return 0;
  T const value = coarse(c, p.cell);  // stands in for missing neighbours
  T const before = value - coarse(c, p.neighbour(2 * axis)), after = coarse(c, p.neighbour(2 * axis + 1)) - value;
  if (kind == Prolongation::limited_linear) return T(0.25) * minmod(before, after);
  bool const has_both = p.has_neighbour(2 * axis) && p.has_neighbour(2 * axis + 1);
  return (has_both ? T(0.125) : T(0.25)) * (before + after);
}

/// Calls `work(first, N)` for groups of N components: groups of four, then single ones. N is a constant, so loops over
/// components are unrolled.
template <class Work>
void by_components(int component_count, Work const& work) {
  int first = 0;
  for (; first + 4 <= component_count; first += 4) work(first, std::integral_constant<int, 4>());
  for (; first < component_count; ++first) work(first, std::integral_constant<int, 1>());
}

template <class T>
FieldView<T> from_component(FieldView<T> const& view, int first) {
  return {view.data + first * view.stride, view.stride};
}

template <class T, int Dim, int N>
struct RestrictMeans {
  FieldView<T const> fine;
  FieldView<T> coarse;

  /// Prefetches the rows of the children, on the host.
  KOKKOS_FORCEINLINE_FUNCTION void fetch(RestrictPoint<Dim> const& p) const {
    SPARSE_UNROLL
    for (int c = 0; c < N; ++c) {
      SPARSE_UNROLL
      for (int k = 0; k < RestrictPoint<Dim>::child_count; k += 2)
        __builtin_prefetch(&fine(c, p.child(p.has_child(k) ? k : k + 1)));
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(RestrictPoint<Dim> const& p) const {
    constexpr int child_count = RestrictPoint<Dim>::child_count;
    if (p.is_whole()) return (*this)(p, AllPresent{});
    int present = 0;
    Vec<T, N> sum{};
    for (int k = 0; k < child_count; ++k) {
      if (!p.has_child(k)) continue;
      ++present;
      sum += fine.template load<N>(p.child(k));
    }
    if (present > 0) coarse.store(p.cell, T(1) / static_cast<T>(present) * sum);
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(RestrictPoint<Dim> const& p, AllPresent) const {
    constexpr int child_count = RestrictPoint<Dim>::child_count;
    Vec<T, N> sum{};
    SPARSE_UNROLL
    for (int k = 0; k < child_count; k += 2)  // the next child lies beside it, which compilers cannot know
      sum += fine.template load<N>(p.child(k)) + fine.template load<N>(p.child(k) + 1);
    coarse.store(p.cell, T(1) / child_count * sum);
  }
};

template <class T, int Dim, int N>
struct CopyValues {
  FieldView<T const> source;
  FieldView<T> target;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(RunPoint<Dim, 2> const& p) const {
    target.store(p.operand(0), source.template load<N>(p.operand(1)));
  }
};

}  // namespace detail

/// coarse = mean of the existing children, for the coarse cells of `plan` that have any. The views belong to fields on
/// the storages of the plan, here and below; nothing checks that. Cost: one pass over the plan for each four
/// components.
template <class T, int Dim>
void restrict_to(FieldView<T> coarse, RestrictPlan<Dim> const& plan, FieldView<T const> fine, int component_count = 1) {
  static_assert(std::is_floating_point_v<T>, "means of integers are not integers");
  detail::by_components(component_count, [&](int first, auto n) {
    for_each(
        "sparse::transfer::restrict", plan,
        detail::RestrictMeans<T, Dim, n()>{detail::from_component(fine, first), detail::from_component(coarse, first)});
  });
}

/// Sets the children of `plan` from their parents. Cost: one pass over the plan. Does not wait.
template <class T, int Dim>
void prolong(FieldView<T> fine, ProlongPlan<Dim> const& plan, FieldView<T const> coarse, Prolongation kind,
             int component_count = 1) {
  using Point = ProlongPoint<Dim>;
  for_each(
      "sparse::transfer::prolong", plan, KOKKOS_LAMBDA(Point const& p) {
        for (int c = 0; c < component_count; ++c) {
          T const value = coarse(c, p.cell);
          T difference[Dim];
          for (int axis = 0; axis < Dim; ++axis) difference[axis] = detail::quarter_slope(coarse, c, p, axis, kind);
          for (int k = 0; k < Point::child_count; ++k) {
            if (!p.has_child(k)) continue;
            T child = value;
            for (int axis = 0; axis < Dim; ++axis) child += (k >> axis) & 1 ? difference[axis] : -difference[axis];
            fine(c, p.child(k)) = child;
          }
        }
      });
}

/// A new field on `coarse` with the mean of each cell's children in `fine`. Cells without children get `value`. Cost,
/// here and for the next new fields: a plan is built; keep one for calls in a loop.
template <class T, int Dim>
Field<T, Dim> restrict_to(IntervalSet<Dim> const& coarse, Field<T, Dim> const& fine, std::type_identity_t<T> value = 0);

/// A new field on `fine` with values from the parents in `coarse`. Cells without a parent get `value`.
template <class T, int Dim>
Field<T, Dim> prolong(IntervalSet<Dim> const& fine, Field<T, Dim> const& coarse, Prolongation kind,
                      std::type_identity_t<T> value = 0);

/// target(c) = source(c + offset) for the cells of `plan`.
template <class T, int Dim>
void copy(FieldView<T> target, CopyPlan<Dim> const& plan, FieldView<T const> source, int component_count = 1) {
  detail::by_components(component_count, [&](int first, auto n) {
    for_each(
        "sparse::transfer::copy", plan,
        detail::CopyValues<T, Dim, n()>{detail::from_component(source, first), detail::from_component(target, first)});
  });
}

/// A new field on `domain`: the values of `source` on common cells, `value` elsewhere.
template <class T, int Dim>
Field<T, Dim> remap(Field<T, Dim> const& source, IntervalSet<Dim> const& domain, std::type_identity_t<T> value = 0);

}  // namespace sparse
