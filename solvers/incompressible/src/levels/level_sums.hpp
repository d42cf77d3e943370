#pragma once
/// Numbers of the leaves of one level.

#include "level.hpp"

namespace sparse::incompressible::detail {

template <class T, int Dim>
double greatest_divergence(Level<T, Dim> const& level);
template <class T, int Dim>
Vec<double, Dim> momentum(Level<T, Dim> const& level);
template <class T, int Dim>
double kinetic_energy(Level<T, Dim> const& level);

}  // namespace sparse::incompressible::detail
