#pragma once
/// The arguments of a sweep.

#include <sparse/amr/sweep/limiter.hpp>
#include <sparse/fields/field.hpp>

namespace sparse::amr {

/// How states at faces follow from cells.
enum class Reconstruction {
  constant,  ///< the means of the cells: first order
  linear,    ///< means and limited slopes of primitive variables (MUSCL): second order in space
  hancock,   ///< the same half a step later (MUSCL-Hancock): second order in space and time with one flux per step
};

/// A sweep computes `out = base_weight * base + in_weight * (in - dt div F(in))`. `out` must share no memory with the
/// other arrays.
template <class Flux, int Dim>
struct SweepValues {
  using T = typename Flux::Scalar;
  /// The flux, how states at faces are found, and the length of the step [s].
  Flux flux;
  Reconstruction reconstruction = Reconstruction::constant;
  Limiter limiter = Limiter::minmod;
  T dt = 0;
  /// One over the cell width along each axis; arrays on storage, and their weights as above.
  Vec<T, Dim> inverse_spacing = {};
  FieldView<T const> in = {}, base = {};
  FieldView<T> out = {};
  T base_weight = 0, in_weight = 1;
  Vec<FieldView<T>, Dim> coarse_register = {}, fine_register = {};  ///< get `record_weight * F` added
  T record_weight = 0;
};

}  // namespace sparse::amr
