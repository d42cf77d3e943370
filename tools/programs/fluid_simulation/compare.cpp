#include "compare.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "show.hpp"

using sparse::incompressible::NodeLayout;
namespace fs = std::filesystem;

namespace {

/// Runs this program with other arguments. What it prints is left out, but not its errors.
/// @return  its exit status
int run_self(std::vector<std::string> arguments) {
  fs::path const self = fs::read_symlink("/proc/self/exe");
  arguments.insert(arguments.begin(), self.string());
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  int const error = posix_spawn(&child, self.c_str(), &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error(self.string() + ": cannot be run: " + std::strerror(error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) throw std::runtime_error(std::string("waiting for a run: ") + std::strerror(errno));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// The second column of history.csv.
std::vector<double> seconds_in(fs::path const& folder) {
  std::ifstream file(folder / "history.csv");
  std::vector<double> seconds;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) seconds.push_back(std::stod(line.substr(line.find(',') + 1)));
  return seconds;
}

nlohmann::ordered_json results_in(fs::path const& folder) {
  std::ifstream file(folder / "run.json");
  return nlohmann::ordered_json::parse(file).at("results");
}

}  // namespace

void compare(Options const& o, sparse::app::RunFolder& folder) {
  fmt::print("{:<8} {:<7} {:>12} {:>12} {:>12} {:>10}\n", "variant", "layout", "mean/s", "deviation/s", "updates/us",
             "times first");
  std::vector<Times> times;
  nlohmann::ordered_json records = nlohmann::ordered_json::array();
  double first_mean = 0;
  bool is_same = true;
  for (auto const& [variant_name, variant] : variants()) {
    std::string const reason = reason_against(variant);
    if (!reason.empty()) fmt::print("without {}: {}\n", variant_name, reason);
    if (!reason.empty()) continue;
    for (auto const& [layout_name, layout] : layouts()) {
      if (folder.stop_requested()) return folder.end_interrupted(false);
      std::string const name = variant_name + "_" + layout_name;
      fs::path const of_run = folder.path(name);
      int const status = run_self(command_line_of(o, variant, layout, of_run));
      if (folder.stop_requested()) return folder.end_interrupted(false);
      if (status != 0) throw std::runtime_error(fmt::format("{} ended with exit status {}", name, status));
      auto const results = results_in(of_run);
      double const mean = results.at("mean time [s]");
      if (times.empty()) {
        first_mean = mean;
        fs::copy_file(of_run / "fluid_simulation.png", folder.path("fluid_simulation.png"),
                      fs::copy_options::overwrite_existing);
      } else {
        auto const& first = records.front().at("results");
        for (char const* const value :
             {"least u on the centre line", "least v on the centre line", "greatest v on the centre line"})
          is_same = is_same && results.at(value) == first.at(value);
      }
      fmt::print("{:<8} {:<7} {:>12.4g} {:>12.2g} {:>12.4g} {:>10.2f}\n", variant_name, layout_name, mean,
                 results.at("standard deviation [s]").get<double>(),
                 1e-6 * results.at("node updates per second").get<double>(), first_mean / mean);
      std::fflush(stdout);
      records.push_back({{"variant", variant_name}, {"layout", layout_name}, {"results", results}});
      times.push_back({name, seconds_in(of_run)});
    }
  }
  fmt::print("All have the same extrema on the centre lines, to the bit: {}\n", is_same ? "yes" : "no");
  folder.record_json("variants", records);
  folder.record("same-to-the-bit", is_same);
  write_times(folder, times, fmt::format("{} x {} nodes", o.nx, o.nx));
}
