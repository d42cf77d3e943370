// Incompressible flow of a pair of vortices that hits a wall, on levels: its energy, and the peaks of its enstrophy.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <sparse/base/vec_products.hpp>

#include <sparse/app/incompressible/adaptive_run.hpp>
#include <sparse/app/options/command_line.hpp>

using namespace sparse;
using namespace sparse::incompressible;

namespace {

struct Options {
  app::RunOptions run;
  int n = 1024;
  double re = 625;
};

/// The first two maxima of enstrophy: Clercx and Bruneau, The normal and oblique collision of a dipole with a no-slip
/// boundary, Computers and Fluids 35 (2006), by Chebyshev's polynomials and by differences.
struct Reference {
  double re;
  std::array<double, 2> times, enstrophies;
};
constexpr std::array<Reference, 3> references = {{{625, {0.371, 0.647}, {933.6, 305.2}},
                                                  {1250, {0.341, 0.616}, {1899, 724.9}},
                                                  {2500, {0.328, 0.608}, {3313, 1418}}}};

/// Two vortices of opposite sense, and of no circulation each, that carry each other along x. Their energy is 2 and
/// their enstrophy 800, to rounding of their strength.
Vec<double, 2> initial_velocity(Vec<double, 2> const& x) {
  constexpr double strength = 299.528385375226, radius = 0.1, distance = 0.1;
  Vec<double, 2> u{};
  for (double const sense : {1.0, -1.0}) {
    Vec<double, 2> const r{x[0], x[1] - sense * distance};
    double const spin = 0.5 * sense * strength * std::exp(-dot(r, r) / (radius * radius));
    u[0] -= spin * r[1];
    u[1] += spin * r[0];
  }
  return u;
}

/// A square from -1 to 1 between walls to which fluid sticks.
amr::Domain<2> domain_of(Options const& o) {
  amr::DomainOptions<2> box;
  box.level_count = o.run.level_count;
  box.cells = Vec<Coord, 2>::filled(o.n >> (o.run.level_count - 1));
  box.grid.spacing = Vec<double, 2>::filled(2.0 / box.cells[0]);
  box.grid.origin = {-1, -1};
  for (int axis = 0; axis < 2; ++axis) box.sides[axis] = {BoundaryKind::no_slip, BoundaryKind::no_slip};
  return amr::Domain<2>(box);
}

/// Finds the maxima of a number over time. One counts when the number has fallen by 0.2 %, and the next one may
/// come when it has risen by as much. Checkpoints keep what is known.
class Maxima {
public:
  explicit Maxima(app::RunFolder& folder)
      : folder_(folder), rises_(folder.kept("enstrophy rises", 0)),
        extreme_(folder.kept("extreme enstrophy", std::numeric_limits<double>::infinity())),
        time_(folder.kept("time of the extreme enstrophy", 0)), count_(folder.kept("maxima of enstrophy", 0)) {}

  void add(double time, double value) {
    bool const rises = rises_ != 0;
    if (rises ? value >= extreme_ : value <= extreme_) {
      extreme_ = value;
      time_ = time;
    } else if (std::abs(value - extreme_) > 0.002 * extreme_) {
      if (rises) {
        folder_.kept(name(static_cast<int>(count_)), extreme_);
        folder_.kept(name_of_time(static_cast<int>(count_)), time_);
        ++count_;
      }
      rises_ = rises ? 0 : 1;
      extreme_ = value;
      time_ = time;
    }
  }

  /// Those that are known.
  void report(Reference const* reference) const {
    for (int k = 0; k < 2 && k < count_; ++k) {
      auto const expected = [&](auto of) {
        return reference ? std::optional((reference->*of)[static_cast<std::size_t>(k)]) : std::nullopt;
      };
      folder_.report(name(k), folder_.kept(name(k), 0), expected(&Reference::enstrophies));
      folder_.report(name_of_time(k), folder_.kept(name_of_time(k), 0), expected(&Reference::times));
    }
  }

private:
  static std::string name(int k) { return fmt::format("enstrophy maximum {}", k + 1); }
  static std::string name_of_time(int k) { return fmt::format("time of enstrophy maximum {}", k + 1); }

  app::RunFolder& folder_;
  double &rises_, &extreme_, &time_, &count_;
};

void compute(Options const& o, app::RunFolder& folder) {
  AdaptiveOptions<2> options;
  options.viscosity = 1 / o.re;
  options.regrid_stride = o.run.regrid_stride;
  options.criteria = {vorticity(o.run.refine_threshold)};
  app::share(options, folder);
  auto flow = app::start_on_levels(folder, domain_of(o), options);

  double now = folder.is_restart() ? flow.enstrophy() : 0;
  Maxima maxima(folder);
  app::AdaptiveShow show;
  show.pictures =
      app::pictures_of_vortices(200, {{{0, 1}, {-0.6, 0.6}}}, {{{0.6, 1}, {0, 0.4}}}, "half widths", o.run.level_count);
  show.columns = {"enstrophy"};
  show.numbers = [&] { return std::vector<double>{now}; };
  show.begin = [&] {
    flow.start(initial_velocity);
    now = flow.enstrophy();
  };
  show.after_step = [&](double) {
    now = flow.enstrophy();
    maxima.add(flow.time(), now);
  };
  if (!app::run(folder, flow, show)) return;
  auto const* const found =
      std::find_if(references.begin(), references.end(), [&](Reference const& one) { return one.re == o.re; });
  maxima.report(found == references.end() ? nullptr : found);
  folder.report("energy", flow.kinetic_energy());
  app::report_levels(folder, flow);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "A pair of vortices that carry each other into a wall, on levels. Lengths are in half widths of the square\n"
      "box, velocities in the root mean square of the start. Prints the maxima of enstrophy.");
  Options o;
  o.run.t_end = 0.8;
  o.run.level_count = 5;
  o.run.history_stride = 1;
  o.run.regrid_stride = 5;
  o.run.refine_threshold = 0.05;
  o.run.output_dir = "dipole_wall_output";
  app.add_option("--n", o.n, "cells of the finest level along the box")
      ->check(CLI::Range(16, 1 << 14))
      ->capture_default_str();
  app::add_number(app, "--re", o.re, 1, 1e6, "Reynolds number of the half width");
  app::add_level_options(app, o.run);
  app::add_run_options(app, o.run);
  app::add_ranks_option(app, o.run);
  app::parse(app, argc, argv, o.run, [&] { app::expect_cells(o.n, o.run.level_count, 8); });
  return app::run_program("dipole_wall", app, o.run, [&](app::RunFolder& folder) { compute(o, folder); });
}
