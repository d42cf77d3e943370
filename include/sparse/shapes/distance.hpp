#pragma once
/// Sets from distance functions, at the cost of the surface.

#include <cmath>

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/scaling.hpp>
#include <sparse/shapes/shapes.hpp>

namespace sparse {
namespace detail {

enum class BlockPlace : std::uint8_t { outside, inside, near_surface };

/// Calls the distance function once per block of side 2^level.
template <int Dim, class Function>
struct PlaceBlocks {
  SetView blocks;
  Box<Dim> domain;
  Vec<Coord, Dim> offset;  // block 0 begins at cell -offset
  int level;
  Function function;
  BlockPlace* places;

  KOKKOS_FUNCTION BlockPlace place_of(Vec<Coord, Dim> const& block) const {
    // The part of the block in the domain. The function is called only there.
    Vec<double, Dim> center;
    double square = 0;
    bool is_whole = true;
    for (int axis = 0; axis < Dim; ++axis) {
      std::int64_t begin = std::int64_t{block[axis]} * (std::int64_t{1} << level) - offset[axis];
      std::int64_t end = begin + (std::int64_t{1} << level);
      is_whole = is_whole && begin >= domain.begin[axis] && end <= domain.end[axis];
      if (begin < domain.begin[axis]) begin = domain.begin[axis];
      if (end > domain.end[axis]) end = domain.end[axis];
      if (begin >= end) return BlockPlace::outside;
      center[axis] = 0.5 * static_cast<double>(begin + end);
      double const half = 0.5 * static_cast<double>(end - begin - 1);  // from centre to centre of cells
      square += half * half;
    }
    double const distance = function(center);
    if (level == 0) return distance < 0 ? BlockPlace::inside : BlockPlace::outside;
    // The margin covers the function's rounding errors.
    double const reach = std::sqrt(square) + 1e-6;
    if (distance > reach) return BlockPlace::outside;
    return distance < -reach && is_whole ? BlockPlace::inside : BlockPlace::near_surface;
  }
  KOKKOS_FUNCTION void operator()(Index r) const {
    for (Index i = blocks.row_ptr[r]; i < blocks.row_ptr[r + 1]; ++i) {
      Interval const interval = blocks.intervals[i];
      BlockPlace* const first = places + blocks.cell_offsets[i];
      for (Coord x = interval.begin; x < interval.end; ++x)
        first[x - interval.begin] = place_of(cell_at<Dim>(blocks.row_keys[r], x));
    }
  }
};

/// The blocks whose place is `wanted`.
template <int Dim>
IntervalSet<Dim> blocks_at(IntervalSet<Dim> const& blocks, BlockPlace const* places, BlockPlace wanted);

}  // namespace detail

/// The cells of `domain` at whose centres `function(Vec<double, Dim> x)` is negative. The function must not change by
/// more than the distance between two points: |f(x) - f(y)| <= |x - y|. Signed distances are such functions; so are
/// their lower bounds, such as the minimum, maximum or difference of several. Any other function works after division
/// by its largest slope.
///
/// The function is called at the centres of large blocks first. Only blocks that the surface may cross are halved. The
/// function is called in the domain only. If it changes faster than allowed, parts of the set are missed.
/// Cost: calls and memory grow with the number of surface cells, however large the domain is.
/// @throws std::invalid_argument  if the domain is not valid (see `box`), or spans the whole range of coordinates
template <int Dim, class Function>
IntervalSet<Dim> from_signed_distance(Box<Dim> const& domain, Function const& function,
                                      Context const& context = Context()) {
  detail::expect_valid(domain, "from_signed_distance");
  if (domain.is_empty()) return {};
  ProfilingRegion const region("sparse::signed_distance");

  // The block of the lowest possible cell would reach out of the range of coordinates. An offset of one avoids it.
  Vec<Coord, Dim> offset;
  std::int64_t longest = 0;
  for (int axis = 0; axis < Dim; ++axis) {
    offset[axis] = domain.begin[axis] == -coord_limit + 1 ? 1 : 0;
    expects(domain.end[axis] + offset[axis] <= coord_limit,
            "from_signed_distance: the domain spans the whole range of coordinates");
    longest = std::max(longest, std::int64_t{domain.end[axis]} - domain.begin[axis]);
  }
  int level = 0;
  while (longest >> level > 8) ++level;

  Box<Dim> whole;
  for (int axis = 0; axis < Dim; ++axis) {
    whole.begin[axis] = (domain.begin[axis] + offset[axis]) >> level;
    whole.end[axis] = ((domain.end[axis] - 1 + offset[axis]) >> level) + 1;
  }
  IntervalSet<Dim> undecided = box<Dim>(whole.begin, whole.end, context), inside;
  for (;; --level) {
    Buffer<detail::BlockPlace> const places(context, undecided.cell_count());
    SetView const blocks = undecided.view();
    parallel_for(context, "sparse::shapes::distance", blocks.row_count,
                 detail::PlaceBlocks<Dim, Function>{blocks, domain, offset, level, function, places.data()});
    inside |= detail::blocks_at(undecided, places.data(), detail::BlockPlace::inside);
    if (level == 0) break;
    undecided = refine(detail::blocks_at(undecided, places.data(), detail::BlockPlace::near_surface));
    inside = refine(inside);
  }
  return shift(inside, -1 * offset);
}

}  // namespace sparse
