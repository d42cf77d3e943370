// One first-order Euler step on an interval set against the same arithmetic written by hand for a dense array, and
// against a copy of as many bytes, all three in turns.
//
// Columns: updates, cell updates per second; vs_dense, these over the dense array's; vs_copy, the time of the copy over
// that of the step (each of a cell's four values must be read and written once).

#include <chrono>
#include <cmath>
#include <vector>

#include <benchmark/benchmark.h>

#include <sparse/sparse.hpp>

#include <sparse/amr/godunov.hpp>
#include <sparse/solvers/compressible/euler.hpp>
#include <sparse/solvers/compressible/rusanov.hpp>

using namespace sparse;

namespace {

constexpr int nx = 2000, ny = 1000;
constexpr double gas_gamma = 1.4, dt_over_dx = 0.01;

/// A smooth state with some of everything.
template <class T>
KOKKOS_FUNCTION Vec<T, 4> state_at(int x, int y) {
  compressible::Euler<T, 2> const law{T(gas_gamma)};
  double const s = std::sin(0.01 * x) * std::cos(0.013 * y);
  return law.conserved(T(1 + 0.1 * s), {T(0.5 + 0.1 * s), T(0.2 * s)}, T(1 - 0.1 * s));
}

// ---- by hand: a dense array with one layer of ghosts, four arrays of values, plain numbers

template <class T>
struct Gas {
  T rho, mx, my, e;
};

template <class T>
inline Gas<T> flux_x(Gas<T> const& u, T p) {
  T const v = u.mx / u.rho;
  return {v * u.rho, v * u.mx + p, v * u.my, v * u.e + v * p};
}
template <class T>
inline Gas<T> flux_y(Gas<T> const& u, T p) {
  T const v = u.my / u.rho;
  return {v * u.rho, v * u.mx, v * u.my + p, v * u.e + v * p};
}
template <class T>
inline T pressure(Gas<T> const& u) {
  return T(gas_gamma - 1) * (u.e - T(0.5) * (u.mx * u.mx + u.my * u.my) / u.rho);
}
template <class T>
inline Gas<T> rusanov(Gas<T> const& f, Gas<T> const& g, Gas<T> const& l, Gas<T> const& r, T a) {
  return {T(0.5) * (f.rho + g.rho - a * (r.rho - l.rho)), T(0.5) * (f.mx + g.mx - a * (r.mx - l.mx)),
          T(0.5) * (f.my + g.my - a * (r.my - l.my)), T(0.5) * (f.e + g.e - a * (r.e - l.e))};
}
template <class T>
inline Gas<T> face_x(Gas<T> const& l, Gas<T> const& r) {
  T const pl = pressure(l), pr = pressure(r);
  T const al = std::abs(l.mx / l.rho) + std::sqrt(T(gas_gamma) * pl / l.rho);
  T const ar = std::abs(r.mx / r.rho) + std::sqrt(T(gas_gamma) * pr / r.rho);
  return rusanov(flux_x(l, pl), flux_x(r, pr), l, r, al > ar ? al : ar);
}
template <class T>
inline Gas<T> face_y(Gas<T> const& l, Gas<T> const& r) {
  T const pl = pressure(l), pr = pressure(r);
  T const al = std::abs(l.my / l.rho) + std::sqrt(T(gas_gamma) * pl / l.rho);
  T const ar = std::abs(r.my / r.rho) + std::sqrt(T(gas_gamma) * pr / r.rho);
  return rusanov(flux_y(l, pl), flux_y(r, pr), l, r, al > ar ? al : ar);
}

template <class T>
void dense_step(T const* __restrict rho, T const* __restrict mx, T const* __restrict my, T const* __restrict e,
                T* __restrict rho_new, T* __restrict mx_new, T* __restrict my_new, T* __restrict e_new) {
  constexpr int width = nx + 2;
  T const k = T(dt_over_dx);
#pragma omp parallel for schedule(static)
  for (int y = 1; y <= ny; ++y) {
#pragma GCC ivdep
    for (int x = 1; x <= nx; ++x) {
      int const i = y * width + x;
      auto const at = [&](int n) { return Gas<T>{rho[n], mx[n], my[n], e[n]}; };
      Gas<T> const u = at(i);
      Gas<T> const w = face_x(at(i - 1), u), o = face_x(u, at(i + 1));
      Gas<T> const s = face_y(at(i - width), u), n = face_y(u, at(i + width));
      rho_new[i] = u.rho + k * (w.rho - o.rho) + k * (s.rho - n.rho);
      mx_new[i] = u.mx + k * (w.mx - o.mx) + k * (s.mx - n.mx);
      my_new[i] = u.my + k * (w.my - o.my) + k * (s.my - n.my);
      e_new[i] = u.e + k * (w.e - o.e) + k * (s.e - n.e);
    }
  }
}

template <class T>
class DenseStep {
public:
  DenseStep() {
    for (auto* arrays : {old_, next_})
      for (int c = 0; c < 4; ++c) arrays[c].resize(std::size_t{nx + 2} * (ny + 2) + 64);
    for (int y = 0; y < ny + 2; ++y)
      for (int x = 0; x < nx + 2; ++x)
        for (int c = 0; c < 4; ++c) old_[c][std::size_t(y) * (nx + 2) + std::size_t(x)] = state_at<T>(x, y)[c];
  }
  void operator()() {
    dense_step(old_[0].data(), old_[1].data(), old_[2].data(), old_[3].data(), next_[0].data(), next_[1].data(),
               next_[2].data(), next_[3].data());
    benchmark::ClobberMemory();
  }

private:
  std::vector<T> old_[4], next_[4];
};

template <class Work>
double seconds_of(Work&& work) {
  auto const start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <class T>
struct Fill {
  FieldView<T> u;
  KOKKOS_FUNCTION void operator()(SubsetPoint<2> const& p) const {
    auto const c = p.coordinates();
    u.store(p.cell, state_at<T>(c[0] + 1, c[1] + 1));
  }
};

/// @param cells  what is updated; one layer around it has values too, as in the dense array
template <class T>
void euler_on(benchmark::State& state, IntervalSet<2> const& cells) {
  auto const storage = cells | expand(cells, 0, 1) | expand(cells, 1, 1);
  Field<T, 2> old("old", storage, 4), next("next", storage, 4);
  for_each("sparse::benchmark::fill", Subset<2>(storage, storage), Fill<T>{old.view()});
  fill(next, 0);
  Stencil<2> const stencil(cells, storage);
  compressible::Rusanov<compressible::Euler<T, 2>> const flux{{T(gas_gamma)}};
  Field<T, 2> copied("copied", storage, 4);
  DenseStep<T> dense;
  double time = 0, dense_time = 0, copy_time = 0;
  for (auto _ : state) {
    copy_time += seconds_of([&] {
      copy(old, copied);
      old.context().fence();
    });
    dense_time += seconds_of(dense);
    double const step_time = seconds_of([&] {
      amr::godunov_update(flux, stencil, FieldView<T const>(old.view()), next.view(),
                          Vec<T, 2>{T(dt_over_dx), T(dt_over_dx)});
      old.context().fence();
    });
    state.SetIterationTime(step_time);
    time += step_time;
  }
  double const cells_updated = static_cast<double>(cells.cell_count() * state.iterations());
  double const dense_cells = static_cast<double>(Index{nx} * ny * state.iterations());
  state.counters["updates"] = benchmark::Counter(cells_updated / time);
  state.counters["vs_dense"] = benchmark::Counter(cells_updated / time / (dense_cells / dense_time));
  state.counters["vs_copy"] = benchmark::Counter(copy_time / time);
}

template <class T>
void euler_box(benchmark::State& state) {
  euler_on<T>(state, box<2>({0, 0}, {nx, ny}));
}

/// The same with 200 balls cut out: walls, and rows of several intervals.
template <class T>
void euler_box_minus_balls(benchmark::State& state) {
  IntervalSet<2> cells = box<2>({0, 0}, {nx, ny});
  for (int i = 0; i < 200; ++i) cells -= ball<2>({50.0 + 100 * (i % 20), 50.0 + 100 * (i / 20)}, 20);
  euler_on<T>(state, cells);
}

}  // namespace

BENCHMARK(euler_box<double>)->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK(euler_box<float>)->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK(euler_box_minus_balls<double>)->Unit(benchmark::kMillisecond)->UseManualTime();
BENCHMARK(euler_box_minus_balls<float>)->Unit(benchmark::kMillisecond)->UseManualTime();
