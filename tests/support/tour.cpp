#include <support/tour.hpp>

#include <sparse/field_algebra.hpp>
#include <sparse/morphology.hpp>
#include <sparse/scaling.hpp>
#include <sparse/select.hpp>
#include <sparse/set_algebra.hpp>
#include <sparse/shapes.hpp>
#include <sparse/stencil.hpp>
#include <sparse/subset.hpp>
#include <sparse/transfer.hpp>

namespace {

using namespace sparse;

template <int Dim>
struct Checkers {
  KOKKOS_FUNCTION bool operator()(Vec<Coord, Dim> const& cell) const { return (cell[0] + cell[1]) % 3 != 0; }
};

template <int Dim>
struct Slope {
  KOKKOS_FUNCTION double operator()(Vec<double, Dim> const& x) const { return x[0] - 0.5 * x[1]; }
};

struct IsEven {
  KOKKOS_FUNCTION bool operator()(Index cell) const { return cell % 2 == 0; }
};

template <int Dim>
IntervalSet<Dim> tour_sets(int step) {
  constexpr Coord size = Dim == 2 ? 60 : 16;
  Box<Dim> const domain{Vec<Coord, Dim>::filled(-size / 2), Vec<Coord, Dim>::filled(size / 2)};
  auto const all = box<Dim>(domain.begin, domain.end);
  auto const body = ball<Dim>(Vec<double, Dim>::filled(0.3 * (step % 7)), size / 4.0);
  auto const pattern = from_predicate(domain, Checkers<Dim>{}) ^ from_level_set(domain, Slope<Dim>{});
  auto const bitmap = from_bitmap(domain, std::vector<std::uint8_t>(static_cast<std::size_t>(domain.cell_count()), 1));
  auto const read = from_host(pattern.to_host());
  auto const fluid = (all - body) | (shift(pattern, 0, step % 5) & bitmap) | read;
  auto const grown = expand(shrink(fluid, 1), 2) & expand(body, Dim - 1, 3);
  auto const scaled = coarsen(refine(grown)) | grown | faces(fluid, step % Dim);
  validate(scaled);
  expects(!(scaled == body) && scaled.contains(scaled.bounds().begin) != scaled.is_empty(), "a tour of sets");
  return scaled;
}

template <int Dim>
void tour_fields(IntervalSet<Dim> const& domain) {
  using Point = SubsetPoint<Dim>;
  using StencilPoint = sparse::StencilPoint<Dim>;
  Field<double, Dim> field("f", domain, 2);
  FieldView<double> const x = field.view();
  Subset<Dim> const inner(shrink(domain, 1), domain);
  fill(field, 1);
  for_each(
      "sparse::tour::subset", inner,
      KOKKOS_LAMBDA(Point const& p) { x(p.cell) = static_cast<double>(p.coordinates()[0]); });
  Field<double, Dim> result = clone(field);
  FieldView<double> const y = result.view();
  for_each(
      "sparse::tour::stencil", Stencil<Dim>(domain, domain),
      KOKKOS_LAMBDA(StencilPoint const& p) { y(p.cell) = x(p.neighbour(1)) - x(p.neighbour(0)); });
  scale(result, 0.5);
  axpy(2, field, result);
  copy(result, field);
  double const most = reduce<Kokkos::Max, double>(
      "sparse::tour::reduce", inner, KOKKOS_LAMBDA(Point const& p, double& m) {
        if (x(p.cell) > m) m = x(p.cell);
      });
  double const size = dot(field, result) + sum(field) + minimum(field) + maximum(field, 1) + norm(field) + most;
  expects(size == size, "a tour of fields");
  auto const tagged = threshold(field, 3) | select(domain, IsEven{});
  auto const fine = prolong(refine(expand(tagged, 1)), field, Prolongation::limited_linear);
  auto const coarse = restrict_to(domain, fine);
  remap(coarse, tagged, 1);
  Embedding<Dim> const embedding(tagged, domain);
  to_host(coarse);
}

}  // namespace

template <int Dim>
void tour_the_core(int step) {
  tour_fields(tour_sets<Dim>(step));
}

template void tour_the_core<2>(int);
template void tour_the_core<3>(int);
