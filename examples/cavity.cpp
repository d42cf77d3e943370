// The lid-driven cavity: a square of fluid under a lid that moves.

#include <sparse/app/flow_program.hpp>

namespace {

/// Of a square, where tables have this Reynolds number.
/// Source: Botella and Peyret, Benchmark spectral results on the lid-driven cavity flow, Computers & Fluids 27 (1998),
/// for 1000; Ghia, Ghia and Shin, J. Comput. Phys. 48 (1982), for the others.
std::map<std::string, double> references_of(sparse::app::FlowCase const& c) {
  std::string const u = "least u on centre line along y", v = "least v on centre line along x",
                    psi = "least stream function", psi_x = psi + ", x", psi_y = psi + ", y";
  if (c.re == 100) return {{psi, -0.103423}, {psi_x, 0.6172}, {psi_y, 0.7344}, {u, -0.21090}, {v, -0.24533}};
  if (c.re == 400) return {{psi, -0.113909}, {psi_x, 0.5547}, {psi_y, 0.6055}, {u, -0.32726}, {v, -0.44993}};
  if (c.re == 1000) return {{psi, -0.1189366}, {psi_x, 0.5308}, {psi_y, 0.5652}, {u, -0.3885698}, {v, -0.5270771}};
  if (c.re == 10000) return {{psi, -0.119731}, {psi_x, 0.5117}, {psi_y, 0.5333}, {u, -0.42735}, {v, -0.54302}};
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  using sparse::BoundaryKind;
  using sparse::FaceSide;
  sparse::app::FlowCase c;
  c.cells = {256, 256, 0};
  c.re = 10000;
  c.boundaries = {{.axis = 1, .side = FaceSide::upper, .kind = BoundaryKind::no_slip, .velocity = {1, 0, 0}}};
  c.pictures = {"streaks", "velocity", "vorticity"};
  c.references = references_of;
  c.flow.run.t_end = 1000;
  c.flow.steady_tolerance = 1e-4;
  c.flow.run.output_stride = 2000;
  c.flow.run.film_interval = 0.5;
  return sparse::app::run_flow_program(
      "cavity",
      "The flow in a square under a lid that moves to the right, from rest until it is "
      "steady. Lengths are in sides of\n"
      "the square, velocities in that of the lid.",
      argc, argv, c);
}
