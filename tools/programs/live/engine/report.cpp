#include "report.hpp"

#include <cstdio>
#include <fstream>

#include <fmt/format.h>
#include <unistd.h>

namespace sparse::live {
namespace {

/// Memory that the process holds now [MB].
double resident_memory() {
  std::ifstream file("/proc/self/statm");
  double all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

}  // namespace

void Reporter::add(Snapshot const& s) {
  auto const now = std::chrono::steady_clock::now();
  double const seconds = std::chrono::duration<double>(now - since_).count();
  if (!(interval_ > 0) || seconds < interval_) return;
  fmt::print(
      "{{\"frame\": {}, \"time\": {}, \"steps\": {}, \"state\": \"{:016x}\", \"bodies\": \"{:016x}\", \"paused\": "
      "{}, \"re\": {}, \"emitters\": {}, \"frames_per_second\": {:.4g}, \"megabytes\": {:.1f}}}\n",
      s.frame, s.time, s.step_count, s.state_hash, s.body_hash, s.is_paused, s.re, s.emitters.size(),
      static_cast<double>(s.frame - frame_) / seconds, resident_memory());
  std::fflush(stdout);
  frame_ = s.frame;
  since_ = now;
}

}  // namespace sparse::live
