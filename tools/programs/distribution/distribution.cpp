// What a flow would cost on many ranks: balance, messages, memory and efficiency, from a checkpoint.

#include <cstdlib>
#include <exception>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <sparse/base/runtime.hpp>
#include <sparse/io/sets/set_file.hpp>
#include <sparse/version.hpp>

#include <sparse/app/options/command_line.hpp>

#include "options.hpp"

using namespace sparse;

namespace {

Options parse_options(int argc, char** argv) {
  Options o;
  CLI::App app(
      "What a flow would cost on many ranks, each with its own memory. It is predicted from the cells in a "
      "checkpoint,\n"
      "without any messages. Of a compressible flow on levels it is a step: ranks wait for each other after each step "
      "of\n"
      "a level, and send what the stencils, the ghosts between levels and covered cells need. Of an\n"
      "incompressible flow it is an iteration for the pressure, by multigrid and conjugate gradients.");
  app.add_option("checkpoint", o.checkpoint, "of a flow, as programs write it")->required();
  app.add_option("--ranks", o.ranks, "numbers of ranks, one or several")->required()->check(CLI::Range(1, 1 << 20));
  app.add_option("--refine", o.refinements, "times that all cells are halved first: the same flow on a finer grid")
      ->check(CLI::Range(0, 8))
      ->capture_default_str();
  app.add_flag("--subcycle,--no-subcycle{false}", o.subcycles,
               "finer levels take shorter steps; else all take the same")
      ->capture_default_str();
  app::add_choice<distributed::Curve>(app, "--curve", o.partition.curve,
                                      {{"hilbert", distributed::Curve::hilbert},
                                       {"rows", distributed::Curve::rows},
                                       {"scattered", distributed::Curve::scattered}},
                                      "along which levels are cut");
  app.add_option("--least-work", o.partition.least_work, "cells of a level per rank; with fewer it has fewer ranks")
      ->check(app::at_least(1))
      ->capture_default_str();
  app.add_option("--updates", o.updates,
                 "cells that a rank computes per second, in millions [10; in iterations for the pressure 100]")
      ->check(app::positive());
  app.add_option("--latency", o.latency, "of a message, in microseconds")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--bandwidth", o.bandwidth, "of a rank, in GB/s")->check(app::positive())->capture_default_str();
  app.add_option("--picture", o.picture, "PNG file for a picture of the parts of the first number of ranks");
  app.add_flag("--json", o.is_json, "print the numbers as JSON");
  app.add_option("--threads", o.threads, "host threads, 0: all")->check(CLI::Range(0, 4096))->capture_default_str();
  app.set_version_flag("--version", sparse::version);
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
    auto const contents = io::read_set_file_contents(o.checkpoint);
    Runtime const runtime(o.threads);
    if (contents.notes.contains("flow_time"))
      contents.dimension == 2 ? report_pressure<2>(o) : report_pressure<3>(o);
    else
      contents.dimension == 2 ? report_levels<2>(o) : report_levels<3>(o);
  } catch (std::exception const& error) {
    fmt::print(stderr, "distribution: {}\n", error.what());
    return 1;
  }
  return 0;
}
