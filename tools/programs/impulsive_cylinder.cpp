// Incompressible flow past a cylinder that starts at once, on levels that follow its vortices: drag over time.

#include <array>
#include <limits>

#include <sparse/shapes/distances.hpp>

#include <sparse/app/incompressible/adaptive_run.hpp>
#include <sparse/app/incompressible/body_in_flow.hpp>

using namespace sparse;
using namespace sparse::incompressible;

namespace {

struct Options {
  app::RunOptions run;
  app::BodyInFlow sizes;
};

/// Drag at some times at Re = 1000: Koumoutsakos and Leonard, High-resolution simulations of the flow around an
/// impulsively started cylinder using vortex methods, J. Fluid Mech. 296 (1995), by vortex particles.
struct Reference {
  double time, drag;
};
constexpr std::array<Reference, 5> references = {
    {{0.51, 0.587}, {1.01, 1.074}, {1.50, 1.297}, {1.98, 1.201}, {2.50, 1.103}}};

std::string name_of(Reference const& reference) {
  return fmt::format("drag coefficient at t = {:.2f}", reference.time);
}

void compute(Options const& o, app::RunFolder& folder) {
  AdaptiveOptions<2> options;
  options.viscosity = 1 / o.sizes.re;
  options.curved_walls = o.sizes.has_curved_walls;
  options.inflow = {1, 0};
  options.regrid_stride = o.run.regrid_stride;
  options.criteria = {vorticity(o.run.refine_threshold), near_surface(0.05)};
  app::share(options, folder);
  auto const cylinder = body_from_distance<2>("cylinder", BallDistance<2>{{0, 0}, 0.5}, BoundaryKind::no_slip);
  auto flow = app::start_on_levels(folder, o.sizes.domain<2>(o.run.level_count, cylinder), options);

  Vec<double, 2> last{};  // drag and lift before the step
  auto const coefficients = [&] { return 2.0 * flow.force().total(); };
  if (folder.is_restart()) last = coefficients();
  app::AdaptiveShow show;
  show.pictures =
      app::pictures_of_vortices(20, {{{-1, 2.5}, {-1, 1}}}, {{{-0.2, 1}, {0, 0.7}}}, "diameters", o.run.level_count);
  show.columns = {"drag", "lift"};
  show.numbers = [&] { return std::vector<double>{last[0], last[1]}; };
  show.begin = [&] { flow.start([](Vec<double, 2> const&) { return Vec<double, 2>{1, 0}; }); };
  show.after_step = [&](double before) {
    auto const now = coefficients();
    for (auto const& one : references)
      if (before < one.time && one.time <= flow.time())
        folder.kept(name_of(one), last[0] + (now[0] - last[0]) * (one.time - before) / (flow.time() - before));
    last = now;
  };
  if (!app::run(folder, flow, show)) return;
  double const none = std::numeric_limits<double>::quiet_NaN();
  for (auto const& one : references)
    if (one.time <= flow.time())
      folder.report(name_of(one), folder.kept(name_of(one), none),
                    o.sizes.re == 1000 ? std::optional(one.drag) : std::nullopt);
  folder.report("lift coefficient", last[1], 0);
  app::report_levels(folder, flow);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Flow past a cylinder that starts at once, on levels that follow its vortices. Lengths are in diameters,\n"
      "velocities in that of the inflow; drag and lift are coefficients. Prints the drag at some times.");
  Options o;
  o.run.t_end = 2.5;
  o.run.level_count = 7;
  o.run.history_stride = 1;
  o.run.regrid_stride = 5;
  o.run.refine_threshold = 0.02;
  o.run.output_dir = "impulsive_cylinder_output";
  o.sizes.add_options(app);
  app::add_level_options(app, o.run);
  app::add_run_options(app, o.run);
  app::add_ranks_option(app, o.run);
  app::parse(app, argc, argv, o.run, [&] { o.sizes.expect_whole_cells(o.run.level_count); });
  return app::run_program("impulsive_cylinder", app, o.run, [&](app::RunFolder& folder) { compute(o, folder); });
}
