#include "suggestion.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace sparse::io {
namespace {

/// The least number of letters to change, remove, insert or swap with a neighbour (optimal string alignment).
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
    }
  return d[a.size()][b.size()];
}

}  // namespace

std::string suggestion(std::string_view name, std::vector<std::string> const& known) {
  std::string nearest;
  std::size_t best = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (auto const& candidate : known) {
    // A name whose length differs by more cannot be nearer, and would make the table large.
    if (candidate.size() > name.size() + best || name.size() > candidate.size() + best) continue;
    std::size_t const found = distance(name, candidate);
    if (found < best) {
      best = found;
      nearest = candidate;
    }
  }
  return nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest);
}

}  // namespace sparse::io
