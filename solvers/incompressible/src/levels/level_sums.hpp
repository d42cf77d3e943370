#pragma once
/// Numbers of the leaves of one level.

#include "level.hpp"

namespace sparse::incompressible::detail {

/// Between the velocity and the other one, on the faces of leaves.
template <class T, int Dim>
double greatest_change(Level<T, Dim> const& level);
/// The same of an ink, in leaves.
template <class T, int Dim>
double greatest_ink_change(Level<T, Dim> const& level, std::size_t ink);
template <class T, int Dim>
double greatest_divergence(Level<T, Dim> const& level);
template <class T, int Dim>
Vec<double, Dim> momentum(Level<T, Dim> const& level);
template <class T, int Dim>
double kinetic_energy(Level<T, Dim> const& level);
template <class T, int Dim>
double enstrophy(Level<T, Dim> const& level);
template <class T, int Dim>
double ink_total(Level<T, Dim> const& level, std::size_t ink);

}  // namespace sparse::incompressible::detail
