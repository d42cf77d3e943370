#include <sparse/fields/algebra.hpp>
#include <sparse/fields/extrema.hpp>
#include <sparse/fields/gather.hpp>
#include <sparse/fields/hysteresis.hpp>
#include <sparse/fields/operators.hpp>
#include <sparse/fields/sample.hpp>
#include <sparse/fields/select.hpp>
#include <sparse/fields/subview.hpp>
#include <sparse/fields/transfer.hpp>
#include <sparse/plans/stencil.hpp>
#include <sparse/plans/subset.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>
#include <support/tour_parts.hpp>

namespace tour {

using namespace sparse;

namespace {

struct IsEven {
  KOKKOS_FUNCTION bool operator()(Index cell) const { return cell % 2 == 0; }
};

template <int Dim>
struct MeanOfTwo {
  template <class T>
  KOKKOS_FUNCTION T operator()(StencilPoint<Dim> const& p, T const* x) const {
    return T(0.5) * (x[p.neighbour(0)] + x[p.neighbour(1)]);
  }
};

template <int Dim>
void kernels(Field<double, Dim>& field, Field<double, Dim>& result) {
  using Point = SubsetPoint<Dim>;
  using StencilPoint = sparse::StencilPoint<Dim>;
  auto const domain = field.domain();
  FieldView<double> const x = field.view(), y = result.view();
  Subset<Dim> const inner(shrink(domain, 1), domain);
  for_each(
      "sparse::tour::subset", inner,
      KOKKOS_LAMBDA(Point const& p) { x(p.cell) = static_cast<double>(p.coordinates()[0]); });
  for_each(
      "sparse::tour::stencil", Stencil<Dim>(domain, domain),
      KOKKOS_LAMBDA(StencilPoint const& p) { y(p.cell) = x(p.neighbour(1)) - x(p.neighbour(0)); });
  constexpr int count = Dim == 2 ? 8 : 26;
  using Wide = sparse::StencilPoint<Dim, count>;
  for_each(
      "sparse::tour::corners", Stencil<Dim, count>(domain, domain, corner_arms<Dim>()),
      KOKKOS_LAMBDA(Wide const& p) { y(p.cell) += x(p.neighbour(count - 1)); });
  double const most = reduce<Kokkos::Max, double>(
      "sparse::tour::reduce", inner, KOKKOS_LAMBDA(Point const& p, double& m) {
        if (x(p.cell) > m) m = x(p.cell);
      });
  expects(most == most, "a tour of kernels");
}

template <int Dim>
void differences(Field<double, Dim> const& field) {
  Field<double, Dim> length("length", field.domain());
  auto const slopes = gradient(field);
  magnitude(length, slopes);
  auto const curvature = laplacian(field, Vec<double, Dim>::filled(0.5));
  expects(divergence(slopes).cell_count() == curvature.cell_count(), "a tour of operators");
  auto const strong = threshold_connected(length, 0.1, 1.0);
  expects((strong - threshold(length, 0.1)).is_empty(), "a tour of hysteresis");
}

template <int Dim>
void subviews(Field<double, Dim>& field, Field<double, Dim>& other) {
  Region<Dim> const region(shift(field.domain(), 0, 3));
  auto const part = view(field, region);
  fill(part, 2);
  scale(part, 0.5);
  assign(part, other);
  add(part, 2, other);
  apply_stencil("sparse::tour::apply", part, MeanOfTwo<Dim>{}, other);
  double const all = dot(part, other) + sum(part) + norm(part) + minimum(part) + maximum(part);
  expects(all == all && part.cells().cell_count() == part.subset().cell_count(), "a tour of subviews");
}

}  // namespace

template <int Dim>
void fields(IntervalSet<Dim> const& domain) {
  Field<double, Dim> field("f", domain, 2);
  fill(field, 1);
  Field<double, Dim> result = clone(field);
  kernels(field, result);
  scale(result, 0.5);
  add(result, 2, field);
  assign(field, result);
  double const size = dot(field, result) + sum(field) + minimum(field) + maximum(field, 1) + norm(field);
  expects(size == size && find_minimum(field).value <= find_maximum(field).value, "a tour of fields");
  differences(field);
  subviews(field, result);

  auto const tagged = threshold(field, 3) | select(domain, IsEven{});
  auto const fine = prolong(refine(expand(tagged, 1)), field, Prolongation::limited_linear);
  auto const coarse = restrict_to(domain, fine);
  remap(coarse, tagged, 1);
  Embedding<Dim> const embedding(tagged, domain);
  to_host(coarse);
}

template <int Dim>
void points(IntervalSet<Dim> const& domain, int step) {
  Field<double, Dim> field("f", domain);
  fill(field, 2);
  std::vector<Vec<Coord, Dim>> cells;
  std::vector<Vec<double, Dim>> places;
  for (int i = 0; i < 20; ++i) {
    cells.push_back(cell_of(domain, (i * 37 + step) % domain.cell_count()));
    Vec<double, Dim> place;
    for (int axis = 0; axis < Dim; ++axis) place[axis] = cells.back()[axis] + 0.1 * axis;
    places.push_back(place);
  }
  scatter(field, cells, std::vector<double>(cells.size(), 3.0));
  expects(gather(field, cells) == std::vector<double>(cells.size(), 3.0), "a tour of cells");
  auto const values = sample(field, places);
  places.push_back(Vec<double, Dim>::filled(-1e6));
  expects(sample_or(field, places, -1.0).back() == -1 && values[0] >= 2, "a tour of points");
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template void fields(IntervalSet<Dim> const&);                                                                       \
  template void points(IntervalSet<Dim> const&, int);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace tour
