#include <sparse/fields/pad_thin.hpp>

#include <algorithm>
#include <vector>

#include <sparse/fields/select.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/host_set.hpp>
#include <sparse/sets/morphology.hpp>

namespace sparse {
namespace {

template <int Dim>
SetView view_of(HostSet<Dim> const& set) {
  return {set.row_keys.data(),
          set.row_ptr.data(),
          set.intervals.data(),
          set.cell_offsets.data(),
          static_cast<Index>(set.row_keys.size()),
          static_cast<Index>(set.intervals.size()),
          set.cell_count()};
}

/// The cells of a body with fluid on two opposite sides.
template <int Dim>
IntervalSet<Dim> thin_cells(IntervalSet<Dim> const& solid, IntervalSet<Dim> const& fluid) {
  IntervalSet<Dim> result;
  for (int axis = 0; axis < Dim; ++axis) result = result | (solid & shift(fluid, axis, 1) & shift(fluid, axis, -1));
  return result;
}

struct IsMarked {
  std::uint8_t const* marks;
  KOKKOS_FUNCTION bool operator()(Index cell) const { return marks[cell] != 0; }
};

/// Removes added cells again, as long as no cell becomes too thin.
template <int Dim>
class Pruning {
public:
  Pruning(IntervalSet<Dim> const& solid, IntervalSet<Dim> const& fluid, IntervalSet<Dim> const& added)
      : solid_(solid.to_host()), fluid_(fluid.to_host()), added_(added.to_host()),
        is_kept_(static_cast<std::size_t>(added.cell_count()), 1) {}

  /// 1 for each added cell that must stay.
  std::vector<std::uint8_t> const& run() {
    std::vector<Vec<Coord, Dim>> cells;
    added_.for_each_cell([&](Vec<Coord, Dim> const& cell, Index) { cells.push_back(cell); });
    std::reverse(cells.begin(), cells.end());
    for (auto const& cell : cells)
      if (is_kept(view_of(added_).find(cell))) try_without(cell);
    return is_kept_;
  }

private:
  bool is_kept(Index added) const { return added >= 0 && is_kept_[static_cast<std::size_t>(added)] != 0; }
  bool is_fluid(Vec<Coord, Dim> const& cell) const {
    return view_of(fluid_).find(cell) >= 0 && !is_kept(view_of(added_).find(cell));
  }
  bool is_thin(Vec<Coord, Dim> const& cell) const {
    for (int axis = 0; axis < Dim; ++axis) {
      auto const step = Vec<Coord, Dim>::along(axis, 1);
      if (is_fluid(cell - step) && is_fluid(cell + step)) return true;
    }
    return false;
  }

  /// Removes a cell, and then every added cell that becomes too thin. Puts them all back if a cell of the original body
  /// becomes too thin.
  ///
  /// The union of two sets without thin cells has no thin cells either. So there is a largest one, and it is what is
  /// left of the added cells. Hence a cell that must stay now must also stay after further removals.
  void try_without(Vec<Coord, Dim> const& first) {
    std::vector<Vec<Coord, Dim>> gone = {first};
    is_kept_[static_cast<std::size_t>(view_of(added_).find(first))] = 0;
    for (std::size_t i = 0; i < gone.size(); ++i)
      for (int arm = 0; arm < 2 * Dim; ++arm) {
        auto const beside = gone[i] + Vec<Coord, Dim>::along(arm / 2, arm % 2 == 0 ? -1 : 1);
        Index const added = view_of(added_).find(beside);
        bool const is_of_body = view_of(solid_).find(beside) >= 0;
        if (!(is_of_body || is_kept(added)) || !is_thin(beside)) continue;
        if (is_of_body) {
          for (auto const& cell : gone) is_kept_[static_cast<std::size_t>(view_of(added_).find(cell))] = 1;
          return;
        }
        is_kept_[static_cast<std::size_t>(added)] = 0;
        gone.push_back(beside);
      }
  }

  HostSet<Dim> solid_, fluid_, added_;
  std::vector<std::uint8_t> is_kept_;
};

}  // namespace

template <int Dim>
PaddedSolid<Dim> pad_thin(IntervalSet<Dim> const& solid, IntervalSet<Dim> const& fluid) {
  expects((solid & fluid).is_empty(), "pad_thin: the body and the fluid share cells");
  // A box of 2^Dim cells without fluid has no thin cells.
  auto boxes = thin_cells(solid, fluid);
  for (int axis = 0; axis < Dim; ++axis) boxes = faces(boxes, axis);
  auto const added = boxes & fluid;
  if (added.is_empty()) return {solid, 0};
  auto const is_kept = to_device(solid.context(), Pruning<Dim>(solid, fluid, added).run());
  auto const kept = select(added, IsMarked{is_kept.data()});
  return {solid | kept, kept.cell_count()};
}

template <int Dim>
PaddedSolid<Dim> pad_thin(IntervalSet<Dim> const& solid) {
  return pad_thin(solid, outer_layer(solid, 2));
}

template PaddedSolid<2> pad_thin(IntervalSet<2> const&, IntervalSet<2> const&);
template PaddedSolid<3> pad_thin(IntervalSet<3> const&, IntervalSet<3> const&);
template PaddedSolid<2> pad_thin(IntervalSet<2> const&);
template PaddedSolid<3> pad_thin(IntervalSet<3> const&);

}  // namespace sparse
