#pragma once
/// Coefficients of a composite problem that are given by face.

#include "interface.hpp"
#include "levels.hpp"

namespace sparse::poisson::detail {

template <int Dim>
using FaceCoefficients = std::array<std::shared_ptr<Field<double, Dim> const>, Dim>;

/// @throws std::invalid_argument  where a face that something flows through has no coefficient, or not a positive one
template <int Dim>
void expect_coefficients(std::vector<CompositeLevel<Dim>> const& levels);

/// c at each part of a face of the interface.
template <int Dim>
Buffer<double> interface_coefficients(CompositeLevel<Dim> const& coarse, CompositeLevel<Dim> const& fine,
                                      Interface<Dim> const& interface);

/// [level][axis] c on the faces of all cells, covered ones too. There, and at interfaces, it is the mean of c on the
/// finer faces that something flows through; 1 where nothing does. Null where c is constant.
template <int Dim>
std::vector<FaceCoefficients<Dim>> coefficients_of_cells(std::vector<CompositeLevel<Dim>> const& levels);

}  // namespace sparse::poisson::detail
