#pragma once
/// The states of a gas at the beginning and outside the box, as functions for kernels.

#include <vector>

#include <fmt/format.h>

#include <sparse/amr/domain/boundary.hpp>
#include <sparse/amr/hierarchy/criteria.hpp>
#include <sparse/base/buffer.hpp>
#include <sparse/base/runtime.hpp>

#include <sparse/app/cases/gas_domain.hpp>

namespace sparse::app {

/// Primitive variables of a gas. Velocities beyond the axes of the law are left out.
template <class Law>
typename Law::State state_of(CaseGas const& gas) {
  using T = typename Law::Scalar;
  typename Law::State state{};
  state[Law::density] = static_cast<T>(gas.density);
  for (int axis = 0; axis < Law::dimension; ++axis)
    state[Law::velocity + axis] = static_cast<T>(gas.velocity[static_cast<std::size_t>(axis)]);
  state[Law::pressure_index] = static_cast<T>(gas.pressure);
  return state;
}

/// Cells of the finest level with their own initial state.
template <class Law>
struct StartRegion {
  /// Where, and which state.
  sparse::SetView cells;
  typename Law::State state;
};

/// The initial state. A cell that is larger than the finest cells takes the state at its centre.
template <class Law>
struct StartState {
  static constexpr int Dim = Law::dimension;
  /// Outside of the regions, the regions, and how many there are.
  typename Law::State everywhere;
  StartRegion<Law> const* regions;
  int region_count;
  sparse::Vec<double, Dim> spacing;  // of the finest level

  /// The primitive variables at x.
  KOKKOS_FUNCTION typename Law::State operator()(sparse::Vec<double, Dim> const& x) const {
    sparse::Vec<sparse::Coord, Dim> cell;
    for (int axis = 0; axis < Dim; ++axis) cell[axis] = static_cast<sparse::Coord>(std::floor(x[axis] / spacing[axis]));
    for (int i = region_count; i-- > 0;)
      if (regions[i].cells.find(cell) >= 0) return regions[i].state;
    return everywhere;
  }
};

/// An opening for kernels.
template <class Law>
struct OpeningState {
  static constexpr int Dim = Law::dimension;
  /// The side, the corners of the opening, whether gas flows in, and its state or the pressure outside.
  int axis;
  sparse::FaceSide side;
  sparse::Vec<double, Dim> begin, end;
  bool is_inflow;
  typename Law::State state;
  typename Law::Scalar pressure;

  /// Whether a point beyond the side belongs to the opening. `size`: of the box.
  KOKKOS_FUNCTION bool has(sparse::amr::BoundaryPoint<Law> const& p, sparse::Vec<double, Dim> const& size) const {
    bool is_inside = p.axis == axis && p.side == side;
    for (int along = 0; along < Dim; ++along) {
      if (along == axis) continue;
      double const half = 1e-9 * size[along];  // beyond corners the nearest face decides
      double const x = p.x[along] < half ? half : p.x[along] > size[along] - half ? size[along] - half : p.x[along];
      is_inside = is_inside && x >= begin[along] && x < end[along];
    }
    return is_inside;
  }
};

/// The states beyond the openings of a case.
template <class Law>
struct OutsideState {
  /// The openings, how many there are, and the box.
  OpeningState<Law> const* openings;
  int count;
  sparse::Vec<double, Law::dimension> size;  // of the box

  /// The primitive variables beyond the side.
  KOKKOS_FUNCTION typename Law::State operator()(sparse::amr::BoundaryPoint<Law> const& p) const {
    for (int i = count; i-- > 0;)
      if (openings[i].has(p, size)) return openings[i].is_inflow ? openings[i].state : p.outflow(openings[i].pressure);
    return p.open();
  }
};

/// Owns the data that these functions use.
template <class Law>
class GasStates {
public:
  static constexpr int Dim = Law::dimension;

  /// @throws std::runtime_error  if a region has no cells
  explicit GasStates(GasCase const& c) : everywhere_(state_of<Law>(c.start.value_or(c.inflow))) {
    sparse::Context const context;
    auto const finest = finest_box(c);
    spacing_ = grid_of<Dim>(finest).spacing;
    size_ = vec_of<Dim>(c.size);
    auto const box = sparse::box<Dim>(box_of<Dim>(finest).begin, box_of<Dim>(finest).end);
    std::vector<StartRegion<Law>> regions;
    for (CaseStart const& start : c.starts) {
      cells_.push_back(cells_of<Dim>(finest, start.shape) & box);
      if (cells_.back().is_empty())
        throw std::runtime_error(fmt::format("region {} has no cells in the box", cells_.size()));
      regions.push_back({cells_.back().view(), state_of<Law>(start.state)});
    }
    regions_ = sparse::to_device(context, regions);
    std::vector<OpeningState<Law>> openings;
    for (auto const& opening : openings_of<Dim>(c)) {
      GasBoundary const& b = *opening.boundary;
      openings.push_back({opening.axis, opening.side, opening.begin, opening.end, opening.is_inflow,
                          state_of<Law>(b.state.value_or(c.inflow)),
                          static_cast<typename Law::Scalar>(b.pressure.value_or(1))});
    }
    openings_ = sparse::to_device(context, openings);
  }

  /// The initial state. This object must outlive it.
  StartState<Law> start() const { return {everywhere_, regions_.data(), static_cast<int>(regions_.size()), spacing_}; }
  /// Empty if there are no openings.
  sparse::amr::Boundary<Law> outside() const {
    if (openings_.size() == 0) return {};
    return sparse::amr::boundary<Law>(OutsideState<Law>{openings_.data(), static_cast<int>(openings_.size()), size_});
  }

private:
  typename Law::State everywhere_;
  sparse::Vec<double, Dim> spacing_, size_;
  std::vector<sparse::IntervalSet<Dim>> cells_;
  sparse::Buffer<StartRegion<Law>> regions_;
  sparse::Buffer<OpeningState<Law>> openings_;
};

/// The case's criteria for refinement; none if it has the one of its options.
template <class Law>
std::vector<sparse::amr::Criterion<Law>> criteria_of(GasCase const& c) {
  using namespace sparse;
  constexpr int Dim = Law::dimension;
  std::vector<amr::Criterion<Law>> criteria;
  for (CaseRefinement const& r : c.refinements) {
    using Field = CaseRefinement::Field;
    if (r.shape)
      criteria.push_back(amr::region<Law>(cells_of<Dim>(finest_box(c), *r.shape), c.run.level_count - 1, r.levels - 1));
    else if (r.field == Field::vorticity)
      criteria.push_back(amr::vorticity<Law>(r.threshold));
    else
      criteria.push_back(
          amr::relative_gradient<Law>(r.field == Field::density ? Law::density : Law::pressure_index, r.threshold));
  }
  return criteria;
}

}  // namespace sparse::app
