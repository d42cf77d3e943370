#include <sparse/shapes/polygon.hpp>

#include "crossings.hpp"

namespace sparse {

namespace {

/// An edge that goes up or down, with the rows whose centres it crosses.
struct Edge {
  Vec<double, 2> lower, upper;
  Interval rows;
  Coord turn;  // 1 when the loop goes up here, -1 when it goes down
};

std::vector<Edge> edges_of(std::vector<Loop> const& loops) {
  std::vector<Edge> edges;
  for (auto const& loop : loops) {
    expects(loop.size() >= 3, "polygon: a loop needs at least three points");
    Vec<double, 2> a = checked_vertex(loop.back(), "polygon");
    for (auto const& vertex : loop) {
      Vec<double, 2> const b = checked_vertex(vertex, "polygon");
      bool const up = a[1] < b[1];
      Edge const edge = up ? Edge{a, b, {first_centre(a[1]), first_centre(b[1])}, 1}
                           : Edge{b, a, {first_centre(b[1]), first_centre(a[1])}, -1};
      if (edge.rows.begin < edge.rows.end) edges.push_back(edge);
      a = b;
    }
  }
  return edges;
}

/// The crossings of each edge with its rows; a bin is a row.
struct EdgeCrossings {
  Edge const* edges;
  SetView rows;

  KOKKOS_FUNCTION Index count(Index e) const { return Index{edges[e].rows.end} - edges[e].rows.begin; }
  KOKKOS_FUNCTION Index bin(Index e, Index i) const {
    return rows.find_in_row(0, static_cast<Coord>(edges[e].rows.begin + i));
  }
  KOKKOS_FUNCTION Crossing item(Index e, Index i) const {
    Edge const& edge = edges[e];
    double const y = static_cast<double>(edge.rows.begin + i) + 0.5;
    return {edge_crossing(edge.lower, edge.upper, y), edge.turn};
  }
};

}  // namespace

IntervalSet<2> polygon(std::vector<Loop> const& loops, FillRule rule, Context const& context) {
  std::vector<Edge> const edges = edges_of(loops);
  if (edges.empty()) return {};
  ProfilingRegion const region("sparse::polygon");
  std::vector<Interval> ranges;
  for (Edge const& edge : edges) ranges.push_back(edge.rows);
  IntervalSet<2> const rows = union_of(std::move(ranges), context);
  Buffer<RowKey> const keys = rows_behind(context, rows.view());
  Buffer<Edge> const device_edges = to_device(context, edges);
  Bins<Crossing> const bins =
      sort_into_bins<Crossing>(context, "sparse::polygon::crossings", device_edges.size(),
                               EdgeCrossings{device_edges.data(), rows.view()}, rows.cell_count());
  Count const* const starts = bins.starts.data();
  Crossing const* const crossings = bins.items.data();
  if (rule == FillRule::even_odd)
    return assemble<2>(context, "sparse::polygon::rows", keys.data(), keys.size(),
                       CrossingRow<Odd>{starts, crossings, {}});
  return assemble<2>(context, "sparse::polygon::rows", keys.data(), keys.size(),
                     CrossingRow<NonZero>{starts, crossings, {}});
}

IntervalSet<2> polygon(Loop const& loop, FillRule rule, Context const& context) {
  return polygon(std::vector<Loop>{loop}, rule, context);
}

}  // namespace sparse
