#pragma once
/// The force on bodies in a box, from the balance of momentum in the box.

#include <cmath>
#include <limits>

#include <sparse/amr/measure/forces.hpp>
#include <sparse/plans/subset.hpp>

namespace sparse::amr {

namespace detail {

/// The momentum flux through a face: the mean of the fluxes of both cells.
template <class Law>
struct MomentumFlux {
  static constexpr int Dim = Law::dimension;
  Law law;
  FieldView<typename Law::Scalar const> state;
  Grid<Dim> grid;  // of the level
  int axis, side;
  Vec<double, Dim> about;
  KOKKOS_FUNCTION void operator()(RunPoint<Dim, 2> const& p, WithMoment<Dim>& terms) const {
    Vec<double, Dim> mean{};
    for (int k = 0; k < 2; ++k) {
      auto const w = law.primitive(state.template load<Law::component_count>(p.operand(k)));
      auto const flux = law.flux(w, axis);
      for (int a = 0; a < Dim; ++a) mean[a] += 0.5 * static_cast<double>(flux[Law::momentum + a]);
    }
    terms = with_moment(face_center(grid, p.coordinates(), axis, side) - about, mean);
  }
};

template <class Law>
struct Momentum {
  static constexpr int Dim = Law::dimension;
  FieldView<typename Law::Scalar const> state;
  Grid<Dim> grid;
  Vec<double, Dim> about;
  KOKKOS_FUNCTION void operator()(SubsetPoint<Dim> const& p, WithMoment<Dim>& terms) const {
    Vec<Coord, Dim> const cell = p.coordinates();
    Vec<double, Dim> r, momentum;
    for (int a = 0; a < Dim; ++a) {
      r[a] = grid.origin[a] + (cell[a] + 0.5) * grid.spacing[a] - about[a];
      momentum[a] = static_cast<double>(state(Law::momentum + a, p.cell));
    }
    terms = with_moment(r, momentum);
  }
};

}  // namespace detail

/// Measures the force on all bodies in a box of cells, and its moment, without using their surface. The force is the
/// momentum that enters by flow and pressure, minus the momentum that stays. Requires a law with a `momentum` in the
/// first Dim conserved components.
template <int Dim>
class ControlVolume {
public:
  /// The box from `lower` to `upper` [length], rounded to cells of level 0 and cut off at the domain's sides.
  /// @param about  the point about which moments are taken
  /// @throws std::invalid_argument  if this has no cells, or the positions are not finite
  ControlVolume(Domain<Dim> const& domain, Vec<double, Dim> const& lower, Vec<double, Dim> const& upper,
                Vec<double, Dim> const& about = {})
      : about_(about) {
    auto const grid = domain.grid(0);
    for (int axis = 0; axis < Dim; ++axis) {
      auto const nearest = [&](double x) {
        double const cells = std::round((x - grid.origin[axis]) / grid.spacing[axis]);
        expects(std::isfinite(cells), "control volume: positions must be finite");
        double const last = domain.box(0).end[axis];
        return static_cast<Coord>(cells < 0 ? 0 : cells > last ? last : cells);
      };
      box_.begin[axis] = nearest(lower[axis]);
      box_.end[axis] = nearest(upper[axis]);
    }
    expects(!box_.is_empty(), "control volume: there are no cells in it");
  }

  /// The box, in cells of level 0.
  Box<Dim> const& box() const { return box_; }

  /// The mean force since the last call. It is the mean flux of momentum into the box (rho v v.n + p n over its sides,
  /// by the trapezoidal rule), less the rate at which momentum in the box has grown. The first call, and a call at the
  /// same time as the last, give the flux alone: the force in steady flow.
  /// Collective if there are several ranks; its bits do not depend on their number. Cost: `synchronise`, set algebra on
  /// the leaves, plans of those in the box, and `order_free_sums` over them.
  template <class Flow>
  BodyForce<Dim> force(Flow& flow) {
    flow.synchronise();
    Sample const now{flow.time(), flux_out_of(flow), momentum_in(flow)};
    double const elapsed = now.time - last_.time;  // NaN at first
    bool const has_past = elapsed > 0;
    BodyForce<Dim> result;
    detail::add_to(result, has_past ? -0.5 : -1, now.flux);
    if (has_past) {
      detail::add_to(result, -0.5, last_.flux);
      detail::add_to(result, -1 / elapsed, now.momentum - last_.momentum);
    }
    last_ = now;
    return result;
  }

private:
  struct Sample {
    double time = std::numeric_limits<double>::quiet_NaN();
    detail::WithMoment<Dim> flux = {}, momentum = {};
  };

  /// The cells of the box at a level.
  Box<Dim> box_of(int level) const {
    Box<Dim> box = box_;
    for (int axis = 0; axis < Dim; ++axis) {
      box.begin[axis] <<= level;
      box.end[axis] <<= level;
    }
    return box;
  }

  template <class Flow>
  detail::WithMoment<Dim> flux_out_of(Flow const& flow) const {
    using Flux = detail::MomentumFlux<typename Flow::Law>;
    std::vector<distributed::SumPart<Plan<Dim, 2>, Flux>> parts;
    std::vector<double> areas;
    for (int l = 0; l < flow.level_count(); ++l)
      for (int axis = 0; axis < Dim; ++axis)
        for (int side = 0; side < 2; ++side) {
          Box<Dim> layer = box_of(l);
          if (side == 0)
            layer.end[axis] = layer.begin[axis] + 1;
          else
            layer.begin[axis] = layer.end[axis] - 1;
          SetView const storage = flow.sets(l).storage.view();
          Plan<Dim, 2> const plan(
              inside(flow.sets(l).leaves, layer),
              {operand<Dim>(storage), operand<Dim>(storage, Vec<Coord, Dim>::along(axis, side == 0 ? -1 : 1))});
          auto const grid = flow.domain().grid(l);
          parts.push_back({plan, Flux{flow.flux().law, flow.state(l).view(), grid, axis, side, about_}});
          areas.push_back((side == 0 ? -1 : 1) * flow.domain().cell_volume(l) / grid.spacing[axis]);
        }
    return detail::weighted_sum(flow, "sparse::diagnostics::momentum_flux", parts, areas);
  }

  template <class Flow>
  detail::WithMoment<Dim> momentum_in(Flow const& flow) const {
    using Momentum = detail::Momentum<typename Flow::Law>;
    std::vector<distributed::SumPart<Subset<Dim>, Momentum>> parts;
    std::vector<double> volumes;
    for (int l = 0; l < flow.level_count(); ++l) {
      Subset<Dim> const leaves(inside(flow.sets(l).leaves, box_of(l)), flow.sets(l).storage);
      parts.push_back({leaves, Momentum{flow.state(l).view(), flow.domain().grid(l), about_}});
      volumes.push_back(flow.domain().cell_volume(l));
    }
    return detail::weighted_sum(flow, "sparse::diagnostics::momentum", parts, volumes);
  }

  Box<Dim> box_;
  Vec<double, Dim> about_;
  Sample last_;
};

}  // namespace sparse::amr
