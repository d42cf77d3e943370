#include "engine.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include <sparse/app/cases/case_shapes.hpp>
#include <sparse/fields/pad_thin.hpp>
#include <sparse/fields/streamline.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/shapes.hpp>

#include "marks.hpp"
#include "state_hash.hpp"

namespace sparse::live {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// In four steps ink crosses less than three cells, so emitters that wide leave no gaps.
constexpr int steps_per_carry = 4;
constexpr Index most_film_frames = 6000;

}  // namespace

Engine::Engine(app::CaseFile const& file, EngineOptions const& options) : options_(options) {
  expects(options.longest >= 16 && options.longest <= 8192, "pictures have 16 to 8192 pixels along their longer side");
  start(file);
}

/// Begins with a case as its file describes it.
void Engine::start(app::CaseFile const& file) {
  auto bodies = bodies_of_case(file);
  auto flow = make_flow(file, bodies);
  file_ = file;
  flow_ = std::move(flow);
  original_ = bodies_ = accepted_ = std::move(bodies);
  has_drawn_ = is_dirty_ = false;
  speed_ = 1;
  decay_ = 0;
  body_box_ = body_box_of(file);
  emitters_.clear();
  probes_.clear();
  seeds_.clear();
  streamlines_.clear();
  hover_.reset();
  if (auto const* const c = flow_case()) {
    for (auto const& ink : c->inks) emitters_.push_back({ink});
    look_.background = c->background;
  }
  look_.follows = true;
  look_.outlines = false;
  auto const views = flow_->views();
  bool const has_ink = !emitters_.empty();
  look_.take(has_ink ? View::streaked_ink : flow_case() != nullptr ? View::streaks : View::density);
  steps_ = flow_case() != nullptr ? 4 : 1;
  auto const level = body_level_of(file);
  // Flows about as high as wide have fewer pixels along each side, so that all pictures take about as long.
  auto const& size = box().size;
  double const flatness = std::max(size[0] / size[1], size[1] / size[0]);
  int const longest = static_cast<int>(options_.longest * std::min(1.0, std::sqrt(0.35 * flatness)));
  raster_ = io::raster_of(app::box_of<2>(box()), longest, level);
  pixels_ = {};
  painter_.emplace(raster_);
  update_sources();
}

/// The case with the velocities of now.
app::CaseFile Engine::current() const {
  app::CaseFile file = file_;
  auto const scale = [&](app::Triple& v) {
    for (double& x : v) x *= speed_;
  };
  if (auto* const flow = std::get_if<app::FlowCase>(&file.content)) {
    for (auto& boundary : flow->boundaries) scale(boundary.velocity);
    flow->inks.clear();
    for (auto const& emitter : emitters_)
      if (emitter.is_on) flow->inks.push_back(emitter.ink);
  } else {
    auto& gas = std::get<app::GasCase>(file.content);
    scale(gas.inflow.velocity);
    if (gas.mach) *gas.mach *= speed_;
    for (auto& boundary : gas.boundaries)
      if (boundary.state) scale(boundary.state->velocity);
  }
  return file;
}

/// The bodies as the flow has them: walls that were drawn too thin are thicker.
Bodies Engine::padded() const {
  Bodies bodies = bodies_;
  if (!has_drawn_ || bodies.back().is_empty()) return bodies;
  auto const all = app::box_of<2>(body_box_);
  auto fluid = sparse::box<2>(all.begin, all.end);
  for (auto const& body : bodies) fluid = fluid - body;
  bodies.back() = pad_thin(bodies.back(), fluid).solid;
  return bodies;
}

/// Gives the flow the bodies of now, or these the state before.
void Engine::update_bodies() {
  if (!is_dirty_ || (options_.edit_interval > 0 && seconds_since(edited_) < options_.edit_interval)) return;
  is_dirty_ = false;
  bool is_same = true;
  for (std::size_t i = 0; i < bodies_.size(); ++i) is_same = is_same && bodies_[i] == accepted_[i];
  if (is_same) return;
  try {
    flow_->change(current(), padded());
    accepted_ = bodies_;
    update_sources();
    ++edits_;
  } catch (std::exception const& error) {
    bodies_ = accepted_;
    say(fmt::format("refused: {}", error.what()));
  }
}

void Engine::update_sources() {
  std::vector<InkSource> sources;
  for (Emitter const& emitter : emitters_)
    if (emitter.is_on && flow_->time() <= emitter.ink.until)
      sources.push_back(source_of(body_box_, emitter, look_.background));
  flow_->set_sources(sources);
}

void Engine::step_once() {
  bool ended = false;
  for (Emitter const& emitter : emitters_) ended = ended || (emitter.is_on && flow_->time() > emitter.ink.until);
  if (ended) {
    for (Emitter& emitter : emitters_) emitter.is_on = emitter.is_on && flow_->time() <= emitter.ink.until;
    update_sources();
  }
  time_step_ = flow_->step();
}

void Engine::frame(Snapshot& out) {
  auto const begin = Clock::now();
  update_bodies();
  int const count = is_paused_ ? (steps_once_ ? 1 : 0) : steps_;
  steps_once_ = has_news_ = false;
  try {
    for (int i = 1; i <= count; ++i) {
      step_once();
      if (i % steps_per_carry == 0 || i == count) flow_->carry_ink();
    }
  } catch (std::exception const& error) {
    is_paused_ = true;
    say(fmt::format("paused: {}", error.what()));
  }
  out.step_seconds = seconds_since(begin);
  flow_->locate(raster_);
  flow_->draw(look_.view, pixels_);
  out.pixels = painter_->paint(look_, pixels_, count > 0);
  if (frame_ % 4 == 0 || count == 0) trace_streamlines();
  fill(out);
  draw_marks(out);
  if (film_) {
    film_->add(image_of(out));
    if (++film_frames_ >= most_film_frames) carry_out(Film{false});
  }
  if (std::exchange(wants_picture_, false)) {
    auto const path = fresh_path(".png");
    io::write_png(path, image_of(out));
    say("picture: " + path.string());
  }
  out.message = message_;
  out.engine_seconds = seconds_since(begin);
  ++frame_;
}

/// Follows the velocities of pixels. Paths end at the edge of the picture and at obstacles.
void Engine::trace_streamlines() {
  streamlines_.clear();
  if (seeds_.empty()) return;
  if (look_.view != View::streaks && look_.view != View::streaked_ink) flow_->draw(View::streaks, pixels_);
  auto const velocity =
      to_host(Context(), static_cast<Vec<float, 2> const*>(pixels_.velocity.data()), pixels_.velocity.size());
  double const wide = box().size[0] / raster_.width, high = box().size[1] / raster_.height;
  auto const at_pixel = [&](Point const& x) -> std::optional<Point> {
    double const i = std::floor(x[0] / wide), j = std::floor(x[1] / high);
    if (!(i >= 0 && i < raster_.width && j >= 0 && j < raster_.height)) return std::nullopt;
    auto const& v =
        velocity[static_cast<std::size_t>(j) * static_cast<std::size_t>(raster_.width) + static_cast<std::size_t>(i)];
    if (!(v[0] == v[0])) return std::nullopt;
    return Point{v[0], v[1]};
  };
  for (Point const& seed : seeds_)
    streamlines_.push_back(streamline<2>(at_pixel, seed, 1.5 * std::min(wide, high), 1000));
}

void Engine::fill(Snapshot& out) {
  out.width = raster_.width;
  out.height = raster_.height;
  out.size = {box().size[0], box().size[1]};
  out.frame = frame_;
  out.step_count = flow_->step_count();
  out.edit_count = edits_;
  out.cell_count = flow_->cell_count();
  out.time = flow_->time();
  out.time_step = time_step_;
  out.state_hash = flow_->hash();
  out.body_hash = 0;
  for (std::size_t i = 0; i < accepted_.size(); ++i)  // those that the flow has, not strokes that still wait
    if (!accepted_[i].is_empty()) out.body_hash += hash_of(accepted_[i]) * (2 * i + 1);
  out.is_paused = is_paused_;
  out.is_filming = film_.has_value();
  out.case_name = std::visit([](auto const& c) { return c.name; }, file_.content);
  auto const* const c = flow_case();
  out.re = c == nullptr ? 0 : c->ra ? *c->ra : c->re;
  out.speed = speed_;
  out.decay = decay_;
  out.steps = steps_;
  out.view = look_.view;
  out.map = look_.map;
  out.views = flow_->views();
  out.range = look_.range;
  out.extrema = painter_->extrema();
  out.follows = look_.follows;
  out.outlines = look_.outlines;
  out.ink = flow_->ink_totals();
  out.hover.reset();
  std::vector<Point> points = probes_;
  if (hover_) points.push_back(*hover_);
  out.probes = flow_->read(points);
  if (hover_) {
    out.hover = out.probes.back();
    out.probes.pop_back();
  }
  out.emitters.clear();
  for (Emitter const& emitter : emitters_) out.emitters.push_back(info_of(body_box_, emitter));
  out.streamlines = streamlines_;
}

/// A name in the output folder that no file has yet.
std::filesystem::path Engine::fresh_path(char const* ending) const {
  std::filesystem::create_directories(options_.output_folder);
  std::string const name = std::visit([](auto const& c) { return c.name; }, file_.content);
  for (int i = 1;; ++i) {
    auto path = options_.output_folder / fmt::format("{}_{:03}{}", name, i, ending);
    if (!std::filesystem::exists(path)) return path;
  }
}

}  // namespace sparse::live
