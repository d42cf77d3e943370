#include "flow_case_on_levels.hpp"

#include <algorithm>
#include <cmath>

#include <sparse/fields/algebra.hpp>
#include <sparse/incompressible/levels/profiles.hpp>

#include <sparse/app/cases/case_shapes.hpp>
#include <sparse/app/cases/flow_levels.hpp>
#include <sparse/app/cases/lines.hpp>
#include <sparse/app/cases/pictures.hpp>
#include <sparse/app/incompressible/adaptive_run.hpp>

#include "case_inks.hpp"
#include "case_results.hpp"
#include "picture_range.hpp"

namespace sparse::app {
namespace {

using namespace sparse;
using namespace sparse::incompressible;

/// The pictures of a case that levels have, and one of the levels.
std::vector<Picture> pictures_on_levels(FlowCase const& c) {
  std::vector<Picture> pictures;
  for (std::string const& name : c.pictures) {
    if (FlowPictures<2>::draws(name)) continue;
    bool const is_there = name == "velocity" || name == "vorticity" || name == "pressure" || name == "temperature";
    if (!is_there) {
      fmt::print("There is no picture of {} on levels.\n", name);
      continue;
    }
    pictures.push_back({name, {}});
    if (name == "vorticity" && c.dim == 2) pictures.back().options.colours = io::ColourMap::coolwarm;
    if (name != "temperature") continue;
    pictures.back().options.colours = io::ColourMap::inferno;
    auto const range = temperatures_of(c);
    auto const has_flux = [](auto const& wall) { return wall.heat_flux.has_value(); };
    // What is heated may become warmer than all that is given.
    bool const is_bounded = c.heats.empty() && std::none_of(c.boundaries.begin(), c.boundaries.end(), has_flux) &&
                            std::none_of(c.obstacles.begin(), c.obstacles.end(), has_flux);
    if (is_bounded && range[0] < range[1]) pictures.back().options.range = range;
  }
  pictures.push_back({"level", {}});
  pictures.back().options.range = {0.0, c.flow.run.level_count - 1.0};
  return pictures;
}

template <int Dim>
AdaptiveOptions<Dim> shared(AdaptiveOptions<Dim> options, RunFolder const& folder) {
  share(options, folder);
  return options;
}

/// The data of one run.
template <int Dim>
class CaseOnLevels {
public:
  CaseOnLevels(FlowCase const& c, RunFolder& folder)
      : c_(c), folder_(folder), points_(probes_of<Dim>(c)), colours_(colours_of(c)), show_{pictures_on_levels(c)},
        flow_(start_on_levels<Dim>(folder, domain_on_levels<Dim>(c), shared(options_on_levels<Dim>(c), folder),
                                   [this](Keeper& keeper) { keep(keeper); })) {
    auto const levels = levels_at(flow_, points_);
    for (std::size_t i = 0; i < levels.size(); ++i)
      if (levels[i] < 0) throw std::runtime_error(fmt::format("probe {} is not in the fluid", i));
    auto const& sources = flow_.options().ink_sources;
    auto const& fluid = flow_.domain().fluid(flow_.domain().level_count() - 1);
    for (std::size_t i = 0; i < sources.size(); ++i)
      if ((sources[i].cells & fluid).is_empty())
        throw std::runtime_error(i < c.inks.size()
                                     ? fmt::format("ink {} has no cells in the fluid", i + 1)
                                     : fmt::format("heat {} has no cells in the fluid", i - c.inks.size() + 1));
    open_probes();
    make_show();
  }

  void run() {
    if (!app::run(folder_, flow_, show_)) return;
    report_levels(folder_, flow_);
    CaseResults results(folder_, c_, c_.numbers());
    // With a temperature, velocities are in units of diffusion, as in published tables.
    double const unit = c_.has_temperature() ? c_.diffusivity() / c_.length : 1;
    for (int axis = 0; axis < Dim; ++axis) add_extrema(results, centre_line(flow_, axis), axis, unit);
    for (std::size_t k = 0; k < heated_.size(); ++k)
      if (!heated_[k].empty())
        results.add((has_flux(k) ? "mean temperature, " : "mean Nusselt number, ") + heated_[k], answer_of(k));
    if (has_bodies()) add_forces(results, shedding_, c_);
  }

private:
  bool has_bodies() const { return flow_.domain().body_count() > 0; }
  bool has_flux(std::size_t wall) const { return !flow_.options().ink_walls[wall].value; }

  /// Of a wall with a temperature the mean Nusselt number, of one with a heat flux its mean temperature.
  double answer_of(std::size_t wall) const {
    auto const state = flow_.wall_state(wall);
    auto const [least, greatest] = temperatures_of(c_);
    double const difference = greatest > least ? greatest - least : 1;
    return has_flux(wall) ? state.temperature : state.heat_flux / c_.diffusivity() * c_.length / difference;
  }

  void make_show() {
    show_.begin = [this] {
      auto const velocity = vec_of<Dim>(c_.start_velocity);
      std::vector<ScalarFunction<Dim>> inks(colours_.size(), [](Vec<double, Dim> const&) { return 0.0; });
      if (c_.has_temperature())
        inks.emplace_back([warmth = c_.start_temperature](Vec<double, Dim> const&) { return warmth; });
      flow_.start([velocity](Vec<double, Dim> const&) { return velocity; }, inks);
    };
    show_.keep = [this](Keeper& keeper) { keep(keeper); };
    show_.before_output = [this] { before_output(); };
    show_.numbers = [this] { return numbers(); };
    show_.draw = [this] { return draw(); };
    if (std::any_of(c_.pictures.begin(), c_.pictures.end(), FlowPictures<Dim>::draws)) {
      drawing_.emplace(c_, colours_, samples());
      if (restored_) drawing_->keep(*restored_);
    }
    if (!c_.pictures.empty()) show_.cover = c_.pictures.front();
    show_.after_step = [this](double) { after_step(); };
    show_.steady_tolerance = c_.flow.steady_tolerance;
    if (has_bodies()) show_.columns = {"drag", "lift"};
    for (auto const& [wall, name] : heat_walls_of(c_)) {
      heated_.push_back(name);
      if (!name.empty()) show_.columns.push_back((wall.value ? "nusselt_" : "wall_temperature_") + name);
    }
  }

  void keep(Keeper& keeper) {
    shedding_.keep(keeper);
    if (drawing_) drawing_->keep(keeper);
    if (keeper.gives_back()) restored_ = keeper;  // pictures are made when the flow is there
    keep_ranges(keeper, show_.pictures);
  }

  Vec<double, Dim> force_coefficients() const {
    Vec<double, Dim> sum{};
    for (int i = 0; i < flow_.domain().body_count(); ++i) sum += flow_.force(i).total();
    return force_unit(c_) * sum;
  }

  void after_step() {
    if (!has_bodies()) return;
    auto const force = force_coefficients();
    shedding_.add(flow_.time(), force[0], force[1]);
  }

  std::vector<double> numbers() {
    std::vector<double> line;
    if (has_bodies()) {
      auto const force = force_coefficients();
      line = {force[0], force[1]};
    }
    for (std::size_t k = 0; k < heated_.size(); ++k)
      if (!heated_[k].empty()) line.push_back(answer_of(k));
    add_probes();
    return line;
  }

  void open_probes() {
    if (!folder_.is_mine()) return;
    std::vector<std::string> columns = {"time"};
    add_axis_names("", Dim, columns);
    add_axis_names("velocity_", Dim, columns);
    columns.emplace_back("pressure");
    for (auto const& ink : flow_.options().inks) columns.push_back(ink.name);
    for (std::size_t i = 0; i < points_.size(); ++i)
      probes_.push_back(folder_.open_over_time(fmt::format("probe_{}.csv", i), columns, flow_.time(),
                                               std::vector<double>(points_[i].data, points_[i].data + Dim)));
  }
  void add_probes() {
    if (points_.empty()) return;
    auto const velocity = velocity_along(flow_, points_).velocity;
    auto const pressure = pressure_at(flow_, points_);
    std::vector<std::vector<double>> inks;
    for (std::size_t k = 0; k < flow_.options().inks.size(); ++k) inks.push_back(ink_at(flow_, k, points_));
    std::vector<std::vector<double>> lines;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      std::vector<double> line = {flow_.time()};
      line.insert(line.end(), points_[i].data, points_[i].data + Dim);
      line.insert(line.end(), velocity[i].data, velocity[i].data + Dim);
      line.push_back(pressure[i]);
      for (auto const& ink : inks) line.push_back(ink[i]);
      lines.push_back(std::move(line));
    }
    distributed::together(folder_.team(), [&] {
      for (std::size_t i = 0; i < probes_.size(); ++i) probes_[i].lines.add(lines[i]);
    });
  }

  std::vector<std::pair<std::string, io::Image>> draw() {
    std::vector<std::pair<std::string, io::Image>> images;
    for (std::string const& name : c_.pictures)
      if (FlowPictures<Dim>::draws(name)) images.emplace_back(name, drawing_->draw(name, flow_.time()));
    return images;
  }
  FlowSamples<Dim> samples() const {
    using Points = typename FlowSamples<Dim>::Points;
    FlowSamples<Dim> samples;
    samples.is_fluid = [this](Points const& points) {
      std::vector<bool> is_fluid;
      for (int const level : levels_at(flow_, points)) is_fluid.push_back(level >= 0);
      return is_fluid;
    };
    samples.ink = [this](std::size_t k, Points const& points) { return ink_at(flow_, k, points); };
    samples.velocity = [this](Points const& points) { return velocity_along(flow_, points).velocity; };
    return samples;
  }

  void before_output() {
    auto const write = [&](std::string const& name, Profile<Dim> const& profile) {
      distributed::together(folder_.team(), [&] {
        if (folder_.is_mine()) write_profile(folder_.path(name), profile);
      });
    };
    for (int axis = 0; axis < Dim; ++axis)
      write(fmt::format("centre_line_{}.csv", "xyz"[axis]), centre_line(flow_, axis));
    for (std::size_t i = 0; i < c_.profiles.size(); ++i)
      write(fmt::format("profile_{}.csv", i), velocity_along(flow_, points_of<Dim>(c_.profiles[i])));
    // As on one level: three times the root mean square of the vorticity.
    double greatest = 0, squares = 0, volume = 0;
    for (int l = 0; l < flow_.level_count(); ++l) {
      auto const& leaves = flow_.leaves(l);
      if (leaves.is_empty()) continue;
      auto const of_leaves = remap(vorticity(flow_.grid(l), flow_.state(l).velocity), leaves);
      double const of_cell = flow_.domain().cell_volume(l), size = norm(of_leaves);
      squares += of_cell * size * size;
      volume += of_cell * static_cast<double>(leaves.cell_count());
      greatest =
          std::fmax(greatest, greatest_size(remap(cell_velocity(flow_.grid(l), flow_.state(l).velocity), leaves)));
    }
    if (auto* const team = folder_.team()) {
      std::vector<double> sums{squares, volume}, most{greatest};
      team->add(sums);
      maximise(*team, most);
      squares = sums[0], volume = sums[1], greatest = most[0];
    }
    for (Picture& picture : show_.pictures) {
      if (picture.array == "vorticity") widen(picture, 3 * std::sqrt(squares / volume), Dim == 2);
      if (picture.array == "velocity") widen(picture, greatest, false);
    }
  }

  FlowCase const& c_;
  RunFolder& folder_;
  std::vector<Vec<double, Dim>> points_;
  std::vector<TimeFile> probes_;
  std::vector<std::string> heated_;  // names of what gives heat, in the order of `ink_walls`; others have none
  std::vector<io::Colour> colours_;  // of the first inks
  Shedding shedding_;
  std::optional<Keeper> restored_;
  std::optional<FlowPictures<Dim>> drawing_;
  AdaptiveShow show_;
  AdaptiveFlow<double, Dim> flow_;
};

}  // namespace

void run_case_on_levels(FlowCase const& c, RunFolder& folder) {
  if (c.dim == 2)
    CaseOnLevels<2>(c, folder).run();
  else
    CaseOnLevels<3>(c, folder).run();
}

}  // namespace sparse::app
