#include <support/tools.hpp>

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <mutex>
#include <regex>

#include <Kokkos_Core.hpp>

namespace {

struct Record {
  std::mutex mutex;
  std::set<std::string> kernels;
  int allocation_count = 0;
  std::string allocations;
  int copy_count = 0;
  std::uint64_t largest_copy = 0;
};

Record& record() {
  static Record the_record;
  return the_record;
}

void note_kernel(char const* name, std::uint32_t, std::uint64_t* id) {
  *id = 0;
  std::lock_guard const lock(record().mutex);
  if (std::string(name).rfind("Kokkos::", 0) != 0) record().kernels.insert(name);
}

void note_allocation(Kokkos::Profiling::SpaceHandle, char const* name, void const*, std::uint64_t bytes) {
  // Kokkos' Threads makes its scratch anew whenever a kernel wants another size, and lets nobody keep it.
  if (std::string(name) == "Kokkos::thread_scratch") return;
  std::lock_guard const lock(record().mutex);
  ++record().allocation_count;
  record().allocations += std::string(name) + " (" + std::to_string(bytes) + " bytes) ";
}

void note_copy(Kokkos::Profiling::SpaceHandle, char const*, void const*, Kokkos::Profiling::SpaceHandle, char const*,
               void const*, std::uint64_t bytes) {
  std::lock_guard const lock(record().mutex);
  ++record().copy_count;
  record().largest_copy = std::max(record().largest_copy, bytes);
}

}  // namespace

KokkosWatch::KokkosWatch() {
  record().kernels.clear();
  record().allocation_count = record().copy_count = 0;
  record().allocations.clear();
  record().largest_copy = 0;
  namespace tools = Kokkos::Tools::Experimental;
  tools::set_begin_parallel_for_callback(note_kernel);
  tools::set_begin_parallel_reduce_callback(note_kernel);
  tools::set_begin_parallel_scan_callback(note_kernel);
  tools::set_allocate_data_callback(note_allocation);
  tools::set_begin_deep_copy_callback(note_copy);
}

KokkosWatch::~KokkosWatch() {
  namespace tools = Kokkos::Tools::Experimental;
  tools::set_begin_parallel_for_callback(nullptr);
  tools::set_begin_parallel_reduce_callback(nullptr);
  tools::set_begin_parallel_scan_callback(nullptr);
  tools::set_allocate_data_callback(nullptr);
  tools::set_begin_deep_copy_callback(nullptr);
}

std::set<std::string> KokkosWatch::kernel_labels() const {
  std::lock_guard const lock(record().mutex);
  return record().kernels;
}

int KokkosWatch::allocation_count() const {
  std::lock_guard const lock(record().mutex);
  return record().allocation_count;
}

std::string KokkosWatch::allocation_labels() const {
  std::lock_guard const lock(record().mutex);
  return record().allocations;
}

int KokkosWatch::copy_count() const {
  std::lock_guard const lock(record().mutex);
  return record().copy_count;
}

std::uint64_t KokkosWatch::largest_copy() const {
  std::lock_guard const lock(record().mutex);
  return record().largest_copy;
}

testing::AssertionResult follow_the_label_rule(std::set<std::string> const& labels) {
  static std::regex const rule("sparse::[a-z][a-z0-9_]*::[a-z][a-z0-9_]*");
  std::string offenders;
  for (auto const& label : labels)
    if (!std::regex_match(label, rule)) offenders += "  '" + label + "'\n";
  if (offenders.empty()) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "kernel labels that do not read sparse::<topic>::<step>:\n" << offenders;
}

std::vector<std::string> bits_on_threads(std::string const& filter, int thread_count) {
  char program[PATH_MAX + 1] = {};
  if (readlink("/proc/self/exe", program, PATH_MAX) <= 0) return {};
  std::string const command =
      "OMP_WAIT_POLICY=passive OMP_PROC_BIND=false OMP_NUM_THREADS=" + std::to_string(thread_count) + " '" + program +
      "' --gtest_filter='" + filter + "' 2>/dev/null";
  FILE* const output = popen(command.c_str(), "r");
  if (output == nullptr) return {};
  std::vector<std::string> bits;
  char line[256];
  while (std::fgets(line, sizeof(line), output) != nullptr)
    if (std::string(line).rfind("bits ", 0) == 0) bits.emplace_back(line);
  pclose(output);
  return bits;
}
