#pragma once
/// What kernels see when they run over a plan.

#include <map>

#include <sparse/fields/transfer.hpp>
#include <sparse/plans/for_each.hpp>
#include <sparse/plans/stencil.hpp>
#include <sparse/plans/subset.hpp>
#include <support/reference.hpp>

namespace reference {

/// What a kernel saw at one cell: the positions of the operands, and which of them exist.
template <int Dim, int K>
struct Visit {
  Cell<Dim> cell;
  Index place[K];
  bool present[K];
};

template <int Dim>
KOKKOS_FUNCTION Visit<Dim, 1> describe(sparse::SubsetPoint<Dim> const& p) {
  return {p.coordinates(), {p.cell}, {p.has(0)}};
}

template <int Dim, int Count>
KOKKOS_FUNCTION Visit<Dim, 1 + Count> describe(sparse::StencilPoint<Dim, Count> const& p) {
  Visit<Dim, 1 + Count> visit{p.coordinates(), {p.cell}, {p.has(0)}};
  for (int arm = 0; arm < p.arm_count; ++arm) {
    visit.place[1 + arm] = p.neighbour(arm);
    visit.present[1 + arm] = p.has_neighbour(arm);
  }
  return visit;
}

template <int Dim>
KOKKOS_FUNCTION Visit<Dim, sparse::ProlongPoint<Dim>::operand_count> describe(sparse::ProlongPoint<Dim> const& p) {
  Visit<Dim, sparse::ProlongPoint<Dim>::operand_count> visit{p.coordinates(), {p.cell}, {p.has(0)}};
  for (int arm = 0; arm < 2 * Dim; ++arm) {
    visit.place[1 + arm] = p.neighbour(arm);
    visit.present[1 + arm] = p.has(1 + arm);
  }
  for (int child = 0; child < p.child_count; ++child) {
    visit.present[1 + 2 * Dim + child] = p.has_child(child);
    visit.place[1 + 2 * Dim + child] = p.has_child(child) ? p.child(child) : -1;
  }
  return visit;
}

template <int Dim>
KOKKOS_FUNCTION Visit<Dim, 2> describe(sparse::RunPoint<Dim, 2> const& p) {
  return {p.coordinates(), {p.operand(0), p.operand(1)}, {p.has(0), p.has(1)}};
}

/// The visits of a plan; fails when a cell is visited twice.
template <int Dim, class Plan>
std::map<Cell<Dim>, Visit<Dim, Plan::operand_count>, StorageOrder> visits_of(Plan const& plan) {
  using Point = typename Plan::Point;
  using Seen = Visit<Dim, Plan::operand_count>;
  sparse::Context const context = plan.context();
  sparse::Buffer<Seen> const buffer(context, plan.cell_count());
  sparse::Buffer<Index> const counter = to_device(context, std::vector<Index>{0});
  Seen* const out = buffer.data();
  Index* const next = counter.data();
  for_each(
      "sparse::test::visit", plan,
      KOKKOS_LAMBDA(Point const& p) { out[Kokkos::atomic_fetch_add(next, Index{1})] = describe(p); });
  EXPECT_EQ(read_back(context, static_cast<Index const*>(next)), plan.cell_count());
  std::map<Cell<Dim>, Seen, StorageOrder> visits;
  for (Seen const& visit : to_host(context, static_cast<Seen const*>(out), plan.cell_count()))
    EXPECT_TRUE(visits.emplace(visit.cell, visit).second) << visit.cell << " is visited twice";
  return visits;
}

}  // namespace reference
