#include "server.hpp"

#include <cerrno>
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
#include <nlohmann/json.hpp>
#include <turbojpeg.h>

#include "engine/menu.hpp"

namespace sparse::live {
namespace {

constexpr int patience = 10;       // seconds that a client may take to say or hear something
constexpr int quality = 85;        // of JPEG
constexpr int poll_interval = 50;  // ms

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

class JpegEncoder {
public:
  JpegEncoder() : handle_(tjInitCompress()) {
    if (handle_ == nullptr) throw std::runtime_error("there is no JPEG encoder");
  }
  ~JpegEncoder() {
    tjFree(bytes_);
    tjDestroy(handle_);
  }
  JpegEncoder(JpegEncoder const&) = delete;
  JpegEncoder& operator=(JpegEncoder const&) = delete;

  std::string encode(Snapshot const& s) {
    auto const* const pixels = reinterpret_cast<unsigned char const*>(s.pixels.data());
    if (tjCompress2(handle_, pixels, s.width, 0, s.height, TJPF_RGBA, &bytes_, &size_, TJSAMP_422, quality,
                    TJFLAG_BOTTOMUP | TJFLAG_FASTDCT) != 0)
      throw std::runtime_error(tjGetErrorStr2(handle_));
    return {reinterpret_cast<char const*>(bytes_), size_};
  }

private:
  tjhandle handle_;
  unsigned char* bytes_ = nullptr;
  unsigned long size_ = 0;
};

nlohmann::json json_of(Reading const& reading) {
  nlohmann::json json = {{"at", {reading.at[0], reading.at[1]}}, {"cell", reading.cell}, {"level", reading.level}};
  json["values"] = nlohmann::json::array();
  for (auto const& [name, value] : reading.values) json["values"].push_back({name, value});
  return json;
}

std::string state_of(Snapshot const& s) {
  nlohmann::json json = {{"frame", s.frame},
                         {"time", s.time},
                         {"steps", s.step_count},
                         {"cells", s.cell_count},
                         {"state", fmt::format("{:016x}", s.state_hash)},
                         {"bodies", fmt::format("{:016x}", s.body_hash)},
                         {"case", s.case_name},
                         {"paused", s.is_paused},
                         {"filming", s.is_filming},
                         {"re", s.re},
                         {"speed", s.speed},
                         {"decay", s.decay},
                         {"steps_per_frame", s.steps},
                         {"view", name_of(s.view)},
                         {"range", s.range},
                         {"follows", s.follows},
                         {"outlines", s.outlines},
                         {"size", s.size},
                         {"pixels", {s.width, s.height}},
                         {"message", s.message},
                         {"milliseconds", 1e3 * s.engine_seconds}};
  for (View const view : s.views) json["views"].push_back(name_of(view));
  for (auto const& entry : menu()) json["cases"].push_back({entry.name, entry.title});
  json["emitters"] = json["probes"] = nlohmann::json::array();
  for (auto const& e : s.emitters)
    json["emitters"].push_back({{"at", {e.at[0], e.at[1]}},
                                {"radius", e.radius},
                                {"colour", fmt::format("#{:02x}{:02x}{:02x}", e.colour[0], e.colour[1], e.colour[2])},
                                {"on", e.is_on},
                                {"can_move", e.can_move}});
  for (auto const& probe : s.probes) json["probes"].push_back(json_of(probe));
  if (s.hover) json["hover"] = json_of(*s.hover);
  return json.dump();
}

}  // namespace

Server::Server(EngineThread& engine, int port, double report_interval)
    : engine_(engine), token_(random_token()), reporter_(report_interval) {
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

Server::~Server() {
  stops_ = true;
  has_picture_.notify_all();
  accepter_.join();
  for (Client& client : clients_) client.thread.join();
  encoder_.join();
  ::close(listener_);
}

std::string Server::url() const { return fmt::format("http://127.0.0.1:{}/?token={}", port_, token_); }

/// Encodes each new picture once, however many clients there are.
void Server::encode_pictures() {
  JpegEncoder encoder;
  while (!stops_) {
    bool is_new = false;
    Snapshot const& snapshot = engine_.newest(&is_new);
    reporter_.add(snapshot);
    if (!is_new) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      continue;
    }
    auto state = std::make_shared<std::string const>(state_of(snapshot));
    auto picture = std::make_shared<std::string const>(encoder.encode(snapshot));
    {
      std::lock_guard const lock(mutex_);
      state_ = std::move(state);
      picture_ = std::move(picture);
    }
    has_picture_.notify_all();
  }
}

void Server::accept_clients() {
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
      send_answer(socket, 503, "text/plain", "too many clients\n");
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
void Server::serve(int socket) {
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
    send_answer(socket, refusal->status, "text/plain", refusal->reason + "\n");
    ::shutdown(socket, SHUT_WR);  // what the client still sends must not cost it the answer
    while (::recv(socket, bytes, sizeof bytes, MSG_DONTWAIT) > 0) {
    }
    return;
  }
  answer(socket, *reader.request());
}

void Server::answer(int socket, Request const& request) {
  auto const refuse = [&](int status, std::string const& reason) {
    send_answer(socket, status, "text/plain", reason + "\n");
  };
  if (!are_equal(request.token, token_)) return refuse(403, "the token is missing or wrong");
  bool const is_command = request.path == "/command";
  if (request.path != "/" && request.path != "/stream" && request.path != "/state" && !is_command)
    return refuse(404, "there is nothing here");
  if (request.method != (is_command ? "POST" : "GET")) return refuse(405, "this method is not for this path");
  if (request.path == "/") {
    send_answer(socket, 200, "text/html; charset=utf-8", page());
  } else if (request.path == "/stream") {
    stream(socket);
  } else if (request.path == "/state") {
    next_picture(nullptr);
    std::shared_ptr<std::string const> state;
    {
      std::lock_guard const lock(mutex_);
      state = state_;
    }
    send_answer(socket, 200, "application/json", state ? *state : "{}");
  } else {
    try {
      engine_.send(command_from_json(request.body));
      send_answer(socket, 204, "text/plain", "");
    } catch (std::exception const& error) {
      refuse(400, error.what());
    }
  }
}

/// A picture other than the last one; waits for it. Empty when the server stops.
std::shared_ptr<std::string const> Server::next_picture(std::shared_ptr<std::string const> const& last) {
  std::unique_lock lock(mutex_);
  while (!stops_ && (!picture_ || picture_ == last)) has_picture_.wait_for(lock, std::chrono::milliseconds(100));
  return stops_ ? nullptr : picture_;
}

void Server::stream(int socket) {
  if (!send_all(socket, "HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=picture\r\n"
                        "Cache-Control: no-store\r\nConnection: close\r\n\r\n"))
    return;
  std::shared_ptr<std::string const> picture;
  while ((picture = next_picture(picture)))
    if (!send_all(socket, fmt::format("--picture\r\nContent-Type: image/jpeg\r\nContent-Length: {}\r\n\r\n{}\r\n",
                                      picture->size(), *picture)))
      return;
}

}  // namespace sparse::live
