#pragma once
/// What a browser asks for: the part of HTTP/1.1 that the server speaks.

#include <optional>
#include <string>

namespace sparse::app {

/// A request that was read whole.
struct Request {
  std::string method, path, token, body;
};

/// Why a request is refused: the status line's number and words.
struct Refusal {
  int status;
  std::string reason;
};

/// Reads requests from bytes as they come.
class RequestReader {
public:
  static constexpr std::size_t most_head = 8192, most_body = 4096;

  /// Adds bytes. @return  whether there is a request or a refusal now
  bool add(std::string const& bytes);
  std::optional<Request> const& request() const { return request_; }
  std::optional<Refusal> const& refusal() const { return refusal_; }

private:
  bool refuse(int status, std::string const& reason);
  bool read_head(std::size_t end);

  std::string bytes_;
  std::size_t body_begin_ = 0, body_size_ = 0;
  std::optional<Request> head_, request_;
  std::optional<Refusal> refusal_;
};

}  // namespace sparse::app
