#include "options.hpp"

#include <fmt/format.h>

#include <sparse/app/options/command_line.hpp>

namespace {

using sparse::app::add_choice;
using sparse::app::finite;
using sparse::app::positive;
using sparse::app::refuse_useless;
using sparse::app::set_default;

void expect_inside(Options const& o) {
  double const center[] = {o.cx, o.cy, o.cz};
  int const cells[] = {o.nx, o.ny, o.nz};
  for (int axis = 0; axis < o.dim; ++axis)
    if (center[axis] - o.radius < 1 || center[axis] + o.radius > cells[axis] - 1)
      throw CLI::ValidationError(
          "--radius, --cx, --cy, --cz",
          fmt::format(
              "a body of radius {} around {} does not fit into {} cells along {} with one to spare on each side",
              o.radius, center[axis], cells[axis], "xyz"[axis]));
}

}  // namespace

Options parse_options(CLI::App& app, int argc, char** argv) {
  Options o;
  o.run.t_end = 400;  // 50 times the radius over the speed of sound: the bow shock has come to rest
  o.run.output_stride = 500;
  o.run.regrid_stride = 4;  // a little faster than 1: there are more cells, and fewer changes
  o.run.output_dir = "mach2_cylinder_output";
  auto const cells = CLI::Range(8, 1 << 20);
  app.add_option("--dim", o.dim, "2: a cylinder; 3: a sphere")->check(CLI::IsMember({2, 3}))->capture_default_str();
  auto* const nx = app.add_option("--nx", o.nx, "cells of level 0 along x")->check(cells)->capture_default_str();
  auto* const ny = app.add_option("--ny", o.ny, "cells of level 0 along y")->check(cells)->capture_default_str();
  auto* const nz = app.add_option("--nz", o.nz, "cells of level 0 along z, in 3D [ny]")->check(cells);
  auto* const radius = app.add_option("--radius", o.radius, "of the body")->check(positive())->capture_default_str();
  auto* const cx = app.add_option("--cx", o.cx, "x of its centre [0.3 nx]")->check(finite());
  auto* const cy = app.add_option("--cy", o.cy, "y of its centre [ny / 2]")->check(finite());
  auto* const cz = app.add_option("--cz", o.cz, "z of its centre [nz / 2]")->check(finite());
  app.add_option("--mach-inlet", o.mach, "Mach number of the inflow")->check(positive())->capture_default_str();
  app.add_option("--gamma", o.gamma, "ratio of specific heats")->check(CLI::Range(1.01, 3.0))->capture_default_str();
  add_choice<bool>(app, "--wall", o.is_curved, {{"curved", true}, {"faces", false}},
                   "curved: where the surface is; faces: a staircase of cells");
  add_choice<bool>(app, "--sides", o.sides_are_walls, {{"open", false}, {"slip", true}},
                   "of the domain, along the flow: open, or slip walls (a tunnel, which may choke)");
  add_choice<bool>(app, "--precision", o.is_double, {{"double", true}, {"float", false}}, "of the computation");
  sparse::app::add_options(app, o.run);
  std::string const of_amr = "insist on levels that follow the flow, as they do by default: refuses --amr-levels 1";
  app.add_flag("--amr", of_amr)->disable_flag_override()->group("Run");
  sparse::app::parse(app, argc, argv, o.run, [&] {
    if (o.dim == 3) {
      set_default(nx, o.nx, 36);
      set_default(ny, o.ny, 36);
      set_default(radius, o.radius, 4.0);
      set_default(app.get_option("--amr-levels"), o.run.level_count, 3);
      set_default(app.get_option("--regrid-stride"), o.run.regrid_stride, 1);
      set_default(app.get_option("--t-end"), o.run.t_end, 60.0);
      set_default(app.get_option("--refine-threshold"), o.run.refine_threshold, 0.1);
    } else if (nz->count() + cz->count() > 0) {
      throw CLI::ValidationError("--nz, --cz", "only make sense with --dim 3");
    }
    if (o.run.level_count == 1) refuse_useless(app, {"--amr"}, "with one level");
    set_default(cx, o.cx, 0.3 * o.nx);
    set_default(cy, o.cy, 0.5 * o.ny);
    if (o.dim == 3) {
      set_default(nz, o.nz, o.ny);
      set_default(cz, o.cz, 0.5 * o.nz);
    }
    expect_inside(o);
  });
  return o;
}
