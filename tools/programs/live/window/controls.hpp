#pragma once
/// What is in the window: the picture with its strokes, the panel, plots, help.

#include <set>
#include <string>

#include <imgui.h>

#include "engine/engine_thread.hpp"
#include "probe_plots.hpp"

namespace sparse::live {

class Controls {
public:
  explicit Controls(EngineThread& engine) : engine_(engine) {}

  /// Builds the user interface of one picture of the window.
  /// @param texture  of the snapshot
  void draw(Snapshot const& snapshot, ImTextureID texture, ImVec2 size, float scale, double pictures_per_second);
  /// A key that was pressed outside of text fields; its GLFW number.
  void key(Snapshot const& snapshot, int key, bool has_control);
  void character(unsigned code);
  /// Adds the values at probes to their plots.
  void remember(Snapshot const& snapshot) { plots_.remember(snapshot); }
  /// Whether a picture of the whole window is wanted; once.
  bool takes_screenshot() { return std::exchange(wants_screenshot_, false); }
  bool is_busy() const { return drag_ != Drag::none; }

private:
  enum class Tool { brush, line, box };
  enum class Drag { none, draw, erase, emitter };

  void draw_picture(Snapshot const& s, ImTextureID texture, ImVec2 room);
  void handle_mouse(Snapshot const& s, ImVec2 corner, ImVec2 size);
  void draw_preview(Snapshot const& s, ImVec2 corner, ImVec2 size) const;
  void draw_status(Snapshot const& s, double pictures_per_second) const;
  void draw_panel(Snapshot const& s);
  void draw_flow_controls(Snapshot const& s);
  void draw_view_controls(Snapshot const& s);
  void draw_emitters(Snapshot const& s);
  void draw_help(float scale);
  void send_stroke(Snapshot const& s, bool erases, Point const& from, Point const& to);
  int emitter_at(Snapshot const& s, Point const& at) const;
  double radius(Snapshot const& s) const { return 0.01 * width_ * std::min(s.size[0], s.size[1]); }
  /// Shows a slider with the engine's value, until it is moved. @return  whether it was moved
  bool slider(char const* name, double now, float& held, float least, float most, char const* format, int flags = 0);

  EngineThread& engine_;
  Tool tool_ = Tool::brush;
  float width_ = 5;  // of the brush [percent of the shorter side]
  float colour_[3] = {0.835f, 0.369f, 0.0f};
  float jet_[2] = {0, 0};
  float re_ = 0, speed_ = 1, decay_ = 0, steps_ = 1, range_[2] = {0, 1};
  std::set<std::string> held_;  // sliders that are being moved

  Drag drag_ = Drag::none;
  Point from_ = {}, pointer_ = {};
  bool is_over_ = false;
  std::size_t dragged_ = 0;
  bool shows_help_ = false, wants_screenshot_ = false;
  ProbePlots plots_;
};

}  // namespace sparse::live
