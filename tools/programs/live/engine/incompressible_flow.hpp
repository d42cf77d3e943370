#pragma once
/// Incompressible flows on one grid.

#include <optional>

#include <sparse/app/cases/flow_scene.hpp>
#include <sparse/incompressible/grid/jet.hpp>
#include <sparse/incompressible/picture/fine_ink.hpp>
#include <sparse/plans/subset.hpp>

#include "live_flow.hpp"

namespace sparse::live {

/// Carries the temperature if the case has one, and three fields of ink.
class IncompressibleFlow final : public LiveFlow {
public:
  IncompressibleFlow(app::FlowCase const& flow_case, Bodies const& bodies);

  double time() const override { return state_.time; }
  Index step_count() const override { return state_.step_count; }
  Index cell_count() const override { return grid_.fluid().cell_count(); }
  double step() override;
  void change(app::CaseFile const& file, Bodies const& bodies) override;
  void set_sources(std::vector<InkSource> const& sources) override;
  void set_decay(double decay) override { decay_ = decay; }
  void carry_ink() override;

  std::vector<View> views() const override;
  void locate(io::Raster const& raster) override;
  void draw(View view, PixelFields& pixels) override;
  std::vector<Reading> read(std::vector<Point> const& points) override;
  std::uint64_t hash() const override;
  std::array<double, 3> ink_totals() const override;

private:
  static constexpr std::size_t ink_count = 3, temperature = 0;
  struct Source {
    Subset<2> cells;
    Vec<double, 3> value;
    std::optional<incompressible::Jet<2>> jet;
    Point velocity;
  };

  void prepare();
  void emit();
  std::array<double*, ink_count> ink_values();
  bool is_fluid(Point const& at) const;
  void complete(Reading& reading) const;

  app::FlowCase case_;
  Bodies bodies_;
  incompressible::StaggeredGrid<2> grid_;
  incompressible::State<double, 2> state_;
  std::unique_ptr<app::AnyMethod<2>> method_;
  incompressible::FineInk<double, 2> ink_;
  double decay_ = 0;
  double ink_time_ = 0;   // until then ink has been carried
  bool has_ink_ = false;  // else all is 0, and nothing needs to be carried
  std::vector<InkSource> sources_;
  std::vector<Source> emitted_;
  Subset<2> clean_, cells_, faces_[2];  // cells beside inflows; the fluid; faces along the axes
  std::optional<io::PixelCells> pixels_;
};

}  // namespace sparse::live
