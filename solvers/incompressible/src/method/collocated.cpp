#include <sparse/incompressible/method/collocated.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>
#include <string>

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/locate.hpp>
#include <sparse/sets/morphology.hpp>

#include "node_values.hpp"
#include "pressure_tiles.hpp"
#include "stopwatch.hpp"

namespace sparse::incompressible {

using detail::Bits;
using detail::NodeColumn;
using detail::NodeStencil;

namespace {

/// Velocities, those of the next step, three pressures and their source.
constexpr int column_count = 8;

void expect_positive(double value, char const* name) {
  if (!(std::isfinite(value) && value > 0))
    fail(std::string("collocated: ") + name + " must be positive, but is " + std::to_string(value));
}

void expect_valid(CollocatedOptions const& o) {
  expect_positive(o.density, "density");
  expect_positive(o.viscosity, "viscosity");
  expect_positive(o.time_step, "the time step");
  expect_positive(o.stability_factor, "the stability factor");
  expects(o.sweep_count >= 1, "collocated: a step needs at least one sweep");
  expects(o.sweeps_per_tile >= 1 && o.sweeps_per_tile <= 16, "collocated: a tile takes 1 to 16 sweeps");
}

}  // namespace

template <class T>
struct Collocated<T>::Body {
  IntervalSet<2> nodes, inside;
  Vec<double, 2> spacing;
  CollocatedOptions options;
  detail::NodeValues<T> values;
  int velocity = 0, next = 2, pressure = 4, other_pressures[2] = {5, 6};  // their first columns
  static constexpr int source = 7;
  detail::GivenValues<T> given[3] = {};
  double greatest_velocity = 0;  // of all that were given
  bool is_stale = true;          // plans that depend on given pressures
  NodeStencil advected, swept, corrected;
  detail::PressureTiles tiles;
  CopyPlan<2> boundary;
  Index step_count = 0;
  double time = 0;
  StepSeconds seconds;

  Body(IntervalSet<2> const& the_nodes, Vec<double, 2> const& the_spacing, CollocatedOptions const& o)
      : nodes(the_nodes), inside(shrink(the_nodes, 1, Element::diamond)), spacing(the_spacing), options(o),
        values(the_nodes, o.layout, column_count) {
    for (int axis = 0; axis < 2; ++axis) expect_positive(spacing[axis], "the spacing of nodes");
    expect_valid(options);
    expects(!inside.is_empty(), "collocated: no node has all four neighbours");
    advected = NodeStencil(inside, nodes, nodes);
    boundary = CopyPlan<2>(nodes - inside, nodes, nodes);
  }

  template <int stride>
  NodeColumn<T, stride> column(int which) const {
    return values.template column<stride>(which);
  }

  void fix(int component, Field<T, 2> const& field, char const* name) {
    double const greatest = given[component].give(field, nodes, name);
    if (component < 2) {
      greatest_velocity = std::max(greatest_velocity, greatest);
      return;
    }
    is_stale = true;
    values.in_layout([&]<int stride>() {
      for (int const which : {pressure, other_pressures[0], other_pressures[1]})
        given[2].write(this->template column<stride>(which));
    });
  }

  void make_plans() {
    auto const swept_nodes = inside - given[2].nodes(), known = inside | given[2].nodes();
    swept = NodeStencil(swept_nodes, known, nodes);
    corrected = NodeStencil(inside, known, nodes);
    if (options.sweeps_per_tile > 1) tiles = detail::PressureTiles(nodes, swept, options.sweeps_per_tile);
    is_stale = false;
  }

  double longest_step() const {
    double inverse_square = 0;
    for (int axis = 0; axis < 2; ++axis) inverse_square += 1 / (spacing[axis] * spacing[axis]);
    double const of_diffusion = options.stability_factor / (options.viscosity * inverse_square);
    if (greatest_velocity == 0) return of_diffusion;
    return std::min(of_diffusion, 2 * options.viscosity / (greatest_velocity * greatest_velocity));
  }

  void expect_stable() const {
    double const limit = longest_step();
    if (options.allow_unstable || options.time_step <= limit) return;
    char text[160];
    std::snprintf(text, sizeof text, "collocated: the time step %.6g is more than the longest stable one, %.6g",
                  options.time_step, limit);
    fail(text);
  }

  /// The column of the pressure after all sweeps. That of the last step stays.
  template <int stride>
  int sweep_pressure() {
    double const inverse[2] = {1 / (spacing[0] * spacing[0]), 1 / (spacing[1] * spacing[1])};
    double const diagonal = 2 * (inverse[0] + inverse[1]);
    detail::SweepPressure<T, stride> sweep{
        {}, {}, this->template column<stride>(source), {T(inverse[0] / diagonal), T(inverse[1] / diagonal)}};
    int from = pressure, to = other_pressures[0];
    for (int done = 0; done < options.sweep_count;) {
      sweep.from = this->template column<stride>(from);
      sweep.to = this->template column<stride>(to);
      int const count = std::min(options.sweeps_per_tile, options.sweep_count - done);
      if (options.sweeps_per_tile > 1)
        sweep_tiles(tiles, sweep, count);
      else
        for_each("sparse::collocated::sweep", swept, sweep);
      done += count;
      from = to;
      to = other_pressures[from == other_pressures[0] ? 1 : 0];
    }
    return from;
  }

  template <int stride>
  void step() {
    detail::Stopwatch watch(nodes.context());
    double const rate = options.density / options.time_step;
    double const diagonal = 2 / (spacing[0] * spacing[0]) + 2 / (spacing[1] * spacing[1]);
    detail::TakeTentativeStep<T, stride> tentative{};
    detail::FindSource<T, stride> divergence{};
    detail::CorrectVelocity<T, stride> correct{};
    for (int axis = 0; axis < 2; ++axis) {
      double const h = spacing[axis];
      auto const now_column = this->template column<stride>(velocity + axis);
      auto const next_column = this->template column<stride>(next + axis);
      detail::copy(boundary, now_column, next_column);
      tentative.velocity[axis] = now_column;
      tentative.next[axis] = divergence.velocity[axis] = correct.velocity[axis] = next_column;
      tentative.diffusion[axis] = T(options.viscosity / (h * h));
      tentative.slope[axis] = T(1 / (2 * h));
      divergence.factor[axis] = T(rate / (2 * h) / diagonal);
      correct.factor[axis] = T(1 / rate / (2 * h));
    }
    tentative.time_step = T(options.time_step);
    for_each("sparse::collocated::tentative", advected, tentative);
    divergence.source = this->template column<stride>(source);
    for_each("sparse::collocated::source", advected, divergence);
    watch.add_to(seconds.advection);
    int const found = this->template sweep_pressure<stride>();
    watch.add_to(seconds.pressure);
    correct.pressure = this->template column<stride>(found);
    Bits<T> const greatest = reduce<Kokkos::Max, Bits<T>>("sparse::collocated::correct", corrected, correct);
    if (greatest >= detail::bits_of_magnitude(std::numeric_limits<T>::infinity())) fail_not_finite(found);
    for (int axis = 0; axis < 2; ++axis) given[axis].write(this->template column<stride>(next + axis));
    std::swap(velocity, next);
    std::swap(pressure, found == other_pressures[0] ? other_pressures[0] : other_pressures[1]);
    ++step_count;
    time += options.time_step;
    watch.add_to(seconds.other);
  }

  [[noreturn]] void fail_not_finite(int found) const {
    std::string const when = " in step " + std::to_string(step_count + 1) + ", after " + std::to_string(step_count) +
                             " good ones; the state is that before it";
    std::pair<char const*, int> const all[] = {{"u", next}, {"v", next + 1}, {"p", found}};
    for (auto const& [name, which] : all) {
      auto const on_host = to_host(values.field_of(which, name));
      auto const bad = std::find_if(on_host.begin(), on_host.end(), [](T value) { return !std::isfinite(value); });
      if (bad == on_host.end()) continue;
      auto const node = cell_of(nodes, static_cast<Index>(bad - on_host.begin()));
      throw std::runtime_error("collocated: " + std::string(name) + " is " + std::to_string(*bad) + " at node (" +
                               std::to_string(node[0]) + ", " + std::to_string(node[1]) + ")" + when);
    }
    throw std::runtime_error("collocated: a value is not finite" + when);
  }
};

template <class T>
Collocated<T>::Collocated(IntervalSet<2> const& nodes, Vec<double, 2> const& spacing, CollocatedOptions const& options)
    : body_(std::make_unique<Body>(nodes, spacing, options)) {}
template <class T>
Collocated<T>::Collocated(Collocated&&) noexcept = default;
template <class T>
Collocated<T>& Collocated<T>::operator=(Collocated&&) noexcept = default;
template <class T>
Collocated<T>::~Collocated() = default;

template <class T>
void Collocated<T>::fix_u(IntervalSet<2> const& nodes, double value) {
  fix_u(Field<T, 2>("u", nodes, value));
}
template <class T>
void Collocated<T>::fix_v(IntervalSet<2> const& nodes, double value) {
  fix_v(Field<T, 2>("v", nodes, value));
}
template <class T>
void Collocated<T>::fix_p(IntervalSet<2> const& nodes, double value) {
  fix_p(Field<T, 2>("p", nodes, value));
}
template <class T>
void Collocated<T>::fix_u(Field<T, 2> const& values) {
  body_->fix(0, values, "fix_u");
}
template <class T>
void Collocated<T>::fix_v(Field<T, 2> const& values) {
  body_->fix(1, values, "fix_v");
}
template <class T>
void Collocated<T>::fix_p(Field<T, 2> const& values) {
  body_->fix(2, values, "fix_p");
}

template <class T>
void Collocated<T>::set_options(CollocatedOptions const& options) {
  expect_valid(options);
  expects(options.layout == body_->options.layout, "collocated: the layout cannot change");
  if (options.sweeps_per_tile != body_->options.sweeps_per_tile) body_->is_stale = true;
  body_->options = options;
}
template <class T>
double Collocated<T>::longest_step() const {
  return body_->longest_step();
}

template <class T>
void Collocated<T>::advance(Index step_count) {
  expects(step_count >= 0, "collocated: the number of steps is negative");
  body_->expect_stable();
  if (body_->is_stale) body_->make_plans();
  ProfilingRegion const region("sparse::collocated::advance");
  body_->values.in_layout([&]<int stride>() {
    for (Index i = 0; i < step_count; ++i) body_->template step<stride>();
  });
}

template <class T>
Field<T, 2> Collocated<T>::u() const {
  return body_->values.field_of(body_->velocity, "u");
}
template <class T>
Field<T, 2> Collocated<T>::v() const {
  return body_->values.field_of(body_->velocity + 1, "v");
}

template <class T>
Field<T, 2> Collocated<T>::p() const {
  return detail::with_boundary(body_->values.field_of(body_->pressure, "p"), body_->inside, body_->given[2].nodes());
}

template <class T>
IntervalSet<2> const& Collocated<T>::nodes() const {
  return body_->nodes;
}
template <class T>
IntervalSet<2> const& Collocated<T>::inside() const {
  return body_->inside;
}
template <class T>
Vec<double, 2> const& Collocated<T>::spacing() const {
  return body_->spacing;
}
template <class T>
CollocatedOptions const& Collocated<T>::options() const {
  return body_->options;
}
template <class T>
Index Collocated<T>::step_count() const {
  return body_->step_count;
}
template <class T>
double Collocated<T>::time() const {
  return body_->time;
}
template <class T>
StepSeconds const& Collocated<T>::seconds() const {
  return body_->seconds;
}

template class Collocated<float>;
template class Collocated<double>;

}  // namespace sparse::incompressible
