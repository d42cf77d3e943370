#include "server/request.hpp"

#include <algorithm>
#include <cctype>

namespace sparse::app {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// The token in "?token=...", the only thing that a query may have.
std::string token_of(std::string const& query) {
  std::string const name = "token=";
  return query.starts_with(name) ? query.substr(name.size()) : "";
}

}  // namespace

bool RequestReader::refuse(int status, std::string const& reason) {
  refusal_ = Refusal{status, reason};
  return true;
}

bool RequestReader::add(std::string const& bytes) {
  bytes_ += bytes;
  if (!head_) {
    auto const end = bytes_.find("\r\n\r\n");
    if (end == std::string::npos) return bytes_.size() > most_head && refuse(431, "the head is too long");
    if (end > most_head) return refuse(431, "the head is too long");
    if (read_head(end)) return true;
  }
  if (bytes_.size() < body_begin_ + body_size_) return false;
  request_ = *head_;
  request_->body = bytes_.substr(body_begin_, body_size_);
  return true;
}

/// @return  whether the request is refused
bool RequestReader::read_head(std::size_t end) {
  std::string const head = bytes_.substr(0, end);
  auto const line_end = head.find("\r\n");
  std::string const line = head.substr(0, line_end);
  auto const first = line.find(' '), last = line.rfind(' ');
  if (first == std::string::npos || first == last || !line.substr(last + 1).starts_with("HTTP/1."))
    return refuse(400, "this is no request");
  Request request;
  request.method = line.substr(0, first);
  std::string const target = line.substr(first + 1, last - first - 1);
  auto const question = target.find('?');
  request.path = target.substr(0, question);
  if (question != std::string::npos) request.token = token_of(target.substr(question + 1));
  bool has_length = false;
  for (std::size_t at = line_end; at != std::string::npos && at < head.size();) {
    std::size_t const begin = at + 2, next = head.find("\r\n", begin);
    std::string const field = head.substr(begin, next == std::string::npos ? next : next - begin);
    auto const colon = field.find(':');
    if (colon == std::string::npos) return refuse(400, "a header has no colon");
    std::string const name = lower(field.substr(0, colon));
    std::string value = field.substr(colon + 1);
    value.erase(0, value.find_first_not_of(" \t"));
    value.erase(value.find_last_not_of(" \t") + 1);
    if (name == "transfer-encoding") return refuse(411, "say the length of the body");
    if (name == "content-length") {
      if (has_length || value.empty() || value.size() > 9 || value.find_first_not_of("0123456789") != std::string::npos)
        return refuse(400, "the length of the body is no number");
      has_length = true;
      body_size_ = std::stoul(value);
    }
    at = next;
  }
  if (body_size_ > most_body) return refuse(413, "the body is too long");
  if (request.method == "POST" && !has_length) return refuse(411, "say the length of the body");
  body_begin_ = end + 4;
  head_ = std::move(request);
  return false;
}

}  // namespace sparse::app
