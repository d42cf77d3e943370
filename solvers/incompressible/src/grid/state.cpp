#include <sparse/incompressible/grid/state.hpp>

#include "zero.hpp"

namespace sparse::incompressible {

template <class T, int Dim>
State<T, Dim>::State(StaggeredGrid<Dim> const& grid, std::vector<std::string> const& names)
    : velocity(detail::zero<T>("velocity", grid.storage(), Dim)), pressure(detail::zero<T>("pressure", grid.fluid())) {
  grid.set_boundary(velocity);
  for (auto const& name : names) carried.push_back(detail::zero<T>(name.c_str(), grid.storage()));
}

template struct State<float, 2>;
template struct State<float, 3>;
template struct State<double, 2>;
template struct State<double, 3>;

}  // namespace sparse::incompressible
