// A square full of obstacles, with one entry and two exits.

#include <sparse/app/flow_program.hpp>

namespace {

using sparse::app::CaseShape;
using Kind = CaseShape::Kind;

std::vector<sparse::app::CaseObstacle> obstacles() {
  std::vector<CaseShape> const shapes = {
      {Kind::box, {0.30, 0.00, 0.36, 0.30}},
      {Kind::ball, {0.56, 0.20, 0.09}},
      {Kind::polygon, {0.45, 0.45, 0.70, 0.45, 0.58, 0.62}},
      {Kind::ball, {0.22, 0.66, 0.08}},
      {Kind::box, {0.75, 0.18, 0.82, 0.60}},
      {Kind::capsule, {0.40, 0.80, 0.62, 0.86, 0.035}},
      {Kind::ball, {0.84, 0.80, 0.07}},
  };
  std::vector<sparse::app::CaseObstacle> result;
  for (auto const& shape : shapes) result.push_back({shape});
  return result;
}

}  // namespace

int main(int argc, char** argv) {
  using sparse::FaceSide;
  using sparse::BoundaryKind;
  sparse::app::FlowCase c;
  c.cells = {128, 128, 0};
  c.re = 1000;
  c.length = 0.25;
  c.boundaries = {
      {.axis = 0, .side = FaceSide::lower, .range = {{0, 0.25}}, .kind = BoundaryKind::inflow, .velocity = {1, 0, 0}},
      {.axis = 0, .side = FaceSide::upper, .kind = BoundaryKind::outflow},
      {.axis = 1, .side = FaceSide::upper, .range = {{0.6, 1}}, .kind = BoundaryKind::outflow}};
  c.obstacles = obstacles();
  c.inks = {{{Kind::box, {0, 0.02, 0.03, 0.07}}, {214, 39, 40}},
            {{Kind::box, {0, 0.10, 0.03, 0.15}}, {31, 119, 180}},
            {{Kind::box, {0, 0.18, 0.03, 0.23}}, {255, 187, 0}}};
  c.pictures = {"ink", "streaks", "velocity"};
  c.flow.run.t_end = 10;
  c.flow.run.output_stride = 1000;
  return sparse::app::run_flow_program(
      "obstacles",
      "Flow through a square full of obstacles: in at the lower left, out at the right and the upper right. Lengths "
      "are in\n"
      "sides of the square, velocities in that of the inflow; force coefficients refer to its width.",
      argc, argv, c);
}
