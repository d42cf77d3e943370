#include <sparse/incompressible/step/divergence.hpp>

#include <cmath>

#include <sparse/fields/algebra.hpp>
#include <sparse/fields/transfer.hpp>

#include "divergence_at.hpp"
#include "greatest_size.hpp"
#include "grid/body.hpp"

namespace sparse::incompressible {
namespace {

/// result = factor div velocity
template <class T, int Dim>
struct TakeDivergence {
  using Point = typename detail::CellPlan<Dim>::Point;
  FieldView<T const> velocity;
  T* result;
  Vec<T, Dim> factor;  // over spacing

  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point const& p) const {
    T sum = 0;
    SPARSE_UNROLL
    for (int a = 0; a < Dim; ++a) sum += factor[a] * (velocity(a, p.operand(2 + a)) - velocity(a, p.operand(1)));
    result[p.operand(0)] = sum;
  }
};

/// result = sum of factor * share * outward velocity over the faces of each cut cell.
/// @param positions  of the results, -1: none; null: those in the fluid
template <class T, int Dim>
void take_divergence_at_cuts(StaggeredGrid<Dim> const& grid, FieldView<T const> velocity, double factor,
                             Index const* positions, T* result) {
  auto const& cut = grid.body().cut;
  detail::CutCell<Dim> const* const cells = cut.cells.data();
  Vec<double, Dim> over;
  for (int axis = 0; axis < Dim; ++axis) over[axis] = factor / grid.spacing()[axis];
  parallel_for(
      grid.context(), "sparse::incompressible::divergence_at_cuts", cut.cells.size(), KOKKOS_LAMBDA(Index i) {
        detail::CutCell<Dim> const& cell = cells[i];
        Index const position = positions == nullptr ? cell.in_fluid : positions[i];
        if (position < 0) return;
        double sum = 0;
        for (int arm = 0; arm < 2 * Dim; ++arm)
          sum += (arm % 2 == 0 ? -1 : 1) * over[arm / 2] * cell.share[arm] *
                 static_cast<double>(velocity(arm / 2, cell.faces[arm]));
        result[position] = static_cast<T>(sum);
      });
}

template <int Dim>
using CellPoint = RunPoint<Dim, 2 + Dim>;

template <class T, int Dim>
KOKKOS_FORCEINLINE_FUNCTION double divergence_of_cell(CellPoint<Dim> const& p, FieldView<T const> const& velocity,
                                                      Vec<double, Dim> const& inverse) {
  double sum = 0;
  SPARSE_UNROLL
  for (int a = 0; a < Dim; ++a)
    sum += inverse[a] *
           (static_cast<double>(velocity(a, p.operand(2 + a))) - static_cast<double>(velocity(a, p.operand(1))));
  return sum;
}

template <class T, int Dim>
double greatest_divergence(StaggeredGrid<Dim> const& grid, FieldView<T const> velocity, Vec<double, Dim> inverse) {
  return reduce<Kokkos::Max, double>(
      "sparse::incompressible::greatest_divergence", grid.body().own_cells(),
      KOKKOS_LAMBDA(CellPoint<Dim> const& p, double& greatest) {
        double const value = divergence_of_cell<T, Dim>(p, velocity, inverse), size = value < 0 ? -value : value;
        if (size > greatest) greatest = size;
      });
}

template <class T, int Dim>
double square_of_divergence(StaggeredGrid<Dim> const& grid, FieldView<T const> velocity, Vec<double, Dim> inverse) {
  return reduce<Kokkos::Sum, double>(
      "sparse::incompressible::square_of_divergence", grid.body().own_cells(),
      KOKKOS_LAMBDA(CellPoint<Dim> const& p, double& sum) {
        double const value = divergence_of_cell<T, Dim>(p, velocity, inverse);
        sum += value * value;
      });
}

template <int Dim>
Vec<double, Dim> inverse_of(Vec<double, Dim> v) {
  for (int axis = 0; axis < Dim; ++axis) v[axis] = 1 / v[axis];
  return v;
}

}  // namespace

template <class T, int Dim>
void detail::divergence_at(CellPlan<Dim> const& cells, Field<T, Dim> const& velocity, Vec<double, Dim> const& spacing,
                           double factor, T* result) {
  TakeDivergence<T, Dim> body{velocity.view(), result, {}};
  for (int a = 0; a < Dim; ++a) body.factor[a] = static_cast<T>(factor / spacing[a]);
  for_each("sparse::incompressible::divergence", cells, body);
}

template <class T, int Dim>
void detail::divergence_at_cuts(StaggeredGrid<Dim> const& grid, Buffer<Index> const& positions,
                                Field<T, Dim> const& velocity, double factor, T* result) {
  take_divergence_at_cuts<T, Dim>(grid, velocity.view(), factor, positions.data(), result);
}

template <class T, int Dim>
void divergence(Field<T, Dim>& result, StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity, double factor) {
  grid.expect_stored(velocity, Dim, "velocity");
  detail::expect_on_fluid(grid, result, "divergence");
  detail::divergence_at(grid.body().cells(), velocity, grid.spacing(), factor, result.component(0));
  if (!grid.has_curved_walls()) return;
  take_divergence_at_cuts<T, Dim>(grid, velocity.view(), factor, nullptr, result.component(0));
}

template <class T, int Dim>
Divergence divergence_of(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity) {
  grid.expect_stored(velocity, Dim, "velocity");
  double greatest = 0, square = 0;
  if (grid.has_curved_walls()) {
    Field<T, Dim> values("divergence", grid.fluid());
    divergence(values, grid, velocity);
    auto const own = grid.is_shared() ? remap(values, grid.own_cells()) : std::move(values);
    greatest = detail::greatest_size<T, Dim>(Subset<Dim>(own.domain(), own.domain()), own.component(0));
    auto const size = static_cast<double>(norm(own));
    square = size * size;
  } else {
    auto const inverse = inverse_of(grid.spacing());
    square = square_of_divergence<T, Dim>(grid, velocity.view(), inverse);
    greatest = greatest_divergence<T, Dim>(grid, velocity.view(), inverse);
  }
  auto const& body = grid.body();
  double const count = body.sum(static_cast<double>(grid.own_cells().cell_count()));
  return {body.greatest(greatest), std::sqrt(body.sum(square) / count)};
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template void detail::divergence_at(CellPlan<Dim> const&, Field<T, Dim> const&, Vec<double, Dim> const&, double,     \
                                      T*);                                                                             \
  template void detail::divergence_at_cuts(StaggeredGrid<Dim> const&, Buffer<Index> const&, Field<T, Dim> const&,      \
                                           double, T*);                                                                \
  template void divergence(Field<T, Dim>&, StaggeredGrid<Dim> const&, Field<T, Dim> const&, double);                   \
  template Divergence divergence_of(StaggeredGrid<Dim> const&, Field<T, Dim> const&);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible
