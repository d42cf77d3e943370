#pragma once
/// What the engine shows: pictures with numbers, handed from its thread to others.

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "command.hpp"

namespace sparse::live {

/// Values at a position, by name; empty outside of the fluid.
struct Reading {
  Point at = {};
  std::vector<std::pair<std::string, double>> values = {};
  std::array<int, 2> cell = {};  ///< of its level
  int level = 0;
};

struct EmitterInfo {
  Point at = {};
  double radius = 0;
  io::Colour colour = {};
  bool is_on = true;
  bool can_move = true;
  Point jet = {};
};

struct Snapshot {
  int width = 0, height = 0;
  std::vector<std::uint32_t> pixels = {};  ///< [height * width] RGBA in the order of bytes; row 0 is the bottom
  std::array<double, 2> size = {};         ///< of the box [length]

  Index frame = 0, step_count = 0, edit_count = 0, cell_count = 0;
  double time = 0, time_step = 0;
  std::uint64_t state_hash = 0, body_hash = 0;
  bool is_paused = false, is_filming = false;
  std::string case_name = {};
  double re = 0, speed = 1, decay = 0;
  int steps = 1;
  View view = View::speed;
  io::ColourMap map = io::ColourMap::viridis;
  std::vector<View> views = {};
  std::array<double, 2> range = {}, extrema = {};  ///< of the colours; of the values
  bool follows = true, outlines = false;
  std::array<double, 3> ink = {};  ///< integrals of the three fields of ink
  std::optional<Reading> hover = {};
  std::vector<Reading> probes = {};
  std::vector<EmitterInfo> emitters = {};
  std::vector<std::vector<Point>> streamlines = {};
  std::string message = {};                     ///< what happened last
  double engine_seconds = 0, step_seconds = 0;  ///< of this frame
};

/// Three snapshots: one is written, one is the newest, one is read. Nobody waits for anybody.
class Snapshots {
public:
  /// The one to write. For the engine alone.
  Snapshot& writable() { return snapshots_[written_]; }
  /// Makes it the newest.
  void publish() {
    std::lock_guard const lock(mutex_);
    std::swap(written_, newest_);
    is_new_ = true;
  }
  /// The newest one; the same as before if there is no newer one. For one reader; valid until the next call.
  Snapshot const& read(bool* is_new = nullptr) {
    std::lock_guard const lock(mutex_);
    if (is_new != nullptr) *is_new = is_new_;
    if (is_new_) std::swap(read_, newest_);
    is_new_ = false;
    return snapshots_[read_];
  }

  /// The one that `read` gave last.
  Snapshot const& current() const { return snapshots_[read_]; }

private:
  std::array<Snapshot, 3> snapshots_;
  std::size_t written_ = 0, newest_ = 1, read_ = 2;
  bool is_new_ = false;
  std::mutex mutex_;
};

}  // namespace sparse::live
