#include "flow_pixels.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include <sparse/fields/algebra.hpp>
#include <sparse/incompressible/measure/fields.hpp>

namespace sparse::live {
namespace {

using namespace incompressible;

/// Component k of the fields of levels.
struct LevelValues {
  double const* of[most_levels] = {};
  LevelValues(std::vector<Field<double, 2>> const& fields, int k = 0) {
    for (std::size_t l = 0; l < fields.size(); ++l) of[l] = fields[l].component(k);
  }
  KOKKOS_FUNCTION float at(io::PixelCell const& cell) const {
    return cell.position < 0 ? no_value() : static_cast<float>(of[cell.level][cell.position]);
  }
};

struct TakeValue {
  LevelValues from;
  float* to;
  KOKKOS_FUNCTION void operator()(Index i, io::PixelCell const& cell) const { to[i] = from.at(cell); }
};

struct TakeSpeed {
  LevelValues u, v;
  float* to;
  KOKKOS_FUNCTION void operator()(Index i, io::PixelCell const& cell) const {
    float const x = u.at(cell), y = v.at(cell);
    to[i] = std::sqrt(x * x + y * y);
  }
};

struct TakeVelocity {
  LevelValues u, v;
  Vec<float, 2>* to;
  KOKKOS_FUNCTION void operator()(Index i, io::PixelCell const& cell) const { to[i] = {u.at(cell), v.at(cell)}; }
};

struct TakeInk {
  LevelValues red, green, blue;
  Vec<float, 3>* to;
  KOKKOS_FUNCTION void operator()(Index i, io::PixelCell const& cell) const {
    to[i] = {red.at(cell), green.at(cell), blue.at(cell)};
  }
};

struct TakeLevel {
  std::uint8_t* levels;
  float* to;  // or null
  KOKKOS_FUNCTION void operator()(Index i, io::PixelCell const& cell) const {
    levels[i] = static_cast<std::uint8_t>(cell.level);
    if (to != nullptr) to[i] = cell.position < 0 ? no_value() : static_cast<float>(cell.level);
  }
};

/// A field of each level.
template <class Make>
std::vector<Field<double, 2>> each(std::vector<FlowLevel> const& levels, Make const& make) {
  std::vector<Field<double, 2>> fields;
  for (FlowLevel const& level : levels) fields.push_back(make(level));
  return fields;
}

std::vector<Field<double, 2>> ink_of(std::vector<FlowLevel> const& levels, std::size_t k) {
  return each(levels, [k](FlowLevel const& level) {
    return level.ink[k] == nullptr ? Field<double, 2>("ink", level.grid->fluid(), 1, 0)
                                   : on_fluid(*level.grid, *level.ink[k]);
  });
}

std::vector<Field<double, 2>> values_of(View view, std::vector<FlowLevel> const& levels) {
  return each(levels, [view](FlowLevel const& level) {
    if (view == View::vorticity) return vorticity(*level.grid, level.state->velocity);
    if (view == View::temperature) return on_fluid(*level.grid, level.state->carried[0]);
    return clone(level.state->pressure);
  });
}

}  // namespace

std::vector<View> views_of(app::FlowCase const& c) {
  std::vector<View> views = {View::speed, View::vorticity, View::pressure,
                             View::ink,   View::streaks,   View::streaked_ink};
  if (c.has_temperature()) views.push_back(View::temperature);
  return views;
}

void draw_flow(View view, std::vector<FlowLevel> const& levels, io::PixelCells const& cells, PixelFields& pixels) {
  bool const has_ink = view == View::ink || view == View::streaked_ink;
  bool const has_streaks = view == View::streaks || view == View::streaked_ink;
  if (!has_ink && !has_streaks) fit(pixels.values, cells);
  // Outlines need levels also when there is only one left.
  if (levels.size() > 1 || view == View::levels || pixels.levels.size() > 0) {
    fit(pixels.levels, cells);
    for_pixels("sparse::live::take_level", cells,
               TakeLevel{pixels.levels.data(), view == View::levels ? pixels.values.data() : nullptr});
    if (view == View::levels) return;
  }
  if (has_ink) {
    fit(pixels.ink, cells);
    auto const red = ink_of(levels, 0), green = ink_of(levels, 1), blue = ink_of(levels, 2);
    for_pixels("sparse::live::take_ink", cells, TakeInk{red, green, blue, pixels.ink.data()});
  }
  if (has_streaks || view == View::speed) {
    auto const velocity =
        each(levels, [](FlowLevel const& level) { return cell_velocity(*level.grid, level.state->velocity); });
    LevelValues const u(velocity, 0), v(velocity, 1);
    if (!has_streaks) return for_pixels("sparse::live::take_speed", cells, TakeSpeed{u, v, pixels.values.data()});
    fit(pixels.velocity, cells);
    for_pixels("sparse::live::take_velocity", cells, TakeVelocity{u, v, pixels.velocity.data()});
  }
  if (has_ink || has_streaks) return;
  for_pixels("sparse::live::take_value", cells, TakeValue{values_of(view, levels), pixels.values.data()});
}

app::FlowCase with_staircase(app::FlowCase c) {
  c.flow.has_curved_walls = false;
  c.flow.ink_supersampling = 1;
  c.flow.ink_speed = 1;
  return c;
}

bool have_same_velocities(app::FlowCase const& a, app::FlowCase const& b) {
  return std::equal(a.boundaries.begin(), a.boundaries.end(), b.boundaries.begin(), b.boundaries.end(),
                    [](auto const& one, auto const& other) { return one.velocity == other.velocity; });
}

double longest_step(app::FlowCase const& c) { return std::max(c.size[0], c.size[1]) / c.velocity / 100; }

void expect_converged(poisson::Report const& report, double time) {
  if (!report.has_converged())
    throw std::runtime_error(fmt::format("the pressure solver did not converge at time {:.4g}", time));
}

}  // namespace sparse::live
