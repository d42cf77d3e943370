#pragma once
/// What an iteration does to every leaf.
///
/// The residual is made shorter along p = z - c_1 p_1 - c_2 p_2, so that A p is at right angles to A p_1 and A p_2. To
/// make these products again is cheaper than to store them.

#include <sparse/base/compat.hpp>

namespace sparse::poisson::detail {

/// Adds up (A z)^2, A z A p_1, A z A p_2 and A z r. @tparam kept  number of last directions
template <class T, class P, int kept>
struct CycleProducts {
  static constexpr int sum_count = 4;
  P const* z;
  T const *r, *of_z;
  P const* p1;
  T const* of_p1;
  P const* p2;
  T const* of_p2;
  template <class Leaves>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Leaves const& at, int step, double& zz, double& z1, double& z2,
                                              double& zr) const {
    auto const az = static_cast<double>(at.applied(z, of_z, step));
    zz += az * az;
    zr += az * static_cast<double>(r[at.cell(step)]);
    if constexpr (kept > 0) z1 += az * static_cast<double>(at.applied(p1, of_p1, step));
    if constexpr (kept > 1) z2 += az * static_cast<double>(at.applied(p2, of_p2, step));
  }
};

/// p = z - c_1 p_1 - c_2 p_2 in the place of p_2. Directions are rounded as z is: what counts is that x and r change
/// along the same one.
/// @tparam adds  x += alpha p + alpha_1 p_1 + alpha_2 p_2, the last ones where x lacks them
template <class T, class P, int kept, bool adds>
struct NextCycleDirection {
  P const *z, *p1;
  P* p;
  T* x;
  T c1, c2, alpha, alpha1, alpha2;
  template <class Leaves>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Leaves const& at, int step) const {
    Index const cell = at.cell(step);
    T value = static_cast<T>(z[cell]), change = 0;
    if constexpr (kept > 0) {
      T const last = static_cast<T>(p1[cell]);
      value -= c1 * last;
      change += alpha1 * last;
    }
    if constexpr (kept > 1) {
      T const last = static_cast<T>(p[cell]);
      value -= c2 * last;
      change += alpha2 * last;
    }
    P const rounded = static_cast<P>(value);
    p[cell] = rounded;
    if constexpr (adds) x[cell] += change + alpha * static_cast<T>(rounded);
  }
};

/// r -= alpha A p; adds up r^2.
template <class T, class P>
struct LowerResidual {
  static constexpr int sum_count = 1;
  P const* p;
  T const* extra;
  T* r;
  T alpha;
  template <class Leaves>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Leaves const& at, int step, double& square, double&, double&,
                                              double&) const {
    T const value = r[at.cell(step)] - alpha * at.applied(p, extra, step);
    r[at.cell(step)] = value;
    square += static_cast<double>(value) * static_cast<double>(value);
  }
};

}  // namespace sparse::poisson::detail
