#pragma once
/// The live window in a browser of the same machine, or through a tunnel of ssh.

#include <atomic>
#include <string>
#include <thread>

#include <sparse/app/server/picture_server.hpp>

#include "engine/engine_thread.hpp"
#include "engine/report.hpp"

namespace sparse::live {

/// Serves an engine: its pictures and their numbers; see `app::PictureServer`. Commands are those of
/// `command_from_json`.
class Server {
public:
  /// Listens.
  /// @param port             0: any that is free
  /// @param report_interval  see `Reporter`
  /// @throws std::runtime_error  if the port cannot be had
  Server(EngineThread& engine, int port, double report_interval = 0);
  ~Server();
  Server(Server const&) = delete;
  Server& operator=(Server const&) = delete;

  /// The address for a browser, with the token.
  std::string url() const { return pictures_.url(); }

private:
  void feed();

  EngineThread& engine_;
  Reporter reporter_;  // of the feeder
  std::atomic<bool> stops_ = false;
  app::PictureServer pictures_;
  std::thread feeder_;
};

/// The page of `GET /`.
std::string page();

}  // namespace sparse::live
