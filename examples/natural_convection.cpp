// A closed square of fluid that is heated on its left and cooled on its right.

#include <sparse/app/flow_program.hpp>

namespace {

/// For air (Prandtl number 0.71): de Vahl Davis, Natural convection of air in a square cavity: a bench mark numerical
/// solution, Int. J. Numer. Methods Fluids 3 (1983), table I and, with more digits, Le Quere, Computers & Fluids 20
/// (1991), and Hortmann, Peric and Scheuerer, Int. J. Numer. Methods Fluids 11 (1990).
std::map<std::string, double> references_of(sparse::app::FlowCase const& c) {
  std::string const nusselt = "mean Nusselt number, left", u = "greatest u on centre line along y",
                    v = "greatest v on centre line along x";
  if (!c.ra)
    return c.re == 985.7 && *c.pr == 7 ? std::map<std::string, double>{{nusselt, 1.003}}
                                       : std::map<std::string, double>();
  if (*c.pr != 0.71) return {};
  if (*c.ra == 1e3) return {{nusselt, 1.118}, {u, 3.649}, {v, 3.697}};
  if (*c.ra == 1e4) return {{nusselt, 2.2448}, {u, 16.18}, {v, 19.63}};
  if (*c.ra == 1e5) return {{nusselt, 4.5216}, {u, 34.74}, {v, 68.64}};
  if (*c.ra == 1e6) return {{nusselt, 8.8251}, {u, 64.83}, {v, 220.6}};
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  using sparse::FaceSide;
  using sparse::BoundaryKind;
  sparse::app::FlowCase c;
  c.boundaries = {{.axis = 0, .side = FaceSide::lower, .kind = BoundaryKind::no_slip, .temperature = 1},
                  {.axis = 0, .side = FaceSide::upper, .kind = BoundaryKind::no_slip, .temperature = 0}};
  c.pictures = {"temperature", "streaks", "velocity"};
  c.references = references_of;
  c.re = 985.7;
  c.pr = 7;
  c.beta = 2.1e-4;
  c.gravity = {0, -9.706e-2, 0};
  c.flow.run.t_end = 20000;
  c.flow.steady_tolerance = 1e-7;
  c.flow.run.output_stride = 20000;
  c.flow.run.history_stride = 100;
  return sparse::app::run_flow_program(
      "natural_convection",
      "The flow in a square that is heated on its left and cooled on its right. Lengths are in sides of the square,\n"
      "temperatures in the difference between the walls; on centre lines, velocities are in units of diffusivity over\n"
      "length. The thermal expansion is 2.1e-4, gravity 9.706e-2; --ra replaces these and --re, in units in which\n"
      "buoyancy accelerates fluid as warm as the left wall by 1.",
      argc, argv, c);
}
