// Loops over the cells of a box with balls cut out. Their peer is the Laplacian on a dense box of as many cells, whose
// indices are arithmetic. Counted bytes: each value read and written once.

#include <sparse/fields/algebra.hpp>
#include <sparse/plans/for_each.hpp>
#include <sparse/plans/stencil.hpp>
#include <sparse/plans/subset.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/shapes.hpp>

#include "measure.hpp"

namespace {

using namespace sparse;

template <class T>
char const* const name_of = sizeof(T) == 4 ? "float" : "double";

/// A box minus 64 balls.
IntervalSet<3> fluid_cells() {
  Coord const n = measure::edge;
  std::vector<IntervalSet<3>> balls;
  for (int i = 0; i < 64; ++i) {
    Vec<double, 3> const centre{(i % 4 + 0.5) * n / 4, (i / 4 % 4 + 0.5) * n / 4, (i / 16 + 0.5) * n / 4};
    balls.push_back(ball<3>(centre, n / 16.0));
  }
  return box<3>({0, 0, 0}, {n, n, n}) - unite(balls);
}

template <class T>
struct Laplacian {
  FieldView<T const> x;
  FieldView<T> y;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(StencilPoint<3> const& p) const {
    T sum = 0;
    SPARSE_UNROLL
    for (int arm = 0; arm < 6; ++arm) sum += x(p.cell) - x(p.neighbour(arm));
    y(p.cell) = sum;
  }
};

template <class T>
struct DenseLaplacian {
  T const* x;
  T* y;
  Index n;
  KOKKOS_FUNCTION void operator()(Index cell) const {
    Index const i = cell % n, j = cell / n % n, k = cell / (n * n);
    T const here = x[cell];
    T sum = 0;
    if (i > 0) sum += here - x[cell - 1];
    if (i + 1 < n) sum += here - x[cell + 1];
    if (j > 0) sum += here - x[cell - n];
    if (j + 1 < n) sum += here - x[cell + n];
    if (k > 0) sum += here - x[cell - n * n];
    if (k + 1 < n) sum += here - x[cell + n * n];
    y[cell] = sum;
  }
};

template <class T>
void laplacian(benchmark::State& state) {
  auto const fluid = fluid_cells();
  Stencil<3> const stencil(fluid, fluid);
  Field<T, 3> x("x", fluid), y("y", fluid);
  fill(x, 1);
  measure::run(
      state, 2.0 * sizeof(T) * static_cast<double>(fluid.cell_count()),
      [&] {
        for_each("sparse::benchmark::laplacian", stencil, Laplacian<T>{std::as_const(x).view(), y.view()});
      },
      4);
}

template <class T>
void dense_laplacian(benchmark::State& state) {
  Context const context;
  Index const n = measure::edge, count = n * n * n;
  Buffer<T> const x(context, count), y(context, count);
  parallel_for(context, "sparse::benchmark::fill", count, DenseLaplacian<T>{y.data(), x.data(), 1});
  measure::run(
      state, 2.0 * sizeof(T) * static_cast<double>(count),
      [&] {
        parallel_for(context, "sparse::benchmark::dense", count, DenseLaplacian<T>{x.data(), y.data(), n});
      },
      4);
}

template <class T>
void axpy_of_fields(benchmark::State& state) {
  auto const fluid = fluid_cells();
  Field<T, 3> x("x", fluid), y("y", fluid);
  fill(x, 1);
  fill(y, 1);
  measure::run(
      state, 3.0 * sizeof(T) * static_cast<double>(fluid.cell_count()), [&] { add(y, T(0.5), x); }, 4);
}

template <class T>
void dot_of_fields(benchmark::State& state) {
  auto const fluid = fluid_cells();
  Field<T, 3> x("x", fluid), y("y", fluid);
  fill(x, 1);
  fill(y, 1);
  measure::run(state, 2.0 * sizeof(T) * static_cast<double>(fluid.cell_count()),
               [&] { benchmark::DoNotOptimize(dot(x, y)); });
}

/// The cells of the fluid that are not beside its boundary: a loop over a part of what is stored.
template <class T>
void scale_subset(benchmark::State& state) {
  auto const fluid = fluid_cells();
  auto const inner = fluid & shift(fluid, 0, 1) & shift(fluid, 0, -1);
  Subset<3> const subset(inner, fluid);
  Field<T, 3> x("x", fluid);
  fill(x, 1);
  FieldView<T> const view = x.view();
  measure::run(
      state, 2.0 * sizeof(T) * static_cast<double>(inner.cell_count()),
      [&] {
        for_each(
            "sparse::benchmark::scale", subset, KOKKOS_LAMBDA(SubsetPoint<3> const& p) { view(p.cell) *= T(0.5); });
      },
      4);
}

template <class T>
void add_all() {
  std::string const type = std::string("<") + name_of<T> + ">";
  measure::add("laplacian" + type, laplacian<T>);
  measure::add("dense_laplacian" + type, dense_laplacian<T>);
  measure::add("axpy" + type, axpy_of_fields<T>);
  measure::add("dot" + type, dot_of_fields<T>);
  measure::add("subset" + type, scale_subset<T>);
}

}  // namespace

void measure::add_fields() {
  add_all<float>();
  add_all<double>();
}
