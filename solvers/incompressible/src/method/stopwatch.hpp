#pragma once
/// Measures the parts of a step.

#include <chrono>

#include <sparse/base/context.hpp>

namespace sparse::incompressible::detail {

/// Adds the time since construction, or since the last call, to a sum.
class Stopwatch {
public:
  explicit Stopwatch(Context const& context) : context_(context) {}
  void add_to(double& seconds) {
    context_.fence();
    auto const now = Clock::now();
    seconds += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }

private:
  using Clock = std::chrono::steady_clock;
  Context context_;
  Clock::time_point last_ = Clock::now();
};

}  // namespace sparse::incompressible::detail
