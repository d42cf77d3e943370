#include "incompressible_flow.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include <sparse/fields/fill.hpp>
#include <sparse/fields/transfer.hpp>
#include <sparse/incompressible/grid/carry_over.hpp>
#include <sparse/incompressible/measure/fields.hpp>
#include <sparse/incompressible/measure/sample.hpp>
#include <sparse/incompressible/measure/sums.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/locate.hpp>

#include "flow_pixels.hpp"
#include "state_hash.hpp"

namespace sparse::live {
namespace {

using namespace incompressible;

struct SetInk {
  double* to[3];
  Vec<double, 3> value;
  KOKKOS_FUNCTION void operator()(SubsetPoint<2> const& p) const {
    for (int c = 0; c < 3; ++c) to[c][p.cell] = value[c];
  }
};

struct ScaleInk {
  double* to[3];
  double factor;
  KOKKOS_FUNCTION void operator()(SubsetPoint<2> const& p) const {
    for (int c = 0; c < 3; ++c) to[c][p.cell] *= factor;
  }
};

std::vector<std::string> names_of_carried(app::FlowCase const& c) {
  return c.has_temperature() ? std::vector<std::string>{"temperature"} : std::vector<std::string>();
}

/// Ink on another grid: what `carry_over` does with the state.
FineInk<double, 2> carried_over(FineInk<double, 2> const& inks, StaggeredGrid<2> const& to,
                                StaggeredGrid<2> const& from, bool has_ink) {
  FineInk<double, 2> result(to, 1, inks.count());
  if (!has_ink) return result;
  auto const kept = to.fluid() & from.fluid(), fresh = to.fluid() - from.fluid();
  for (std::size_t k = 0; k < inks.count(); ++k) {
    result.ink(k) = remap(inks.ink(k), to.storage());
    fill_from_neighbours(result.ink(k), kept, fresh);
  }
  return result;
}

StaggeredGrid<2> grid_of_scene(app::FlowCase const& c, Bodies const& bodies) {
  return StaggeredGrid<2>(app::scene_of<2>(c, bodies).domain);
}

}  // namespace

IncompressibleFlow::IncompressibleFlow(app::FlowCase const& flow_case, Bodies const& bodies)
    : case_(with_staircase(flow_case)), bodies_(bodies), grid_(grid_of_scene(case_, bodies)),
      state_(grid_, names_of_carried(case_)),
      method_(make_method<2>(case_.flow, grid_, app::physics_of<2>(case_, grid_.fluid(), temperature))),
      ink_(grid_, 1, ink_count) {
  app::set_start<2>(case_, grid_, state_, temperature);
  prepare();
}

/// Makes the plans that depend on the grid.
void IncompressibleFlow::prepare() {
  auto const& storage = grid_.storage();
  clean_ = Subset<2>(app::cells_beside_inflow<2>(grid_), storage);
  cells_ = Subset<2>(grid_.fluid(), storage);
  for (int axis = 0; axis < 2; ++axis) faces_[axis] = Subset<2>(grid_.faces(axis), storage);
  pixels_.reset();
  set_sources(std::vector<InkSource>(sources_));
}

void IncompressibleFlow::change(app::CaseFile const& file, Bodies const& bodies) {
  auto const c = with_staircase(std::get<app::FlowCase>(file.content));
  if (bodies == bodies_ && have_same_velocities(c, case_)) {  // then only the physics differs
    auto next = make_method<2>(c.flow, grid_, app::physics_of<2>(c, grid_.fluid(), temperature));
    if (state_.step_count > 0) next->restore(method_->memory());
    method_ = std::move(next);
    case_ = c;
    return;
  }
  auto grid = grid_of_scene(c, bodies);
  auto method = make_method<2>(c.flow, grid, app::physics_of<2>(c, grid.fluid(), temperature));
  auto state = carry_over(grid, grid_, state_);
  method->project(state);
  auto ink = carried_over(ink_, grid, grid_, has_ink_);
  if (has_ink_) ink.set_velocity(state.velocity);
  case_ = c;
  bodies_ = bodies;
  grid_ = grid;
  method_ = std::move(method);
  state_ = std::move(state);
  ink_ = std::move(ink);
  prepare();
}

void IncompressibleFlow::set_sources(std::vector<InkSource> const& sources) {
  sources_ = sources;
  emitted_.clear();
  for (InkSource const& source : sources_) {
    auto const cells = source.cells & grid_.fluid();
    Source emitted{Subset<2>(cells, grid_.storage()), source.value, {}, {}};
    if (source.jet) {
      emitted.jet.emplace(grid_, cells);
      emitted.velocity = *source.jet;
    }
    emitted_.push_back(std::move(emitted));
  }
}

std::array<double*, IncompressibleFlow::ink_count> IncompressibleFlow::ink_values() {
  return {ink_.ink(0).component(0), ink_.ink(1).component(0), ink_.ink(2).component(0)};
}

/// Fills the sources. What flows in has ink from these alone.
void IncompressibleFlow::emit() {
  auto const ink = ink_values();
  for_each("sparse::live::clean", clean_, SetInk{{ink[0], ink[1], ink[2]}, {}});
  for (Source const& source : emitted_) {
    for_each("sparse::live::emit", source.cells, SetInk{{ink[0], ink[1], ink[2]}, source.value});
    has_ink_ = true;
  }
}

void IncompressibleFlow::carry_ink() {
  double const time = state_.time - ink_time_;
  if (!(time > 0)) return;
  ink_time_ = state_.time;
  emit();
  if (!has_ink_) return;
  ink_.advance(state_.velocity, time);
  auto const ink = ink_values();
  if (decay_ > 0) for_each("sparse::live::fade", cells_, ScaleInk{{ink[0], ink[1], ink[2]}, std::exp(-decay_ * time)});
  emit();
}

double IncompressibleFlow::step() {
  for (Source const& source : emitted_)
    if (source.jet) source.jet->drive(state_.velocity, source.velocity);
  double const dt = std::min(method_->longest_step(state_, case_.flow.step_size()), longest_step(case_));
  expect_converged(method_->advance(state_, dt), state_.time);
  return dt;
}

std::vector<View> IncompressibleFlow::views() const { return views_of(case_); }

void IncompressibleFlow::locate(io::Raster const& raster) {
  if (pixels_ && pixels_->raster().pixel_count() == raster.pixel_count()) return;
  pixels_.emplace(raster, grid_.context());
  pixels_->add(grid_.fluid(), grid_.fluid());
}

void IncompressibleFlow::draw(View view, PixelFields& pixels) {
  draw_flow(view, {{&grid_, &state_, {&ink_.ink(0), &ink_.ink(1), &ink_.ink(2)}}}, *pixels_, pixels);
}

bool IncompressibleFlow::is_fluid(Point const& at) const {
  for (int axis = 0; axis < 2; ++axis)
    if (!(at[axis] >= 0 && at[axis] < case_.size[static_cast<std::size_t>(axis)])) return false;
  return grid_.fluid().contains(grid_.space().cell_of(at));
}

std::vector<Reading> IncompressibleFlow::read(std::vector<Point> const& points) {
  std::vector<Reading> readings;
  for (Point const& at : points) {
    readings.push_back({at, {}, {}, 0});
    if (is_fluid(at)) complete(readings.back());
  }
  return readings;
}

void IncompressibleFlow::complete(Reading& reading) const {
  auto const cell = grid_.space().cell_of(reading.at);
  reading.cell = {cell[0], cell[1]};
  std::vector<Point> const points = {reading.at};
  auto const velocity = sample_velocity(grid_, state_.velocity, points)[0];
  std::vector<Vec<Coord, 2>> const cells = {cell};
  auto const found = find(grid_.fluid(), to_device(grid_.context(), cells));
  auto const position = read_back(grid_.context(), static_cast<Index const*>(found.data()));
  reading.values = {{"u", velocity[0]},
                    {"v", velocity[1]},
                    {"speed", std::hypot(velocity[0], velocity[1])},
                    {"pressure", read_back(grid_.context(), state_.pressure.component(0) + position)}};
  for (auto const& values : state_.carried)
    reading.values.emplace_back(values.name(), sample_cells(grid_, values, points)[0]);
  for (std::size_t k = 0; k < ink_count; ++k)
    reading.values.emplace_back(ink_names[k], sample_cells(grid_, ink_.ink(k), points)[0]);
}

std::uint64_t IncompressibleFlow::hash() const {
  std::uint64_t hash = mixed_bits(state_.time, 1);
  for (int axis = 0; axis < 2; ++axis)
    hash += hash_of(faces_[axis], state_.velocity.component(axis), static_cast<std::uint64_t>(axis) + 1);
  hash += hash_of(Subset<2>(grid_.fluid(), grid_.fluid()), state_.pressure.component(0), 3);
  for (std::size_t k = 0; k < state_.carried.size(); ++k)
    hash += hash_of(cells_, state_.carried[k].component(0), 4 + k);
  for (std::size_t k = 0; has_ink_ && k < ink_count; ++k) hash += hash_of(cells_, ink_.ink(k).component(0), 8 + k);
  return hash;
}

std::array<double, 3> IncompressibleFlow::ink_totals() const {
  if (!has_ink_) return {};
  return {total(grid_, ink_.ink(0)), total(grid_, ink_.ink(1)), total(grid_, ink_.ink(2))};
}

}  // namespace sparse::live
