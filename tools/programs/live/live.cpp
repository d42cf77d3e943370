// A window in which flows move while you draw obstacles; also by a script, or in a browser.

#include <chrono>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include <sparse/app/options/command_line.hpp>
#include <sparse/app/run/stop_signal.hpp>
#include <sparse/base/runtime.hpp>

#include "engine/menu.hpp"
#include "engine/script.hpp"
#include "server/server.hpp"
#ifdef SPARSE_LIVE_WINDOW
#include "window/window.hpp"
#endif

namespace {

using namespace sparse::live;

constexpr char description[] = "Shows a flow while it is computed: draw obstacles, place ink, turn the Reynolds "
                               "number. docs/live.md describes it.";
constexpr double edit_interval = 0.05;  // s; strokes within it are one change
constexpr int no_display = 2;           // exit status

struct Options {
  std::string case_name = "street", script;
  std::optional<int> port;
  EngineOptions engine = {.edit_interval = edit_interval};
  int threads = 0;
  double report_interval = 0;
};

Options parse_options(int argc, char** argv) {
  Options o;
  CLI::App app(description);
  std::string names;
  for (MenuEntry const& entry : menu()) names += (names.empty() ? "" : ", ") + entry.name;
  auto* const of_case = app.add_option("case", o.case_name, "a TOML file, or one of " + names)->default_str("street");
  auto* const script = app.add_option("--script", o.script, "run the commands of this TOML file, without a display");
  auto* const serve =
      app.add_option("--serve", o.port, "show the flow in a browser: listen on this port of 127.0.0.1; 0: any")
          ->check(CLI::Range(0, 65535));
  script->excludes(serve)->excludes(of_case);
  app.add_option("--output-dir", o.engine.output_folder, "folder of pictures, films and saved cases")
      ->default_str(o.engine.output_folder.string());
  app.add_option("--pixels", o.engine.longest, "most pixels along the longer side, unless the grid has more cells")
      ->check(CLI::Range(64, 8192))
      ->default_str("1024")
      ->excludes(script);
  app.add_option("--threads", o.threads, "threads; 0: all")->check(CLI::Range(0, 1024))->default_str("0");
  app.add_option("--report", o.report_interval, "seconds between lines about the run on standard output; 0: none")
      ->check(CLI::Range(0.0, 1e6))
      ->default_str("0")
      ->excludes(script);
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& error) {
    std::exit(app.exit(error));
  }
  return o;
}

int serve(Options const& o) {
  EngineThread engine(o.case_name, o.engine, o.threads);
  Server server(engine, *o.port, o.report_interval);
  fmt::print("{}\n", server.url());
  std::fflush(stdout);
  sparse::app::StopSignal const stop;
  while (!stop.requested()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return 0;
}

int show(Options const& o) {
#ifdef SPARSE_LIVE_WINDOW
  try {
    run_window({o.case_name, o.engine, o.threads, o.report_interval});
    return 0;
  } catch (NoDisplay const& error) {
    fmt::print(stderr,
               "live: there is no display for a window ({}). Without one: live --script FILE, or live --serve PORT for "
               "a browser\n",
               error.what());
  }
#else
  fmt::print(
      stderr,
      "live: this build has no window, because GLFW and Dear ImGui were not found. tools/run live installs them. "
      "Without: live --script FILE, or live --serve PORT for a browser; case {}\n",
      o.case_name);
#endif
  return no_display;
}

}  // namespace

int main(int argc, char** argv) {
  Options const o = parse_options(argc, argv);
  try {
    if (o.port) return serve(o);
    if (o.script.empty()) return show(o);
    sparse::Runtime const runtime(o.threads);
    run_script(o.script, o.engine.output_folder);
  } catch (std::exception const& error) {
    fmt::print(stderr, "live: {}\n", error.what());
    return 1;
  }
  return 0;
}
