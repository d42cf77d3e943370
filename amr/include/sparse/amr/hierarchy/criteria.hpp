#pragma once
/// Ready-made criteria for refinement.
///
///     auto const criterion = any<Law>({relative_gradient<Law>(Law::density, 0.05), near_surface<Law>(wing, 0.1, 3)});

#include <cmath>

#include <sparse/amr/hierarchy/tagging.hpp>
#include <sparse/sets/scaling.hpp>

namespace sparse::amr {

/// Refines where a primitive variable q changes much from one cell to the next: |grad q| dx / |q| > threshold, by
/// central differences over two cell widths.
/// @param release  refined cells are kept down to this fraction of the threshold
/// @throws std::invalid_argument  if there is no such component, the threshold is not positive, or the fraction not in
///                                [0, 1]
template <class Law>
Criterion<Law> relative_gradient(int component, double threshold, double release = 0.5);

/// Refines where |curl v| dx > threshold [velocity]; dx is the greatest cell width. Requires a law with a `velocity` in
/// the first Dim components of the primitive variables.
/// @throws std::invalid_argument  if the threshold is not positive, or `release` not in [0, 1]
template <class Law>
Criterion<Law> vorticity(double threshold, double release = 0.5);

/// Refines up to `up_to_level` where the device function `is_inside(Vec<double, Dim> x)` is true at cell centres. It
/// misses regions smaller than a cell. Cost: a call per cell.
template <class Law, class Predicate>
Criterion<Law> region(Predicate const& is_inside, int up_to_level);

/// Refines up to `up_to_level` all cells that overlap `cells`, which are of level `cells_level`. Cost: set algebra, no
/// pass over values.
template <class Law>
Criterion<Law> region(IntervalSet<Law::dimension> const& cells, int cells_level, int up_to_level);

/// Refines up to `up_to_level` all cells with a point at most `within` away from the surface of a shape.
/// @param distance  device function of a position: signed distance [length]; called once per cell
/// @param within    >= 0 [length]
/// @throws std::invalid_argument  if `within` is negative
template <class Law, class Distance>
Criterion<Law> near_surface(Distance const& distance, double within, int up_to_level);

// ---- implementation

namespace detail {

template <class Law, int component>
struct RelativeGradient {
  using T = typename Law::Scalar;
  KOKKOS_FORCEINLINE_FUNCTION T operator()(IndicatorPoint<Law> const& p) const {
    T square = 0;
    SPARSE_UNROLL
    for (int axis = 0; axis < Law::dimension; ++axis) {
      T const difference = p.primitive(2 * axis + 1)[component] - p.primitive(2 * axis)[component];
      square += difference * difference;
    }
    return T(0.5) * std::sqrt(square) / std::abs(p.primitive()[component]);
  }
};

template <class Law>
struct Vorticity {
  using T = typename Law::Scalar;
  static constexpr int Dim = Law::dimension;
  KOKKOS_FORCEINLINE_FUNCTION T operator()(IndicatorPoint<Law> const& p) const {
    T width = 0;
    Vec<T, Dim> half_inverse;
    Vec<typename Law::State, Dim> difference;
    SPARSE_UNROLL
    for (int axis = 0; axis < Dim; ++axis) {
      T const spacing = static_cast<T>(p.spacing[axis]);
      width = spacing > width ? spacing : width;
      half_inverse[axis] = T(0.5) / spacing;
      difference[axis] = p.primitive(2 * axis + 1) - p.primitive(2 * axis);
    }
    T square = 0;
    SPARSE_UNROLL
    for (int a = 0; a < Dim; ++a) SPARSE_UNROLL
    for (int b = a + 1; b < Dim; ++b) {
      T const curl =
          half_inverse[a] * difference[a][Law::velocity + b] - half_inverse[b] * difference[b][Law::velocity + a];
      square += curl * curl;
    }
    return width * std::sqrt(square);
  }
};

template <class Law, class Predicate>
struct InRegion {
  Predicate is_inside;
  KOKKOS_FORCEINLINE_FUNCTION typename Law::Scalar operator()(IndicatorPoint<Law> const& p) const {
    return is_inside(p.x()) ? 1 : 0;
  }
};

/// The depth to which a cell reaches into the layer around a surface.
template <class Law, class Distance>
struct NearSurface {
  using T = typename Law::Scalar;
  Distance distance;
  double within;
  KOKKOS_FORCEINLINE_FUNCTION T operator()(IndicatorPoint<Law> const& p) const {
    double square = 0;
    SPARSE_UNROLL
    for (int axis = 0; axis < Law::dimension; ++axis) square += p.spacing[axis] * p.spacing[axis];
    return static_cast<T>(within + 0.5 * std::sqrt(square) - std::abs(static_cast<double>(distance(p.x()))));
  }
};

inline void expect_bounds(double threshold, double release) {
  expects(threshold > 0, "tagging: the threshold must be positive");
  expects(release >= 0 && release <= 1, "tagging: refined cells are kept down to a fraction in [0, 1]");
}

/// Calls `make.operator()<component>()`. With a constant component, the compiler drops unused results of the law.
template <class Law, class Make, int... components>
Criterion<Law> with_component(int component, Make const& make, std::integer_sequence<int, components...>) {
  Criterion<Law> criterion;
  ((component == components ? void(criterion = make.template operator()<components>()) : void()), ...);
  expects(static_cast<bool>(criterion), "tagging: the law does not have this component");
  return criterion;
}
template <class Law, class Make>
Criterion<Law> with_component(int component, Make const& make) {
  return with_component<Law>(component, make, std::make_integer_sequence<int, Law::component_count>());
}

}  // namespace detail

template <class Law>
Criterion<Law> relative_gradient(int component, double threshold, double release) {
  detail::expect_bounds(threshold, release);
  return detail::with_component<Law>(component, [=]<int c>() {
    return indicator<Law>(detail::RelativeGradient<Law, c>{}, threshold, release * threshold);
  });
}

template <class Law>
Criterion<Law> vorticity(double threshold, double release) {
  detail::expect_bounds(threshold, release);
  return indicator<Law>(detail::Vorticity<Law>{}, threshold, release * threshold);
}

template <class Law, class Predicate>
Criterion<Law> region(Predicate const& is_inside, int up_to_level) {
  return up_to<Law>(up_to_level, indicator<Law>(detail::InRegion<Law, Predicate>{is_inside}, 0.5, 0.5));
}

template <class Law>
Criterion<Law> region(IntervalSet<Law::dimension> const& cells, int cells_level, int up_to_level) {
  return up_to<Law>(up_to_level, [=](LevelView<Law> const& view) {
    IntervalSet<Law::dimension> wanted = cells;
    for (int l = cells_level; l > view.level; --l) wanted = coarsen(wanted);
    for (int l = cells_level; l < view.level; ++l) wanted = refine(wanted);
    return wanted & view.cells;
  });
}

template <class Law, class Distance>
Criterion<Law> near_surface(Distance const& distance, double within, int up_to_level) {
  expects(within >= 0, "near_surface: the distance must not be negative");
  return up_to<Law>(up_to_level, indicator<Law>(detail::NearSurface<Law, Distance>{distance, within}, 0, 0));
}

}  // namespace sparse::amr
