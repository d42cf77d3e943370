#pragma once
/// What the cells of coarse levels are made of.

#include <sparse/base/parallel.hpp>
#include <sparse/sets/locate.hpp>

#include "operator/couplings.hpp"

namespace sparse::poisson::detail {

/// A cell as coarser matrices see it: which part of it belongs to the problem's set, and what may flow out of it.
/// Positions are counted from the cell's centre, in cell widths.
template <class T, int Dim>
struct Aggregate {
  T volume;              ///< of the part in the set, 1 for a whole cell
  T centre[Dim];         ///< of mass
  T side[2 * Dim];       ///< centre, along the arm's axis, of the part on its side, if there is one
  T flux[Dim];           ///< coupling to the lower neighbour along each axis times the distance of the centres
  T wall_flux[2 * Dim];  ///< coupling to the Dirichlet faces at each arm times the distance from the centre
  T wall[2 * Dim];       ///< their mean position along the arm's axis, if there are any
  T zeroth;
  bool is_split;  ///< whether its children are not connected with each other

  /// The distance of the centres of this and the lower neighbour.
  KOKKOS_FORCEINLINE_FUNCTION T distance(int axis, Aggregate const& lower) const {
    return 1 + centre[axis] - lower.centre[axis];
  }
  /// The couplings to all Dirichlet faces. Their distance is at least half of the volume: around a small body the
  /// centre may be nearer to a face, or even behind it.
  KOKKOS_FORCEINLINE_FUNCTION T dirichlet() const {
    T sum = 0;
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      if (!(wall_flux[arm] > 0)) continue;
      T const away = (wall[arm] - centre[arm / 2]) * (arm % 2 == 0 ? T(-1) : T(1)), least = volume / 2;
      sum += wall_flux[arm] / (away > least ? away : least);
    }
    return sum;
  }
};

/// Cells of a row from x to end, each the same aggregate.
template <class T, int Dim>
struct Stretch {
  Coord x, end;
  Aggregate<T, Dim> aggregate;
};

/// The aggregates of a level as stretches, row by row.
template <class T, int Dim>
struct StretchView {
  SetView set;
  Count const* starts;  ///< [row_count + 1]
  Stretch<T, Dim> const* stretches;

  /// The stretch that has a cell of the set.
  KOKKOS_FUNCTION Stretch<T, Dim> const* find(RowKey key, Coord x) const {
    Index const row = set.find_row(key);
    Index first = starts[row].value, count = starts[row + 1].value - first;
    while (count > 1) {
      Index const half = count / 2;
      bool const right = stretches[first + half].x <= x;
      first += right ? half : 0;
      count = right ? count - half : half;
    }
    return stretches + first;
  }

  // ---- as children (see MakeStretches)
  KOKKOS_FUNCTION void find_row(RowKey key, Index& begin, Index& end) const {
    Index const row = set.find_row(key);
    begin = row < 0 ? 0 : starts[row].value;
    end = row < 0 ? 0 : starts[row + 1].value;
  }
  KOKKOS_FUNCTION Coord begin_of(Index i) const { return stretches[i].x; }
  KOKKOS_FUNCTION Coord end_of(Index i) const { return stretches[i].end; }
  KOKKOS_FUNCTION bool is_uniform(Index) const { return true; }
  KOKKOS_FUNCTION Aggregate<T, Dim> at(Index i, Coord) const { return stretches[i].aggregate; }
};

/// The stretches of a level's rows.
template <class T, int Dim>
struct Aggregates {
  Buffer<Count> starts;
  Buffer<Stretch<T, Dim>> stretches;

  StretchView<T, Dim> view(SetView const& set) const { return {set, starts.data(), stretches.data()}; }
};

/// The cells of the finest level, from its runs, as children.
template <class T, int Dim>
struct FinestCells {
  CouplingView<T, Dim> view;
  T axis_weight[Dim];  ///< couplings of a face over its coefficient

  KOKKOS_FUNCTION void find_row(RowKey key, Index& begin, Index& end) const {
    Index first = 0, count = view.run_count;
    while (count > 0) {
      Index const half = count / 2;
      bool const right = view.runs[first + half].key < key;
      first += right ? half + 1 : 0;
      count = right ? count - half - 1 : half;
    }
    begin = end = first;
    while (end < view.run_count && view.runs[end].key == key) ++end;
  }
  KOKKOS_FUNCTION Coord begin_of(Index i) const { return view.runs[i].x; }
  KOKKOS_FUNCTION Coord end_of(Index i) const { return view.runs[i].x + view.runs[i].count; }
  KOKKOS_FUNCTION bool is_uniform(Index i) const { return view.runs[i].is_uniform != 0; }
  KOKKOS_FUNCTION Aggregate<T, Dim> at(Index i, Coord x) const {
    auto const& run = view.runs[i];
    bool const uniform = run.is_uniform != 0;
    Index const cell = run.first + (x - run.x);
    Aggregate<T, Dim> one{};
    one.volume = 1;
    for (int axis = 0; axis < Dim; ++axis) one.flux[axis] = uniform ? run.weight[2 * axis] : view.lower[axis][cell];
    one.zeroth = uniform ? run.zeroth : view.zeroth[cell];
    // Cells that are covered by a finer level have the sum over its faces, wherever these are.
    constexpr std::uint32_t everywhere = (1u << 2 * Dim) - 1;
    bool const is_covered = run.dirichlet_arms == 0 && !uniform && view.dirichlet[cell] > 0;
    std::uint32_t const arms = is_covered ? everywhere : run.dirichlet_arms;
    if (arms == 0) return one;
    // Where coefficients differ from face to face only their sum is known. Each face gets the same share.
    T all = 0;
    for (int arm = 0; arm < 2 * Dim; ++arm) all += weight_of(arms, arm);
    T const half = T(0.5) * (uniform ? run.dirichlet : view.dirichlet[cell]) / all;
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      one.wall_flux[arm] = half * weight_of(arms, arm);
      one.wall[arm] = arm % 2 == 0 ? T(-0.5) : T(0.5);
    }
    return one;
  }
  KOKKOS_FUNCTION T weight_of(std::uint32_t arms, int arm) const {
    return ((arms >> arm) & 1u) != 0 ? axis_weight[arm / 2] : T(0);
  }
};

/// Puts an aggregate together from those of its children.
template <class T, int Dim>
struct Gather {
  Aggregate<T, Dim> sum{};
  T volume[2 * Dim] = {};     // of the children on each side
  unsigned present = 0;       // bit: the child that is the upper one along the axes of its bits
  unsigned joined[Dim] = {};  // [axis] bit: the child and the lower one beside it

  KOKKOS_FUNCTION void add(unsigned place, Aggregate<T, Dim> const& child) {
    present |= 1u << place;
    sum.volume += child.volume;
    sum.zeroth += child.zeroth;
    for (int axis = 0; axis < Dim; ++axis) {
      bool const is_upper = ((place >> axis) & 1u) != 0;
      T const shift = is_upper ? T(0.25) : T(-0.25);
      T const moment = child.volume * (child.centre[axis] / 2 + shift);
      sum.centre[axis] += moment;
      sum.side[2 * axis + is_upper] += moment;
      volume[2 * axis + is_upper] += child.volume;
      if (!is_upper)
        sum.flux[axis] += child.flux[axis];
      else if (child.flux[axis] > 0)
        joined[axis] |= 1u << place;
      for (int arm = 2 * axis; arm < 2 * axis + 2; ++arm) {
        sum.wall_flux[arm] += child.wall_flux[arm];
        sum.wall[arm] += child.wall_flux[arm] * (child.wall[arm] / 2 + shift);
      }
    }
  }

  KOKKOS_FUNCTION Aggregate<T, Dim> result() const {
    constexpr T mean = T(1) / (1 << Dim);
    Aggregate<T, Dim> all = sum;
    all.volume *= mean;
    all.zeroth *= mean;
    for (int axis = 0; axis < Dim; ++axis) {
      all.centre[axis] /= sum.volume;
      all.flux[axis] *= mean / 2;  // of distances twice as long
    }
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      all.side[arm] /= volume[arm] > 0 ? volume[arm] : T(1);
      all.wall[arm] /= sum.wall_flux[arm] > 0 ? sum.wall_flux[arm] : T(1);
      all.wall_flux[arm] *= mean / 2;
    }
    all.is_split = is_split();
    return all;
  }

  KOKKOS_FUNCTION bool is_split() const {
    unsigned reached = present & (~present + 1);
    for (unsigned before = 0; before != reached;) {
      before = reached;
      for (int axis = 0; axis < Dim; ++axis) {
        unsigned const step = 1u << axis;
        reached |= ((reached << step) & joined[axis]) | ((reached & joined[axis]) >> step);
      }
    }
    return reached != present;
  }
};

/// Writes the stretches of a coarse row. Coarse cells above stretches of equal children are the same, so this goes from
/// stretch to stretch, not from cell to cell.
template <class T, int Dim, class Children>
struct MakeStretches {
  SetView coarse;
  Children children;
  static constexpr int child_rows = 1 << (Dim - 1);

  template <class Sink>
  KOKKOS_FUNCTION void operator()(Index row, Sink& sink) const {
    RowKey const key = coarse.key(row);
    Index cursor[child_rows], end[child_rows];
    for (int k = 0; k < child_rows; ++k) {
      Vec<Coord, Dim> child{};
      for (int axis = 1; axis < Dim; ++axis) child[axis] = (k >> (axis - 1)) & 1;
      children.find_row(2 * key + row_key(child), cursor[k], end[k]);
    }
    Row const intervals = coarse.row(row);
    for (Index i = 0; i < intervals.interval_count(); ++i)
      for (Coord x = intervals[i].begin; x < intervals[i].end;) {
        Coord length = intervals[i].end - x;
        Gather<T, Dim> gather;
        for (int k = 0; k < child_rows; ++k) add_row(k, x, cursor[k], end[k], gather, length);
        sink(Stretch<T, Dim>{x, x + length, gather.result()});
        x += length;
      }
  }

  /// Adds the two children of x in a row. Shortens `length` to the number of cells that have the same children.
  KOKKOS_FUNCTION void add_row(int k, Coord x, Index& cursor, Index end, Gather<T, Dim>& gather, Coord& length) const {
    Coord const first = 2 * x;
    auto const place = static_cast<unsigned>(2 * k);
    while (cursor < end && children.end_of(cursor) <= first) ++cursor;
    if (cursor == end) return;
    if (children.begin_of(cursor) >= first + 2) {
      length = least(length, (children.begin_of(cursor) - first) / 2);
    } else if (children.is_uniform(cursor) && children.begin_of(cursor) <= first &&
               children.end_of(cursor) >= first + 2) {
      length = least(length, (children.end_of(cursor) - first) / 2);
      auto const child = children.at(cursor, first);
      gather.add(place, child);
      gather.add(place + 1, child);
    } else {
      length = 1;
      Index at = cursor;
      for (Coord child = 0; child < 2; ++child) {
        while (at < end && children.end_of(at) <= first + child) ++at;
        if (at < end && children.begin_of(at) <= first + child)
          gather.add(place + static_cast<unsigned>(child), children.at(at, first + child));
      }
    }
  }
  KOKKOS_FUNCTION static Coord least(Coord a, Coord b) { return a < b ? a : b; }
};

}  // namespace sparse::poisson::detail
