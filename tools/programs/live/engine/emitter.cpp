#include "emitter.hpp"

#include <algorithm>

#include <sparse/app/cases/case_shapes.hpp>

namespace sparse::live {
namespace {

using Kind = app::CaseShape::Kind;

/// The corners of the box around a shape.
std::array<Point, 2> bounds_of(app::CaseBox const& box, app::CaseShape const& shape) {
  auto const& x = shape.numbers;
  auto const around = [&](std::size_t first, Point const& radii) {
    Point const middle = {x[first], x[first + 1]};
    return std::array<Point, 2>{middle - radii, middle + radii};
  };
  switch (shape.kind) {
  case Kind::ball:
    return around(0, {x[2], x[2]});
  case Kind::ellipsoid:
    return around(0, {x[2], x[3]});
  case Kind::box:
    return {Point{x[0], x[1]}, Point{x[2], x[3]}};
  case Kind::capsule:
  case Kind::polygon: {
    double const radius = shape.kind == Kind::capsule ? x[4] : 0;
    std::size_t const end = shape.kind == Kind::capsule ? 4 : x.size();
    Point low = {x[0], x[1]}, high = low;
    for (std::size_t i = 0; i < end; ++i) {
      int const axis = i % 2 == 0 ? 0 : 1;
      low[axis] = std::min(low[axis], x[i]);
      high[axis] = std::max(high[axis], x[i]);
    }
    return {low - Point{radius, radius}, high + Point{radius, radius}};
  }
  default: {
    auto const cells = app::cells_of<2>(box, shape).bounds();
    auto const grid = app::grid_of<2>(box);
    Point low, high;
    for (int axis = 0; axis < 2; ++axis) {
      low[axis] = cells.begin[axis] * grid.spacing[axis];
      high[axis] = cells.end[axis] * grid.spacing[axis];
    }
    return {low, high};
  }
  }
}

}  // namespace

bool can_move(app::CaseShape const& shape) { return shape.kind != Kind::cells && shape.kind != Kind::stl; }

Point middle_of(app::CaseBox const& box, app::CaseShape const& shape) {
  auto const [low, high] = bounds_of(box, shape);
  return 0.5 * (low + high);
}

double radius_of(app::CaseBox const& box, app::CaseShape const& shape) {
  auto const [low, high] = bounds_of(box, shape);
  return 0.5 * (high[0] - low[0]);
}

app::CaseShape moved_to(app::CaseBox const& box, app::CaseShape shape, Point const& middle) {
  Point const way = middle - middle_of(box, shape);
  std::size_t count = 2;  // of the numbers that are coordinates
  if (shape.kind == Kind::box || shape.kind == Kind::capsule || shape.kind == Kind::bitmap) count = 4;
  if (shape.kind == Kind::polygon) count = shape.numbers.size();
  for (std::size_t i = 0; i < count; ++i) shape.numbers[i] += way[i % 2 == 0 ? 0 : 1];
  return shape;
}

EmitterInfo info_of(app::CaseBox const& box, Emitter const& emitter) {
  EmitterInfo info;
  info.at = middle_of(box, emitter.ink.shape);
  info.radius = radius_of(box, emitter.ink.shape);
  info.colour = emitter.ink.colour;
  info.is_on = emitter.is_on;
  info.can_move = can_move(emitter.ink.shape);
  if (emitter.ink.jet) info.jet = app::vec_of<2>(*emitter.ink.jet);
  return info;
}

InkSource source_of(app::CaseBox const& box, Emitter const& emitter, io::Colour const& background) {
  InkSource source{app::cells_of<2>(box, emitter.ink.shape), {}, {}};
  for (int c = 0; c < 3; ++c) {
    auto const i = static_cast<std::size_t>(c);
    source.value[c] = (static_cast<double>(emitter.ink.colour[i]) - background[i]) / 255;
  }
  if (emitter.ink.jet) source.jet = app::vec_of<2>(*emitter.ink.jet);
  return source;
}

}  // namespace sparse::live
