#pragma once
/// What a staggered grid is made of.

#include <sparse/incompressible/grid/staggered_grid.hpp>

#include "curved_walls/cut_walls.hpp"

namespace sparse::incompressible::detail {

/// The velocity of a boundary face along its normal, which is written there.
struct GivenVelocity {
  Index position;
  int axis;
  double value;
};

template <int Dim>
struct GridBody {
  using Grid = StaggeredGrid<Dim>;
  using Places = std::vector<Vec<Coord, Dim>>;
  FlowDomain<Dim> domain;
  Periodicity<Dim> periodicity;
  IntervalSet<Dim> storage;
  FaceSets<Dim> faces, open, computed;
  std::array<FaceSets<Dim>, 4> of_kind;  // [BoundaryKind]
  std::vector<FaceSets<Dim>> parts;      // [0] in no part, then those of the domain

  Field<std::uint8_t, Dim> kinds;
  Field<std::int32_t, Dim> steps;
  std::vector<Condition<Dim>> condition_list;
  Buffer<Condition<Dim>> conditions;
  Buffer<Index> row_table;
  Vec<Coord, Dim> table_begin = {}, table_size = {};
  Buffer<GivenVelocity> given;
  CutWalls<Dim> cut;

  typename Grid::DeepPlan deep;
  typename Grid::CellPlan cells;
  std::array<typename Grid::FacePlan, Dim> gradient;
  std::array<typename Grid::FacePlan, Dim> outflow;
  std::array<typename Grid::ArmPlan, Dim> arms, beside_boundary;
  std::array<Subset<Dim>, Dim> all_faces;
  std::array<Subset<Dim>, Dim + 1> computed_plan;
  std::array<Subset<Dim>, Dim + 1> shallow;

  /// @throws std::invalid_argument  see `StaggeredGrid`
  explicit GridBody(FlowDomain<Dim> const& d);

private:
  void make_sets();
  void mark_faces();
  /// Rows by coordinates; not where most of the box around them is empty.
  void make_table();
  void make_steps();
  void make_plans();
  void give_velocities();
  /// Throws where nothing can flow out of a part of the fluid but something flows in, or the other way round.
  /// @param inside  the fluid cells beside faces through which something flows, and how much that is
  void expect_balance(Places const& inside, std::vector<double> const& outward_flux) const;
};

/// What the domain's distance cuts, given all but the plans.
template <int Dim>
CutWalls<Dim> cut_walls_of(GridBody<Dim> const& body);

}  // namespace sparse::incompressible::detail
