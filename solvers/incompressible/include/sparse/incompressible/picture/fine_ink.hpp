#pragma once
/// Ink on a grid finer than that of the flow.

#include <memory>

#include <sparse/incompressible/grid/staggered_grid.hpp>

namespace sparse::incompressible {

/// Inks for pictures: the flow carries them, but they do not act on it. They are carried by fluxes, as with
/// `InkMethod::fluxes`.
///
/// Velocities between the faces of the flow are polynomials without divergence inside each cell, with the same flux
/// through each face. On a face they are linear, with slopes that are differences of neighbours. So inks keep their
/// bounds and totals. Memory: 2 Dim values per fine cell, and three per ink.
/// Sources: an image finer than the flow, and a factor for its velocity: `supersample` and `velscale` in the ink shader
/// of Scheidegger, Comba, da Cunha, Practical CFD simulations on programmable graphics hardware using SMAC, Computer
/// Graphics Forum 24 (2005). The polynomials: Balsara, Divergence-free adaptive mesh refinement for
/// magnetohydrodynamics, J. Comput. Phys. 174 (2001).
template <class T, int Dim>
class FineInk {
public:
  /// @param factor  fine cells in a cell, along each axis; >= 1
  /// @param count   number of inks; they are 0 at first
  /// @param speed   factor of the velocity that carries ink; > 0
  /// @throws std::invalid_argument  if a number makes no sense, or walls are curved
  FineInk(StaggeredGrid<Dim> const& grid, int factor, std::size_t count, double speed = 1);
  FineInk(FineInk&&) noexcept;
  FineInk& operator=(FineInk&&) noexcept;
  ~FineInk();

  /// The grid of the inks. Its cells are those of the flow, divided; then it knows no other boundaries than walls. With
  /// a factor of 1 it is the grid of the flow.
  StaggeredGrid<Dim> const& grid() const;
  /// The cells of `grid()` in cells of the flow.
  IntervalSet<Dim> divided(IntervalSet<Dim> const& cells) const;
  /// How many inks there are.
  std::size_t count() const;
  /// One component on the storage of `grid()`.
  /// @throws std::out_of_range  if there is no such ink
  Field<T, Dim>& ink(std::size_t i);
  Field<T, Dim> const& ink(std::size_t i) const;

  /// Sets the velocity of the next step's start. Without it, the first step has the velocity of its end.
  /// @param velocity  of the flow, without divergence
  /// @throws std::invalid_argument  if it does not fit to the flow's grid
  void set_velocity(Field<T, Dim> const& velocity);
  /// Carries all inks for a time step.
  /// @param velocity  of the flow at the end of the step, without divergence
  /// Cost: `factor`^(Dim + 1) times that of ink on the grid of the flow.
  /// @throws std::invalid_argument  if the velocity does not fit, or the time step is negative or not finite
  void advance(Field<T, Dim> const& velocity, double time_step);
  /// The means of an ink in the cells of the flow.
  /// @param values  one component on the storage of the flow
  /// @throws std::invalid_argument  if it does not fit
  /// @throws std::out_of_range      if there is no such ink
  void average(std::size_t i, Field<T, Dim>& values) const;
  /// The velocity on the faces of `grid()`.
  Field<T, Dim> const& velocity() const;

private:
  struct Body;
  std::unique_ptr<Body> body_;
};

}  // namespace sparse::incompressible
