#pragma once
/// Finds the periods of the force on a body that sheds vortices.

#include <cmath>
#include <optional>
#include <vector>

#include <sparse/app/run/keeper.hpp>

namespace sparse::app {

/// Notes drag and lift after each step.
class Shedding {
public:
  /// Means over whole periods in the second half of the run, and what is greatest there; of lift, its swing.
  struct Periods {
    /// How many there are, and the values over them.
    int count;
    double length, drag, greatest_drag, greatest_lift;
  };

  /// Takes a sample.
  void add(double time, double drag, double lift) { samples_.push_back({time, drag, lift}); }

  /// Into a checkpoint, or out of it.
  void keep(Keeper& keeper) {
    std::vector<double> numbers;
    for (Sample const& sample : samples_) numbers.insert(numbers.end(), {sample.time, sample.drag, sample.lift});
    keeper("shedding", numbers);
    samples_.clear();
    for (std::size_t i = 0; i + 2 < numbers.size(); i += 3) add(numbers[i], numbers[i + 1], numbers[i + 2]);
  }

  /// @param about  around which lift swings
  /// Nothing if lift rises through that less than twice in the second half, or swings by less than 1 % of drag.
  std::optional<Periods> periods(double about = 0) const {
    std::vector<std::size_t> rises;  // the sample behind the sign change
    for (std::size_t i = 1; i < samples_.size(); ++i)
      if (samples_[i - 1].lift < about && samples_[i].lift >= about && samples_[i].time > 0.5 * samples_.back().time)
        rises.push_back(i);
    if (rises.size() < 2) return {};
    int const count = static_cast<int>(rises.size()) - 1;
    Periods result{count, (rise_before(rises.back(), about) - rise_before(rises.front(), about)) / count, 0, 0, 0};
    double time = 0;
    for (std::size_t i = rises.front(); i < rises.back(); ++i) {
      double const step = samples_[i + 1].time - samples_[i].time;
      result.drag += 0.5 * step * (samples_[i].drag + samples_[i + 1].drag);
      time += step;
      result.greatest_drag = std::fmax(result.greatest_drag, samples_[i].drag);
      result.greatest_lift = std::fmax(result.greatest_lift, std::abs(samples_[i].lift - about));
    }
    result.drag /= time;
    if (result.greatest_lift < 0.01 * result.drag) return {};
    return result;
  }
  /// Means in the second half, periods or not.
  double mean_drag() const { return mean(&Sample::drag); }
  double mean_lift() const { return mean(&Sample::lift); }

private:
  struct Sample {
    double time, drag, lift;
  };
  double mean(double Sample::*value) const {
    double sum = 0, time = 0;
    for (std::size_t i = 1; i < samples_.size(); ++i) {
      if (samples_[i].time <= 0.5 * samples_.back().time) continue;
      double const step = samples_[i].time - samples_[i - 1].time;
      sum += step * samples_[i].*value;
      time += step;
    }
    return time > 0 ? sum / time : std::nan("");
  }
  double rise_before(std::size_t i, double about) const {
    Sample const &a = samples_[i - 1], &b = samples_[i];
    return a.time + (b.time - a.time) * (a.lift - about) / (a.lift - b.lift);
  }
  std::vector<Sample> samples_;
};

}  // namespace sparse::app
