/// What commands do.

#include "engine.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include <sparse/app/cases/case_shapes.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/shapes/shapes.hpp>

#include "menu.hpp"

namespace sparse::live {
namespace {

constexpr std::size_t most_emitters = 64, most_probes = 32, most_streamlines = 32;

template <class List>
std::ptrdiff_t number_of(std::size_t number, List const& list, char const* what) {
  if (number >= list.size()) throw std::runtime_error(fmt::format("there is no {} {}", what, number));
  return static_cast<std::ptrdiff_t>(number);
}

template <class List>
void expect_room(List const& list, std::size_t most, char const* what) {
  if (list.size() >= most) throw std::runtime_error(fmt::format("there are {} {} already", most, what));
}

}  // namespace

void Engine::apply(Command const& command) {
  has_news_ = true;
  std::visit([this](auto const& one) { carry_out(one); }, command);
}

void Engine::carry_out(Stroke const& stroke) {
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
  if (!is_dirty_) edited_ = std::chrono::steady_clock::now();
  is_dirty_ = true;
}

void Engine::carry_out(AddEmitter const& add) {
  if (flow_case() == nullptr) throw std::runtime_error("flows of a gas carry no ink");
  expect_room(emitters_, most_emitters, "emitters");
  auto const& c = box();
  double const radius = add.radius > 0 ? add.radius : 0.03 * std::min(c.size[0], c.size[1]);
  Emitter emitter{{{app::CaseShape::Kind::ball, {add.at[0], add.at[1], radius}, {}}, add.colour}};
  if (add.jet && !(*add.jet == Point{})) emitter.ink.jet = app::Triple{(*add.jet)[0], (*add.jet)[1], 0};
  emitters_.push_back(emitter);
  update_sources();
}

void Engine::carry_out(ChangeEmitter const& changed) {
  number_of(changed.number, emitters_, "emitter");
  Emitter& emitter = emitters_[changed.number];
  auto& shape = emitter.ink.shape;
  if ((changed.to || changed.radius) && !can_move(shape))
    throw std::runtime_error("this emitter is made of cells and stays where it is");
  if (changed.radius)
    shape = {app::CaseShape::Kind::ball,
             {middle_of(body_box_, shape)[0], middle_of(body_box_, shape)[1], *changed.radius},
             {}};
  if (changed.to) shape = moved_to(body_box_, shape, *changed.to);
  if (changed.colour) emitter.ink.colour = *changed.colour;
  if (changed.is_on) emitter.is_on = *changed.is_on;
  if (changed.jet) {
    emitter.ink.jet = app::Triple{(*changed.jet)[0], (*changed.jet)[1], 0};
    if (*changed.jet == Point{}) emitter.ink.jet.reset();
  }
  update_sources();
}

void Engine::carry_out(RemoveEmitter const& removed) {
  emitters_.erase(emitters_.begin() + number_of(removed.number, emitters_, "emitter"));
  update_sources();
}

void Engine::carry_out(Pin const& pin) {
  expect_room(probes_, most_probes, "probes");
  probes_.push_back(pin.at);
}

void Engine::carry_out(Unpin const& unpin) {
  probes_.erase(probes_.begin() + number_of(unpin.number, probes_, "probe"));
}

void Engine::carry_out(AddStreamline const& line) {
  expect_room(seeds_, most_streamlines, "streamlines");
  seeds_.push_back(line.at);
}

void Engine::carry_out(ClearStreamlines const&) { seeds_.clear(); }

void Engine::carry_out(Hover const& hover) { hover_ = hover.at; }

void Engine::carry_out(Settings const& settings) {
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
  flow_->set_decay(decay_);
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

void Engine::carry_out(Pause const& pause) { is_paused_ = pause.is_on; }

void Engine::carry_out(SingleStep const&) { is_paused_ = steps_once_ = true; }

void Engine::carry_out(Reset const&) {
  flow_ = make_flow(current(), padded());
  flow_->set_decay(decay_);
  accepted_ = bodies_;
  is_dirty_ = false;
  update_sources();
  painter_.emplace(raster_);
}

void Engine::carry_out(Load const& load) {
  auto const& entries = menu();
  if (std::none_of(entries.begin(), entries.end(), [&](auto const& entry) { return entry.name == load.name; }))
    throw std::runtime_error("the menu has no case '" + load.name + "'");
  start(load_case(load.name));
}

void Engine::carry_out(SavePicture const&) { wants_picture_ = true; }

void Engine::carry_out(Film const& film) {
  if (film.is_on == film_.has_value()) return;
  if (film.is_on) {
    film_path_ = fresh_path(".webp");
    film_.emplace(film_path_, 25);
    film_frames_ = 0;
    return;
  }
  if (film_frames_ > 0) film_->finish();
  film_.reset();
  say(film_frames_ > 0 ? "film: " + film_path_.string() : "the film has no frame");
}

void Engine::carry_out(Save const&) { say("saved: " + save().string()); }

}  // namespace sparse::live
