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
#include "menu.hpp"
#include "state_hash.hpp"

namespace sparse::live {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

constexpr std::size_t most_emitters = 64, most_probes = 32, most_streamlines = 32, most_film_frames = 6000;

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

void Engine::apply(Command const& command) {
  has_news_ = true;
  auto const number_of = [](std::size_t number, auto const& list, char const* what) {
    if (number >= list.size()) throw std::runtime_error(fmt::format("there is no {} {}", what, number));
    return static_cast<std::ptrdiff_t>(number);
  };
  auto const expect_room = [](auto const& list, std::size_t most, char const* what) {
    if (list.size() >= most) throw std::runtime_error(fmt::format("there are {} {} already", most, what));
  };
  if (auto const* const stroke = std::get_if<Stroke>(&command)) {
    draw_stroke(*stroke);
  } else if (auto const* const add = std::get_if<AddEmitter>(&command)) {
    if (flow_case() == nullptr) throw std::runtime_error("flows of a gas carry no ink");
    expect_room(emitters_, most_emitters, "emitters");
    auto const& c = box();
    double const radius = add->radius > 0 ? add->radius : 0.03 * std::min(c.size[0], c.size[1]);
    Emitter emitter{{{app::CaseShape::Kind::ball, {add->at[0], add->at[1], radius}, {}}, add->colour}};
    if (add->jet && !(*add->jet == Point{})) emitter.ink.jet = app::Triple{(*add->jet)[0], (*add->jet)[1], 0};
    emitters_.push_back(emitter);
    update_sources();
  } else if (auto const* const changed = std::get_if<ChangeEmitter>(&command)) {
    number_of(changed->number, emitters_, "emitter");
    change(*changed);
  } else if (auto const* const removed = std::get_if<RemoveEmitter>(&command)) {
    emitters_.erase(emitters_.begin() + number_of(removed->number, emitters_, "emitter"));
    update_sources();
  } else if (auto const* const pin = std::get_if<Pin>(&command)) {
    expect_room(probes_, most_probes, "probes");
    probes_.push_back(pin->at);
  } else if (auto const* const unpin = std::get_if<Unpin>(&command)) {
    probes_.erase(probes_.begin() + number_of(unpin->number, probes_, "probe"));
  } else if (auto const* const line = std::get_if<AddStreamline>(&command)) {
    expect_room(seeds_, most_streamlines, "streamlines");
    seeds_.push_back(line->at);
  } else if (std::holds_alternative<ClearStreamlines>(command)) {
    seeds_.clear();
  } else if (auto const* const hover = std::get_if<Hover>(&command)) {
    hover_ = hover->at;
  } else if (auto const* const settings = std::get_if<Settings>(&command)) {
    set(*settings);
  } else if (auto const* const pause = std::get_if<Pause>(&command)) {
    is_paused_ = pause->is_on;
  } else if (std::holds_alternative<SingleStep>(command)) {
    is_paused_ = steps_once_ = true;
  } else if (std::holds_alternative<Reset>(command)) {
    flow_ = make_flow(current(), padded());
    accepted_ = bodies_;
    is_dirty_ = false;
    update_sources();
    painter_.emplace(raster_);
  } else if (auto const* const load = std::get_if<Load>(&command)) {
    auto const& entries = menu();
    if (std::none_of(entries.begin(), entries.end(), [&](auto const& entry) { return entry.name == load->name; }))
      throw std::runtime_error("the menu has no case '" + load->name + "'");
    start(load_case(load->name));
  } else if (std::holds_alternative<SavePicture>(command)) {
    wants_picture_ = true;
  } else if (auto const* const film = std::get_if<Film>(&command)) {
    if (film->is_on == film_.has_value()) return;
    if (film->is_on) {
      film_path_ = fresh_path(".webp");
      film_.emplace(film_path_, 25);
      film_frames_ = 0;
    } else {
      if (film_frames_ > 0) film_->finish();
      film_.reset();
      say(film_frames_ > 0 ? "film: " + film_path_.string() : "the film has no frame");
    }
  } else {
    say("saved: " + save().string());
  }
}

void Engine::draw_stroke(Stroke const& stroke) {
  using Kind = app::CaseShape::Kind;
  app::CaseShape shape;
  auto const &a = stroke.from, &b = stroke.to;
  auto const in_reach = [&](Point const& x) {  // so that a shape has no more rows than the box needs
    for (int axis = 0; axis < 2; ++axis) {
      double const size = box().size[static_cast<std::size_t>(axis)];
      if (!(x[axis] >= -size && x[axis] <= 2 * size)) return false;
    }
    return true;
  };
  double const longest = std::max(box().size[0], box().size[1]);
  if (!in_reach(a) || !in_reach(b) || !(stroke.radius <= longest))
    throw std::runtime_error("the stroke is far outside of the flow");
  if (stroke.is_box)
    shape = {Kind::box, {std::min(a[0], b[0]), std::min(a[1], b[1]), std::max(a[0], b[0]), std::max(a[1], b[1])}, {}};
  else if (a == b)
    shape = {Kind::ball, {a[0], a[1], stroke.radius}, {}};
  else
    shape = {Kind::capsule, {a[0], a[1], b[0], b[1], stroke.radius}, {}};
  auto const all = app::box_of<2>(body_box_);
  auto cells = app::cells_of<2>(body_box_, shape) & sparse::box<2>(all.begin, all.end);
  if (cells.is_empty()) return;
  if (stroke.erases) {
    for (auto& body : bodies_) body = body - cells;
  } else {
    if (!has_drawn_) {
      has_drawn_ = true;
      if (auto* const flow = std::get_if<app::FlowCase>(&file_.content)) {
        flow->obstacles.push_back({drawn_shape});
      } else {
        auto& gas = std::get<app::GasCase>(file_.content);
        gas.obstacles.push_back({drawn_shape, gas.viscosity ? BoundaryKind::no_slip : BoundaryKind::wall});
      }
      bodies_.emplace_back();
      original_.emplace_back();
      accepted_.emplace_back();
    }
    for (std::size_t i = 0; i + 1 < bodies_.size(); ++i) cells = cells - bodies_[i];
    bodies_.back() = bodies_.back() | cells;
  }
  if (!is_dirty_) edited_ = Clock::now();
  is_dirty_ = true;
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

void Engine::change(ChangeEmitter const& changed) {
  Emitter& emitter = emitters_[changed.number];
  auto& shape = emitter.ink.shape;
  if ((changed.to || changed.radius) && !can_move(shape))
    throw std::runtime_error("this emitter is made of cells and stays where it is");
  if (changed.radius)
    shape = {app::CaseShape::Kind::ball, {middle_of(box(), shape)[0], middle_of(box(), shape)[1], *changed.radius}, {}};
  if (changed.to) shape = moved_to(box(), shape, *changed.to);
  if (changed.colour) emitter.ink.colour = *changed.colour;
  if (changed.is_on) emitter.is_on = *changed.is_on;
  if (changed.jet) {
    emitter.ink.jet = app::Triple{(*changed.jet)[0], (*changed.jet)[1], 0};
    if (*changed.jet == Point{}) emitter.ink.jet.reset();
  }
  update_sources();
}

void Engine::update_sources() {
  std::vector<InkSource> sources;
  for (Emitter const& emitter : emitters_)
    if (emitter.is_on && flow_->time() <= emitter.ink.until)
      sources.push_back(source_of(box(), emitter, look_.background));
  flow_->set_sources(sources);
}

void Engine::set(Settings const& settings) {
  if (settings.view) {
    auto const views = flow_->views();
    if (std::find(views.begin(), views.end(), *settings.view) == views.end())
      throw std::runtime_error(fmt::format("this flow has no view '{}'", name_of(*settings.view)));
  }
  set_numbers(settings);
  if (settings.view && *settings.view != look_.view) {
    look_.take(*settings.view);
    look_.follows = true;
  }
  if (settings.map) look_.map = *settings.map;
  if (settings.range) {
    look_.range = *settings.range;
    look_.follows = false;
  }
  look_.follows = settings.follows.value_or(look_.follows);
  look_.outlines = settings.outlines.value_or(look_.outlines);
  steps_ = settings.steps.value_or(steps_);
  decay_ = settings.decay.value_or(decay_);
}

/// Numbers of the flow. It goes on with these, or with those before.
void Engine::set_numbers(Settings const& settings) {
  if (!settings.re && !settings.speed) return;
  auto const before = file_;
  double const speed = speed_;
  try {
    if (settings.re) {
      if (auto* const flow = std::get_if<app::FlowCase>(&file_.content))
        (flow->ra ? *flow->ra : flow->re) = *settings.re;
      else if (auto& gas = std::get<app::GasCase>(file_.content); gas.viscosity)
        throw std::runtime_error("the viscosity of a gas is that of its case");
      else
        throw std::runtime_error("a gas without friction has no Reynolds number");
    }
    speed_ = settings.speed.value_or(speed_);
    flow_->change(current(), padded());
    accepted_ = bodies_;
    is_dirty_ = false;
    update_sources();
  } catch (...) {
    file_ = before;
    speed_ = speed;
    throw;
  }
}

void Engine::step_once() {
  bool ended = false;
  for (Emitter const& emitter : emitters_) ended = ended || (emitter.is_on && flow_->time() > emitter.ink.until);
  if (ended) {
    for (Emitter& emitter : emitters_) emitter.is_on = emitter.is_on && flow_->time() <= emitter.ink.until;
    update_sources();
  }
  time_step_ = flow_->step();
  if (decay_ > 0) flow_->fade_ink(std::exp(-decay_ * time_step_));
}

void Engine::frame(Snapshot& out) {
  auto const begin = Clock::now();
  update_bodies();
  int const count = is_paused_ ? (steps_once_ ? 1 : 0) : steps_;
  steps_once_ = has_news_ = false;
  try {
    for (int i = 0; i < count; ++i) step_once();
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
    if (++film_frames_ >= static_cast<Index>(most_film_frames)) apply(Film{false});
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
  for (Emitter const& emitter : emitters_) out.emitters.push_back(info_of(box(), emitter));
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
