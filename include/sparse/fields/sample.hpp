#pragma once
/// Values of a field between the centres of its cells. For fields of `float` and `double`.

#include <vector>

#include <sparse/fields/field.hpp>

namespace sparse {

/// The values of one component at `points`: [points.size()], in device memory. They are multilinear between the centres
/// of the 2^Dim cells around a point. Where the domain lacks one of these cells, the cell that contains the point
/// stands in for it, as in plans.
///
/// @param points  in units of the cell width: cell i has its centre at i + 1/2 and contains i <= x < i + 1
/// @throws std::invalid_argument  if a point is in no cell of the domain (naming the first one), or if there is no such
///                                component
/// Cost: 1 + 2^Dim searches in the domain per point.
template <class T, int Dim>
Buffer<T> sample(Field<T, Dim> const& field, Buffer<Vec<double, Dim>> const& points, int component = 0);

/// The same, with `missing` for points that are in no cell of the domain.
/// @throws std::invalid_argument  if there is no such component
template <class T, int Dim>
Buffer<T> sample_or(Field<T, Dim> const& field, Buffer<Vec<double, Dim>> const& points, std::type_identity_t<T> missing,
                    int component = 0);

// ---- the same for lists in host memory

/// The same for points and values on the host. `sample_or` gives `missing` for points in no cell.
/// @throws std::invalid_argument  as above
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
