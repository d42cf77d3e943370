#include <sparse/app/run/stop_signal.hpp>

#include <cerrno>
#include <csignal>
#include <stdexcept>
#include <system_error>

namespace sparse::app {
namespace {

// All that a handler may touch.
volatile std::sig_atomic_t first_signal = 0;
bool is_installed = false;

extern "C" void note_signal(int number) {
  if (first_signal == 0) {
    first_signal = number;
    return;
  }
  signal(number, SIG_DFL);  // takes effect when this handler returns, which lets the signal through
  raise(number);
}

}  // namespace

StopSignal::StopSignal() {
  if (is_installed) throw std::logic_error("there is a StopSignal already");
  first_signal = 0;
  struct sigaction action {};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;  // files that are being written do not see an error
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < signals.size(); ++i)
    if (sigaction(signals[i], &action, &before_[i]) != 0) {
      int const error = errno;
      while (i-- > 0) sigaction(signals[i], &before_[i], nullptr);
      throw std::system_error(error, std::generic_category(), "sigaction");
    }
  is_installed = true;
}

StopSignal::~StopSignal() {
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &before_[i], nullptr);
  is_installed = false;
}

int StopSignal::signal() const { return first_signal; }

}  // namespace sparse::app
