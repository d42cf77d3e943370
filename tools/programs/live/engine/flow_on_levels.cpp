#include "flow_on_levels.hpp"

#include <algorithm>
#include <cmath>

#include <sparse/incompressible/levels/profiles.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>

#include "flow_pixels.hpp"
#include "state_hash.hpp"

namespace sparse::live {
namespace {

using namespace incompressible;

/// Inks of the case are sources here.
app::FlowCase for_levels(app::FlowCase c) {
  expects(c.flow.run.level_count <= most_levels, "a live flow has at most 16 levels");
  c = with_staircase(c);
  c.inks.clear();
  c.measured_walls.clear();
  c.pads_thin = false;  // what is drawn is thick
  return c;
}

bool are_same(InkSource const& a, InkSource const& b) {
  return a.cells == b.cells && a.value == b.value && a.jet == b.jet;
}

}  // namespace

FlowOnLevels::FlowOnLevels(app::FlowCase const& flow_case, Bodies const& bodies)
    : case_(for_levels(flow_case)), bodies_(bodies) {
  flow_.emplace(app::domain_on_levels<2>(case_, bodies_), options_of(case_, false));
  auto const velocity = app::vec_of<2>(case_.start_velocity);
  std::vector<ScalarFunction<2>> inks;
  if (case_.has_temperature())
    inks.emplace_back([warmth = case_.start_temperature](Vec<double, 2> const&) { return warmth; });
  flow_->start([velocity](Vec<double, 2> const&) { return velocity; }, inks);
}

AdaptiveOptions<2> FlowOnLevels::options_of(app::FlowCase const& c, bool with_ink) const {
  auto options = app::options_on_levels<2>(c);
  if (!with_ink) return options;
  std::size_t const first = options.inks.size();
  options.criteria.reserve(options.criteria.size() + ink_names.size());
  for (std::size_t k = 0; k < ink_names.size(); ++k) {
    options.inks.push_back({.name = ink_names[k], .inflow = 0, .decay = decay_});
    options.criteria.emplace_back(ink_change(first + k, c.flow.run.refine_threshold));
  }
  for (InkSource const& source : sources_) {
    for (std::size_t k = 0; k < ink_names.size(); ++k)
      options.ink_sources.push_back({first + k, source.cells, source.value[static_cast<int>(k)]});
    if (source.jet) options.jets.push_back({source.cells, *source.jet});
  }
  return options;
}

void FlowOnLevels::go_on() {
  bool const with_ink = has_ink() || !sources_.empty();
  auto const domain = app::domain_on_levels<2>(case_, bodies_);
  auto const options = options_of(case_, with_ink);
  *flow_ = with_ink == has_ink() ? Flow(domain, options, flow_->save()) : Flow(domain, options, *flow_);
}

void FlowOnLevels::change(app::CaseFile const& file, Bodies const& bodies) {
  auto const c = for_levels(std::get<app::FlowCase>(file.content));
  auto const domain = app::domain_on_levels<2>(c, bodies);
  auto const options = options_of(c, has_ink());
  bool const differs_in_numbers = bodies == bodies_ && have_same_velocities(c, case_);
  *flow_ = differs_in_numbers ? Flow(domain, options, flow_->save()) : Flow(domain, options, *flow_);
  case_ = c;
  bodies_ = bodies;
}

void FlowOnLevels::set_sources(std::vector<InkSource> const& sources) {
  if (std::equal(sources.begin(), sources.end(), sources_.begin(), sources_.end(), are_same)) return;
  sources_ = sources;
  go_on();
}

void FlowOnLevels::set_decay(double decay) {
  if (decay == decay_) return;
  decay_ = decay;
  if (has_ink()) go_on();
}

double FlowOnLevels::step() {
  double const before = flow_->time(), limit = longest_step(case_);
  auto const report = flow_->longest_step() < limit ? flow_->advance() : flow_->advance(limit);
  expect_converged(report, flow_->time());
  return flow_->time() - before;
}

std::vector<View> FlowOnLevels::views() const {
  auto views = views_of(case_);
  views.push_back(View::levels);
  return views;
}

void FlowOnLevels::locate(io::Raster const& raster) {
  pixels_.emplace(raster, flow_->grid(0).context());
  for (int l = 0; l < flow_->level_count(); ++l) pixels_->add(flow_->leaves(l), flow_->grid(l).fluid(), l);
}

void FlowOnLevels::draw(View view, PixelFields& pixels) {
  std::vector<FlowLevel> levels;
  for (int l = 0; l < flow_->level_count(); ++l) {
    levels.push_back({&flow_->grid(l), &flow_->state(l), {}});
    for (std::size_t k = 0; has_ink() && k < ink_names.size(); ++k)
      levels.back().ink[k] = &flow_->state(l).carried[first_ink() + k];
  }
  draw_flow(view, levels, *pixels_, pixels);
}

std::vector<Reading> FlowOnLevels::read(std::vector<Point> const& points) {
  std::vector<Reading> readings;
  auto const levels = levels_at(*flow_, points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    readings.push_back({points[i], {}, {}, 0});
    if (levels[i] < 0) continue;
    auto& reading = readings.back();
    reading.level = levels[i];
    auto const cell = flow_->grid(levels[i]).space().cell_of(points[i]);
    reading.cell = {cell[0], cell[1]};
    std::vector<Point> const at = {points[i]};
    auto const velocity = velocity_along(*flow_, at).velocity[0];
    reading.values = {{"u", velocity[0]},
                      {"v", velocity[1]},
                      {"speed", std::hypot(velocity[0], velocity[1])},
                      {"pressure", pressure_at(*flow_, at)[0]}};
    for (std::size_t k = 0; k < flow_->options().inks.size(); ++k)
      reading.values.emplace_back(flow_->options().inks[k].name, ink_at(*flow_, k, at)[0]);
  }
  return readings;
}

std::uint64_t FlowOnLevels::hash() const {
  std::uint64_t hash = mixed_bits(flow_->time(), 1);
  for (int l = 0; l < flow_->level_count(); ++l) {
    auto const& grid = flow_->grid(l);
    auto const& state = flow_->state(l);
    auto const salt = static_cast<std::uint64_t>(16 * l);
    for (int axis = 0; axis < 2; ++axis) {
      auto const faces_of_leaves = grid.domain().periodicity().stored(faces(flow_->leaves(l), axis));
      hash += hash_of(Subset<2>(faces_of_leaves, grid.storage()), state.velocity.component(axis),
                      salt + static_cast<std::uint64_t>(axis) + 1);
    }
    hash += hash_of(Subset<2>(flow_->leaves(l), grid.fluid()), state.pressure.component(0), salt + 3);
    Subset<2> const leaves(flow_->leaves(l), grid.storage());
    for (std::size_t k = 0; k < state.carried.size(); ++k)
      hash += hash_of(leaves, state.carried[k].component(0), salt + 4 + k);
  }
  return hash;
}

std::array<double, 3> FlowOnLevels::ink_totals() const {
  std::array<double, 3> totals = {};
  for (std::size_t k = 0; has_ink() && k < totals.size(); ++k) totals[k] = flow_->ink_total(first_ink() + k);
  return totals;
}

}  // namespace sparse::live
