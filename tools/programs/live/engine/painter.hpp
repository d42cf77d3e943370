#pragma once
/// Colours for the pixels of a flow.

#include <optional>

#include <sparse/incompressible/picture/flow_texture.hpp>

#include "live_flow.hpp"

namespace sparse::live {

/// How a view is drawn.
struct Look {
  View view = View::speed;
  io::ColourMap map = io::ColourMap::viridis;
  std::array<double, 2> range = {0, 1};  ///< of the colours
  bool follows = true;                   ///< whether the range follows the values, slowly so that nothing flickers
  bool outlines = false;                 ///< of levels
  io::Colour background = {255, 255, 255};
  /// Takes another view with its usual colours.
  void take(View wanted);
};

class Painter {
public:
  explicit Painter(io::Raster const& raster, Context const& context = Context());

  /// Draws what `LiveFlow::draw` filled.
  /// @param look    its range follows the values if it should
  /// @param moves   whether time went on: streaks move
  /// @return        RGBA, row 0 at the bottom
  std::vector<std::uint32_t> paint(Look& look, PixelFields const& pixels, bool moves);
  /// The least and the greatest value of the last picture; 0 for inks.
  std::array<double, 2> extrema() const { return extrema_; }

private:
  void follow(Look& look, PixelFields const& pixels);
  void move_grain(PixelFields const& pixels, bool moves);

  io::Raster raster_;
  Context context_;
  incompressible::FlowTexture texture_;
  Buffer<Vec<float, 2>> moves_;
  Buffer<std::uint32_t> colours_, table_;
  std::optional<io::ColourMap> map_;  // of the table
  std::optional<View> followed_;      // the view whose range is known
  std::array<double, 2> extrema_ = {0, 0};
  double fast_ = 0;  // this speed and all beyond have the brightest colour
};

}  // namespace sparse::live
