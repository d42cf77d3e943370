#pragma once
/// Computes a flow, takes commands, draws pictures. Everything that calls Kokkos happens in the thread that made it.

#include <chrono>
#include <deque>
#include <filesystem>

#include <sparse/io/pictures/video.hpp>

#include "emitter.hpp"
#include "painter.hpp"

namespace sparse::live {

struct EngineOptions {
  std::filesystem::path output_folder = "live_output";
  int longest = 1024;  ///< most pixels along the longer side of a picture, unless the grid has more cells
  /// Changes of bodies count at once. Else those within this time are one [s].
  double edit_interval = 0;
};

class Engine {
public:
  /// @throws std::exception  if the case has no flow
  explicit Engine(app::CaseFile const& file, EngineOptions const& options = {});

  /// Carries out a command. Changes of bodies count from the next frame on.
  /// @throws std::exception  with the reason, if it is impossible; nothing has changed then
  void apply(Command const& command);
  /// Steps unless paused, and draws. What goes wrong is a message of the snapshot; then the flow is paused.
  void frame(Snapshot& out);
  /// A message for the next snapshot.
  void say(std::string const& message) { message_ = message; }
  /// Whether the next frame shows something new.
  bool has_news() const { return !is_paused_ || steps_once_ || is_dirty_ || has_news_; }

  /// The cells of each obstacle.
  Bodies const& bodies() const { return bodies_; }
  /// All that was changed, as a case that the program `flow` can compute, with a file of sets beside it.
  /// @return  the path of the case
  std::filesystem::path save() const;

private:
  void start(app::CaseFile const& file);
  void carry_out(Stroke const& stroke);
  void carry_out(AddEmitter const& add);
  void carry_out(ChangeEmitter const& changed);
  void carry_out(RemoveEmitter const& removed);
  void carry_out(Pin const& pin);
  void carry_out(Unpin const& unpin);
  void carry_out(AddStreamline const& line);
  void carry_out(ClearStreamlines const&);
  void carry_out(Hover const& hover);
  void carry_out(Settings const& settings);
  void carry_out(Pause const& pause);
  void carry_out(SingleStep const&);
  void carry_out(Reset const&);
  void carry_out(Load const& load);
  void carry_out(SavePicture const&);
  void carry_out(Film const& film);
  void carry_out(Save const&);
  void set_numbers(Settings const& settings);
  app::CaseFile current() const;
  Bodies padded() const;
  void update_bodies();
  void update_sources();
  void step_once();
  void trace_streamlines();
  void fill(Snapshot& out);
  std::filesystem::path fresh_path(char const* ending) const;

  app::CaseBox const& box() const {
    return std::visit([](auto const& c) -> app::CaseBox const& { return c; }, file_.content);
  }
  app::FlowCase const* flow_case() const { return std::get_if<app::FlowCase>(&file_.content); }

  EngineOptions options_;
  app::CaseFile file_;  // with the numbers of now, but velocities as in the case
  app::CaseBox body_box_;
  Bodies original_, bodies_, accepted_;
  bool has_drawn_ = false;
  double speed_ = 1, decay_ = 0;
  std::vector<Emitter> emitters_;
  std::unique_ptr<LiveFlow> flow_;

  int steps_ = 4;
  bool is_paused_ = false, steps_once_ = false, is_dirty_ = false, has_news_ = true, wants_picture_ = false;
  std::chrono::steady_clock::time_point edited_ = {};
  std::optional<Point> hover_;
  std::vector<Point> probes_, seeds_;
  std::vector<std::vector<Point>> streamlines_;
  Look look_;
  io::Raster raster_;
  std::optional<Painter> painter_;
  PixelFields pixels_;
  std::optional<io::VideoWriter> film_;
  std::filesystem::path film_path_;
  Index film_frames_ = 0, frame_ = 0, edits_ = 0;
  double time_step_ = 0;
  std::string message_;
};

}  // namespace sparse::live
