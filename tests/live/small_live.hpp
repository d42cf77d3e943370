#pragma once
/// Small flows for tests of the live window, and what a user does to them.

#include <filesystem>

#include <engine/engine.hpp>
#include <engine/menu.hpp>

namespace small_live {

using namespace sparse::live;
using sparse::app::CaseFile;

/// A case of the menu with fewer cells.
/// @param nx           of the finest level along x
/// @param level_count  of a flow that is not of a gas
inline CaseFile small(std::string const& name, int nx, int level_count = 1) {
  auto file = load_case(name);
  auto const shrink = [&](auto& c) {
    int const before = c.cells[0];
    for (std::size_t axis = 0; axis < 2; ++axis) c.cells[axis] = c.cells[axis] * nx / before;
    if constexpr (requires { c.run.level_count; }) {
      c.run.level_count = 2;
    } else {
      c.flow.run.level_count = level_count;
      for (int& cells : c.cells) cells >>= level_count - 1;
    }
  };
  std::visit(shrink, file.content);
  if (level_count > 1) file.options.push_back({"amr-levels", std::to_string(level_count), 0});
  return file;
}

inline EngineOptions options() {
  EngineOptions o;
  o.longest = 64;
  o.output_folder = std::filesystem::temp_directory_path() / "sparse_live_test";
  return o;
}

inline Snapshot frames(Engine& engine, int count) {
  Snapshot snapshot;
  for (int i = 0; i < count; ++i) engine.frame(snapshot);
  return snapshot;
}

inline Stroke disc(Point const& at, double radius, bool erases = false) { return {erases, false, at, at, radius}; }
inline Stroke line(Point const& from, Point const& to, double radius, bool erases = false) {
  return {erases, false, from, to, radius};
}

}  // namespace small_live
