#include "diffusion.hpp"

#include <cmath>

#include <sparse/plans/for_each.hpp>

#include "grid/beside_boundary.hpp"
#include "grid/body.hpp"

namespace sparse::incompressible {
namespace {

/// Where a neighbour is missing, the face itself stands in, so nothing flows there.
template <class T, int Dim>
struct DiffuseBetweenFaces {
  using Point = typename detail::ArmPlan<Dim>::Point;
  T const* from;
  T* to;
  Vec<T, Dim> weight;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point const& p) const {
    T const here = from[p.operand(0)];
    T sum = 0;
    SPARSE_UNROLL
    for (int b = 0; b < Dim; ++b)
      sum += weight[b] * ((from[p.operand(1 + 2 * b)] - here) + (from[p.operand(2 + 2 * b)] - here));
    to[p.operand(0)] = here + sum;
  }
};

template <class T, int Dim>
struct AddUp {
  T* to;
  T weight, here;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(T share, Mirror const&, T image, Vec<Coord, Dim> const&) const {
    *to += share * weight * (image - here);
  }
};

template <class T, int Dim>
struct DiffuseAtWalls {
  using Point = typename detail::ArmPlan<Dim>::Point;
  GridView<Dim> grid;
  int axis;
  T const* from;
  T* to;
  Vec<T, Dim> weight;

  KOKKOS_FUNCTION void operator()(Point const& p) const {
    T const here = from[p.operand(0)];
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      if (arm / 2 == axis || p.has(1 + arm)) continue;
      detail::visit_images(grid, p.coordinates(), p.operand(0), axis, arm / 2, arm % 2 == 0 ? -1 : 1, here,
                           AddUp<T, Dim>{to + p.operand(0), weight[arm / 2], here});
    }
  }
};

}  // namespace

template <class T, int Dim>
void diffuse(StaggeredGrid<Dim> const& grid, Field<T, Dim> const& from, double amount, Field<T, Dim>& to) {
  ProfilingRegion const region("sparse::incompressible::diffuse");
  grid.expect_stored(from, Dim, "velocity");
  grid.expect_stored(to, Dim, "result of diffusion");
  expects(from.view().data != to.view().data, "incompressible: the result of diffusion must be another field");
  expects(std::isfinite(amount) && amount >= 0, "incompressible: viscosity and time step must not be negative");
  Vec<T, Dim> weight;
  for (int b = 0; b < Dim; ++b) weight[b] = static_cast<T>(amount / (grid.spacing()[b] * grid.spacing()[b]));
  for (int axis = 0; axis < Dim; ++axis) {
    T const* const x = from.component(axis);
    T* const y = to.component(axis);
    for_each("sparse::incompressible::diffuse", grid.body().arms(axis), DiffuseBetweenFaces<T, Dim>{x, y, weight});
    for_each("sparse::incompressible::diffuse_at_walls", grid.body().beside_boundary(axis),
             DiffuseAtWalls<T, Dim>{grid.body().view(), axis, x, y, weight});
  }
}

template void diffuse(StaggeredGrid<2> const&, Field<float, 2> const&, double, Field<float, 2>&);
template void diffuse(StaggeredGrid<2> const&, Field<double, 2> const&, double, Field<double, 2>&);
template void diffuse(StaggeredGrid<3> const&, Field<float, 3> const&, double, Field<float, 3>&);
template void diffuse(StaggeredGrid<3> const&, Field<double, 3> const&, double, Field<double, 3>&);

}  // namespace sparse::incompressible
