#include "crossing_rate.hpp"

#include <cmath>

#include "greatest_size.hpp"
#include "grid/body.hpp"

namespace sparse::incompressible::detail {
namespace {

template <class T, int Dim>
struct GreatestCrossingRate {
  FieldView<T const> velocity;
  Vec<T, Dim> inverse;  // of spacing

  KOKKOS_FORCEINLINE_FUNCTION void operator()(typename CellPlan<Dim>::Point const& p, Bits<T>& greatest) const {
    T sum = 0;
    SPARSE_UNROLL
    for (int b = 0; b < Dim; ++b) {
      T const lower = std::fabs(velocity(b, p.operand(1))), upper = std::fabs(velocity(b, p.operand(2 + b)));
      sum += inverse[b] * (lower > upper ? lower : upper);
    }
    Bits<T> const bits = bits_of_size(sum);
    greatest = bits > greatest ? bits : greatest;
  }
};

}  // namespace

template <class T, int Dim>
double greatest_crossing_rate(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& velocity) {
  grid.expect_stored(velocity, Dim, "velocity");
  Vec<T, Dim> inverse;
  for (int b = 0; b < Dim; ++b) inverse[b] = static_cast<T>(1 / grid.spacing()[b]);
  return grid.body().greatest(size_of_bits<T>(
      reduce<Kokkos::Max, Bits<T>>("sparse::incompressible::greatest_crossing_rate", grid.body().cells(),
                                   GreatestCrossingRate<T, Dim>{velocity.view(), inverse})));
}

#define SPARSE_DEFINE(T, Dim) template double greatest_crossing_rate(StaggeredGrid<Dim> const&, Field<T, Dim> const&);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible::detail
