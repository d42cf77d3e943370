#include <sparse/io/sets/cell_image.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <sparse/base/error.hpp>
#include <sparse/shapes/shapes.hpp>

namespace sparse::io {
namespace {

template <int Dim, class Predicate>
IntervalSet<Dim> cells_where(CellImage const& image, Context const& context, Predicate const& predicate) {
  Box<Dim> domain;
  for (int axis = 0; axis < Dim; ++axis) {
    domain.begin[axis] = image.cells.begin[axis];
    domain.end[axis] = image.cells.end[axis];
  }
  if (Dim == 2 && Index{image.cells.end[2]} - image.cells.begin[2] != 1)
    fail(fmt::format("an image with {} layers along z gives no set of two dimensions",
                     Index{image.cells.end[2]} - image.cells.begin[2]));
  std::vector<std::uint8_t> bytes(image.values.size());
  std::transform(image.values.begin(), image.values.end(), bytes.begin(),
                 [&](double value) { return static_cast<std::uint8_t>(predicate(value)); });
  return from_bitmap(domain, bytes, context);
}

}  // namespace

template <int Dim>
IntervalSet<Dim> cells_above(CellImage const& image, double bound, Context const& context) {
  return cells_where<Dim>(image, context, [&](double value) { return value > bound; });
}

template <int Dim>
IntervalSet<Dim> cells_below(CellImage const& image, double bound, Context const& context) {
  return cells_where<Dim>(image, context, [&](double value) { return value < bound; });
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template IntervalSet<Dim> cells_above(CellImage const&, double, Context const&);                                     \
  template IntervalSet<Dim> cells_below(CellImage const&, double, Context const&);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse::io
