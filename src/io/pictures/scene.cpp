#include <sparse/io/pictures/scene.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <sparse/base/error.hpp>
#include <sparse/base/vec_products.hpp>

#include "canvas.hpp"

namespace sparse::io {
namespace {

using Point = Vec<double, 3>;

Point normalised(Point const& a, char const* what) {
  expects(length(a) > 0 && std::isfinite(length(a)), what);
  return (1 / length(a)) * a;
}

/// Where points appear: to the right, up, and towards the viewer.
struct Axes {
  Point right, up, towards;

  explicit Axes(Camera const& camera) {
    towards = normalised(camera.towards, "scene: the camera has no direction");
    right = normalised(cross(camera.up, towards), "scene: up must not be parallel to the view");
    up = cross(towards, right);
  }
  Point seen(Point const& x) const { return {dot(x, right), dot(x, up), dot(x, towards)}; }
};

/// A polygon, or a part of a line between two points.
struct Piece {
  double depth;  // greater is nearer
  SceneObject const* object;
  std::vector<Place> places;
  Colour colour;
};

Colour mixed(Colour colour, double brightness) {
  for (auto& part : colour) part = static_cast<std::uint8_t>(std::lround(part * brightness));
  return colour;
}

/// The pieces of one object.
class Pieces {
public:
  Pieces(SceneObject const& object, std::vector<Point> const& seen) : object_(object), seen_(seen) {
    for (PointArray const& array : object.data.arrays)
      if (array.name == object.array) values_ = &array.values;
    expects(object.array.empty() || values_ != nullptr, "scene: the data have no array of that name");
  }

  template <class Scale>
  void add_to(std::vector<Piece>& pieces, Scale const& scale) const {
    for (auto const& polygon : object_.data.polygons) add(pieces, polygon, shade_of(polygon), scale);
    for (auto const& line : object_.data.lines)
      for (std::size_t i = 1; i < line.size(); ++i) add(pieces, {line[i - 1], line[i]}, 1, scale);
  }

private:
  Point const& at(Index point) const { return seen_[static_cast<std::size_t>(point)]; }

  double shade_of(std::vector<Index> const& polygon) const {
    Point normal{};
    for (std::size_t i = 2; i < polygon.size(); ++i)
      normal += cross(at(polygon[i - 1]) - at(polygon[0]), at(polygon[i]) - at(polygon[0]));
    return length(normal) > 0 ? 0.45 + 0.55 * std::abs(normal[2]) / length(normal) : 1;
  }

  template <class Scale>
  void add(std::vector<Piece>& pieces, std::vector<Index> const& points, double shade, Scale const& scale) const {
    double depth = 0, value = 0;
    Piece piece{0, &object_, {}, object_.colour};
    for (Index const point : points) {
      depth += at(point)[2];
      piece.places.push_back(scale(at(point)));
      if (values_ != nullptr) value += (*values_)[static_cast<std::size_t>(point)];
    }
    auto const count = static_cast<double>(points.size());
    piece.depth = depth / count;
    auto const [first, last] = object_.range;
    if (values_ != nullptr) piece.colour = colour_of(object_.colours, (value / count - first) / (last - first));
    piece.colour = mixed(piece.colour, shade);
    pieces.push_back(std::move(piece));
  }

  SceneObject const& object_;
  std::vector<Point> const& seen_;
  std::vector<double> const* values_ = nullptr;
};

/// The objects as one camera sees them.
class View {
public:
  View(std::vector<SceneObject> const& objects, Camera const& camera) : objects_(objects) {
    Axes const axes(camera);
    for (SceneObject const& object : objects) {
      auto& points = seen_.emplace_back();
      for (Point const& x : object.data.points) {
        points.push_back(axes.seen(x));
        for (int axis = 0; axis < 3; ++axis) {
          low_[axis] = std::min(low_[axis], points.back()[axis]);
          high_[axis] = std::max(high_[axis], points.back()[axis]);
        }
      }
    }
  }

  bool is_empty() const { return !(low_[0] <= high_[0]); }
  double span() const { return std::max(high_[0] - low_[0], high_[1] - low_[1]); }

  /// @param factor  pixels per length
  void draw_on(Canvas& canvas, double left, int size, double factor) const {
    auto const place = [&](Point const& x) -> Place {
      return {left + 0.5 * size + factor * (x[0] - 0.5 * (low_[0] + high_[0])),
              0.5 * size - factor * (x[1] - 0.5 * (low_[1] + high_[1]))};
    };
    std::vector<Piece> pieces;
    for (std::size_t i = 0; i < objects_.size(); ++i) Pieces(objects_[i], seen_[i]).add_to(pieces, place);
    std::stable_sort(pieces.begin(), pieces.end(), [](Piece const& a, Piece const& b) { return a.depth < b.depth; });
    for (Piece const& piece : pieces) {
      if (piece.places.size() == 2)
        canvas.segment(piece.places[0], piece.places[1], piece.object->line_width * size / 1000, piece.colour);
      else
        canvas.polygon(piece.places, piece.colour, piece.object->opacity);
    }
  }

private:
  std::vector<SceneObject> const& objects_;
  std::vector<std::vector<Point>> seen_;
  Point low_ = Point::filled(std::numeric_limits<double>::infinity());
  Point high_ = Point::filled(-std::numeric_limits<double>::infinity());
};

}  // namespace

Image draw(std::vector<SceneObject> const& objects, std::vector<Camera> const& cameras, int size) {
  expects(size >= 16 && size <= 16384, "scene: a picture has a size of 16 to 16384 pixels");
  expects(!cameras.empty() && cameras.size() <= 8, "scene: there must be 1 to 8 cameras");
  for (SceneObject const& object : objects) {
    check_poly_data(object.data);
    expects(object.opacity > 0 && object.opacity <= 1, "scene: an opacity must lie in (0, 1]");
    expects(object.line_width > 0, "scene: lines must have a width");
    expects(object.range[0] < object.range[1], "scene: a range of colours must not be empty");
  }
  std::vector<View> views;
  double span = 1e-300;
  for (Camera const& camera : cameras) {
    views.emplace_back(objects, camera);
    if (!views.back().is_empty()) span = std::max(span, views.back().span());
  }
  Canvas canvas(size * static_cast<int>(cameras.size()), size);
  for (std::size_t i = 0; i < views.size(); ++i)
    if (!views[i].is_empty()) views[i].draw_on(canvas, static_cast<double>(i) * size, size, 0.94 * size / span);
  return canvas.image();
}

PolyData box_edges(Point const& begin, Point const& end) {
  PolyData box;
  for (int corner = 0; corner < 8; ++corner) {
    box.points.push_back({});
    for (int axis = 0; axis < 3; ++axis) {
      bool const is_high = (corner >> axis & 1) != 0;
      box.points.back()[axis] = is_high ? end[axis] : begin[axis];
      if (!is_high) box.lines.push_back({corner, corner | 1 << axis});
    }
  }
  return box;
}

}  // namespace sparse::io
