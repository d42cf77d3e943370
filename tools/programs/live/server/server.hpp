#pragma once
/// The live window in a browser of the same machine, or through a tunnel of ssh.

#include <atomic>
#include <condition_variable>
#include <list>
#include <memory>
#include <string>
#include <thread>

#include "engine/engine_thread.hpp"
#include "engine/report.hpp"
#include "server/request.hpp"

namespace sparse::live {

/// Serves an engine on 127.0.0.1 to those who know its token:
///
///     GET  /         a page with the picture and all controls
///     GET  /stream   pictures as they come: multipart/x-mixed-replace of JPEG
///     GET  /state    the numbers of the newest picture as JSON
///     POST /command  a command as JSON, see `command_from_json`; 204, or 400 with the reason
///
/// All of them end in ?token=TOKEN. Everything else is refused: 403 without the token, 404, 405, 411, 413, 431. No
/// request names a file. At most `most_clients` are served at once; more get 503.
class Server {
public:
  static constexpr int most_clients = 16;

  /// Listens.
  /// @param port             0: any that is free
  /// @param report_interval  see `Reporter`
  /// @throws std::runtime_error  if the port cannot be had
  Server(EngineThread& engine, int port, double report_interval = 0);
  ~Server();
  Server(Server const&) = delete;
  Server& operator=(Server const&) = delete;

  /// The address for a browser, with the token.
  std::string url() const;
  std::string const& token() const { return token_; }
  int port() const { return port_; }

private:
  struct Client {
    std::thread thread;
    std::atomic<bool> has_ended = false;
  };

  void accept_clients();
  void encode_pictures();
  void serve(int socket);
  void answer(int socket, Request const& request);
  void stream(int socket);
  std::shared_ptr<std::string const> next_picture(std::shared_ptr<std::string const> const& last);

  EngineThread& engine_;
  int listener_ = -1, port_ = 0;
  std::string token_;
  Reporter reporter_;  // of the encoder's thread
  std::atomic<bool> stops_ = false;

  std::mutex mutex_;
  std::condition_variable has_picture_;
  std::shared_ptr<std::string const> picture_, state_;

  std::list<Client> clients_;
  std::thread encoder_, accepter_;
};

/// The page of `GET /`.
std::string const& page();

}  // namespace sparse::live
