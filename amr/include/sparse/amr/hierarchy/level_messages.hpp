#pragma once
/// What the owners of a level's cells tell each other.

#include <sparse/amr/hierarchy/part_of_levels.hpp>
#include <sparse/amr/hierarchy/share.hpp>
#include <sparse/distributed/halo.hpp>

namespace sparse::amr {

/// The means of children that other ranks own.
template <int Dim>
struct RemoteChildren {
  IntervalSet<Dim> cells;        ///< the children
  distributed::Halo<Dim> halo;   ///< from the finer level of their owners to `cells`
  RestrictPlan<Dim> to_parents;  ///< from `cells` to the storage of the rank
};

/// The messages that one level of a rank receives, and those that it sends for others.
template <int Dim>
struct LevelMessages {
  distributed::Halo<Dim> received, beside;     ///< within the storage of the level; see `PartOfLevels`
  RemoteChildren<Dim> needed, all;             ///< for `restrict_needed` and `restrict_all` of `LevelPlans`
  Vec<distributed::Halo<Dim>, Dim> face_sums;  ///< [axis] fluxes of the finer level for `PartOfLevels::fine_faces`

  LevelMessages() = default;
  LevelMessages(LevelMessages const&) = delete;  // requests point here
  LevelMessages& operator=(LevelMessages const&) = delete;
  /// The halos are there once `Halo::make` has answered the requests. Cost: set algebra.
  LevelMessages(Share<Dim> const& share, PartOfLevels<Dim> const& part, int level,
                std::vector<typename distributed::Halo<Dim>::Request>& requests);
};

}  // namespace sparse::amr
