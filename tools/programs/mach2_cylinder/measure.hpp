#pragma once
/// What is known about supersonic flow around a cylinder, and the same of a computed one.

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <vector>

#include <sparse/amr/measure/control_volume.hpp>
#include <sparse/amr/measure/forces.hpp>
#include <sparse/amr/measure/probes.hpp>

#include "options.hpp"
#include <sparse/app/compressible/shock.hpp>
#include <sparse/app/run/folder.hpp>

/// The gas before the bow shock, of density and sound speed 1.
struct Inflow {
  double mach, gamma;

  double pressure() const { return 1 / gamma; }
  double dynamic_pressure() const { return 0.5 * mach * mach; }
  sparse::app::NormalShock shock() const { return {mach, gamma}; }
};

/// The part of the surface that faces the flow.
template <int Dim>
struct IsInFront {
  double cx;
  KOKKOS_FUNCTION bool operator()(sparse::Vec<double, Dim> const& x) const { return x[0] < cx; }
};

template <int Dim>
sparse::Vec<double, Dim> center_of(Options const& o) {
  sparse::Vec<double, Dim> center;
  double const all[] = {o.cx, o.cy, o.cz};
  for (int axis = 0; axis < Dim; ++axis) center[axis] = all[axis];
  return center;
}

/// Forces on the body over the dynamic pressure of the inflow times the body's cross section.
template <class Flow>
class Drag {
public:
  static constexpr int Dim = Flow::Dim;

  /// @param is_restart  whether the box knows nothing of a past there is
  Drag(Options const& o, sparse::amr::Domain<Dim> const& domain, bool is_restart)
      : o_(o), box_(domain, center_of<Dim>(o) - reach(o), center_of<Dim>(o) + reach(o), center_of<Dim>(o)),
        lacks_past_(is_restart) {}

  static std::vector<std::string> names() {
    std::vector<std::string> const of_force =
        Dim == 2 ? std::vector<std::string>{"drag", "lift", "moment"}
                 : std::vector<std::string>{"drag", "lift", "side_force", "moment_x", "moment_y", "moment_z"};
    std::vector<std::string> all = of_force;
    all.push_back("front_drag");
    for (auto const& name : of_force) all.push_back("balance_" + name);
    return all;
  }
  /// Coefficients by the pressure on the wall: along the axes, moments about the centre (over the radius, too), along x
  /// on the front half with the pressure of the inflow on the other; and by the balance of momentum in a box, as means
  /// over the time since the last call. The first call of a run that goes on has NaN there, as it does not know since
  /// when.
  std::vector<double> operator()(Flow& flow) {
    Inflow const inflow{o_.mach, o_.gamma};
    double const section = Dim == 2 ? 2 * o_.radius : std::numbers::pi * o_.radius * o_.radius;
    double const unit = inflow.dynamic_pressure() * section;
    auto const front = sparse::amr::force_on_body(flow, 0, {}, IsInFront<Dim>{o_.cx}).force;
    last_.clear();
    auto const add = [&](sparse::amr::BodyForce<Dim> const& on_body, double factor) {
      for (double const f : on_body.force.data) last_.push_back(factor * f / unit);
      for (double const m : on_body.moment.data) last_.push_back(factor * m / (unit * o_.radius));
    };
    add(sparse::amr::force_on_body(flow, 0, center_of<Dim>(o_)), 1);
    last_.push_back((front[0] - inflow.pressure() * section) / unit);
    add(box_.force(flow), lacks_past_ ? std::numeric_limits<double>::quiet_NaN() : 1);
    lacks_past_ = false;
    return last_;
  }
  /// What the last call gave for a name; there is one now if there was none.
  double last(Flow& flow, std::string const& name) {
    if (last_.empty()) (*this)(flow);
    auto const all = names();
    return last_[std::find(all.begin(), all.end(), name) - all.begin()];
  }

private:
  static sparse::Vec<double, Dim> reach(Options const& o) { return sparse::Vec<double, Dim>::filled(2 * o.radius); }

  Options o_;
  sparse::amr::ControlVolume<Dim> box_;
  bool lacks_past_;
  std::vector<double> last_;
};

/// Points on the axis from the inlet to the last cell before the body.
template <int Dim>
std::vector<sparse::Vec<double, Dim>> axis_points(Options const& o, double spacing) {
  auto nose = center_of<Dim>(o), inlet = nose;
  nose[0] -= o.radius + 0.5 * spacing;
  inlet[0] = 0;
  return sparse::amr::points_between(inlet, nose, 2 + static_cast<int>(2 * nose[0] / spacing));
}

/// Distance between the body and the bow shock on the axis over the radius; 0 without a shock. The shock is where
/// pressure passes half of its jump.
template <class Flow>
double stand_off(Flow& flow, Options const& o) {
  auto const& domain = flow.domain();
  auto const points = axis_points<Flow::Dim>(o, domain.spacing(domain.level_count() - 1)[0]);
  auto const states = sparse::amr::primitive_at(flow, points);
  Inflow const inflow{o.mach, o.gamma};
  double const middle = 0.5 * (1 + inflow.shock().pressure_ratio()) * inflow.pressure();
  for (std::size_t i = 1; i < states.size(); ++i) {
    double const before = states[i - 1][Flow::Law::pressure_index], behind = states[i][Flow::Law::pressure_index];
    if (before > middle || behind <= middle) continue;
    double const shock = points[i - 1][0] + (middle - before) / (behind - before) * (points[i][0] - points[i - 1][0]);
    return (o.cx - o.radius - shock) / o.radius;
  }
  return 0;
}

/// Reports the bow shock's distance, the pressure where the flow stops, and the drag.
template <class Flow>
void report_flow(sparse::app::RunFolder& folder, Flow& flow, Options const& o, Drag<Flow>& drag) {
  Inflow const inflow{o.mach, o.gamma};
  bool const is_known = Flow::Dim == 2 && o.mach == 2 && o.gamma == 1.4;
  // Known: what finer and finer grids tend to, from above and with the first power of the cell width.
  auto const known = [&](double value) { return is_known ? std::optional(value) : std::nullopt; };
  if (o.mach > 1) {
    auto const& domain = flow.domain();
    auto const nose = axis_points<Flow::Dim>(o, domain.spacing(domain.level_count() - 1)[0]).back();
    double const pressure = sparse::amr::primitive_at(flow, {nose})[0][Flow::Law::pressure_index];
    folder.report("stand-off / R", stand_off(flow, o), known(1.33));
    folder.report("stagnation pressure / inflow", pressure / inflow.pressure(),
                  inflow.shock().stagnation_pressure_ratio());
  }
  folder.report("drag, front half", drag.last(flow, "front_drag"), known(1.133));
  folder.report("drag", drag.last(flow, "drag"));
  double const balance = drag.last(flow, "balance_drag");
  if (std::isfinite(balance)) folder.report("drag from balance of momentum", balance);
}
