#include <sparse/fields/fill.hpp>

#include <sparse/plans/stencil.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/locate.hpp>
#include <sparse/sets/morphology.hpp>

namespace sparse {
namespace {

/// Sets one cell of a layer.
template <class T, int Dim>
struct FillCell {
  SetView layer, near, domain;
  FieldView<T> values;
  int first, last;  // components

  KOKKOS_FUNCTION void operator()(Index i) const {
    auto const cell = cell_of<Dim>(layer, i);
    Index const here = domain.find(cell);
    for (int c = first; c < last; ++c) {
      T sum = 0;
      int count = 0;
      for (int arm = 0; arm < 2 * Dim; ++arm) {
        auto const beside = cell + Vec<Coord, Dim>::along(arm / 2, arm % 2 == 0 ? -1 : 1);
        if (near.find(beside) < 0) continue;
        sum += values(c, domain.find(beside));
        ++count;
      }
      values(c, here) = sum / static_cast<T>(count);
    }
  }
};

}  // namespace

template <class T, int Dim>
IntervalSet<Dim> fill_from_neighbours(Field<T, Dim>& field, IntervalSet<Dim> const& known,
                                      IntervalSet<Dim> const& missing, int component) {
  expects((known - field.domain()).is_empty() && (missing - field.domain()).is_empty(),
          "fill_from_neighbours: cells are not in the field's domain");
  expects(component >= -1 && component < field.component_count(),
          "fill_from_neighbours: the field does not have this component");
  int const first = component < 0 ? 0 : component, last = component < 0 ? field.component_count() : component + 1;
  IntervalSet<Dim> left = missing - known, near = known & expand(left, 1, Element::diamond);
  while (!left.is_empty() && !near.is_empty()) {
    IntervalSet<Dim> const layer = left & expand(near, 1, Element::diamond);
    parallel_for(field.context(), "sparse::fields::fill", layer.cell_count(),
                 FillCell<T, Dim>{layer.view(), near.view(), field.domain().view(), field.view(), first, last});
    left = left - layer;
    near = layer;
  }
  return left;
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template IntervalSet<Dim> fill_from_neighbours(Field<T, Dim>&, IntervalSet<Dim> const&, IntervalSet<Dim> const&, int);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse
