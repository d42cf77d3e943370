// A window in which flows move while you draw obstacles; also by a script, or in a browser.

#include <fmt/format.h>

#include <sparse/app/options/command_line.hpp>
#include <sparse/base/runtime.hpp>

#include "engine/script.hpp"

namespace {

constexpr char description[] =
    "Shows flows while they are computed: draw obstacles, place ink, turn the Reynolds number.\n"
    "docs/live.md describes it.";

struct Options {
  std::string script;
  std::filesystem::path output_dir = "live_output";
  int threads = 0;
};

Options parse_options(int argc, char** argv) {
  Options o;
  CLI::App app(description);
  app.add_option("--script", o.script, "run the commands of this TOML file, without a display")->required();
  app.add_option("--output-dir", o.output_dir, "folder of pictures, films and saved cases")
      ->default_str(o.output_dir.string());
  app.add_option("--threads", o.threads, "threads; 0: all")->check(CLI::Range(0, 1024))->default_str("0");
  try {
    app.parse(argc, argv);
  } catch (CLI::ParseError const& error) {
    std::exit(app.exit(error));
  }
  return o;
}

}  // namespace

int main(int argc, char** argv) {
  Options const o = parse_options(argc, argv);
  try {
    sparse::Runtime const runtime(o.threads);
    sparse::live::run_script(o.script, o.output_dir);
  } catch (std::exception const& error) {
    fmt::print(stderr, "live: {}\n", error.what());
    return 1;
  }
  return 0;
}
