#pragma once
/// Numbers over time as CSV.

#include <cstdio>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sparse::io {

/// A CSV file that grows by one line per call. It holds whole lines at any time.
///
/// Numbers are written with as many digits as it takes to read the same double back.
class History {
public:
  /// Replaces `path` by a file with the header line.
  /// @throws std::invalid_argument  if there is no column, or a name is empty or holds a comma, quote or line break
  /// @throws std::runtime_error     with the path and the reason if the file cannot be written
  History(std::filesystem::path path, std::vector<std::string> columns);

  /// Appends a line; it is in the file when this returns.
  /// @throws std::invalid_argument  unless there is one value per column
  /// @throws std::runtime_error     with the path and the reason; the file then ends with the line before
  void add(std::span<double const> values);
  void add(std::initializer_list<double> values) { add(std::span<double const>(values.begin(), values.size())); }

private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void append(std::string const& line);

  std::filesystem::path path_;
  std::vector<std::string> columns_;
  std::unique_ptr<std::FILE, Close> file_;
  std::size_t size_ = 0;  // bytes of whole lines
};

}  // namespace sparse::io
