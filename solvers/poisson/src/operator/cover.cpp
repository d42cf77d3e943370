/// The rows of covered cells of a composite problem.

#include <cmath>

#include <sparse/base/parallel.hpp>
#include <sparse/sets/locate.hpp>

#include "rows.hpp"
#include "structure.hpp"

namespace sparse::poisson::detail {
namespace {

template <class T, int Dim>
struct CoverRows {
  CouplingView<T, Dim> fine;
  SetView cells, covered, finer;
  Vec<Coord, Dim> period;
  double zeroth_order;
  FieldView<T> arrays;

  struct Sums {
    double lower[Dim] = {};  // couplings through the lower side
    double dirichlet = 0;
  };

  KOKKOS_FUNCTION static Vec<Coord, Dim> child_of(Vec<Coord, Dim> const& cell, int k) {
    auto child = 2 * cell;
    for (int axis = 0; axis < Dim; ++axis) child[axis] += (k >> axis) & 1;
    return child;
  }
  /// The mean of the children's centres, in widths of a child from the lower corner.
  KOKKOS_FUNCTION Vec<double, Dim> centre(Vec<Coord, Dim> const& cell, int& count) const {
    auto sum = Vec<double, Dim>::filled(0);
    count = 0;
    for (int k = 0; k < 1 << Dim; ++k) {
      if (finer.find(child_of(cell, k)) < 0) continue;
      ++count;
      for (int axis = 0; axis < Dim; ++axis) sum[axis] += 0.5 + ((k >> axis) & 1);
    }
    return (1.0 / count) * sum;
  }
  template <class Rows>
  KOKKOS_FUNCTION void add(Sums& sums, Rows const& rows, int step, int k, Vec<double, Dim> const& centre) const {
    for (int axis = 0; axis < Dim; ++axis) {
      int const bit = (k >> axis) & 1;
      if (bit == 0) sums.lower[axis] += static_cast<double>(rows.weight(2 * axis, step));
    }
    auto const whole = static_cast<double>(rows.dirichlet_part(step));
    if (whole == 0) return;
    // The faces of a cell have equal parts, but for unequal widths, where this is near enough for a cycle.
    double share = 0;
    int faces = 0;
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      if (((rows.run.dirichlet_arms >> arm) & 1u) == 0) continue;
      double const place = ((k >> (arm / 2)) & 1) + arm % 2, away = std::fabs(centre[arm / 2] - place);
      share += away > 0.5 ? 0.5 / away : 1;  // children may lie on both sides of the face
      ++faces;
    }
    sums.dirichlet += whole * (faces > 0 ? share / faces : 0.5);
  }
  KOKKOS_FUNCTION void operator()(Index i) const {
    auto const cell = cell_of<Dim>(covered, i);
    Index const place = cells.find(cell);
    int count = 0, other_count = 0;
    auto const own = centre(cell, count);
    Sums sums;
    for (int k = 0; k < 1 << Dim; ++k) {
      Index const child = finer.find(child_of(cell, k));
      if (child < 0) continue;
      Index const r = ::sparse::detail::last_at_most(fine.starts, fine.run_count, child);
      int const step = static_cast<int>(child - fine.starts[r]);
      if (fine.runs[r].is_uniform)
        add(sums, RunRows<true, T, Dim>(fine, r), step, k, own);
      else
        add(sums, RunRows<false, T, Dim>(fine, r), step, k, own);
    }
    constexpr double mean = 1.0 / (1 << Dim);
    for (int axis = 0; axis < Dim; ++axis) {
      auto other = cell + Vec<Coord, Dim>::along(axis, -1);
      if (covered.find(other) < 0) other[axis] += period[axis];
      if (covered.find(other) < 0) continue;
      double const distance = own[axis] + 2 - centre(other, other_count)[axis];
      arrays(axis, place) = static_cast<T>(mean * sums.lower[axis] / distance);
    }
    arrays(dirichlet_component<Dim>, place) = static_cast<T>(mean * sums.dirichlet);
    arrays(zeroth_component<Dim>, place) = static_cast<T>(mean * count * zeroth_order);
  }
};

}  // namespace

template <class T, int Dim>
void Couplings<T, Dim>::cover(Couplings const& fine, IntervalSet<Dim> const& cells, IntervalSet<Dim> const& covered,
                              IntervalSet<Dim> const& finer, double zeroth_order) {
  parallel_for(context(), "sparse::poisson::cover", covered.cell_count(),
               CoverRows<T, Dim>{fine.view(), cells.view(), covered.view(), finer.view(), period(), zeroth_order,
                                 arrays_.view()});
}

template void Couplings<float, 2>::cover(Couplings<float, 2> const&, IntervalSet<2> const&, IntervalSet<2> const&,
                                         IntervalSet<2> const&, double);
template void Couplings<float, 3>::cover(Couplings<float, 3> const&, IntervalSet<3> const&, IntervalSet<3> const&,
                                         IntervalSet<3> const&, double);

}  // namespace sparse::poisson::detail
