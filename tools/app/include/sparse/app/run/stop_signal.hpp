#pragma once
/// Ending a long run when the user or the batch system asks for it.

#include <array>

#include <signal.h>

namespace sparse::app {

/// While it lives, SIGINT (control-C) and SIGTERM are noted and do not end the program:
///
///     StopSignal const stop;
///     while (time < end && !stop.requested()) advance();
///     write_checkpoint(...);
///     return stop.exit_status();
///
/// A second signal ends the program at once.
class StopSignal {
public:
  /// @throws std::logic_error   if there is one already
  /// @throws std::system_error  if the system refuses
  StopSignal();
  /// Puts the earlier handlers back.
  ~StopSignal();
  StopSignal(StopSignal const&) = delete;
  StopSignal& operator=(StopSignal const&) = delete;

  /// Whether a signal has come.
  bool requested() const { return signal() != 0; }
  /// The number of the first signal that came, 0 if none did.
  int signal() const;
  /// What shells expect of a program that a signal ended: 128 + its number; 0 if there was none.
  int exit_status() const { return requested() ? 128 + signal() : 0; }

private:
  static constexpr std::array signals{SIGINT, SIGTERM};
  std::array<struct sigaction, signals.size()> before_;
};

}  // namespace sparse::app
