/// The rows of covered cells of a composite problem.

#include <cmath>
#include <cstdint>
#include <utility>

#include <sparse/fields/field.hpp>
#include <sparse/plans/for_each.hpp>
#include <sparse/plans/transfer.hpp>
#include <sparse/sets/locate.hpp>

#include "rows.hpp"
#include "structure.hpp"

namespace sparse::poisson::detail {
namespace {

/// The mean of the children's centres, in widths of a child from the lower corner. @param present  a bit for each
template <int Dim>
KOKKOS_FUNCTION Vec<double, Dim> centre_of(unsigned present, int& count) {
  auto sum = Vec<double, Dim>::filled(0);
  count = 0;
  for (int k = 0; k < 1 << Dim; ++k) {
    if (((present >> k) & 1u) == 0) continue;
    ++count;
    for (int axis = 0; axis < Dim; ++axis) sum[axis] += 0.5 + ((k >> axis) & 1);
  }
  return (1.0 / count) * sum;
}

/// What the children of a covered cell add up to: to its diagonal, and to `through`, couplings through the lower sides.
template <class T, int Dim>
struct CoverCells {
  CouplingView<T, Dim> fine;
  double zeroth_order;
  FieldView<T> arrays;
  FieldView<double> through;
  std::uint8_t* present;  ///< children

  static constexpr double mean = 1.0 / (1 << Dim);
  struct Sums {
    double lower[Dim] = {};
    double dirichlet = 0;
  };

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
  KOKKOS_FUNCTION void operator()(RestrictPoint<Dim> const& p) const {
    unsigned children = 0;
    for (int k = 0; k < 1 << Dim; ++k) children |= p.has_child(k) ? 1u << k : 0u;
    int count = 0;
    auto const centre = centre_of<Dim>(children, count);
    Sums sums;
    Index r = 0;
    for (int k = 0; k < 1 << Dim; ++k) {
      if (!p.has_child(k)) continue;
      Index const child = p.child(k);
      if (child < fine.starts[r] || child >= fine.starts[r + 1])
        r = ::sparse::detail::last_at_most(fine.starts, fine.run_count, child);
      int const step = static_cast<int>(child - fine.starts[r]);
      if (fine.runs[r].is_uniform)
        add(sums, RunRows<true, T, Dim>(fine, r), step, k, centre);
      else
        add(sums, RunRows<false, T, Dim>(fine, r), step, k, centre);
    }
    present[p.cell] = static_cast<std::uint8_t>(children);
    for (int axis = 0; axis < Dim; ++axis) through(axis, p.cell) = mean * sums.lower[axis];
    arrays(dirichlet_component<Dim>, p.cell) = static_cast<T>(mean * sums.dirichlet);
    arrays(zeroth_component<Dim>, p.cell) = static_cast<T>(mean * count * zeroth_order);
  }
};

/// Couples the covered cells of a run to the covered ones at their lower sides.
template <class T, int Dim>
struct CoverSides {
  CouplingView<T, Dim> view;
  FieldView<double const> through;
  std::uint8_t const* present;  ///< children; 0 where a cell is not covered
  FieldView<T> arrays;

  KOKKOS_FUNCTION void operator()(Index r) const {
    auto const& run = view.runs[r];
    for (int axis = 0; axis < Dim; ++axis) {
      if (run.offset[2 * axis] == 0) continue;
      for (Index cell = run.first; cell < run.first + run.count; ++cell) {
        unsigned const children = present[cell], of_other = present[cell + run.offset[2 * axis]];
        if (children == 0 || of_other == 0) continue;
        int count = 0;
        double const distance = centre_of<Dim>(children, count)[axis] + 2 - centre_of<Dim>(of_other, count)[axis];
        arrays(axis, cell) = static_cast<T>(through(axis, cell) / distance);
      }
    }
  }
};

}  // namespace

template <class T, int Dim>
void Couplings<T, Dim>::cover(Couplings const& fine, IntervalSet<Dim> const& cells, IntervalSet<Dim> const& covered,
                              IntervalSet<Dim> const& finer, double zeroth_order) {
  Field<double, Dim> through("through", cells, Dim);
  Buffer<std::uint8_t> const present(context(), cells.cell_count());
  std::uint8_t* const children = present.data();
  parallel_for(
      context(), "sparse::poisson::uncover", cells.cell_count(), KOKKOS_LAMBDA(Index i) { children[i] = 0; });
  for_each("sparse::poisson::cover", RestrictPlan<Dim>(covered, cells, finer, finer),
           CoverCells<T, Dim>{fine.view(), zeroth_order, arrays_.view(), through.view(), children});
  auto const rows = view();
  parallel_for(context(), "sparse::poisson::cover_sides", rows.run_count,
               CoverSides<T, Dim>{rows, std::as_const(through).view(), children, arrays_.view()});
}

template void Couplings<float, 2>::cover(Couplings<float, 2> const&, IntervalSet<2> const&, IntervalSet<2> const&,
                                         IntervalSet<2> const&, double);
template void Couplings<float, 3>::cover(Couplings<float, 3> const&, IntervalSet<3> const&, IntervalSet<3> const&,
                                         IntervalSet<3> const&, double);

}  // namespace sparse::poisson::detail
