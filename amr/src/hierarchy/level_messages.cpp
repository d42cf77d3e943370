#include <sparse/amr/hierarchy/level_messages.hpp>

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/scaling.hpp>

namespace sparse::amr {
namespace {

template <int Dim>
using Requests = std::vector<typename distributed::Halo<Dim>::Request>;

/// @param parents  of this rank
template <int Dim>
void ask_for_children(RemoteChildren<Dim>& remote, Share<Dim> const& share, PartOfLevels<Dim> const& part,
                      std::size_t l, IntervalSet<Dim> const& parents, Requests<Dim>& requests) {
  LevelSets<Dim> const& finer = part.sets[l + 1];
  // Parents elsewhere have children that are all the rank's own.
  IntervalSet<Dim> const some = rim_at(share.reach.rims(), static_cast<int>(l)).part_under(parents);
  if (!some.is_empty()) remote.cells = (refine(some) & share.near[l + 1].cells) - finer.cells;
  requests.push_back({&remote.halo, static_cast<int>(l) + 1, finer.storage, remote.cells, {{remote.cells}}});
  // All children of a cell have the same owner.
  if (!remote.cells.is_empty())
    remote.to_parents = RestrictPlan<Dim>(coarsen(remote.cells), part.sets[l].storage, remote.cells, remote.cells);
}

}  // namespace

template <int Dim>
LevelMessages<Dim>::LevelMessages(Share<Dim> const& share, PartOfLevels<Dim> const& part, int level,
                                  Requests<Dim>& requests) {
  auto const l = static_cast<std::size_t>(level);
  auto const& own = part.sets[l];
  requests.push_back({&received, level, own.storage, own.storage, {{part.received[l]}}});
  requests.push_back({&beside, level, own.storage, own.storage, {{part.beside[l]}}});
  if (l + 1 == part.sets.size()) return;
  ask_for_children(needed, share, part, l, own.restricted, requests);
  ask_for_children(all, share, part, l, own.covered, requests);
  for (int axis = 0; axis < Dim; ++axis) {
    IntervalSet<Dim> const& faces = part.fine_faces[l][axis];
    IntervalSet<Dim> const above = faces & share.near[l + 1].cells;  // the cell of the finer level is above the face
    requests.push_back({&face_sums[axis],
                        level + 1,
                        part.sets[l + 1].fine_interface[axis],
                        faces,
                        {{above}, {faces - above, {}, Vec<Coord, Dim>::along(axis, -1)}}});
  }
}

template struct LevelMessages<2>;
template struct LevelMessages<3>;

}  // namespace sparse::amr
