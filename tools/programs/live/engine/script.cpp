#include "script.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <sparse/app/cases/toml_table.hpp>

#include "engine.hpp"
#include "menu.hpp"

namespace sparse::live {
namespace {

using Clock = std::chrono::steady_clock;

struct TimedCommand {
  Index frame;
  Command command;
  app::TomlTable table;  // for messages
};

struct Script {
  std::string case_name;
  Index frames = 0, report = 0;
  bool measures = false;
  EngineOptions options;
  std::vector<TimedCommand> commands;
};

Index whole(app::TomlTable& table, char const* key, Index least, Index most) {
  double const x = table.required(table.number(key), key);
  if (!(x >= static_cast<double>(least) && x <= static_cast<double>(most) && x == std::floor(x)))
    table.fail(key, fmt::format("must be a whole number from {} to {}", least, most));
  return static_cast<Index>(x);
}

Script read_script(std::filesystem::path const& path) {
  auto file = app::read_toml(path);
  Script script;
  script.case_name = file.required(file.text("case"), "case");
  script.frames = whole(file, "frames", 1, 100000000);
  script.report = file.has("report") ? whole(file, "report", 1, 100000000) : script.frames;
  script.measures = file.truth("measure").value_or(false);
  if (file.has("pixels")) script.options.longest = static_cast<int>(whole(file, "pixels", 16, 8192));
  for (auto& table : file.tables("command")) {
    Index const frame = whole(table, "frame", 0, script.frames - 1);
    try {
      script.commands.push_back({frame, command_from_json(table.json_without({"frame"})), table});
    } catch (std::exception const& error) {
      table.fail(error.what());
    }
  }
  file.expect_no_more();
  std::stable_sort(script.commands.begin(), script.commands.end(),
                   [](auto const& a, auto const& b) { return a.frame < b.frame; });
  return script;
}

nlohmann::ordered_json json_of(Reading const& reading) {
  nlohmann::ordered_json json = {{"at", {reading.at[0], reading.at[1]}}};
  for (auto const& [name, value] : reading.values) json[name] = value;
  return json;
}

void print(Snapshot const& s) {
  nlohmann::ordered_json json = {{"frame", s.frame},
                                 {"case", s.case_name},
                                 {"time", s.time},
                                 {"steps", s.step_count},
                                 {"cells", s.cell_count},
                                 {"state", fmt::format("{:016x}", s.state_hash)},
                                 {"bodies", fmt::format("{:016x}", s.body_hash)},
                                 {"edits", s.edit_count},
                                 {"paused", s.is_paused},
                                 {"view", name_of(s.view)},
                                 {"ink", s.ink}};
  if (!s.probes.empty())
    for (auto const& probe : s.probes) json["probes"].push_back(json_of(probe));
  if (!s.message.empty()) json["message"] = s.message;
  fmt::print("{}\n", json.dump());
  std::fflush(stdout);
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Times of frames. A frame that changes bodies counts as an edit: from the command to the picture.
struct Measure {
  std::vector<double> frames, steps, edits;
  void print() const {
    double const frame = median(frames), step = median(steps);
    nlohmann::ordered_json json = {{"frames_per_second", frame > 0 ? 1 / frame : 0},
                                   {"milliseconds_per_frame", 1e3 * frame},
                                   {"milliseconds_of_steps", 1e3 * step}};
    if (!edits.empty()) json["milliseconds_from_edit_to_picture"] = 1e3 * median(edits);
    fmt::print("{}\n", json.dump());
  }
};

}  // namespace

void run_script(std::filesystem::path const& path, std::filesystem::path const& output_folder) {
  Script script = read_script(path);
  script.options.output_folder = output_folder;
  Engine engine(load_case(script.case_name, path.parent_path()), script.options);
  Snapshot snapshot;
  Measure measure;
  auto next = script.commands.begin();
  for (Index frame = 0; frame < script.frames; ++frame) {
    auto const begin = Clock::now();
    Index const edits = snapshot.edit_count;
    for (; next != script.commands.end() && next->frame == frame; ++next) try {
        engine.apply(next->command);
      } catch (std::exception const& error) {
        next->table.fail(error.what());
      }
    engine.frame(snapshot);
    double const seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (frame > 0) (snapshot.edit_count > edits ? measure.edits : measure.frames).push_back(seconds);
    measure.steps.push_back(snapshot.step_seconds);
    if ((frame + 1) % script.report == 0 || frame + 1 == script.frames) print(snapshot);
  }
  if (script.measures) measure.print();
}

}  // namespace sparse::live
