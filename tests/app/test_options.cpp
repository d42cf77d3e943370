// What a command line may not ask for, and what is recorded of it.

#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sparse/app/incompressible/method.hpp>
#include <sparse/app/options/command_line.hpp>

using namespace sparse::app;

namespace {

/// What is wrong with these arguments; empty if nothing is.
template <class Options, class Add>
std::string refusal(std::vector<std::string> arguments, Add const& add) {
  Options o;
  CLI::App app;
  add(app, o);
  try {
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    app.parse(arguments);
    settle(app, o);
  } catch (CLI::ParseError const& error) {
    return error.what();
  }
  return "";
}
std::string refusal(std::vector<std::string> const& arguments) {
  return refusal<RunOptions>(arguments, [](CLI::App& app, RunOptions& o) { add_options(app, o); });
}
std::string flow_refusal(std::vector<std::string> const& arguments) {
  return refusal<FlowOptions>(arguments, [](CLI::App& app, FlowOptions& o) {
    add_flow_options(app, o);
    add_surface_option(app, o);
  });
}

struct OptionPair {
  std::vector<std::string> useless, useful;
  std::string why;
};

}  // namespace

TEST(Options, WithoutEffectAreRefused) {
  for (OptionPair const& c : std::vector<OptionPair>{
           {{"--scheme", "godunov", "--limiter", "mc"}, {"--scheme", "hancock", "--limiter", "mc"}, "--limiter"},
           {{"--amr-levels", "1", "--subcycle"}, {"--amr-levels", "2", "--subcycle"}, "--subcycle"},
           {{"--amr-levels", "1", "--no-subcycle"}, {"--amr-levels", "2", "--no-subcycle"}, "--subcycle"},
           {{"--amr-levels=1", "--regrid-stride=3"}, {"--amr-levels=2", "--regrid-stride=3"}, "--regrid-stride"},
           {{"--amr-levels=1", "--longest-stride=3"}, {"--amr-levels=2", "--longest-stride=3"}, "--longest-stride"},
           {{"--no-subcycle", "--longest-stride=3"}, {"--subcycle", "--longest-stride=3"}, "--longest-stride"},
           {{"--amr-levels=1", "--refine-threshold=1"}, {"--refine-threshold=1"}, "--refine-threshold"},
           {{"--probe-interval=1"}, {"--probe-interval=1", "--probe=1,2"}, "--probe-interval"},
           {{"--video-fps=10"}, {"--video-fps=10", "--video"}, "--video-fps"},
           {{"--no-fields", "--format=hdf"}, {"--format=hdf"}, "--format"},
       }) {
    EXPECT_NE(refusal(c.useless).find(c.why + ": is of no use"), std::string::npos) << c.why << refusal(c.useless);
    EXPECT_EQ(refusal(c.useful), "") << c.why;
  }
}

TEST(Options, OfOtherMethodsAreRefused) {
  for (OptionPair const& c : std::vector<OptionPair>{
           {{"--method=lfm", "--integrator=paper"}, {"--method=smac", "--integrator=paper"}, "--integrator"},
           {{"--method=smac", "--gamma=0.5"}, {"--method=smac", "--integrator=paper", "--gamma=0.5"}, "--gamma"},
           {{"--method=lfm", "--dt-safety=0.5"}, {"--method=smac", "--dt-safety=0.5"}, "--dt-safety"},
           {{"--method=lfm", "--surfaces=curved"}, {"--method=smac", "--surfaces=curved"}, "--surfaces"},
           {{"--method=smac", "--cfl=0.5"}, {"--method=lfm", "--cfl=0.5"}, "--cfl"},
           {{"--method=smac", "--cycle=3"}, {"--method=lfm", "--cycle=3"}, "--cycle"},
           {{"--method=smac", "--limiter=none"}, {"--method=lfm", "--limiter=none"}, "--limiter"},
           {{"--method=lfm", "--advection=linear"}, {"--method=projection", "--advection=linear"}, "--advection"},
           {{"--method=lfm", "--steady-tolerance=1"}, {"--method=smac", "--steady-tolerance=1"}, "--steady-tolerance"},
           {{"--method=lfm", "--video-fps=10"}, {"--method=lfm", "--video-fps=10", "--video"}, "--video-fps"},
       }) {
    EXPECT_NE(flow_refusal(c.useless).find(c.why + ": is of no use"), std::string::npos) << c.why;
    EXPECT_EQ(flow_refusal(c.useful), "") << c.why;
  }
}

TEST(Options, WithoutEffectAreNotRecorded) {
  RunOptions o;
  CLI::App app;
  add_options(app, o);
  app.parse(std::vector<std::string>{"--scheme=godunov", "--amr-levels=1"});
  settle(app, o);
  auto const values = values_of(app);
  for (char const* name : {"limiter", "regrid-stride", "longest-stride", "refine-threshold", "probe-interval"})
    EXPECT_FALSE(values.contains(name)) << name;
  EXPECT_EQ(values["scheme"], "godunov");
  EXPECT_EQ(values["amr-levels"], 1);
}

TEST(Options, FilmsHaveFramesEvenlyInTime) {
  RunOptions o;
  o.t_end = 50;
  CLI::App app;
  add_options(app, o);
  app.parse(std::vector<std::string>{"--video"});
  settle(app, o);
  EXPECT_EQ(o.output_interval, 0.25);
}
