#pragma once
/// Pictures of a flow that need more than one value per pixel: inks in their colours, streaks.

#include <array>
#include <optional>

#include <sparse/incompressible/grid/state.hpp>
#include <sparse/incompressible/picture/fine_ink.hpp>
#include <sparse/incompressible/picture/flow_texture.hpp>

#include <sparse/app/cases/flow_case.hpp>
#include <sparse/app/run/keeper.hpp>

namespace sparse::app {

/// Draws a flow at the resolution of the picture; in 3D in the middle plane of constant z.
template <int Dim>
class FlowPictures {
public:
  /// The state that is shown, and ink on a finer grid.
  using State = sparse::incompressible::State<double, Dim>;
  using FineInk = sparse::incompressible::FineInk<double, Dim>;
  /// What the grain of streaks brightens and darkens.
  enum class Under { speed, ink };

  /// @param colours  of the first carried values
  /// @param fine     these inks on a finer grid, or nullptr; must outlive the object
  FlowPictures(FlowCase const& flow_case, sparse::incompressible::StaggeredGrid<Dim> const& grid,
               std::vector<sparse::io::Colour> const& colours, FineInk const* fine = nullptr);

  /// The background with the inks. Each ink counts in proportion to its value; where the values sum up to more than 1,
  /// the colour is their mean.
  sparse::io::Image ink(State const& state) const;
  /// Noise that the flow stretches, over the colour of the speed or over ink. Continues from the picture of the time
  /// before, so that films move with the flow.
  sparse::io::Image streaks(State const& state, Under under);
  /// Stores the grain of streaks in a checkpoint, or restores it.
  void keep(Keeper& keeper);

private:
  using Colours = std::vector<sparse::Vec<float, 3>>;

  Colours ink_colours(State const& state) const;
  std::vector<sparse::Vec<double, Dim>> velocities(State const& state) const;
  /// Moves the grain to the time of the state.
  /// @param fast  this speed and all beyond move alike
  void move_grain(State const& state, std::vector<sparse::Vec<double, Dim>> const& velocity, double fast);
  sparse::incompressible::FlowTexture new_texture() const;
  /// The pixels of the fluid in their colours on grey, with a title.
  sparse::io::Image draw(Colours const& colours, std::string const& title) const;

  sparse::incompressible::StaggeredGrid<Dim> grid_;
  std::vector<sparse::io::Colour> colours_;
  FineInk const* fine_;
  sparse::io::Colour background_;
  std::array<double, 2> size_;  // size of the flow
  int width_, height_;
  std::vector<sparse::Vec<double, Dim>> points_;  // centres of the pixels in the fluid
  std::vector<std::size_t> pixels_;               // their numbers, row 0 at the bottom
  std::optional<sparse::incompressible::FlowTexture> texture_;
  double texture_time_ = 0;  // time of the picture before
};

}  // namespace sparse::app
