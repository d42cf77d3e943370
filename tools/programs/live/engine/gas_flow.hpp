#pragma once
/// Flows of a gas on levels.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include <sparse/amr/carry_over.hpp>
#include <sparse/amr/measure/probes.hpp>
#include <sparse/amr/simulation.hpp>
#include <sparse/app/cases/gas_states.hpp>
#include <sparse/app/compressible/gas.hpp>
#include <sparse/compressible/fluxes/any_flux.hpp>

#include "pixel_kernels.hpp"
#include "state_hash.hpp"

namespace sparse::live {

/// Density, velocity and pressure of the cells under pixels.
template <class Law>
struct TakeState {
  Law law;
  FieldView<double const> states[most_levels];
  Vec<float, 4>* to;
  std::uint8_t* levels;

  KOKKOS_FUNCTION void operator()(Index i, io::PixelCell const& cell) const {
    levels[i] = static_cast<std::uint8_t>(cell.level);
    if (cell.position < 0) {
      to[i] = Vec<float, 4>::filled(no_value());
      return;
    }
    auto const w = law.primitive(states[cell.level].template load<Law::component_count>(cell.position));
    to[i] = {static_cast<float>(w[Law::density]), static_cast<float>(w[Law::velocity]),
             static_cast<float>(w[Law::velocity + 1]), static_cast<float>(w[Law::pressure_index])};
  }
};

/// A view's value of a pixel. Differences reach to the next cells, however many pixels wide these are.
struct TakeGasValue {
  View view;
  Vec<float, 4> const* states;
  std::uint8_t const* levels;
  int width, height;
  double pixel[2];  // size [length]
  double cell[2];   // width of a cell of level 0 [pixels]
  double gamma;
  float* to;

  /// The difference of component c along an axis, per length.
  KOKKOS_FUNCTION double slope(Index i, int c, int axis) const {
    int const x = static_cast<int>(i % width), y = static_cast<int>(i / width);
    int const at = axis == 0 ? x : y, count = axis == 0 ? width : height;
    Index const stride = axis == 0 ? 1 : width;
    double const wide = cell[axis] / static_cast<double>(1 << levels[i]);
    int const step = wide > 1 ? static_cast<int>(wide + 0.5) : 1;
    Index low = i, high = i;
    if (at - step >= 0 && states[i - step * stride][0] == states[i - step * stride][0]) low = i - step * stride;
    if (at + step < count && states[i + step * stride][0] == states[i + step * stride][0]) high = i + step * stride;
    if (low == high) return 0;
    double const apart = static_cast<double>((high - low) / stride) * pixel[axis];
    return (static_cast<double>(states[high][c]) - static_cast<double>(states[low][c])) / apart;
  }
  KOKKOS_FUNCTION void operator()(Index i) const {
    auto const& w = states[i];
    double const rho = w[0], u = w[1], v = w[2], p = w[3];
    double value = 0;
    if (!(rho == rho) || view == View::density)  // NaN stays
      value = rho;
    else if (view == View::pressure)
      value = p;
    else if (view == View::mach)
      value = std::sqrt((u * u + v * v) * rho / (gamma * p));
    else if (view == View::schlieren)
      value = std::sqrt(slope(i, 0, 0) * slope(i, 0, 0) + slope(i, 0, 1) * slope(i, 0, 1));
    else if (view == View::vorticity)
      value = slope(i, 2, 0) - slope(i, 1, 1);
    else if (view == View::levels)
      value = levels[i];
    else
      value = std::sqrt(u * u + v * v);
    to[i] = static_cast<float>(value);
  }
};

struct TakeGasVelocity {
  Vec<float, 4> const* states;
  Vec<float, 2>* to;
  KOKKOS_FUNCTION void operator()(Index i) const { to[i] = {states[i][1], states[i][2]}; }
};

template <class Law>
class GasFlow final : public LiveFlow {
public:
  using Flow = amr::Simulation<compressible::AnyFlux<Law>>;

  GasFlow(app::GasCase const& c, Law const& law, Bodies const& bodies)
      : case_(c), original_(app::bodies_of<2>(without_drawn(c))), states_(std::make_unique<app::GasStates<Law>>(c)),
        flow_(domain_with(c, bodies), {law, c.run.flux}, states_->start(), outside(c, *states_), options_of(c)) {
    expects(flow_.domain().level_count() <= most_levels, "a live flow has at most 16 levels");
  }

  double time() const override { return flow_.time(); }
  Index step_count() const override { return flow_.step_count(); }
  Index cell_count() const override { return flow_.leaf_count(); }
  double step() override { return flow_.advance(); }

  void change(app::CaseFile const& file, Bodies const& bodies) override {
    auto const& c = std::get<app::GasCase>(file.content);
    auto states = std::make_unique<app::GasStates<Law>>(c);
    auto const domain = domain_with(c, bodies);
    Law const law = flow_.flux().law;
    auto const saved = amr::carry_over(flow_, domain, law.conserved(app::state_of<Law>(c.inflow)));
    Flow next(domain, {law, c.run.flux}, saved, outside(c, *states), options_of(c));
    flow_ = std::move(next);
    states_ = std::move(states);
    case_ = c;
  }
  void set_sources(std::vector<InkSource> const&) override {}
  void set_decay(double) override {}
  void carry_ink() override {}

  std::vector<View> views() const override {
    return {View::density,   View::mach,  View::pressure, View::schlieren,
            View::vorticity, View::speed, View::streaks,  View::levels};
  }

  void locate(io::Raster const& raster) override {
    io::PixelCells pixels(raster, flow_.state(0).context());
    for (int l = 0; l < flow_.level_count(); ++l) pixels.add(flow_.sets(l).leaves, flow_.sets(l).storage, l);
    pixels_.emplace(std::move(pixels));
  }

  void draw(View view, PixelFields& pixels) override {
    fit(pixel_states_, *pixels_);
    fit(pixels.levels, *pixels_);
    TakeState<Law> take{flow_.flux().law, {}, pixel_states_.data(), pixels.levels.data()};
    for (int l = 0; l < flow_.level_count(); ++l) take.states[l] = flow_.state(l).view();
    for_pixels("sparse::live::take_state", *pixels_, take);
    auto const& raster = pixels_->raster();
    if (view == View::streaks) {
      fit(pixels.velocity, *pixels_);
      parallel_for(pixels_->context(), "sparse::live::take_velocity", raster.pixel_count(),
                   TakeGasVelocity{pixel_states_.data(), pixels.velocity.data()});
      return;
    }
    fit(pixels.values, *pixels_);
    auto const spacing = flow_.domain().spacing(0);
    parallel_for(pixels_->context(), "sparse::live::take_value", raster.pixel_count(),
                 TakeGasValue{view,
                              pixel_states_.data(),
                              pixels.levels.data(),
                              raster.width,
                              raster.height,
                              {spacing[0] * raster.step[0], spacing[1] * raster.step[1]},
                              {1 / raster.step[0], 1 / raster.step[1]},
                              case_.gamma,
                              pixels.values.data()});
  }

  std::vector<Reading> read(std::vector<Point> const& points) override {
    std::vector<Reading> readings;
    if (points.empty()) return readings;
    for (auto const& w : amr::primitive_at(flow_, points)) {
      readings.push_back({points[readings.size()], {}, {}, 0});
      if (std::isfinite(w[Law::density])) complete(readings.back(), w);
    }
    return readings;
  }

  std::uint64_t hash() const override {
    std::uint64_t hash = mixed_bits(flow_.time(), 1);
    for (int l = 0; l < flow_.level_count(); ++l) {
      Subset<2> const leaves(flow_.sets(l).leaves, flow_.sets(l).storage);
      for (int c = 0; c < Law::component_count; ++c)
        hash += hash_of(leaves, flow_.state(l).component(c), static_cast<std::uint64_t>(8 * l + c + 1));
    }
    return hash;
  }
  std::array<double, 3> ink_totals() const override { return {0, 0, 0}; }

private:
  static app::GasCase without_drawn(app::GasCase c) {
    std::erase_if(c.obstacles, [](app::GasObstacle const& obstacle) { return is_drawn(obstacle.shape); });
    return c;
  }
  static amr::Outside<Law> outside(app::GasCase const& c, app::GasStates<Law> const& states) {
    return {app::state_of<Law>(c.inflow), states.outside()};
  }
  static amr::SimulationOptions<Law> options_of(app::GasCase const& c) {
    auto options = app::simulation_options<Law>(c.run);
    if (auto const criteria = app::criteria_of<Law>(c); !criteria.empty()) options.criteria = criteria;
    return options;
  }
  /// Bodies that are as in the case keep their surfaces; all others are made of cells.
  amr::Domain<2> domain_with(app::GasCase const& c, Bodies const& bodies) const {
    auto const finest = app::finest_box(c);
    std::vector<Body<2>> all;
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      if (bodies[i].is_empty()) continue;
      bool const is_whole = i < original_.size() &&
                            original_[i].cells(app::grid_of<2>(finest), app::box_of<2>(finest), Context()) == bodies[i];
      all.push_back(is_whole ? original_[i] : body_from_cells<2>("cells", bodies[i], c.obstacles[i].kind));
    }
    return app::domain_of<2>(c, all);
  }

  /// Adds the names of the values, and the cell.
  void complete(Reading& reading, Vec<double, Law::component_count> const& w) const {
    for (int l = 0; l < flow_.level_count(); ++l) {
      auto const cell = flow_.domain().grid(l).cell_of(reading.at);
      if (!flow_.sets(l).leaves.contains(cell)) continue;
      reading.cell = {cell[0], cell[1]};
      reading.level = l;
    }
    double const u = w[Law::velocity], v = w[Law::velocity + 1], p = w[Law::pressure_index], rho = w[Law::density];
    reading.values = {{"density", rho},
                      {"u", u},
                      {"v", v},
                      {"pressure", p},
                      {"mach", std::sqrt((u * u + v * v) * rho / (case_.gamma * p))}};
  }

  app::GasCase case_;
  std::vector<Body<2>> original_;
  std::unique_ptr<app::GasStates<Law>> states_;
  Flow flow_;
  Buffer<Vec<float, 4>> pixel_states_;
  std::optional<io::PixelCells> pixels_;
};

/// Compiled once for each law.
template <class Law>
std::unique_ptr<LiveFlow> make_gas_flow(app::GasCase const& c, Law const& law, Bodies const& bodies) {
  return std::make_unique<GasFlow<Law>>(c, law, bodies);
}

}  // namespace sparse::live
