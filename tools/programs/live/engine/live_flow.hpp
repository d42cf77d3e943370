#pragma once
/// A flow that is computed, shown and changed step by step.

#include <memory>
#include <vector>

#include <sparse/app/cases/case_file.hpp>
#include <sparse/io/pictures/raster.hpp>

#include "snapshot.hpp"

namespace sparse::live {

/// The cells of each obstacle: of the finest level, in the box, without common cells. The last one is what was drawn.
using Bodies = std::vector<IntervalSet<2>>;

/// A source of ink in a flow.
struct InkSource {
  IntervalSet<2> cells;
  Vec<double, 3> value;  ///< what its cells have of the three fields
  std::optional<Point> jet;
};

/// What pixels show, in device memory.
struct PixelFields {
  Buffer<float> values;            ///< NaN where there is no fluid
  Buffer<Vec<float, 2>> velocity;  ///< [length / time]; NaN where there is no fluid
  Buffer<Vec<float, 3>> ink;       ///< the three fields
  Buffer<std::uint8_t> levels;
};

class LiveFlow {
public:
  virtual ~LiveFlow() = default;

  virtual double time() const = 0;
  virtual Index step_count() const = 0;
  virtual Index cell_count() const = 0;
  /// One step. @return its length. @throws std::runtime_error  if the flow cannot go on
  virtual double step() = 0;
  /// Goes on with other numbers, boundaries and bodies.
  /// @throws std::exception  with the reason, if there is no such flow; it then goes on as before
  virtual void change(app::CaseFile const& file, Bodies const& bodies) = 0;
  virtual void set_sources(std::vector<InkSource> const& sources) = 0;
  /// How fast ink fades [1 / time]; 0 at first.
  virtual void set_decay(double decay) = 0;
  /// Brings ink to the time of the flow. One call for several steps may cost less than one for each: long ways take
  /// fewer stages. Ink fades, and flows in from its sources.
  virtual void carry_ink() = 0;

  virtual std::vector<View> views() const = 0;
  /// Looks for the cells under pixels; call it after steps and before `draw`.
  virtual void locate(io::Raster const& raster) = 0;
  /// Fills what a view needs.
  virtual void draw(View view, PixelFields& pixels) = 0;
  virtual std::vector<Reading> read(std::vector<Point> const& points) = 0;
  /// Of all values that the next steps depend on.
  virtual std::uint64_t hash() const = 0;
  virtual std::array<double, 3> ink_totals() const = 0;
};

/// The shape of what was drawn. Its cells are in `Bodies` alone.
inline app::CaseShape const drawn_shape = {app::CaseShape::Kind::cells, {}, {}};
inline bool is_drawn(app::CaseShape const& shape) { return shape.kind == drawn_shape.kind && shape.text.empty(); }

/// The level whose cells the bodies of a case are made of.
int body_level_of(app::CaseFile const& file);
/// The box with cells of this level.
app::CaseBox body_box_of(app::CaseFile const& file);
/// The cells of the case's own obstacles.
Bodies bodies_of_case(app::CaseFile const& file);

/// The flow of a case at its start.
/// @param bodies  as `bodies_of_case` gives them, or others; one more if something is drawn
/// @throws std::exception  with the reason
std::unique_ptr<LiveFlow> make_flow(app::CaseFile const& file, Bodies const& bodies);

}  // namespace sparse::live
