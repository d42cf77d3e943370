#include <sparse/app/nodes/curve.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <sparse/base/error.hpp>
#include <sparse/base/vec_products.hpp>

namespace sparse::app {
namespace {

/// Value, first and second derivative of a curve.
using Jet = std::array<PlanePoint, 3>;

/// The derivatives at `at` of the polynomial through points with these parameters.
/// Source: Fornberg (1988), Math. Comp. 51, 699.
Jet polynomial_jet(std::vector<double> const& t, std::vector<PlanePoint> const& points, double at) {
  std::size_t const count = t.size();
  std::vector<std::array<double, 3>> weights(count, {0, 0, 0});
  weights[0][0] = 1;
  double product = 1, last = t[0] - at;
  for (std::size_t i = 1; i < count; ++i) {
    double const before = last;
    double differences = 1;
    last = t[i] - at;
    for (std::size_t j = 0; j < i; ++j) {
      double const apart = t[i] - t[j];
      differences *= apart;
      if (j == i - 1) {
        for (std::size_t k = 2; k > 0; --k)
          weights[i][k] =
              product * (static_cast<double>(k) * weights[i - 1][k - 1] - before * weights[i - 1][k]) / differences;
        weights[i][0] = -product * before * weights[i - 1][0] / differences;
      }
      for (std::size_t k = 2; k > 0; --k)
        weights[j][k] = (last * weights[j][k] - static_cast<double>(k) * weights[j][k - 1]) / apart;
      weights[j][0] = last * weights[j][0] / apart;
    }
    product = differences;
  }
  Jet jet{};
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < 3; ++k) jet[k] += weights[i][k] * points[i];
  return jet;
}

/// Hermite's interpolation between two points that are `width` apart in parameter, at a part s of the way.
PlanePoint hermite(Jet const& a, Jet const& b, double width, double s, int degree) {
  double const r = 1 - s;
  if (degree == 1) return r * a[0] + s * b[0];
  if (degree == 3)
    return r * r * (1 + 2 * s) * a[0] + s * s * (1 + 2 * r) * b[0] + width * s * r * (r * a[1] - s * b[1]);
  auto const value = [](double x) { return x * x * x * (10 + x * (6 * x - 15)); };
  auto const slope = [](double x) { return x * x * x * (1 - x) * (4 - 3 * x); };
  auto const bend = [](double x) { return 0.5 * x * x * x * (1 - x) * (1 - x); };
  return value(r) * a[0] + value(s) * b[0] + width * (slope(r) * a[1] - slope(s) * b[1]) +
         width * width * (bend(r) * a[2] + bend(s) * b[2]);
}

/// A closed curve through points, with corners.
class ZSpline {
public:
  ZSpline(std::vector<PlanePoint> const& points, CurveOptions const& options)
      : points_(points), count_(static_cast<Index>(points.size())), options_(options) {
    double const bound = options.corner_angle * std::numbers::pi / 180;
    for (Index i = 0; i < count_; ++i) {
      PlanePoint const in = point(i) - point(i - 1), out = point(i + 1) - point(i);
      expects(length(in) > 0, "curve: two points after each other are equal");
      double const turn = std::atan2(in[0] * out[1] - in[1] * out[0], dot(in, out));
      if (options.degree > 1 && std::abs(turn) > bound) corners_.push_back(i);
    }
  }

  /// Points along the part from point i to point i + 1, without its end.
  void add_part(Index i, int count, std::vector<PlanePoint>& path) const {
    double const width = length(point(i + 1) - point(i));
    Jet const a = jet_at(i, i), b = jet_at(i + 1, i);
    for (int k = 0; k < count; ++k)
      path.push_back(hermite(a, b, width, static_cast<double>(k) / count, options_.degree));
  }

private:
  PlanePoint const& point(Index i) const { return points_[static_cast<std::size_t>((i % count_ + count_) % count_)]; }

  /// The derivatives at a point, as seen from the part that begins at point `part`.
  Jet jet_at(Index at, Index part) const {
    Index const wanted = options_.degree;  // 2m - 1 points
    Index first = at - wanted / 2, last = first + wanted - 1;
    if (!corners_.empty()) {
      // The corners before and behind the part, as numbers that go on around the curve.
      auto const behind = std::upper_bound(corners_.begin(), corners_.end(), part);
      Index const begin = behind == corners_.begin() ? corners_.back() - count_ : *(behind - 1);
      Index const end = behind == corners_.end() ? corners_.front() + count_ : *behind;
      first = std::clamp(first, begin, std::max(begin, end - wanted + 1));
      last = std::min(end, first + wanted - 1);
    }
    std::vector<double> parameters = {0};
    std::vector<PlanePoint> window = {point(first)};
    double here = 0;
    for (Index i = first + 1; i <= last; ++i) {
      parameters.push_back(parameters.back() + length(point(i) - point(i - 1)));
      window.push_back(point(i));
      if (i == at) here = parameters.back();
    }
    return polynomial_jet(parameters, window, here);
  }

  std::vector<PlanePoint> const& points_;
  Index count_;
  CurveOptions options_;
  std::vector<Index> corners_;
};

}  // namespace

double perimeter(std::vector<PlanePoint> const& points) {
  double sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) sum += length(points[(i + 1) % points.size()] - points[i]);
  return sum;
}

std::vector<PlanePoint> resampled(std::vector<PlanePoint> const& points, double distance, CurveOptions const& options) {
  expects(points.size() >= 3, "curve: a closed curve needs three points");
  expects(options.degree == 1 || options.degree == 3 || options.degree == 5, "curve: the degree must be 1, 3 or 5");
  expects(distance > 0 && std::isfinite(distance), "curve: the distance of points must be positive");
  ZSpline const spline(points, options);
  std::vector<PlanePoint> fine;
  for (std::size_t i = 0; i < points.size(); ++i) {
    double const chord = length(points[(i + 1) % points.size()] - points[i]);
    int const parts = options.degree == 1 ? 1 : std::max(32, static_cast<int>(std::ceil(8 * chord / distance)));
    spline.add_part(static_cast<Index>(i), parts, fine);
  }
  double const whole = perimeter(fine);
  auto const count = std::max<Index>(3, std::lround(whole / distance));
  std::vector<PlanePoint> result;
  double passed = 0;
  for (std::size_t i = 0; i < fine.size(); ++i) {
    PlanePoint const edge = fine[(i + 1) % fine.size()] - fine[i];
    double const size = length(edge);
    for (double next; next = whole * static_cast<double>(result.size()) / static_cast<double>(count),
                      static_cast<Index>(result.size()) < count && next < passed + size;)
      result.push_back(fine[i] + ((next - passed) / size) * edge);
    passed += size;
  }
  return result;
}

std::vector<PlanePoint> fitted(std::vector<PlanePoint> points, double size) {
  expects(!points.empty(), "curve: there are no points");
  PlanePoint low = points[0], high = points[0];
  for (PlanePoint const& point : points)
    for (int axis = 0; axis < 2; ++axis) {
      low[axis] = std::min(low[axis], point[axis]);
      high[axis] = std::max(high[axis], point[axis]);
    }
  double const span = std::max(high[0] - low[0], high[1] - low[1]);
  expects(span > 0, "curve: all points are equal");
  for (PlanePoint& point : points) point = PlanePoint{0.5, 0.5} + (size / span) * (point - 0.5 * (low + high));
  return points;
}

}  // namespace sparse::app
