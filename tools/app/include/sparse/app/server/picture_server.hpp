#pragma once
/// Pictures of a program in a browser of the same machine, or through a tunnel of ssh.

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace sparse::app {

/// A picture and the numbers that belong to it.
struct ServedPicture {
  int width = 0, height = 0;               ///< [pixels], 1 to 65500
  std::vector<std::uint32_t> pixels = {};  ///< [height * width] RGBA in the order of bytes; row 0 is the bottom
  std::string state = {};                  ///< JSON
};

/// Serves pictures on 127.0.0.1 to those who know its token:
///
///     GET  /         the page
///     GET  /stream   pictures as they come: multipart/x-mixed-replace of JPEG
///     GET  /state    the state of the newest picture, as JSON
///     POST /command  a command for the owner; 204, or 400 with the owner's reason
///
/// All of them end in ?token=TOKEN. Everything else is refused: 403 without the token, 404, 405, 411, 413, 431. No
/// request names a file. At most `most_clients` are served at once; more get 503. Its threads call nothing of Kokkos.
class PictureServer {
public:
  static constexpr int most_clients = 16;  ///< that are served at once
  /// Takes a command, at most 4096 bytes of any text. It refuses by an exception, whose text is the reason. Threads of
  /// clients call it, several at once.
  using OnCommand = std::function<void(std::string const& command)>;

  /// Listens.
  /// @param port  0: any that is free
  /// @param page  HTML, as `html_of` makes it
  /// @throws std::runtime_error  if the port cannot be had
  PictureServer(int port, std::string page, OnCommand on_command);
  /// The last picture still reaches those who watch.
  ~PictureServer();
  PictureServer(PictureServer const&) = delete;
  PictureServer& operator=(PictureServer const&) = delete;

  /// Makes it the newest picture. Waits for nobody: a thread of the server encodes it, unless a newer one comes first.
  /// @throws std::invalid_argument  if the pixels do not match the size
  void show(ServedPicture picture);

  /// The address for a browser, with the token.
  std::string url() const;

private:
  using Bytes = std::shared_ptr<std::string const>;
  struct Client {
    std::thread thread;
    std::atomic<bool> has_ended = false;
  };

  void accept_clients();
  void encode_pictures();
  void serve(int socket);
  void answer(int socket, std::string const& method, std::string const& path, std::string const& body);
  void stream(int socket);
  Bytes next_picture(Bytes const& last, int socket);

  std::string page_, token_;
  OnCommand on_command_;
  int listener_ = -1, port_ = 0;
  std::atomic<bool> stops_ = false;

  std::mutex mutex_;
  std::condition_variable has_waiting_, has_picture_;
  bool is_closing_ = false;
  std::optional<ServedPicture> waiting_;
  Bytes picture_, state_;

  std::list<Client> clients_;
  std::thread encoder_, accepter_;
};

}  // namespace sparse::app
