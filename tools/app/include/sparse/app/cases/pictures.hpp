#pragma once
/// Pictures of a flow that need more than one value per pixel: inks in their colours, streaks.

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <sparse/incompressible/picture/flow_texture.hpp>

#include <sparse/app/cases/flow_case.hpp>
#include <sparse/app/run/keeper.hpp>

namespace sparse::app {

/// What is drawn of a flow, at points in its fluid.
template <int Dim>
struct FlowSamples {
  /// Points of the box, in the units of the case.
  using Points = std::vector<sparse::Vec<double, Dim>>;
  /// [point] whether it lies in the fluid. Called once, with any points of the box.
  std::function<std::vector<bool>(Points const&)> is_fluid;
  std::function<std::vector<double>(std::size_t ink, Points const&)> ink;        ///< [point]
  std::function<std::vector<sparse::Vec<double, Dim>>(Points const&)> velocity;  ///< [point]
};

/// Draws a flow at the resolution of the picture; in 3D in the middle plane of constant z.
template <int Dim>
class FlowPictures {
public:
  /// What the grain of streaks brightens and darkens.
  enum class Under { speed, ink };

  /// @param colours  [ink]
  FlowPictures(FlowCase const& flow_case, std::vector<sparse::io::Colour> const& colours, FlowSamples<Dim> samples);

  /// The pictures of a case that this class draws, by their names.
  static bool draws(std::string const& name);
  /// Such a picture at a time.
  sparse::io::Image draw(std::string const& name, double time);
  /// The background with the inks. Each ink counts in proportion to its value; where the values sum up to more than 1,
  /// the colour is their mean.
  sparse::io::Image ink(double time) const;
  /// Noise that the flow stretches, over the colour of the speed or over ink. Continues from the picture of the time
  /// before, so that films move with the flow.
  sparse::io::Image streaks(double time, Under under);
  /// Stores the grain of streaks in a checkpoint, or restores it.
  void keep(Keeper& keeper);

private:
  using Colours = std::vector<sparse::Vec<float, 3>>;

  Colours ink_colours() const;
  /// Moves the grain to a time.
  /// @param fast  this speed and all beyond move alike
  void move_grain(double time, std::vector<sparse::Vec<double, Dim>> const& velocity, double fast);
  sparse::incompressible::FlowTexture new_texture() const;
  /// The pixels of the fluid in their colours on grey, with a title.
  sparse::io::Image painted(Colours const& colours, std::string const& title) const;

  FlowSamples<Dim> samples_;
  std::vector<sparse::io::Colour> colours_;
  sparse::io::Colour background_;
  std::array<double, 2> size_;  // size of the flow
  int width_, height_;
  std::vector<sparse::Vec<double, Dim>> points_;  // centres of the pixels in the fluid
  std::vector<std::size_t> pixels_;               // their numbers, row 0 at the bottom
  std::optional<sparse::incompressible::FlowTexture> texture_;
  double texture_time_ = 0;  // time of the picture before
};

}  // namespace sparse::app
