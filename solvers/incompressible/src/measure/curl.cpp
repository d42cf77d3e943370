#include "curl.hpp"

#include <sparse/plans/for_each.hpp>

#include "grid/body.hpp"
#include "grid/periodic_plan.hpp"

namespace sparse::incompressible::detail {
namespace {

template <class T, int Dim>
struct TakeCurl {
  using Point = typename CurlPlan<Dim>::Point;
  FieldView<T const> velocity;
  FieldView<T> to;
  FieldView<std::uint8_t const> kinds;
  Condition<Dim> const* conditions;
  Vec<T, Dim> half;  // 1 / (2 spacing)

  KOKKOS_FORCEINLINE_FUNCTION static int next(int axis) { return 2 + axis; }
  KOKKOS_FORCEINLINE_FUNCTION static int neighbour(int arm) { return 2 + Dim + arm; }
  /// The next cell of a neighbour.
  KOKKOS_FORCEINLINE_FUNCTION static int next_of(int arm, int axis) {
    return 2 + 3 * Dim + arm * (Dim - 1) + (axis < arm / 2 ? axis : axis - 1);
  }

  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point const& p) const {
    take(p, [&](int component, int arm) {
      if (p.has(neighbour(arm))) return mean_beside(p, component, arm);
      // The mirror image beyond the wall.
      int const across = arm / 2;
      int const kind = static_cast<int>(kinds(across, p.operand(arm % 2 == 1 ? next(across) : 1)));
      Mirror const mirror = mirror_of(conditions[kind - FaceKind::boundary], component);
      T const mean = T(0.5) * (velocity(component, p.operand(1)) + velocity(component, p.operand(next(component))));
      return static_cast<T>(mirror.slope) * mean + static_cast<T>(mirror.offset);
    });
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point const& p, AllPresent) const {
    take(p, [&](int component, int arm) { return mean_beside(p, component, arm); });
  }

private:
  /// The mean of a component on the faces around a neighbour.
  KOKKOS_FORCEINLINE_FUNCTION T mean_beside(Point const& p, int component, int arm) const {
    return T(0.5) *
           (velocity(component, p.operand(neighbour(arm))) + velocity(component, p.operand(next_of(arm, component))));
  }
  template <class Beside>
  KOKKOS_FORCEINLINE_FUNCTION void take(Point const& p, Beside const& beside) const {
    SPARSE_UNROLL
    for (int c = 0; c < (Dim == 2 ? 1 : 3); ++c) {
      int const first = Dim == 2 ? 0 : (c + 1) % 3, second = Dim == 2 ? 1 : (c + 2) % 3;
      to(c, p.operand(0)) = half[first] * (beside(second, 2 * first + 1) - beside(second, 2 * first)) -
                            half[second] * (beside(first, 2 * second + 1) - beside(first, 2 * second));
    }
  }
};

}  // namespace

template <int Dim>
CurlPlan<Dim> curl_plan(StaggeredGrid<Dim> const& grid, IntervalSet<Dim> const& cells) {
  constexpr int always = 2 + Dim;
  SetView const stored = grid.storage().view();
  Embedding<Dim> const fluid(grid.fluid(), grid.storage());
  Target<Dim> targets[CurlPlan<Dim>::operand_count] = {{cells.view()}, {stored}};
  for (int axis = 0; axis < Dim; ++axis) targets[2 + axis] = {stored, Vec<Coord, Dim>::along(axis, 1)};
  int last = always + 2 * Dim;
  for (int arm = 0; arm < 2 * Dim; ++arm) {
    auto const offset = Vec<Coord, Dim>::along(arm / 2, arm % 2 == 1 ? 1 : -1);
    targets[always + arm] = {fluid.view(), offset};
    for (int axis = 0; axis < Dim; ++axis)
      if (axis != arm / 2) targets[last++] = {stored, offset + Vec<Coord, Dim>::along(axis, 1)};
  }
  return periodic_plan(cells, targets, grid.domain().periodicity(), (1u << always) - 1);
}

template <class T, int Dim>
void take_curl(StaggeredGrid<Dim> const& grid, CurlPlan<Dim> const& cells, Field<T, Dim> const& velocity,
               Field<T, Dim>& to) {
  auto const& body = grid.body();
  TakeCurl<T, Dim> kernel{velocity.view(), to.view(), body.kinds.view(), body.conditions.data(), {}};
  for (int axis = 0; axis < Dim; ++axis) kernel.half[axis] = static_cast<T>(0.5 / grid.spacing()[axis]);
  for_each("sparse::incompressible::vorticity", cells, kernel);
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template void take_curl(StaggeredGrid<Dim> const&, CurlPlan<Dim> const&, Field<T, Dim> const&, Field<T, Dim>&);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)
template CurlPlan<2> curl_plan(StaggeredGrid<2> const&, IntervalSet<2> const&);
template CurlPlan<3> curl_plan(StaggeredGrid<3> const&, IntervalSet<3> const&);

}  // namespace sparse::incompressible::detail
