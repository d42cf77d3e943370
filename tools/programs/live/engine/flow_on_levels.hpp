#pragma once
/// Incompressible flows on levels that follow them.

#include <optional>

#include <sparse/app/cases/flow_levels.hpp>
#include <sparse/incompressible/levels/adaptive_flow.hpp>

#include "live_flow.hpp"

namespace sparse::live {

/// Carries the temperature if the case has one, and three fields of ink as soon as there is a source.
class FlowOnLevels final : public LiveFlow {
public:
  /// @param bodies  of cells of the finest level
  FlowOnLevels(app::FlowCase const& flow_case, Bodies const& bodies);

  double time() const override { return flow_->time(); }
  Index step_count() const override { return flow_->step_count(); }
  Index cell_count() const override { return flow_->leaf_count(); }
  double step() override;
  void change(app::CaseFile const& file, Bodies const& bodies) override;
  void set_sources(std::vector<InkSource> const& sources) override;
  void set_decay(double decay) override;
  void carry_ink() override {}  // steps do

  std::vector<View> views() const override;
  void locate(io::Raster const& raster) override;
  void draw(View view, PixelFields& pixels) override;
  std::vector<Reading> read(std::vector<Point> const& points) override;
  std::uint64_t hash() const override;
  std::array<double, 3> ink_totals() const override;

private:
  using Flow = incompressible::AdaptiveFlow<double, 2>;

  std::size_t first_ink() const { return case_.has_temperature() ? 1 : 0; }
  bool has_ink() const { return flow_->options().inks.size() > first_ink(); }
  /// Of a case with the sources and the decay of now.
  incompressible::AdaptiveOptions<2> options_of(app::FlowCase const& c, bool with_ink) const;
  /// Goes on with other sources, or another decay.
  void go_on();

  app::FlowCase case_;
  Bodies bodies_;
  std::vector<InkSource> sources_;
  double decay_ = 0;
  std::optional<Flow> flow_;
  std::optional<io::PixelCells> pixels_;
};

}  // namespace sparse::live
