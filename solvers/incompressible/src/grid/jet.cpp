#include <sparse/incompressible/grid/jet.hpp>

#include <sparse/plans/for_each.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>

namespace sparse::incompressible {

template <int Dim>
Jet<Dim>::Jet(StaggeredGrid<Dim> const& grid, IntervalSet<Dim> const& cells, FaceSets<Dim> const& edges) {
  for (int axis = 0; axis < Dim; ++axis) {
    auto const of_cells = grid.domain().periodicity().stored(faces(cells, axis));
    faces_[axis] = Subset<Dim>(of_cells & (grid.open_faces(axis) | edges[axis]), grid.storage());
  }
}

template <int Dim>
template <class T>
void Jet<Dim>::drive(Field<T, Dim>& field, Vec<double, Dim> const& velocity) const {
  for (int axis = 0; axis < Dim; ++axis) {
    T* const values = field.component(axis);
    T const value = static_cast<T>(velocity[axis]);
    for_each(
        "sparse::incompressible::jet", faces_[axis],
        KOKKOS_LAMBDA(SubsetPoint<Dim> const& p) { values[p.cell] = value; });
  }
}

#define SPARSE_DEFINE(T, Dim) template void Jet<Dim>::drive(Field<T, Dim>&, Vec<double, Dim> const&) const;
template class Jet<2>;
template class Jet<3>;
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible
