/// The finest graph of parts, where each cell is a part.

#include <limits>
#include <type_traits>

#include "part_graph.hpp"

namespace sparse::poisson::detail {
namespace {

/// A cell with its place.
struct PlacedCell {
  std::uint64_t place;
  std::int32_t cell, run;
  KOKKOS_FORCEINLINE_FUNCTION bool operator<(PlacedCell const& b) const { return place < b.place; }
  KOKKOS_FORCEINLINE_FUNCTION bool operator==(PlacedCell const& b) const { return place == b.place; }
};

template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION std::uint64_t place_of(Vec<Coord, Dim> const& cell) {
  std::uint64_t place = 0;
  for (int axis = 0; axis < Dim; ++axis)
    for (int bit = 0; std::int64_t{cell[axis]} >> bit > 0; ++bit)
      place |= static_cast<std::uint64_t>((cell[axis] >> bit) & 1) << (Dim * bit + axis);
  return place;
}

template <class T, int Dim>
struct PlaceCells {
  CouplingRun<T, Dim> const* runs;
  PlacedCell* cells;
  KOKKOS_FUNCTION void operator()(Index r) const {
    auto const& run = runs[r];
    for (Coord step = 0; step < run.count; ++step) {
      Index const cell = run.first + step;
      cells[cell] = {place_of<Dim>(cell_at<Dim>(run.key, run.x + step)), static_cast<std::int32_t>(cell),
                     static_cast<std::int32_t>(r)};
    }
  }
};

template <class T, int Dim, class Source>
struct CopyCells {
  CouplingView<T, Dim> view;
  Source source;
  PlacedCell const* placed;
  std::uint64_t* place;
  std::int32_t *cell, *part_of;
  Aggregate<T, Dim>* aggregates;
  KOKKOS_FUNCTION void operator()(Index i) const {
    auto const& from = placed[i];
    auto const& run = view.runs[from.run];
    auto const x = run.x + static_cast<Coord>(from.cell - run.first);
    place[i] = from.place;
    cell[i] = from.cell;
    part_of[from.cell] = static_cast<std::int32_t>(i);
    if constexpr (std::is_same_v<Source, StretchView<T, Dim>>)
      aggregates[i] = source.find(run.key, x)->aggregate;
    else
      aggregates[i] = source.at(from.run, x);
  }
};

/// Calls `sink(arm, weight, neighbour)` for each cell that something flows to. Lower neighbours have lower numbers, if
/// they are not a period away.
template <class T, int Dim, class Sink>
KOKKOS_FUNCTION void for_neighbours(CouplingView<T, Dim> const& view, PlacedCell const& from, Sink& sink) {
  auto const& run = view.runs[from.run];
  for (int arm = 0; arm < 2 * Dim; ++arm) {
    if (!(run.weight[arm] > 0)) continue;
    Index const neighbour = from.cell + run.offset[arm];
    T const weight =
        run.is_uniform != 0 ? run.weight[arm] : view.lower[arm / 2][arm % 2 == 0 ? Index{from.cell} : neighbour];
    bool const is_near = (arm % 2 == 0) == (neighbour < from.cell);
    if (weight > 0) sink(static_cast<std::uint8_t>(is_near ? arm : arm + across_seam), weight, neighbour);
  }
}

template <class T, int Dim>
struct CountNeighbours {
  CouplingView<T, Dim> view;
  PlacedCell const* placed;
  struct Sink {
    Index count = 0;
    KOKKOS_FUNCTION void operator()(std::uint8_t, T, Index) { ++count; }
  };
  KOKKOS_FUNCTION Count operator()(Index i) const {
    Sink sink;
    for_neighbours(view, placed[i], sink);
    return {sink.count};
  }
};

template <class T, int Dim>
struct FillNeighbours {
  CouplingView<T, Dim> view;
  PlacedCell const* placed;
  std::int32_t const* part_of;
  Aggregate<T, Dim> const* aggregates;
  Seams<Dim> seams;
  Index const* starts;
  std::int32_t* to;
  T* flux;
  std::uint8_t* arms;

  struct Sink {
    FillNeighbours const& fill;
    Index part, entry;
    KOKKOS_FUNCTION void operator()(std::uint8_t arm, T weight, Index neighbour) {
      std::int32_t const other = fill.part_of[neighbour];
      fill.to[entry] = other;
      fill.flux[entry] = weight * distance(fill.aggregates[part], fill.aggregates[other], fill.seams, arm);
      fill.arms[entry++] = arm;
    }
  };
  KOKKOS_FUNCTION void operator()(Index i) const {
    Sink sink{*this, i, starts[i]};
    for_neighbours(view, placed[i], sink);
  }
};

}  // namespace

template <class T, int Dim>
bool has_places(Couplings<T, Dim> const& level) {
  bool has = level.cell_count() < std::numeric_limits<std::int32_t>::max();
  auto const end = level.cells().bounds().end;
  for (int axis = 0; axis < Dim; ++axis) has = has && end[axis] <= Coord{1} << (Dim == 2 ? 30 : 21);
  return has;
}

template <class T, int Dim>
CellGraph<T, Dim> graph_of_cells(Couplings<T, Dim> const& level) {
  auto const context = level.context();
  auto const view = level.view();
  Index const count = level.cell_count();
  Buffer<PlacedCell> const placed(context, count);
  parallel_for(context, "sparse::poisson::place_cells", view.run_count, PlaceCells<T, Dim>{view.runs, placed.data()});
  sort_unique(context, placed.data(), count);

  CellGraph<T, Dim> made;
  auto& graph = made.graph;
  graph.count = count;
  graph.seams = level.seams();
  graph.place = Buffer<std::uint64_t>(context, count);
  graph.aggregates = Buffer<Aggregate<T, Dim>>(context, count);
  made.cell = Buffer<std::int32_t>(context, count);
  Buffer<std::int32_t> const part_of(context, count);
  auto const copy = [&]<class Source>(Source const& source) {
    parallel_for(context, "sparse::poisson::cells_as_parts", count,
                 CopyCells<T, Dim, Source>{view, source, placed.data(), graph.place.data(), made.cell.data(),
                                           part_of.data(), graph.aggregates.data()});
  };
  if (level.aggregates() != nullptr)
    copy(level.aggregates()->view(level.cells().view()));
  else
    copy(level.finest_cells());
  graph.starts = scanned(context, count, CountNeighbours<T, Dim>{view, placed.data()});
  Index const entries = read_back(context, graph.starts.data() + count);
  graph.to = Buffer<std::int32_t>(context, entries);
  graph.flux = Buffer<T>(context, entries);
  graph.arm = Buffer<std::uint8_t>(context, entries);
  parallel_for(context, "sparse::poisson::neighbour_parts", count,
               FillNeighbours<T, Dim>{view, placed.data(), part_of.data(), graph.aggregates.data(), graph.seams,
                                      graph.starts.data(), graph.to.data(), graph.flux.data(), graph.arm.data()});
  return made;
}

#define SPARSE_INSTANTIATE(T, Dim)                                                                                     \
  template bool has_places(Couplings<T, Dim> const&);                                                                  \
  template CellGraph<T, Dim> graph_of_cells(Couplings<T, Dim> const&);
SPARSE_INSTANTIATE(float, 2)
SPARSE_INSTANTIATE(float, 3)
SPARSE_INSTANTIATE(double, 2)
SPARSE_INSTANTIATE(double, 3)
#undef SPARSE_INSTANTIATE

}  // namespace sparse::poisson::detail
