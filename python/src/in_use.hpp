#pragma once
/// Keeps a simulation from being used twice at once.

#include <atomic>
#include <stdexcept>

namespace sparse::python {

/// Impossible values in a step of an incompressible flow. Python sees NonFiniteState.
struct FlowError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Marks a simulation as in use while it lives.
/// @throws std::runtime_error  if it is in use: by another thread, or by a step that calls the user's function
class InUse {
public:
  explicit InUse(std::atomic<bool>& busy) : busy_(busy) {
    if (busy.exchange(true))
      throw std::runtime_error("this simulation is in use, by another thread or by a step that calls this function; "
                               "wait until that has ended");
  }
  InUse(InUse const&) = delete;
  InUse& operator=(InUse const&) = delete;
  ~InUse() { busy_ = false; }

private:
  std::atomic<bool>& busy_;
};

}  // namespace sparse::python
