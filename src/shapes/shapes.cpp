#include <sparse/shapes/shapes.hpp>

#include <algorithm>
#include <cmath>

#include <sparse/sets/algebra.hpp>

namespace sparse {
namespace {

struct FullRow {
  Interval interval;
  template <class Emit>
  KOKKOS_FUNCTION void operator()(Index, Emit& emit) const {
    emit(interval.begin, interval.end);
  }
};

template <int Dim>
struct HalfSpaceRow {
  RowKey const* keys;
  Interval range;
  Vec<double, Dim> point, normal;

  template <class Emit>
  KOKKOS_FUNCTION void operator()(Index r, Emit& emit) const {
    Vec<Coord, Dim> const cell = cell_at<Dim>(keys[r], 0);
    double off_axis = 0;
    for (int axis = 1; axis < Dim; ++axis) off_axis += (cell[axis] + 0.5 - point[axis]) * normal[axis];
    auto const contains = [&](Coord x) { return off_axis + (x + 0.5 - point[0]) * normal[0] <= 0; };
    if (normal[0] == 0) {
      if (off_axis <= 0) emit(range.begin, range.end);
      return;
    }
    // The first cell behind the crossing: the first outside or the first inside.
    double const crossing = std::ceil(point[0] - off_axis / normal[0] - 0.5);
    auto x = static_cast<Coord>(std::fmin(std::fmax(crossing, range.begin), range.end));
    bool const before = normal[0] > 0;
    while (x > range.begin && contains(x - 1) != before) --x;
    while (x < range.end && contains(x) == before) ++x;
    if (before)
      emit(range.begin, x);
    else
      emit(x, range.end);
  }
};

/// Number of the square of side `width` that contains x.
KOKKOS_FORCEINLINE_FUNCTION std::int64_t square_of(std::int64_t x, std::int64_t width) {
  return x >= 0 ? x / width : -((width - 1 - x) / width);
}

template <int Dim>
struct CheckerboardRow {
  RowKey const* keys;
  Interval range;
  std::int64_t width;

  template <class Emit>
  KOKKOS_FUNCTION void operator()(Index r, Emit& emit) const {
    Vec<Coord, Dim> const cell = cell_at<Dim>(keys[r], 0);
    std::int64_t sum = 0, square = square_of(range.begin, width);
    for (int axis = 1; axis < Dim; ++axis) sum += square_of(cell[axis], width);
    if ((sum + square) % 2 != 0) ++square;
    for (std::int64_t x = square * width; x < range.end; x += 2 * width) {
      std::int64_t const end = x + width;
      emit(x > range.begin ? static_cast<Coord>(x) : range.begin,
           end < range.end ? static_cast<Coord>(end) : range.end);
    }
  }
};

template <int Dim>
struct BitmapPredicate {
  std::uint8_t const* bytes;
  Box<Dim> domain;
  KOKKOS_FUNCTION bool operator()(Vec<Coord, Dim> const& cell) const {
    Index position = 0;
    for (int axis = Dim - 1; axis >= 0; --axis)
      position = position * (Index{domain.end[axis]} - domain.begin[axis]) + (cell[axis] - domain.begin[axis]);
    return bytes[position] != 0;
  }
};

}  // namespace

template <int Dim>
IntervalSet<Dim> box(Vec<Coord, Dim> const& begin, Vec<Coord, Dim> const& end, Context const& context) {
  Box<Dim> const domain{begin, end};
  detail::expect_valid(domain, "box");
  if (domain.is_empty()) return {};
  Buffer<RowKey> const keys = detail::keys_of(context, domain);
  return assemble<Dim>(context, "sparse::shapes::box", keys.data(), keys.size(), FullRow{{begin[0], end[0]}});
}

template <int Dim>
IntervalSet<Dim> half_space(Vec<double, Dim> const& point, Vec<double, Dim> const& normal, Box<Dim> const& domain,
                            Context const& context) {
  detail::expect_valid(domain, "half_space");
  double largest = 0;
  for (int axis = 0; axis < Dim; ++axis) {
    expects(std::isfinite(point[axis]) && std::isfinite(normal[axis]), "half_space: numbers must be finite");
    largest = std::max(largest, std::abs(normal[axis]));
  }
  expects(largest > 0, "half_space: the normal is zero");
  if (domain.is_empty()) return {};
  Vec<double, Dim> scaled;  // scaled by a power of two, which is exact, so that no product overflows
  for (int axis = 0; axis < Dim; ++axis) scaled[axis] = std::scalbn(normal[axis], -std::ilogb(largest));
  Buffer<RowKey> const keys = detail::keys_of(context, domain);
  return assemble<Dim>(context, "sparse::shapes::half_space", keys.data(), keys.size(),
                       HalfSpaceRow<Dim>{keys.data(), {domain.begin[0], domain.end[0]}, point, scaled});
}

template <int Dim>
IntervalSet<Dim> checkerboard(Box<Dim> const& domain, Coord width, Context const& context) {
  detail::expect_valid(domain, "checkerboard");
  expects(width > 0, "checkerboard: the width must be positive");
  if (domain.is_empty()) return {};
  Buffer<RowKey> const keys = detail::keys_of(context, domain);
  return assemble<Dim>(context, "sparse::shapes::checkerboard", keys.data(), keys.size(),
                       CheckerboardRow<Dim>{keys.data(), {domain.begin[0], domain.end[0]}, width});
}

template <int Dim>
IntervalSet<Dim> from_bitmap(Box<Dim> const& domain, std::vector<std::uint8_t> const& bytes, Context const& context) {
  detail::expect_valid(domain, "from_bitmap");
  if (static_cast<Index>(bytes.size()) != domain.cell_count())
    fail("from_bitmap: " + std::to_string(bytes.size()) + " bytes for a box of " + std::to_string(domain.cell_count()) +
         " cells");
  Buffer<std::uint8_t> const device = to_device(context, bytes);
  return from_predicate(domain, BitmapPredicate<Dim>{device.data(), domain}, context);
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template IntervalSet<Dim> box(Vec<Coord, Dim> const&, Vec<Coord, Dim> const&, Context const&);                       \
  template IntervalSet<Dim> half_space(Vec<double, Dim> const&, Vec<double, Dim> const&, Box<Dim> const&,              \
                                       Context const&);                                                                \
  template IntervalSet<Dim> checkerboard(Box<Dim> const&, Coord, Context const&);                                      \
  template IntervalSet<Dim> from_bitmap(Box<Dim> const&, std::vector<std::uint8_t> const&, Context const&);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse
