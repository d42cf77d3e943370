#include <sparse/shapes.hpp>

#include <algorithm>
#include <cmath>

#include <sparse/set_algebra.hpp>

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
struct BallRow {
  RowKey const* keys;
  Vec<double, Dim> center;
  double radius;

  /// Squared distance of a cell's centre; every cell is decided by this and nothing else.
  KOKKOS_FUNCTION bool contains(double off_axis, Coord x) const {
    double const dx = x + 0.5 - center[0];
    return off_axis + dx * dx <= radius * radius;
  }
  template <class Emit>
  KOKKOS_FUNCTION void operator()(Index r, Emit& emit) const {
    Vec<Coord, Dim> const cell = cell_at<Dim>(keys[r], 0);
    double off_axis = 0;
    for (int axis = 1; axis < Dim; ++axis) {
      double const d = cell[axis] + 0.5 - center[axis];
      off_axis += d * d;
    }
    if (off_axis > radius * radius) return;
    double const half = std::sqrt(radius * radius - off_axis);
    auto begin = static_cast<Coord>(std::ceil(center[0] - half - 0.5));
    auto end = static_cast<Coord>(std::floor(center[0] + half - 0.5)) + 1;
    // The square root is rounded, so the ends may be one off.
    while (contains(off_axis, begin - 1)) --begin;
    while (begin < end && !contains(off_axis, begin)) ++begin;
    while (contains(off_axis, end)) ++end;
    while (begin < end && !contains(off_axis, end - 1)) --end;
    emit(begin, end);
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

namespace detail {

template <int Dim>
Buffer<RowKey> keys_of(Context const& context, Box<Dim> const& domain) {
  Index const height = domain.end[1] - domain.begin[1];
  Index const depth = Dim == 3 ? domain.end[Dim - 1] - domain.begin[Dim - 1] : 1;
  Buffer<RowKey> keys(context, height * depth);
  RowKey* const out = keys.data();
  parallel_for(
      context, "sparse::shapes::row_keys", keys.size(), KOKKOS_LAMBDA(Index r) {
        Vec<Coord, Dim> cell = domain.begin;
        cell[1] += static_cast<Coord>(r % height);
        if (Dim == 3) cell[Dim - 1] += static_cast<Coord>(r / height);
        out[r] = row_key(cell);
      });
  return keys;
}

template <int Dim>
void expect_valid(Box<Dim> const& domain, char const* operation) {
  Vec<std::int64_t, Dim> begin, end;
  for (int axis = 0; axis < Dim; ++axis) {
    if (domain.end[axis] < domain.begin[axis])
      fail(std::string(operation) + ": the end " + std::to_string(domain.end[axis]) + " on axis " +
           std::to_string(axis) + " lies before the begin " + std::to_string(domain.begin[axis]));
    begin[axis] = domain.begin[axis];
    end[axis] = domain.end[axis];
  }
  expect_in_range<Dim>(begin, end, operation);
}

}  // namespace detail

template <int Dim>
IntervalSet<Dim> box(Vec<Coord, Dim> const& begin, Vec<Coord, Dim> const& end, Context const& context) {
  Box<Dim> const domain{begin, end};
  detail::expect_valid(domain, "box");
  if (domain.is_empty()) return {};
  Buffer<RowKey> const keys = detail::keys_of(context, domain);
  return assemble<Dim>(context, "sparse::shapes::box", keys.data(), keys.size(), FullRow{{begin[0], end[0]}});
}

template <int Dim>
IntervalSet<Dim> ball(Vec<double, Dim> const& center, double radius, Context const& context) {
  expects(std::isfinite(radius) && radius >= 0, "ball: the radius must be finite and not negative");
  Vec<std::int64_t, Dim> begin, end;
  for (int axis = 0; axis < Dim; ++axis) {
    double const first = std::ceil(center[axis] - radius - 0.5), last = std::floor(center[axis] + radius - 0.5);
    expects(first > -2.0 * coord_limit && last < 2.0 * coord_limit,
            "ball: centre and radius leave the range of coordinates");
    begin[axis] = static_cast<std::int64_t>(first);
    end[axis] = static_cast<std::int64_t>(last) + 1;
  }
  detail::expect_in_range<Dim>(begin, end, "ball");
  // One row more on each side, because the ends are rounded and BallRow decides.
  Box<Dim> domain;
  for (int axis = 0; axis < Dim; ++axis) {
    domain.begin[axis] = std::max(static_cast<Coord>(begin[axis]) - 1, -coord_limit + 1);
    domain.end[axis] = std::min(static_cast<Coord>(end[axis]) + 1, coord_limit);
  }
  Buffer<RowKey> const keys = detail::keys_of(context, domain);
  return assemble<Dim>(context, "sparse::shapes::ball", keys.data(), keys.size(),
                       BallRow<Dim>{keys.data(), center, radius});
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
  template IntervalSet<Dim> ball(Vec<double, Dim> const&, double, Context const&);                                     \
  template IntervalSet<Dim> from_bitmap(Box<Dim> const&, std::vector<std::uint8_t> const&, Context const&);            \
  template Buffer<RowKey> detail::keys_of(Context const&, Box<Dim> const&);                                            \
  template void detail::expect_valid(Box<Dim> const&, char const*);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace sparse
