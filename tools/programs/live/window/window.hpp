#pragma once
/// The window: shows the newest snapshot and turns mouse and keys into commands.

#include <filesystem>
#include <string>

#include "engine/engine_thread.hpp"

namespace sparse::live {

struct WindowOptions {
  std::string case_name = "street";
  EngineOptions engine = {};
  int threads = 0;
  double report_interval = 0;  ///< seconds between lines about the run on standard output; 0: none
  int width = 1280, height = 720;
};

/// There is nothing to show a window on.
class NoDisplay : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Opens the window and returns when it is closed.
/// @throws NoDisplay           with the reason of the system
/// @throws std::runtime_error  if the case has no flow
void run_window(WindowOptions const& options);

}  // namespace sparse::live
