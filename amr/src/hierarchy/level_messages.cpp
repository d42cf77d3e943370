#include <sparse/amr/hierarchy/level_messages.hpp>

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/scaling.hpp>

namespace sparse::amr {
namespace {

using distributed::Halo;
using distributed::Team;

/// @param parents  of this rank
template <int Dim>
RemoteChildren<Dim> remote_children(Team& team, Share<Dim> const& share, PartOfLevels<Dim> const& part, std::size_t l,
                                    IntervalSet<Dim> const& parents) {
  LevelSets<Dim> const& finer = part.sets[l + 1];
  RemoteChildren<Dim> remote;
  if (!parents.is_empty()) remote.cells = (refine(parents) & share.all[l + 1].cells) - finer.cells;
  remote.halo =
      Halo<Dim>(team, share.partition, static_cast<int>(l) + 1, finer.storage, remote.cells, {{remote.cells}});
  // All children of a cell have the same owner.
  if (!remote.cells.is_empty())
    remote.to_parents = RestrictPlan<Dim>(coarsen(remote.cells), part.sets[l].storage, remote.cells, remote.cells);
  return remote;
}

}  // namespace

template <int Dim>
LevelMessages<Dim>::LevelMessages(Team& team, Share<Dim> const& share, PartOfLevels<Dim> const& part, int level) {
  auto const l = static_cast<std::size_t>(level);
  auto const& own = part.sets[l];
  received = Halo<Dim>(team, share.partition, level, own.storage, own.storage, {{part.received[l]}});
  if (l + 1 == part.sets.size()) return;
  needed = remote_children(team, share, part, l, own.restricted);
  all = remote_children(team, share, part, l, own.covered);
  for (int axis = 0; axis < Dim; ++axis) {
    IntervalSet<Dim> const& faces = part.fine_faces[l][axis];
    IntervalSet<Dim> const above = faces & share.all[l + 1].cells;  // the cell of the finer level is above the face
    face_sums[axis] = Halo<Dim>(team, share.partition, level + 1, part.sets[l + 1].fine_interface[axis], faces,
                                {{above}, {faces - above, {}, Vec<Coord, Dim>::along(axis, -1)}});
  }
}

template struct LevelMessages<2>;
template struct LevelMessages<3>;

}  // namespace sparse::amr
