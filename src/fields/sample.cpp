#include <sparse/fields/sample.hpp>

#include <cmath>

namespace sparse {
namespace {

/// The multilinear value at a point of a field.
template <class T, int Dim>
struct SamplePoint {
  SetView domain;
  T const* values;
  Vec<double, Dim> const* points;
  T missing;
  T* out;

  /// The number of the cell that contains the point; its lower sides belong to it. -1 if there is none.
  KOKKOS_FUNCTION static Index find_home(SetView const& domain, Vec<double, Dim> const& point) {
    Vec<Coord, Dim> cell;
    for (int axis = 0; axis < Dim; ++axis) {
      if (!(point[axis] > -coord_limit && point[axis] < coord_limit)) return -1;  // also for NaN
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
  Buffer<T> result(field.context(), points.size());
  parallel_for(
      field.context(), "sparse::sample::points", points.size(),
      SamplePoint<T, Dim>{field.domain().view(), field.component(component), points.data(), missing, result.data()});
  return result;
}

/// Throws and names the first point that is in no cell.
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

}  // namespace

template <class T, int Dim>
Buffer<T> sample(Field<T, Dim> const& field, Buffer<Vec<double, Dim>> const& points, int component) {
  field.component(component);
  expect_inside(field.domain(), points, field.name());
  return sample_points(field, points, T(), component);
}

template <class T, int Dim>
Buffer<T> sample_or(Field<T, Dim> const& field, Buffer<Vec<double, Dim>> const& points, std::type_identity_t<T> missing,
                    int component) {
  return sample_points<T, Dim>(field, points, missing, component);
}

#define SPARSE_INSTANTIATE(T, Dim)                                                                                     \
  template Buffer<T> sample(Field<T, Dim> const&, Buffer<Vec<double, Dim>> const&, int);                               \
  template Buffer<T> sample_or(Field<T, Dim> const&, Buffer<Vec<double, Dim>> const&, T, int);
SPARSE_INSTANTIATE(float, 2)
SPARSE_INSTANTIATE(float, 3)
SPARSE_INSTANTIATE(double, 2)
SPARSE_INSTANTIATE(double, 3)

}  // namespace sparse
