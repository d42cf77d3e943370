// A jet of smoke rises in a shaft.

#include <sparse/app/flow_program.hpp>

int main(int argc, char** argv) {
  using sparse::FaceSide;
  using sparse::BoundaryKind;
  using Kind = sparse::app::CaseShape::Kind;
  sparse::app::FlowCase c;
  c.size = {1, 8, 0};
  c.cells = {128, 1024, 0};
  c.re = 10000;
  // Not quite in the middle: a jet that is symmetric would stay so for long.
  c.boundaries = {{.axis = 1,
                   .side = FaceSide::lower,
                   .range = {{0.38, 0.60}},
                   .kind = BoundaryKind::inflow,
                   .velocity = {0, 1, 0}},
                  {.axis = 1, .side = FaceSide::upper, .kind = BoundaryKind::outflow}};
  c.inks = {{{Kind::box, {0.38, 0, 0.49, 0.03}}, {255, 140, 60}},
            {{Kind::box, {0.49, 0, 0.60, 0.03}}, {235, 235, 245}}};
  c.background = {10, 10, 20};
  c.pictures = {"ink", "vorticity"};
  c.flow.run.t_end = 20;
  c.flow.run.output_stride = 1000;
  return sparse::app::run_flow_program(
      "smoke_plume",
      "A jet of smoke rises in a shaft that is eight times as high as wide, open at the top. Lengths are in widths of\n"
      "the shaft, velocities in that of the jet.",
      argc, argv, c);
}
