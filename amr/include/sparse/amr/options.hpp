#pragma once
/// How a simulation steps and refines.

#include <optional>
#include <vector>

#include <sparse/amr/hierarchy/criteria.hpp>
#include <sparse/amr/sweep/limiter.hpp>

namespace sparse::amr {

/// How states at faces and in time are found.
enum class Scheme {
  godunov,    ///< first order in space and time
  hancock,    ///< MUSCL-Hancock: second order, one flux per face and step
  muscl_rk2,  ///< MUSCL and strong-stability-preserving Runge-Kutta steps of two stages: second order
  muscl_rk3,  ///< ... of three stages
};

/// Cost of a scheme: sweeps per step.
constexpr int stage_count(Scheme scheme) {
  return scheme == Scheme::muscl_rk3 ? 3 : scheme == Scheme::muscl_rk2 ? 2 : 1;
}

template <class Law>
struct SimulationOptions {
  Scheme scheme = Scheme::hancock;
  Limiter limiter = Limiter::minmod;  ///< of slopes; those beside bodies are minmod's
  double cfl = 0.8;       ///< time step over that at which waves cross a cell, summed over the axes; in (0, 1]
  bool subcycle = true;   ///< each level takes two steps for one of the next coarser one; else all take the finest's
  int regrid_stride = 1;  ///< steps (of the coarsest level) between changes of all levels, >= 1
  /// Where levels take steps of their own, `regrid_stride` is 2^l times as many of level l: this number is halved until
  /// it is at most `longest_stride`, >= 1, or again `regrid_stride`, and after so many steps of level l the levels
  /// finer than l change, too. Without this the room around what moves would double with each level.
  int longest_stride = 4;
  /// Where to refine: what any of these wants. None: the relative gradient of the first primitive variable above 0.05.
  std::vector<Criterion<Law>> criteria = {};
  /// Cells by which tags grow at least; by default what the fastest waves cross until the next change, and 2. Levels
  /// that change grow by a quarter more, so that they need not do so each time.
  std::optional<Coord> buffer = {};
  double excess = 0.1;      ///< part by which a level may have more cells than wanted before it gives them up
  Coord minimum_width = 1;  ///< of refined regions, in cells of the coarser level

  /// Steps of a level in one of level 0.
  int steps_of(int level) const { return subcycle ? 1 << level : 1; }
  /// Steps of a level between changes of the finer ones.
  Index regrid_stride_of(int level) const {
    Index stride = regrid_stride;
    if (!subcycle) return stride;
    stride <<= level;
    for (int halvings = 0; halvings < level && stride > longest_stride; ++halvings) stride /= 2;
    return stride;
  }
  /// Whether the levels finer than this one follow the solution before its step of this number.
  bool is_regrid_due(int level, Index step) const { return step % regrid_stride_of(level) == 0; }
};

}  // namespace sparse::amr
