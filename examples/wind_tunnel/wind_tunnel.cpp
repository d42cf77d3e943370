// A wind tunnel with a vehicle, drawn as a picture.

#include <sparse/app/flow_program.hpp>

int main(int argc, char** argv) {
  using sparse::FaceSide;
  using sparse::BoundaryKind;
  using Kind = sparse::app::CaseShape::Kind;
  sparse::app::FlowCase c;
  c.folder = SPARSE_EXAMPLE_DIR;
  c.size = {4, 1, 0};
  c.cells = {256, 64, 0};
  c.re = 100;
  c.length = 0.32;
  c.walls = BoundaryKind::wall;
  c.boundaries = {{.axis = 0, .side = FaceSide::lower, .kind = BoundaryKind::inflow, .velocity = {1, 0, 0}},
                  {.axis = 0, .side = FaceSide::upper, .kind = BoundaryKind::outflow},
                  {.axis = 1, .side = FaceSide::lower, .kind = BoundaryKind::no_slip, .velocity = {1, 0, 0}}};
  c.obstacles = {{{Kind::bitmap, {0.8, 0.04, 1.76, 0.36}, "vehicle.pbm"}}};
  sparse::io::Colour const colours[] = {{31, 119, 180}, {44, 160, 44}, {255, 187, 0}, {214, 39, 40}};
  for (int i = 0; i < 8; ++i) {
    double const y = 0.02 + 0.09 * i;
    c.inks.push_back({{Kind::box, {0, y, 0.05, y + 0.04}}, colours[i % 4]});
  }
  c.start_velocity = {1, 0, 0};
  c.pictures = {"ink", "streaks", "velocity", "vorticity"};
  c.flow.run.t_end = 12;
  c.flow.run.output_stride = 500;
  return sparse::app::run_flow_program(
      "wind_tunnel",
      "Flow around a vehicle over a ground that moves as fast as the wind. Lengths are in heights of the tunnel,\n"
      "velocities in that of the wind; drag and lift coefficients refer to the vehicle's height, 0.32.",
      argc, argv, c);
}
