#include <sparse/app/run/progress.hpp>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>

namespace sparse::app {
namespace {

std::string duration(double seconds) {
  auto const s = static_cast<long>(std::clamp(seconds, 0.0, 1e9));
  if (s < 60) return fmt::format("{} s", s);
  if (s < 3600) return fmt::format("{}:{:02} min", s / 60, s % 60);
  return fmt::format("{}:{:02} h", s / 3600, s / 60 % 60);
}

/// Columns of the terminal; a longer line would wrap, and the next one could not replace it.
std::size_t terminal_width(std::FILE* terminal) {
  winsize size{};
  return ioctl(fileno(terminal), TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

Progress::Progress(double last_time, Index last_step, std::function<double()> total, std::string_view name,
                   std::FILE* out)
    : last_time_(last_time), last_step_(last_step), total_(std::move(total)), name_(name), out_(out),
      is_terminal_(out != nullptr && isatty(fileno(out)) != 0), start_(Clock::now()), printed_(start_) {}

double Progress::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

void Progress::report(Index step, double time, double dt, std::span<Index const> cells_per_level, Index updates) {
  updates_ += updates;
  step_ = step;
  time_ = time;
  dt_ = dt;
  cells_per_level_.assign(cells_per_level.begin(), cells_per_level.end());
  auto const pause = is_terminal_ ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10000);
  if (out_ == nullptr || Clock::now() - printed_ < pause) return;
  std::string const whole = line();
  print(is_terminal_ ? std::string_view(whole).substr(0, terminal_width(out_) - 1) : whole, is_terminal_ ? "" : "\n");
}

void Progress::finish() {
  if (out_ != nullptr && step_ > 0) print(line(), "\n");
}

std::string Progress::line() const {
  double const done = std::max(time_ / last_time_, static_cast<double>(step_) / static_cast<double>(last_step_));
  return fmt::format("step {}  t {:.4g} of {:g}  dt {:.3g}  cells {}  {} {:.8g}  {:.3g} M updates/s  {} left", step_,
                     time_, last_time_, dt_, fmt::join(cells_per_level_, " + "), name_, total_(),
                     1e-6 * updates_per_second(), duration(seconds() * (1 / std::max(done, 1e-12) - 1)));
}

void Progress::print(std::string_view line, char const* end) {
  // To the start of the line, and what was there is erased.
  fmt::print(out_, "{}{}{}", is_terminal_ ? "\r\033[K" : "", line, end);
  std::fflush(out_);
  printed_ = Clock::now();
}

}  // namespace sparse::app
