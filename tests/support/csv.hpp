#pragma once
/// Tables of numbers in tests/data.

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

/// The rows of numbers of a file in tests/data. Skips lines that begin with #, the line with names, and the first
/// columns, which hold text.
inline std::vector<std::vector<double>> read_table(std::string const& name, int text_column_count = 0) {
  std::ifstream file(std::filesystem::path(SPARSE_SOURCE_DIR) / "tests/data" / name);
  if (!file) throw std::runtime_error("no such table: " + name);
  std::vector<std::vector<double>> rows;
  bool has_names = false;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (!has_names) {
      has_names = true;
      continue;
    }
    rows.emplace_back();
    std::istringstream values(line);
    int column = 0;
    for (std::string value; std::getline(values, value, ',');)
      if (column++ >= text_column_count) rows.back().push_back(std::stod(value));
  }
  return rows;
}
