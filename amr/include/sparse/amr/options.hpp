#pragma once
/// How a simulation steps and refines.

#include <optional>
#include <vector>

#include <sparse/amr/hierarchy/criteria.hpp>
#include <sparse/amr/sweep/limiter.hpp>
#include <sparse/distributed/partition.hpp>
#include <sparse/distributed/team.hpp>

namespace sparse::amr {

/// How states at faces are reconstructed, and how time advances.
enum class Scheme {
  godunov,    ///< first order in space and time
  hancock,    ///< MUSCL-Hancock: second order, one flux per face and step
  muscl_rk2,  ///< MUSCL and strong-stability-preserving Runge-Kutta steps of two stages: second order
  muscl_rk3,  ///< ... of three stages
};

/// Sweeps per step: the cost of a scheme.
constexpr int stage_count(Scheme scheme) {
  return scheme == Scheme::muscl_rk3 ? 3 : scheme == Scheme::muscl_rk2 ? 2 : 1;
}

/// How a simulation computes, and on which levels.
template <class Law>
struct SimulationOptions {
  /// How a step is computed, of first or second order.
  Scheme scheme = Scheme::hancock;
  Limiter limiter = Limiter::minmod;  ///< of slopes; beside bodies it is minmod
  double cfl = 0.8;       ///< Courant number: cells that waves cross per step, summed over the axes; in (0, 1]
  bool subcycle = true;   ///< each level takes two steps per step of the next coarser one; else all step together
  int regrid_stride = 1;  ///< steps of the coarsest level between changes of all levels, >= 1
  /// Levels finer than l also change within coarse steps, after some steps of level l. Between two changes of all
  /// levels, a subcycled level l takes 2^l `regrid_stride` steps. This number is halved until it is at most
  /// `longest_stride` (>= 1) or has come down to `regrid_stride`. Otherwise the margin around moving features would
  /// double per level.
  int longest_stride = 4;
  /// Cells are refined if one of these criteria asks for it. Default: the relative gradient of the first primitive
  /// variable, 0.05.
  std::vector<Criterion<Law>> criteria = {};
  /// Least number of cells by which tags grow. Default: as many as the fastest waves cross until the next change, but
  /// at least 2. A level that changes grows by half as much again, so that it need not change each time.
  std::optional<Coord> buffer = {};
  double excess = 0.1;      ///< a level shrinks when it exceeds the wanted number of cells by this fraction
  Coord minimum_width = 1;  ///< of refined regions, in cells of the coarser level

  /// The ranks that share the levels, each with a part; nullptr: this process has all. It must outlive the simulation.
  distributed::Team* team = nullptr;
  /// How levels are dealt out to ranks, and the greatest work of a rank over the mean at which they are dealt out anew.
  distributed::PartitionOptions partition = {};
  double most_imbalance = 1.1;

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
  /// Whether the levels finer than this one are adapted before this level's step of this number.
  bool is_regrid_due(int level, Index step) const { return step % regrid_stride_of(level) == 0; }
};

}  // namespace sparse::amr
