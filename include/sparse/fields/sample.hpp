#pragma once
/// Values of a field between the centres of its cells.

#include <cmath>
#include <vector>

#include <sparse/fields/field.hpp>

namespace sparse {
namespace detail {

/// The multilinear value at a point of a field.
template <class T, int Dim>
struct SamplePoint {
  SetView domain;
  T const* values;
  Vec<double, Dim> const* points;
  T missing;
  T* out;

  /// The cell that has the point inside or on a lower side, or -1.
  KOKKOS_FUNCTION static Index find_home(SetView const& domain, Vec<double, Dim> const& point) {
    Vec<Coord, Dim> cell;
    for (int axis = 0; axis < Dim; ++axis) {
      if (!(point[axis] > -coord_limit && point[axis] < coord_limit)) return -1;  // nor a NaN
      cell[axis] = static_cast<Coord>(std::floor(point[axis]));
    }
    return domain.find(cell);
  }

  KOKKOS_FUNCTION void operator()(Index i) const {
    Vec<double, Dim> const point = points[i];
    Index const home = find_home(domain, point);
    if (home < 0) {
      out[i] = missing;
      return;
    }
    Vec<Coord, Dim> low;
    Vec<double, Dim> fraction;
    for (int axis = 0; axis < Dim; ++axis) {
      double const base = std::floor(point[axis] - 0.5);
      low[axis] = static_cast<Coord>(base);
      fraction[axis] = point[axis] - 0.5 - base;
    }
    double value = 0;
    for (int corner = 0; corner < 1 << Dim; ++corner) {
      Vec<Coord, Dim> cell = low;
      double weight = 1;
      for (int axis = 0; axis < Dim; ++axis) {
        bool const is_high = (corner >> axis) & 1;
        cell[axis] += is_high ? 1 : 0;
        weight *= is_high ? fraction[axis] : 1 - fraction[axis];
      }
      if (weight == 0) continue;
      Index const index = domain.find(cell);
      value += weight * static_cast<double>(values[index < 0 ? home : index]);
    }
    out[i] = static_cast<T>(value);
  }
};

template <class T, int Dim>
Buffer<T> sample_points(Field<T, Dim> const& field, Buffer<Vec<double, Dim>> const& points, T missing, int component) {
  static_assert(std::is_floating_point_v<T>, "means of integers are not integers");
  Buffer<T> result(field.context(), points.size());
  parallel_for(
      field.context(), "sparse::sample::points", points.size(),
      SamplePoint<T, Dim>{field.domain().view(), field.component(component), points.data(), missing, result.data()});
  return result;
}

/// Throws, naming the first point that is in no cell.
template <int Dim>
void expect_inside(IntervalSet<Dim> const& domain, Buffer<Vec<double, Dim>> const& points, std::string const& field) {
  SetView const view = domain.view();
  Vec<double, Dim> const* const point = points.data();
  Index const count = points.size();
  Index const first = parallel_reduce<Kokkos::Min, Index>(
      domain.context(), "sparse::sample::first_outside", count, KOKKOS_LAMBDA(Index i, Index & least) {
        if (i < least && SamplePoint<float, Dim>::find_home(view, point[i]) < 0) least = i;
      });
  if (first >= count) return;
  auto const outside = read_back(domain.context(), static_cast<Vec<double, Dim> const*>(point + first));
  std::string text;
  for (int axis = 0; axis < Dim; ++axis) text += (axis == 0 ? "" : ", ") + std::to_string(outside[axis]);
  fail("sample: number " + std::to_string(first) + " of the points, (" + text +
       "), is in no cell of the domain of field '" + field + "'");
}

}  // namespace detail

/// The values of one component at `points`, in device memory: multilinear between the centres of the 2^Dim cells around
/// a point; where the domain lacks one of these, the cell that contains the point stands in for it, as in plans.
///
/// @param points  in units of the cell width: cell i has its centre at i + 1/2 and contains i <= x < i + 1
/// @throws std::invalid_argument  naming the first point that is in no cell of the domain, or if there is no such
///                                component
/// Cost: 1 + 2^Dim searches in the domain per point.
template <class T, int Dim>
Buffer<T> sample(Field<T, Dim> const& field, Buffer<Vec<double, Dim>> const& points, int component = 0) {
  field.component(component);
  detail::expect_inside(field.domain(), points, field.name());
  return detail::sample_points(field, points, T(), component);
}

/// The same, with `missing` for points that are in no cell of the domain.
template <class T, int Dim>
Buffer<T> sample_or(Field<T, Dim> const& field, Buffer<Vec<double, Dim>> const& points, std::type_identity_t<T> missing,
                    int component = 0) {
  return detail::sample_points<T, Dim>(field, points, missing, component);
}

// ---- the same with lists in host memory

template <class T, int Dim>
std::vector<T> sample(Field<T, Dim> const& field, std::vector<Vec<double, Dim>> const& points, int component = 0) {
  auto const values = sample(field, to_device(field.context(), points), component);
  return to_host(field.context(), static_cast<T const*>(values.data()), values.size());
}
template <class T, int Dim>
std::vector<T> sample_or(Field<T, Dim> const& field, std::vector<Vec<double, Dim>> const& points,
                         std::type_identity_t<T> missing, int component = 0) {
  auto const values = sample_or(field, to_device(field.context(), points), missing, component);
  return to_host(field.context(), static_cast<T const*>(values.data()), values.size());
}

}  // namespace sparse
