#pragma once
/// The same steps of the Euler equations as in the library, written by hand for one dense 2D array: the peer of
/// bench_euler. Plain loops over plain numbers, in strips of columns so that the rows at hand stay in the cache. Each
/// flux is computed once. There are no sets and no laws.

#include <algorithm>
#include <cmath>

#include <sparse/base/buffer.hpp>

namespace dense {

inline constexpr double heat_ratio = 1.4;

template <class T>
struct Gas {
  T rho, u, v, p;  // primitive variables
};
template <class T>
struct Flux {
  T mass, normal, along, energy;
};

/// Velocity u normal to the face, v along it.
template <class T>
inline Flux<T> rusanov(Gas<T> const& l, Gas<T> const& r) {
  T const g = T(heat_ratio), k = T(1 / (heat_ratio - 1));
  T const el = k * l.p + T(0.5) * l.rho * (l.u * l.u + l.v * l.v),
          er = k * r.p + T(0.5) * r.rho * (r.u * r.u + r.v * r.v);
  T const al = std::abs(l.u) + std::sqrt(g * l.p / l.rho), ar = std::abs(r.u) + std::sqrt(g * r.p / r.rho);
  T const a = al > ar ? al : ar;
  T const ml = l.rho * l.u, mr = r.rho * r.u;
  return {T(0.5) * (ml + mr - a * (r.rho - l.rho)), T(0.5) * (ml * l.u + l.p + mr * r.u + r.p - a * (mr - ml)),
          T(0.5) * (ml * l.v + mr * r.v - a * (r.rho * r.v - l.rho * l.v)),
          T(0.5) * (l.u * (el + l.p) + r.u * (er + r.p) - a * (er - el))};
}

template <class T>
inline Flux<T> hllc(Gas<T> const& l, Gas<T> const& r) {
  T const g = T(heat_ratio), k = T(1 / (heat_ratio - 1));
  T const cl = std::sqrt(g * l.p / l.rho), cr = std::sqrt(g * r.p / r.rho);
  T const first_l = l.u - cl, first_r = r.u - cr, last_l = l.u + cl, last_r = r.u + cr;
  T const first = first_l < first_r ? first_l : first_r, last = last_l > last_r ? last_l : last_r;
  T const ml = l.rho * (first - l.u), mr = r.rho * (last - r.u);
  T const contact = (r.p - l.p + ml * l.u - mr * r.u) / (ml - mr);
  bool const is_left = contact >= 0;
  T const rho = is_left ? l.rho : r.rho, u = is_left ? l.u : r.u, v = is_left ? l.v : r.v, p = is_left ? l.p : r.p;
  T const s = is_left ? first : last;
  bool const is_inside = s * contact <= 0;
  T const e = k * p + T(0.5) * rho * (u * u + v * v), ahead = s - u, inverse = 1 / (s - contact);
  T const shift = is_inside ? s * (contact - u) * inverse : T(0), carried = is_inside ? contact * ahead * inverse : u;
  T const mass = rho * carried, push = shift * rho * ahead;
  return {mass, mass * u + p + push, mass * v, carried * (e + p) + push * contact};
}

template <class T>
inline T minmod(T a, T b) {
  T const least = std::abs(a) < std::abs(b) ? a : b;
  return a * b > 0 ? least : T(0);
}

/// A box of nx x ny cells with two layers of ghosts, conserved variables, and one step of it.
template <class T, bool second_order>
class Steps {
public:
  Steps(int nx, int ny) : nx_(nx), ny_(ny), width_(nx + 4) {
    for (auto* arrays : {old_, next_})
      for (int c = 0; c < 4; ++c) {
        arrays[c] = sparse::Buffer<T>({}, sparse::Index{width_} * (ny + 4) + 64);
        std::fill_n(arrays[c].data(), arrays[c].size(), T(0));
      }
  }
  /// Value of component c at cell (x, y); ghosts have x or y = -2, -1, nx, nx + 1.
  T& at(int c, int x, int y) { return old_[c].data()[position(x, y)]; }

  /// @return the greatest sum of wave speeds of the new states
  T step(T k) {
    T greatest = 0;
    constexpr int columns = 256, rows = 32;
    int const strips = (nx_ + columns - 1) / columns, blocks = (ny_ + rows - 1) / rows;
#pragma omp parallel for schedule(dynamic) reduction(max : greatest)
    for (int tile = 0; tile < strips * blocks; ++tile) {
      int const x = tile % strips * columns, y = tile / strips * rows;
      T const of_tile = sweep<columns>(x, std::min(nx_, x + columns), y, std::min(ny_, y + rows), k);
      greatest = greatest < of_tile ? of_tile : greatest;
    }
    return greatest;
  }

private:
  int position(int x, int y) const { return (y + 2) * width_ + x + 2; }

  template <int columns>
  struct Rows {
    static constexpr int length = columns + 8;
    T w[4][4][length], half[2][4][length], sx[2][4][length], sy[2][4][length], fx[4][length], fy[2][4][length];
  };

  template <int columns>
  T sweep(int x0, int x1, int y0, int y1, T k) {
    static thread_local Rows<columns> b;
    int const n = x1 - x0;  // cell i of a row is x0 - 2 + i
    T greatest = 0;
    constexpr int reach = second_order ? 2 : 1;
    for (int y = y0 - reach; y < y1 + reach; ++y) {
      primitive(b.w[y & 3], x0 - 2, n + 4, y);
      if constexpr (second_order) {
        if (y - 1 < y0 - 1) continue;
        predict(b, y - 1, n, k);
        if (y - 1 < y0) continue;
        faces_y(b.half[y & 1], b.half[(y - 1) & 1], b.sy[y & 1], b.sy[(y - 1) & 1], b.fy[(y - 1) & 1], n);
        if (y - 2 < y0) continue;
        faces_x(b.half[y & 1], b.sx[y & 1], b.fx, n);
        greatest = update(b.fx, b.fy[y & 1], b.fy[(y - 1) & 1], x0, n, y - 2, k, greatest);
      } else {
        if (y < y0) continue;
        faces_y(b.w[(y - 1) & 3], b.w[y & 3], b.sy[0], b.sy[0], b.fy[y & 1], n);
        if (y - 1 < y0) continue;
        faces_x(b.w[(y - 1) & 3], b.sx[0], b.fx, n);
        greatest = update(b.fx, b.fy[(y - 1) & 1], b.fy[y & 1], x0, n, y - 1, k, greatest);
      }
    }
    return greatest;
  }

  template <class Row>
  void primitive(Row* w, int x, int n, int y) {
    T const *rho = &old_[0].data()[position(x, y)], *mx = &old_[1].data()[position(x, y)],
            *my = &old_[2].data()[position(x, y)], *e = &old_[3].data()[position(x, y)];
#pragma GCC ivdep
    for (int i = 0; i < n; ++i) {
      T const volume = 1 / rho[i], u = mx[i] * volume, v = my[i] * volume;
      w[0][i] = rho[i];
      w[1][i] = u;
      w[2][i] = v;
      w[3][i] = T(heat_ratio - 1) * (e[i] - T(0.5) * (mx[i] * u + my[i] * v));
    }
  }

  template <class Buffers>
  void predict(Buffers& b, int y, int n, T k) {
    auto const &w = b.w[y & 3], &below = b.w[(y - 1) & 3], &above = b.w[(y + 1) & 3];
    auto &half = b.half[y & 1], &sx = b.sx[y & 1], &sy = b.sy[y & 1];
#pragma GCC ivdep
    for (int i = 1; i < n + 3; ++i) {
      T dx[4], dy[4];
      SPARSE_UNROLL
      for (int c = 0; c < 4; ++c) {
        dx[c] = minmod(w[c][i] - w[c][i - 1], w[c][i + 1] - w[c][i]);
        dy[c] = minmod(w[c][i] - below[c][i], above[c][i] - w[c][i]);
      }
      T const rho = w[0][i], u = w[1][i], v = w[2][i], p = w[3][i], h = T(0.5) * k, volume = 1 / rho;
      T const next[4] = {rho - h * (u * dx[0] + v * dy[0] + rho * (dx[1] + dy[2])),
                         u - h * (u * dx[1] + v * dy[1] + volume * dx[3]),
                         v - h * (u * dx[2] + v * dy[2] + volume * dy[3]),
                         p - h * (u * dx[3] + v * dy[3] + T(heat_ratio) * p * (dx[1] + dy[2]))};
      T const low_rho = next[0] - T(0.5) * std::max(std::abs(dx[0]), std::abs(dy[0])),
              low_p = next[3] - T(0.5) * std::max(std::abs(dx[3]), std::abs(dy[3]));
      bool const fine = (low_rho > 0) & (low_p > 0);
      SPARSE_UNROLL
      for (int c = 0; c < 4; ++c) {
        half[c][i] = fine ? next[c] : w[c][i];
        sx[c][i] = fine ? dx[c] : T(0);
        sy[c][i] = fine ? dy[c] : T(0);
      }
    }
  }

  /// Rows of four components, one behind the other.
  template <class Row>
  static Gas<T> state(Row const* row, Row const* slope_row, T part, int i) {
    constexpr int n = sizeof(Row) / sizeof(T);
    T const *w = row[0] + i, *s = slope_row[0] + i;
    if constexpr (second_order)
      return {w[0] + part * s[0], w[n] + part * s[n], w[2 * n] + part * s[2 * n], w[3 * n] + part * s[3 * n]};
    else
      return {w[0], w[n], w[2 * n], w[3 * n]};
  }
  static Flux<T> through(Gas<T> const& l, Gas<T> const& r) {
    if constexpr (second_order)
      return hllc(l, r);
    else
      return rusanov(l, r);
  }

  /// Flux i is that between cells i - 1 and i.
  template <class Row>
  void faces_x(Row const* w, Row const* slope, Row* f, int n) {
#pragma GCC ivdep
    for (int i = 2; i < n + 3; ++i) {
      Gas<T> const l = state(w, slope, T(0.5), i - 1), r = state(w, slope, T(-0.5), i);
      Flux<T> const q = through(l, r);
      f[0][i] = q.mass;
      f[1][i] = q.normal;
      f[2][i] = q.along;
      f[3][i] = q.energy;
    }
  }
  template <class Row>
  void faces_y(Row const* below, Row const* above, Row const* slope_below, Row const* slope_above, Row* f, int n) {
#pragma GCC ivdep
    for (int i = 2; i < n + 2; ++i) {
      Gas<T> const l = state(below, slope_below, T(0.5), i), r = state(above, slope_above, T(-0.5), i);
      Gas<T> const lower = {l.rho, l.v, l.u, l.p}, upper = {r.rho, r.v, r.u, r.p};
      Flux<T> const q = through(lower, upper);
      f[0][i] = q.mass;
      f[1][i] = q.along;
      f[2][i] = q.normal;
      f[3][i] = q.energy;
    }
  }

  template <class Row>
  T update(Row const* fx, Row const* south, Row const* north, int x, int n, int y, T k, T greatest) {
    T const* in[4];
    T* out[4];
    for (int c = 0; c < 4; ++c) {
      in[c] = &old_[c].data()[position(x, y)];
      out[c] = &next_[c].data()[position(x, y)];
    }
#pragma omp simd reduction(max : greatest)
    for (int i = 0; i < n; ++i) {
      T value[4];
      SPARSE_UNROLL
      for (int c = 0; c < 4; ++c)
        out[c][i] = value[c] = in[c][i] + k * (fx[c][i + 2] - fx[c][i + 3] + south[c][i + 2] - north[c][i + 2]);
      T const volume = 1 / value[0], u = value[1] * volume, v = value[2] * volume;
      T const p = T(heat_ratio - 1) * (value[3] - T(0.5) * (value[1] * u + value[2] * v));
      T const rate = std::abs(u) + std::abs(v) + 2 * std::sqrt(T(heat_ratio) * p * volume);
      greatest = greatest < rate ? rate : greatest;
    }
    return greatest;
  }

  int nx_, ny_, width_;
  sparse::Buffer<T> old_[4], next_[4];  // in the same pages as fields, which are larger than a vector's
};

}  // namespace dense
