#pragma once
/// Values at probes over time.

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/snapshot.hpp"

namespace sparse::live {

class ProbePlots {
public:
  /// Adds the values of a snapshot.
  void remember(Snapshot const& snapshot);
  /// Draws a curve for each probe. @return  the number of the probe that is to be removed
  std::optional<std::size_t> draw(Snapshot const& snapshot, float width);

private:
  std::vector<std::map<std::string, std::deque<float>>> curves_;  // of each probe
  std::string plotted_ = "speed";
  std::string case_;
  double last_time_ = -1;
};

}  // namespace sparse::live
