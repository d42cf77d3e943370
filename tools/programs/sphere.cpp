// Incompressible flow past a sphere in 3D, on levels that follow its vortices: drag, lift and how often it sheds them.

#include <cmath>
#include <numbers>
#include <optional>

#include <sparse/shapes/distances.hpp>

#include <sparse/app/incompressible/adaptive_run.hpp>
#include <sparse/app/incompressible/body_in_flow.hpp>
#include <sparse/app/incompressible/shedding.hpp>

using namespace sparse;
using namespace sparse::incompressible;

namespace {

struct Options {
  app::RunOptions run;
  app::BodyInFlow sizes{.n = 32, .re = 300, .length = 32, .height = 16, .part_before = 0.25};
  double perturbation = 1;
};

/// Johnson and Patel, Flow past a sphere up to a Reynolds number of 300, J. Fluid Mech. 378 (1999).
constexpr double re_of_reference = 300, drag_of_reference = 0.656, lift_of_reference = 0.069,
                 strouhal_of_reference = 0.137;

void compute(Options const& o, app::RunFolder& folder) {
  AdaptiveOptions<3> options;
  options.viscosity = 1 / o.sizes.re;
  options.curved_walls = o.sizes.has_curved_walls;
  options.inflow[0] = 1;
  options.regrid_stride = o.run.regrid_stride;
  options.criteria = {vorticity(o.run.refine_threshold), near_surface(0.1)};
  app::share(options, folder);

  app::Shedding shedding;
  auto const keep = [&](app::Keeper& keeper) { shedding.keep(keeper); };
  auto const sphere = body_from_distance<3>("sphere", BallDistance<3>{{0, 0, 0}, 0.5}, BoundaryKind::no_slip);
  auto flow = app::start_on_levels(folder, o.sizes.domain<3>(o.run.level_count, sphere), options, keep);
  // Forces over rho U^2 / 2 and the area that the flow meets.
  auto const coefficients = [&] { return (8 / std::numbers::pi) * flow.force().total(); };
  Vec<double, 3> last{};  // after the last step
  if (folder.is_restart()) last = coefficients();

  app::AdaptiveShow show;
  show.pictures =
      app::pictures_of_vortices(5, {{{-1, 9}, {-2, 2}}}, {{{-0.7, 2.3}, {-1, 1}}}, "diameters", o.run.level_count);
  for (auto& picture : show.pictures)
    if (picture.name != "level") {
      picture.options.colours = io::ColourMap::inferno;  // its magnitude
      picture.options.range->front() = 0;
    }
  app::Picture pressure{"pressure"};
  pressure.options = show.pictures[0].options;
  pressure.options.colours = io::ColourMap::coolwarm;
  pressure.options.range = {{-0.5, 0.5}};
  show.pictures.push_back(pressure);
  show.columns = {"drag", "lift", "side_force"};
  show.numbers = [&] { return std::vector<double>{last[0], last[1], last[2]}; };
  show.begin = [&] {
    flow.start([&](Vec<double, 3> const& at) {  // a push along y, so that the wake swings in the plane of pictures
      double const x = at[0] - 1.5;
      return Vec<double, 3>{1, o.perturbation * std::exp(-x * x - at[1] * at[1] - at[2] * at[2]), 0};
    });
  };
  show.after_step = [&](double) {
    last = coefficients();
    shedding.add(flow.time(), last[0], last[1]);
  };
  show.keep = keep;
  if (!app::run(folder, flow, show)) return;

  bool const is_known = o.sizes.re == re_of_reference;
  auto const known = [&](double value) { return is_known ? std::optional(value) : std::nullopt; };
  double const lift = shedding.mean_lift();
  auto const periods = shedding.periods(lift);
  folder.report("drag coefficient", periods ? periods->drag : shedding.mean_drag(), known(drag_of_reference));
  folder.report("lift coefficient, in size", std::abs(lift), known(lift_of_reference));
  if (periods) {
    folder.report("periods", periods->count);
    folder.report("Strouhal number", 1 / periods->length, known(strouhal_of_reference));
  } else if (folder.is_mine()) {
    fmt::print("Lift does not swing in the second half: no vortices leave, or not yet.\n");
  }
  app::report_levels(folder, flow);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Flow past a sphere, on levels that follow its vortices. Lengths are in diameters, velocities in that of the\n"
      "inflow; forces are coefficients. From Re = 270 on the sphere sheds vortices. Prints drag, lift and Strouhal "
      "number.");
  Options o;
  o.run.t_end = 120;  // half of it is a transient
  o.run.level_count = 6;
  o.run.history_stride = 10;
  o.run.regrid_stride = 8;
  o.run.refine_threshold = 0.08;
  o.run.output_dir = "sphere_output";
  o.sizes.add_options(app, ", along both other axes");
  app::add_number(app, "--perturbation", o.perturbation, 0, 10, "velocity that pushes the wake to one side at first");
  app::add_level_options(app, o.run);
  app::add_run_options(app, o.run);
  app::add_ranks_option(app, o.run);
  app::parse(app, argc, argv, o.run, [&] { o.sizes.expect_whole_cells(o.run.level_count); });
  return app::run_program("sphere", app, o.run, [&](app::RunFolder& folder) { compute(o, folder); });
}
