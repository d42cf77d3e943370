#include <sparse/io/files/history.hpp>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <sparse/base/error.hpp>

#include "failure.hpp"

namespace sparse::io {

History::History(std::filesystem::path path, std::vector<std::string> columns)
    : path_(std::move(path)), columns_(std::move(columns)) {
  expects(!columns_.empty(), "a history needs at least one column");
  for (auto const& name : columns_)
    if (name.empty() || name.find_first_of(",\"\r\n") != std::string::npos)
      fail(fmt::format("'{}' is no name for a column", name));

  file_.reset(std::fopen(path_.c_str(), "wb"));
  if (!file_) file_failure(path_, std::strerror(errno));
  append(fmt::format("{}\n", fmt::join(columns_, ",")));
}

void History::add(std::span<double const> values) {
  if (values.size() != columns_.size())
    fail(fmt::format("{} values for {} columns of {}", values.size(), columns_.size(), path_.string()));
  append(fmt::format("{}\n", fmt::join(values, ",")));
}

void History::append(std::string const& line) {
  errno = 0;
  if (std::fwrite(line.data(), 1, line.size(), file_.get()) != line.size() || std::fflush(file_.get()) != 0) {
    std::string const reason = std::strerror(errno);
    file_.reset();  // drops or writes the buffer; then cut off the incomplete line
    std::error_code ignored;
    std::filesystem::resize_file(path_, size_, ignored);
    file_.reset(std::fopen(path_.c_str(), "ab"));
    file_failure(path_, reason);
  }
  size_ += line.size();
}

}  // namespace sparse::io
