#include <sparse/incompressible/measure/stream_function.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <sparse/plans/for_each.hpp>
#include <sparse/sets/faces.hpp>
#include <sparse/sets/locate.hpp>

#include "grid/body.hpp"
#include "grid/cut_shares.hpp"
#include "parabola.hpp"

namespace sparse::incompressible {
namespace {

/// The next node along each axis, or -1 if no face joins the two nodes; and the difference of the stream function.
struct Links {
  Index next[2];
  double step[2];
};

// Operands: a node; the next node along each axis; the faces between them, stored at the node's cell.
using NodePoint = RunPoint<2, 4>;

/// @param shares  [axis] open shares of the faces, or null
template <class T>
void write_links(GridView<2> const& grid, Plan<2, 4> const& nodes, FieldView<T const> velocity,
                 Vec<double const*, 2> const& shares, Links* links) {
  for_each(
      "sparse::incompressible::stream_steps", nodes, KOKKOS_LAMBDA(NodePoint const& p) {
        Links link{{-1, -1}, {0, 0}};
        for (int along = 0; along < 2; ++along) {
          int const normal = 1 - along;
          if (!p.has(1 + along) || !p.has(3) || grid.kind(normal, p.operand(3)) == FaceKind::absent) continue;
          double const share = shares[normal] == nullptr ? 1 : shares[normal][p.operand(3)];
          double const flux = share * static_cast<double>(velocity(normal, p.operand(3))) * grid.spacing[along];
          link.next[along] = p.operand(1 + along);
          link.step[along] = along == 0 ? -flux : flux;
        }
        links[p.operand(0)] = link;
      });
}

/// Integrates the differences to values at all nodes. Searches breadth-first from the first node of each part.
std::vector<double> integrate(std::vector<Links> const& links) {
  std::size_t const count = links.size();
  std::vector<Index> before[2] = {std::vector<Index>(count, -1), std::vector<Index>(count, -1)};
  for (std::size_t i = 0; i < count; ++i)
    for (int along = 0; along < 2; ++along)
      if (links[i].next[along] >= 0)
        before[along][static_cast<std::size_t>(links[i].next[along])] = static_cast<Index>(i);
  std::vector<double> values(count);
  std::vector<char> is_known(count, 0);
  std::vector<std::size_t> queue;
  queue.reserve(count);
  auto const reach = [&](Index node, double value) {
    auto const i = static_cast<std::size_t>(node);
    if (is_known[i]) return;
    is_known[i] = 1;
    values[i] = value;
    queue.push_back(i);
  };
  std::size_t head = 0;
  for (std::size_t first = 0; first < count; ++first) {
    reach(static_cast<Index>(first), 0);
    for (; head < queue.size(); ++head) {
      std::size_t const i = queue[head];
      for (int along = 0; along < 2; ++along) {
        if (links[i].next[along] >= 0) reach(links[i].next[along], values[i] + links[i].step[along]);
        Index const previous = before[along][i];
        if (previous >= 0) reach(previous, values[i] - links[static_cast<std::size_t>(previous)].step[along]);
      }
    }
  }
  return values;
}

void expect_on_nodes(StaggeredGrid<2> const& grid, Field<double, 2> const& psi) {
  expects(psi.component_count() == 1 && psi.domain() == nodes(grid.fluid()),
          "incompressible: the stream function must have one component on the nodes of the fluid");
}

/// The extremum between the nodes around one of them.
/// @param beside  [axis] numbers of the nodes before and after it, or -1
StreamExtremum extremum_at(StaggeredGrid<2> const& grid, std::vector<double> const& values, Vec<Coord, 2> const& node,
                           Index number, Index const (&beside)[2][2]) {
  double const value = values[static_cast<std::size_t>(number)];
  StreamExtremum extremum{value, {}};
  for (int axis = 0; axis < 2; ++axis) {
    auto const [before, after] = beside[axis];
    detail::Vertex vertex{0, 0};
    if (before >= 0 && after >= 0)
      vertex = detail::vertex_of_parabola(values[static_cast<std::size_t>(before)], value,
                                          values[static_cast<std::size_t>(after)]);
    extremum.value += vertex.rise;
    extremum.at[axis] = grid.space().origin[axis] + (node[axis] + vertex.offset) * grid.spacing()[axis];
  }
  return extremum;
}

}  // namespace

template <class T>
Field<double, 2> stream_function(StaggeredGrid<2> const& grid, Field<T, 2> const& velocity) {
  detail::expect_alone(grid, "a stream function");
  grid.expect_stored(velocity, 2, "velocity");
  Field<double, 2> psi("stream_function", nodes(grid.fluid()));
  SetView const set = psi.domain().view();
  Plan<2, 4> const plan(psi.domain(), {operand<2>(set), operand<2>(set, {1, 0}), operand<2>(set, {0, 1}),
                                       operand<2>(grid.storage().view())});
  Buffer<Links> const links(grid.context(), psi.cell_count());
  Field<double, 2> open[2];
  Vec<double const*, 2> shares{nullptr, nullptr};
  for (int axis = 0; axis < 2 && grid.has_curved_walls(); ++axis) {
    open[axis] = detail::open_shares(grid, axis);
    shares[axis] = open[axis].component(0);
  }
  write_links<T>(grid.body().view(), plan, velocity.view(), shares, links.data());
  auto const values = integrate(to_host(grid.context(), static_cast<Links const*>(links.data()), links.size()));
  copy_to_device(grid.context(), psi.component(0), values.data(), std::ssize(values));
  grid.context().fence();
  return psi;
}

Field<double, 2> on_cells(StaggeredGrid<2> const& grid, Field<double, 2> const& psi) {
  expect_on_nodes(grid, psi);
  Field<double, 2> means(psi.name(), grid.fluid());
  SetView const set = psi.domain().view();
  Plan<2, 5> const corners(grid.fluid(), {operand<2>(set), operand<2>(set, {1, 0}), operand<2>(set, {0, 1}),
                                          operand<2>(set, {1, 1}), operand<2>(grid.fluid().view())});
  auto const values = psi.view();
  auto const result = means.view();
  for_each(
      "sparse::incompressible::stream_on_cells", corners, KOKKOS_LAMBDA(RunPoint<2, 5> const& p) {
        double sum = 0;
        for (int k = 0; k < 4; ++k) sum += values(p.operand(k));
        result(p.operand(4)) = 0.25 * sum;
      });
  return means;
}

StreamExtrema stream_extrema(StaggeredGrid<2> const& grid, Field<double, 2> const& psi) {
  expect_on_nodes(grid, psi);
  auto const values = to_host(psi);
  auto const [least, greatest] = std::minmax_element(values.begin(), values.end());
  Index const places[2] = {least - values.begin(), greatest - values.begin()};
  Vec<Coord, 2> node[2];
  psi.domain().to_host().for_each_cell([&](Vec<Coord, 2> const& cell, Index i) {
    for (int k = 0; k < 2; ++k)
      if (i == places[k]) node[k] = cell;
  });
  auto const refined = [&](int k) {
    Index beside[2][2];
    for (int axis = 0; axis < 2; ++axis) {
      auto const step = Vec<Coord, 2>::along(axis, 1);
      auto const found = find(psi.domain(), to_device<Vec<Coord, 2>>(psi.context(), {node[k] - step, node[k] + step}));
      auto const pair = to_host(psi.context(), static_cast<Index const*>(found.data()), found.size());
      std::copy(pair.begin(), pair.end(), beside[axis]);
    }
    return extremum_at(grid, values, node[k], places[k], beside);
  };
  return {refined(0), refined(1)};
}

std::vector<Eddy> eddies(StaggeredGrid<2> const& grid, Field<double, 2> const& psi) {
  expect_on_nodes(grid, psi);
  auto const values = to_host(psi);
  std::vector<Vec<Coord, 2>> nodes;
  psi.domain().to_host().for_each_cell([&](Vec<Coord, 2> const& node, Index) { nodes.push_back(node); });
  // [neighbour] its number for each node, or -1. Neighbours along an axis come first.
  constexpr Coord moves[8][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}, {-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
  std::vector<Index> around[8];
  for (int k = 0; k < 8; ++k) {
    auto moved = nodes;
    for (auto& node : moved) node = node + Vec<Coord, 2>{moves[k][0], moves[k][1]};
    auto const found = find(psi.domain(), to_device(psi.context(), moved));
    around[k] = to_host(psi.context(), static_cast<Index const*>(found.data()), found.size());
  }
  auto const [least, greatest] = std::minmax_element(values.begin(), values.end());
  double const rounding =
      64 * std::numeric_limits<double>::epsilon() * std::fmax(std::abs(*least), std::abs(*greatest));
  std::vector<Eddy> result;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    bool is_least = true, is_greatest = true;
    for (auto const& neighbour : around) {
      Index const n = neighbour[i];
      double const above = n < 0 ? 0 : values[i] - values[static_cast<std::size_t>(n)];
      is_greatest = is_greatest && n >= 0 && above > rounding;
      is_least = is_least && n >= 0 && above < -rounding;
    }
    if (!is_least && !is_greatest) continue;
    Index const beside[2][2] = {{around[0][i], around[1][i]}, {around[2][i], around[3][i]}};
    result.push_back({extremum_at(grid, values, nodes[i], static_cast<Index>(i), beside), is_greatest});
  }
  return result;
}

template Field<double, 2> stream_function(StaggeredGrid<2> const&, Field<float, 2> const&);
template Field<double, 2> stream_function(StaggeredGrid<2> const&, Field<double, 2> const&);

}  // namespace sparse::incompressible
