#pragma once
/// The numbers that a program adds to checkpoints.

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace sparse::app {

/// Collects a program's numbers for a checkpoint, or gives them back. One function serves both directions:
///
///     show.keep = [&](Keeper& keeper) { keeper("emitted", emitted); };
class Keeper {
public:
  /// By name.
  using Numbers = std::map<std::string, std::vector<double>>;

  /// Collects numbers.
  Keeper() = default;
  /// Gives these back.
  explicit Keeper(Numbers numbers) : numbers_(std::move(numbers)), gives_back_(true) {}

  /// Whether numbers are given back, not collected.
  bool gives_back() const { return gives_back_; }
  /// What was collected, or is given back.
  Numbers const& numbers() const { return numbers_; }

  /// When numbers are given back and there are none of this name, `values` becomes empty.
  void operator()(std::string const& name, std::vector<double>& values) {
    if (gives_back_)
      values = numbers_[name];
    else
      numbers_[name] = values;
  }
  /// When numbers are given back and there is none of this name, `value` stays.
  void operator()(std::string const& name, double& value) {
    if (!gives_back_)
      numbers_[name] = {value};
    else if (auto const found = numbers_.find(name); found != numbers_.end() && !found->second.empty())
      value = found->second.front();
  }

private:
  Numbers numbers_;
  bool gives_back_ = false;
};

}  // namespace sparse::app
