#include <sparse/app/server/picture_server.hpp>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <random>
#include <stdexcept>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fmt/format.h>

#include "server/jpeg_encoder.hpp"
#include "server/request.hpp"

namespace sparse::app {
namespace {

constexpr int patience = 10;         // seconds that a client may take to say or hear something
constexpr int poll_interval = 50;    // ms
constexpr int longest_side = 65500;  // of JPEG
constexpr auto look_interval = std::chrono::milliseconds(500);

std::string random_token() {
  std::random_device random;
  std::string token;
  for (int i = 0; i < 4; ++i) token += fmt::format("{:08x}", static_cast<std::uint32_t>(random()));
  return token;
}

/// Takes the same time wherever the texts differ.
bool are_equal(std::string const& a, std::string const& b) {
  if (a.size() != b.size()) return false;
  int difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference |= a[i] ^ b[i];
  return difference == 0;
}

/// @return  whether the client took all bytes
bool send_all(int socket, std::string const& bytes) {
  for (std::size_t sent = 0; sent < bytes.size();) {
    auto const count = ::send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

bool has_left(int socket) {
  pollfd seen{socket, POLLRDHUP, 0};
  return ::poll(&seen, 1, 0) > 0;
}

char const* words_of(int status) {
  switch (status) {
  case 200:
    return "OK";
  case 204:
    return "No Content";
  case 400:
    return "Bad Request";
  case 403:
    return "Forbidden";
  case 404:
    return "Not Found";
  case 405:
    return "Method Not Allowed";
  case 411:
    return "Length Required";
  case 413:
    return "Content Too Large";
  case 431:
    return "Request Header Fields Too Large";
  default:
    return "Service Unavailable";
  }
}

bool send_answer(int socket, int status, std::string const& type, std::string const& body) {
  return send_all(socket, fmt::format("HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n"
                                      "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\n"
                                      "X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n",
                                      status, words_of(status), type, body.size()) +
                              body);
}

void refuse(int socket, int status, std::string const& reason) {
  send_answer(socket, status, "text/plain", reason + "\n");
}

}  // namespace

PictureServer::PictureServer(int port, std::string page, OnCommand on_command)
    : page_(std::move(page)), token_(random_token()), on_command_(std::move(on_command)) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int const yes = 1;
  ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (listener_ < 0 || ::bind(listener_, generic, size) != 0 || ::listen(listener_, most_clients) != 0 ||
      ::getsockname(listener_, generic, &size) != 0) {
    std::string const reason = std::strerror(errno);
    if (listener_ >= 0) ::close(listener_);
    throw std::runtime_error(fmt::format("port {} of 127.0.0.1: {}", port, reason));
  }
  port_ = ntohs(address.sin_port);
  encoder_ = std::thread([this] { encode_pictures(); });
  accepter_ = std::thread([this] { accept_clients(); });
}

PictureServer::~PictureServer() {
  {
    std::lock_guard const lock(mutex_);
    is_closing_ = true;
  }
  has_waiting_.notify_all();
  encoder_.join();
  {
    std::lock_guard const lock(mutex_);
    stops_ = true;
  }
  has_picture_.notify_all();
  accepter_.join();
  for (Client& client : clients_) client.thread.join();
  ::close(listener_);
}

void PictureServer::show(ServedPicture picture) {
  bool const has_size =
      picture.width > 0 && picture.width <= longest_side && picture.height > 0 && picture.height <= longest_side;
  if (!has_size ||
      picture.pixels.size() != static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height))
    throw std::invalid_argument(
        fmt::format("{} pixels are no picture of {} x {}", picture.pixels.size(), picture.width, picture.height));
  {
    std::lock_guard const lock(mutex_);
    waiting_ = std::move(picture);
  }
  has_waiting_.notify_all();
}

std::string PictureServer::url() const { return fmt::format("http://127.0.0.1:{}/?token={}", port_, token_); }

/// Encodes each new picture once, however many clients there are.
void PictureServer::encode_pictures() {
  JpegEncoder encoder;
  std::unique_lock lock(mutex_);
  for (;;) {
    has_waiting_.wait(lock, [this] { return is_closing_ || waiting_; });
    if (!waiting_) return;
    ServedPicture newest = std::move(*waiting_);
    waiting_.reset();
    lock.unlock();
    auto picture = std::make_shared<std::string const>(encoder.encode(newest));
    auto state = std::make_shared<std::string const>(std::move(newest.state));
    lock.lock();
    picture_ = std::move(picture);
    state_ = std::move(state);
    has_picture_.notify_all();
  }
}

void PictureServer::accept_clients() {
  while (!stops_) {
    pollfd waiting{listener_, POLLIN, 0};
    if (::poll(&waiting, 1, poll_interval) <= 0) continue;
    int const socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (socket < 0) continue;
    for (auto client = clients_.begin(); client != clients_.end();) {
      if (!client->has_ended) {
        ++client;
        continue;
      }
      client->thread.join();
      client = clients_.erase(client);
    }
    if (clients_.size() >= static_cast<std::size_t>(most_clients)) {
      refuse(socket, 503, "too many clients");
      ::close(socket);
      continue;
    }
    Client& client = clients_.emplace_back();
    client.thread = std::thread([this, socket, &client] {
      serve(socket);
      ::close(socket);
      client.has_ended = true;
    });
  }
}

/// One request of a client.
void PictureServer::serve(int socket) {
  timeval const wait{patience, 0};
  int const yes = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
  RequestReader reader;
  auto const deadline = std::chrono::steady_clock::now() + std::chrono::seconds(patience);
  char bytes[2048];
  for (;;) {
    if (stops_ || std::chrono::steady_clock::now() > deadline) return;
    pollfd waiting{socket, POLLIN, 0};
    if (::poll(&waiting, 1, poll_interval) <= 0) continue;
    auto const count = ::recv(socket, bytes, sizeof bytes, 0);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    if (reader.add({bytes, static_cast<std::size_t>(count)})) break;
  }
  if (auto const& refusal = reader.refusal()) {
    refuse(socket, refusal->status, refusal->reason);
    ::shutdown(socket, SHUT_WR);  // what the client still sends must not cost it the answer
    while (::recv(socket, bytes, sizeof bytes, MSG_DONTWAIT) > 0) {
    }
    return;
  }
  Request const& request = *reader.request();
  if (are_equal(request.token, token_))
    answer(socket, request.method, request.path, request.body);
  else
    refuse(socket, 403, "the token is missing or wrong");
}

void PictureServer::answer(int socket, std::string const& method, std::string const& path, std::string const& body) {
  bool const is_command = path == "/command";
  if (path != "/" && path != "/stream" && path != "/state" && !is_command)
    return refuse(socket, 404, "there is nothing here");
  if (method != (is_command ? "POST" : "GET")) return refuse(socket, 405, "this method is not for this path");
  if (path == "/") {
    send_answer(socket, 200, "text/html; charset=utf-8", page_);
  } else if (path == "/stream") {
    stream(socket);
  } else if (path == "/state") {
    next_picture(nullptr, socket);
    Bytes state;
    {
      std::lock_guard const lock(mutex_);
      state = state_;
    }
    send_answer(socket, 200, "application/json", state ? *state : "{}");
  } else {
    try {
      on_command_(body);
      send_answer(socket, 204, "text/plain", "");
    } catch (std::exception const& error) {
      refuse(socket, 400, error.what());
    }
  }
}

/// A picture other than the last one; waits for it. Empty when the server stops or the client has gone, which nobody
/// would see as long as there is nothing to send.
PictureServer::Bytes PictureServer::next_picture(Bytes const& last, int socket) {
  std::unique_lock lock(mutex_);
  while (!has_picture_.wait_for(lock, look_interval, [&] { return stops_ || picture_ != last; }))
    if (has_left(socket)) return nullptr;
  return picture_ == last ? nullptr : picture_;
}

void PictureServer::stream(int socket) {
  if (!send_all(socket, "HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=picture\r\n"
                        "Cache-Control: no-store\r\nConnection: close\r\n\r\n"))
    return;
  Bytes picture;
  while ((picture = next_picture(picture, socket)))
    if (!send_all(socket, fmt::format("--picture\r\nContent-Type: image/jpeg\r\nContent-Length: {}\r\n\r\n{}\r\n",
                                      picture->size(), *picture)))
      return;
}

}  // namespace sparse::app
