#include <sparse/app/cases/case_program.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>

#include <fmt/format.h>

#include <sparse/fields/algebra.hpp>
#include <sparse/incompressible/measure/forces.hpp>
#include <sparse/incompressible/measure/nusselt.hpp>
#include <sparse/incompressible/measure/profiles.hpp>
#include <sparse/incompressible/measure/sample.hpp>
#include <sparse/incompressible/measure/stream_function.hpp>
#include <sparse/plans/for_each.hpp>
#include <sparse/plans/subset.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/locate.hpp>

#include <sparse/app/cases/case_shapes.hpp>
#include <sparse/app/cases/flow_scene.hpp>
#include <sparse/app/cases/lines.hpp>
#include <sparse/app/cases/pictures.hpp>
#include <sparse/app/incompressible/run.hpp>
#include <sparse/app/incompressible/shedding.hpp>

#include "case_inks.hpp"
#include "case_results.hpp"
#include "flow_case_on_levels.hpp"
#include "picture_range.hpp"
#include "whole_flow.hpp"

namespace sparse::app {
namespace {

using namespace sparse;
using namespace sparse::incompressible;

/// A part of the boundary with a temperature or a heat flux.
template <int Dim>
struct HeatedPart {
  std::string name;
  std::size_t part;
  bool has_flux;
  std::optional<CurvedWallHeat<Dim>> curved = {};  ///< if the wall cuts cells
};

template <int Dim>
FlowDomain<Dim> shared(FlowDomain<Dim> domain, RunFolder const& folder, FlowCase const& c) {
  share(domain, folder, c.flow);
  return domain;
}

/// The data of one run of a case.
template <int Dim>
class CaseRun {
public:
  CaseRun(FlowCase const& c, RunFolder& folder)
      : c_(c), folder_(folder), scene_(scene_of<Dim>(c)), grid_(shared(scene_.domain, folder, c)),
        state_(grid_, names_of_carried(c)), whole_(scene_.domain, grid_, state_, folder), forces_(grid_, scene_.solid),
        colours_(colours_of(c)), inks_(c, grid_, colours_), lines_(c, scene_, whole_.grid(), folder) {
    if (scene_.padded_count > 0)
      folder.report("cells added to thin obstacles", static_cast<double>(scene_.padded_count));
    find_heated();
    set_start<Dim>(c_, grid_, state_, temperature_index());
    make_show();
  }

  void run() {
    if (has_bodies() && folder_.is_mine()) folder_.write_geometry(scene_.grid, grid_.whole_fluid(), scene_.solid, 0);
    if (app::run(folder_, c_.flow, grid_, physics(), state_, show_)) report();
  }

private:
  std::size_t temperature_index() const { return colours_.size(); }
  Field<double, Dim> const& temperature() const { return whole_.state().carried[temperature_index()]; }
  bool has_bodies() const { return !scene_.solid.is_empty(); }

  FlowPhysics<Dim> physics() const { return physics_of<Dim>(c_, grid_.whole_fluid(), temperature_index()); }

  void find_heated() {
    temperatures_ = temperatures_of(c_);
    auto const add = [&](auto const& wall, std::string const& name, std::size_t part) {
      if (wall.temperature || wall.heat_flux) heated_.push_back({name, part, wall.heat_flux.has_value()});
    };
    for (std::size_t i = 0; i < c_.boundaries.size(); ++i) add(c_.boundaries[i], name_of(c_.boundaries[i], i), i);
    for (std::size_t i = 0; i < c_.obstacles.size(); ++i) {
      std::size_t const before = heated_.size();
      add(c_.obstacles[i], fmt::format("obstacle_{}", i + 1), c_.boundaries.size() + i);
      if (scene_.nearest_obstacle && heated_.size() > before && folder_.is_mine())
        heated_.back().curved.emplace(whole_.grid(),
                                      [&](Vec<double, Dim> const& x) { return scene_.nearest_obstacle(x) == i; });
    }
  }

  void make_show() {
    for (std::string const& name : c_.pictures) {
      Picture picture{name, {}};
      if (FlowPictures<Dim>::draws(name)) {
        if (!drawing_) drawing_.emplace(c_, colours_, samples());
        continue;
      }
      if (name == "vorticity" && Dim == 2) picture.options.colours = io::ColourMap::coolwarm;
      if (name == "temperature") picture.options.colours = io::ColourMap::inferno;
      // What is heated may become warmer than all that is given.
      bool const is_bounded = c_.heats.empty() && !has_fluxes();
      if (name == "temperature" && is_bounded && temperatures_[0] < temperatures_[1])
        picture.options.range = temperatures_;
      show_.pictures.push_back(picture);
    }
    if (!c_.pictures.empty()) show_.cover = c_.pictures.front();
    if (Dim == 2) show_.columns = {"least_stream_function", "greatest_stream_function"};
    if (has_bodies()) show_.columns.insert(show_.columns.end(), {"drag", "lift"});
    for (auto const& wall : heated_)
      show_.columns.push_back((wall.has_flux ? "wall_temperature_" : "nusselt_") + wall.name);
    show_.open = [this] {
      if (folder_.is_mine()) lines_.open(state_);
    };
    show_.keep = [this](Keeper& keeper) { keep(keeper); };
    show_.numbers = [this] { return numbers(); };
    show_.emit = [this] { inks_.emit(state_); };
    show_.after_step = [this] { after_step(); };
    show_.before_output = [this] { before_output(); };
    show_.draw = [this] { return draw(); };
    if constexpr (Dim == 2)
      show_.more_arrays = [this] {
        if (!folder_.is_mine()) return std::vector<io::CellArray>();
        auto const psi = on_cells(whole_.grid(), stream_function(whole_.grid(), whole_.state().velocity));
        return std::vector<io::CellArray>{io::array_of<float>(psi, "stream_function")};
      };
    if (c_.has_temperature()) show_.steady = {temperature_index()};
  }

  // ---- during the run

  /// Keeps the history of the force, the grain of streaks, and the growing colour ranges of pictures for a checkpoint.
  void keep(Keeper& keeper) {
    shedding_.keep(keeper);
    if (drawing_) drawing_->keep(keeper);
    inks_.keep(keeper, state_);
    keep_ranges(keeper, show_.pictures);
  }

  Vec<double, Dim> force_coefficients() const {
    return force_unit(c_) * forces_(state_.velocity, state_.pressure, c_.viscosity(), vec_of<Dim>(c_.gravity)).total();
  }

  void after_step() {
    if (!has_bodies()) return;
    auto const force = force_coefficients();
    shedding_.add(state_.time, force[0], force[1]);
  }

  bool has_fluxes() const {
    return std::any_of(heated_.begin(), heated_.end(), [](HeatedPart<Dim> const& wall) { return wall.has_flux; });
  }

  /// Of a wall with a temperature the mean Nusselt number, of one with a heat flux its mean temperature.
  double answer_of(HeatedPart<Dim> const& wall) const {
    std::optional<WallState> state;
    if (wall.curved)
      state = (*wall.curved)(temperature(), c_.diffusivity());
    else if (wall.has_flux)
      state = wall_state(whole_.grid(), temperature(), wall.part, c_.diffusivity());
    if (wall.has_flux) return state->temperature;
    double const difference = temperatures_[1] - temperatures_[0];
    double const unit = difference > 0 ? difference : 1;
    return state ? state->heat_flux / c_.diffusivity() * c_.length / unit
                 : mean_nusselt(whole_.grid(), temperature(), wall.part, c_.length, unit);
  }

  std::vector<double> numbers() {
    whole_.gather();
    Vec<double, Dim> force;
    if (has_bodies()) force = force_coefficients();
    if (!folder_.is_mine()) return {};  // rank 0 writes them
    auto const& [grid, state] = std::tie(whole_.grid(), whole_.state());
    std::vector<double> line;
    if constexpr (Dim == 2) {
      auto const extrema = stream_extrema(grid, stream_function(grid, state.velocity));
      line.insert(line.end(), {extrema.least.value, extrema.greatest.value});
    }
    if (has_bodies()) line.insert(line.end(), {force[0], force[1]});
    for (auto const& wall : heated_) line.push_back(answer_of(wall));
    lines_.add_probes(state);
    return line;
  }

  void before_output() {
    whole_.gather();
    if (!folder_.is_mine()) return;
    auto const& [grid, state] = std::tie(whole_.grid(), whole_.state());
    lines_.write_profiles(state);
    lines_.write_walls(state);
    lines_.add_stream_function(state);
    lines_.write_eddies(state);
    // At corners the vorticity is so large that it would use up the colours. So its range follows the root mean square.
    for (Picture& picture : show_.pictures) {
      if (picture.array != "vorticity" && picture.array != "velocity") continue;
      bool const is_vorticity = picture.array == "vorticity";
      double bound = 0;
      if (is_vorticity) {
        auto const field = vorticity(grid, state.velocity);
        bound = 3 * norm(field) / std::sqrt(static_cast<double>(field.cell_count()));
      } else {
        bound = greatest_size(cell_velocity(grid, state.velocity));
      }
      widen(picture, bound, Dim == 2 && is_vorticity);
    }
  }

  std::vector<std::pair<std::string, io::Image>> draw() {
    std::vector<std::pair<std::string, io::Image>> images;
    for (std::string const& name : c_.pictures)
      if (FlowPictures<Dim>::draws(name)) images.emplace_back(name, drawing_->draw(name, state_.time));
    return images;
  }
  FlowSamples<Dim> samples() const {
    using Points = typename FlowSamples<Dim>::Points;
    FlowSamples<Dim> samples;
    samples.is_fluid = [this](Points const& points) {
      std::vector<Vec<Coord, Dim>> cells;
      for (auto const& point : points) cells.push_back(grid_.space().cell_of(point));
      auto const found = find(grid_.whole_fluid(), to_device(grid_.context(), cells));
      std::vector<bool> is_fluid;
      for (Index const place : to_host(grid_.context(), static_cast<Index const*>(found.data()), found.size()))
        is_fluid.push_back(place >= 0);
      return is_fluid;
    };
    samples.ink = [this](std::size_t k, Points const& points) {
      auto const* const fine = inks_.fine();
      return fine == nullptr ? sample_cells(whole_.grid(), whole_.state().carried[k], points)
                             : sample_cells(fine->grid(), fine->ink(k), points);
    };
    samples.velocity = [this](Points const& points) {
      return sample_velocity(whole_.grid(), whole_.state().velocity, points);
    };
    return samples;
  }

  // ---- results

  void report() {
    whole_.gather();
    if (!folder_.is_mine()) return;
    CaseResults results(folder_, c_, c_.numbers());
    add_results(results);
    results.finish();
  }

  void add_results(CaseResults& results) {
    auto const say = [&](std::string const& name, double value) { results.add(name, value); };
    auto const& [grid, state] = std::tie(whole_.grid(), whole_.state());
    say("greatest divergence", divergence_of(grid, state.velocity).greatest);
    if constexpr (Dim == 2) {
      auto const [least, greatest] = stream_extrema(grid, stream_function(grid, state.velocity));
      for (auto const& [name, extremum] : {std::pair{"least", least}, std::pair{"greatest", greatest}}) {
        std::string const what = std::string(name) + " stream function";
        say(what, extremum.value);
        say(what + ", x", extremum.at[0]);
        say(what + ", y", extremum.at[1]);
      }
    }
    // With a temperature, velocities are in units of diffusion, as in published tables.
    double const unit = c_.has_temperature() ? c_.diffusivity() / c_.length : 1;
    for (int axis = 0; axis < Dim; ++axis) add_extrema(results, centre_line(grid, state.velocity, axis), axis, unit);
    for (auto const& wall : heated_)
      say((wall.has_flux ? "mean temperature, " : "mean Nusselt number, ") + wall.name, answer_of(wall));
    add_walls(results);
    if (has_bodies()) add_forces(results, shedding_, c_);
  }

  /// Where the flow leaves each wall and comes back to it. From the second on, changes of a kind are numbered.
  void add_walls(CaseResults& results) const {
    for (std::size_t i = 0; i < c_.measured_walls.size(); ++i) {
      int counts[2] = {};
      for (auto const& change : shear_changes(lines_.shear_of_wall(whole_.state(), i))) {
        int const count = ++counts[change.is_reattachment ? 1 : 0];
        results.add(c_.measured_walls[i].name + (change.is_reattachment ? ", reattachment" : ", separation") +
                        (count > 1 ? fmt::format(" {}", count) : ""),
                    change.position);
      }
    }
  }

  FlowCase const& c_;
  RunFolder& folder_;
  FlowScene<Dim> scene_;
  StaggeredGrid<Dim> grid_;
  State<double, Dim> state_;
  WholeFlow<Dim> whole_;
  BodyForces<Dim> forces_;
  std::vector<io::Colour> colours_;
  CaseInks<Dim> inks_;
  std::vector<HeatedPart<Dim>> heated_;
  std::array<double, 2> temperatures_ = {};
  Shedding shedding_;
  std::optional<FlowPictures<Dim>> drawing_;
  FlowShow<Dim> show_;
  FlowLines<Dim> lines_;
};

}  // namespace

void run_case(FlowCase const& flow_case, RunFolder& folder) {
  if (flow_case.flow.run.level_count > 1)
    run_case_on_levels(flow_case, folder);
  else if (flow_case.dim == 2)
    CaseRun<2>(flow_case, folder).run();
  else
    CaseRun<3>(flow_case, folder).run();
}

}  // namespace sparse::app
