#pragma once
/// The faces between the leaves of two levels, and what flows through them.

#include <sparse/base/parallel.hpp>

#include "levels.hpp"

namespace sparse::poisson::detail {

/// A place in an array, or a number of a part of a face. In 32 bits records take half as much memory; composite_levels
/// refuses levels with more cells.
using Place = std::int32_t;

/// The fine faces on one face of a coarse leaf. Positions are those in `cells` of the levels. Behind the last one of
/// the coarse level follow its averaged cells.
template <int Dim>
struct InterfaceFace {
  static constexpr int fine_count = 1 << (Dim - 1), tangent_count = Dim - 1;
  Place coarse;
  Place fine[fine_count];   ///< -1 for a solid cell. Bit k of the number: on the upper side along tangent k
  Place inner[fine_count];  ///< the next cells inwards, or the same ones where these are solid
  /// [tangent][lower, upper] the coarse cells beside the leaf; else `no_cell` or `given_value - number of the face`
  Place side[tangent_count][2];
  Place
      second[tangent_count];  ///< where one of these is missing and the other a leaf: the one behind that, or `no_cell`
  /// 3D: those along diagonals, bit k of the number as above; else `outside_along - tangent`, or `no_cell`
  Place diagonal[fine_count];
  std::int32_t axis;

  static constexpr Place no_cell = -1, given_value = -2, outside_along = -2;
};

/// The axis of tangent k of a face.
template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION constexpr int tangent_axis(int axis, int k) {
  return k < axis ? k : k + 1;
}

/// A leaf at an interface, on one of its sides: coarse leaves see faces, fine ones a part of a face.
template <int Dim>
struct BesideLeaf {
  Place cell;           ///< its position in `cells` of its level
  Place leaf;           ///< its position in `leaves`
  Place part[2 * Dim];  ///< [arm] number of the part of a face (of the first part, if coarse), or -1
  std::int32_t is_fine;
};

/// A covered cell and its children, -1 for solid ones.
template <int Dim>
struct AveragedCell {
  Place cell;
  Place child[1 << Dim];
};

/// The interface between a level and the next one. Parts of faces are numbered face by face.
template <int Dim>
struct Interface {
  Buffer<InterfaceFace<Dim>> faces;
  Buffer<AveragedCell<Dim>> averaged;
  Buffer<double> coefficient;  ///< [part] c, where it is given by face; else empty

  Index part_count() const { return faces.size() * InterfaceFace<Dim>::fine_count; }
};

/// @param dirichlet_starts  [axis] number of the first Dirichlet face normal to it
template <int Dim>
Interface<Dim> make_interface(CompositeLevel<Dim> const& coarse, CompositeLevel<Dim> const& fine,
                              Vec<Index, Dim> const& dirichlet_starts);

/// The leaves beside interfaces of a level, in the order of its set `beside`. @param before  the coarser level, or null
template <int Dim>
Buffer<BesideLeaf<Dim>> make_beside(CompositeLevel<Dim> const& level, CompositeLevel<Dim> const* before);

// ---- kernels

/// Short loops are done by this thread, since others take longer to wake.
template <class Body>
void on_interface(Context const& context, char const* label, Index count, Body const& body) {
  constexpr Index short_loop = 512;
  if (!sparse::detail::is_done_at_once(count, short_loop)) {
    parallel_for(context, label, count, body);
    return;
  }
  if (count == 0) return;
  sparse::detail::AnnouncedKernel const kernel(label);
  for (Index i = 0; i < count; ++i) body(i);
}

/// Means of covered cells, and in the cycle what these are corrected by. They have the type of the matrix: in that of x
/// they would not be exact enough.
template <class T, class X, int Dim>
struct AverageChildren {
  AveragedCell<Dim> const* cells;
  X const* fine;
  X const* corrections;  ///< or null
  T* means;
  KOKKOS_FUNCTION void operator()(Index i) const {
    T sum = 0;
    int count = 0;
    for (Index const child : cells[i].child) {
      if (child < 0) continue;
      sum += static_cast<T>(fine[child]);
      ++count;
    }
    means[i] = sum / static_cast<T>(count);
    if (corrections != nullptr) means[i] += static_cast<T>(corrections[cells[i].cell]);
  }
};

/// flux = gradients at the fine faces, away from the fine cells, times coefficients where these are given.
///
/// Values are means of cells: p_i' and p_i of fine cells of width h, q of a cell of width 2 h behind the face. The
/// parabola with these means has the slope (q - (p_i + p_i') / 2) / 2 h at the face. The mean of a covered cell's
/// children is then as good as that of a leaf; through values at centres it would be off by h^2 / 8 of the Laplacian.
template <class T, class X, int Dim>
struct InterfaceFluxes {
  using Face = InterfaceFace<Dim>;
  Face const* faces;
  X const *coarse, *fine;
  T const* means;
  Index coarse_count;    ///< cells of the coarse level
  double const* given;   ///< values on the Dirichlet faces of the coarse level, or null for 0
  T inverse_width[Dim];  ///< of the fine level
  T* flux;
  double const* coefficient;  ///< [part] multiplies gradients, or null

  KOKKOS_FUNCTION void operator()(Index f) const {
    Face const face = faces[f];
    T const here = static_cast<T>(coarse[face.coarse]);
    T value[Face::tangent_count][2];
    for (int k = 0; k < Face::tangent_count; ++k) {
      for (int side = 0; side < 2; ++side) value[k][side] = beside(face, k, side, here);
    }
    T mixed = 0;
    if constexpr (Dim == 3)
      for (int d = 0; d < Face::fine_count; ++d)
        mixed += (d == 0 || d == 3 ? T(1) : T(-1)) * along_diagonal(face, d, here, value);
    for (int part = 0; part < Face::fine_count; ++part) {
      Index const to = f * Face::fine_count + part;
      if (face.fine[part] < 0) {
        flux[to] = 0;
        continue;
      }
      T change = 0;  // from the coarse centre
      T sign = 1;
      for (int k = 0; k < Face::tangent_count; ++k) {
        T const lower = value[k][0] - here, upper = value[k][1] - here, s = (part >> k) & 1 ? T(1) : T(-1);
        change += s * (upper - lower) / 8;
        sign *= s;
      }
      if constexpr (Dim == 3) change += sign * mixed / 64;
      T const own = static_cast<T>(fine[face.fine[part]]), next = static_cast<T>(fine[face.inner[part]]);
      flux[to] = ((here - own + change) / 2 + (own - next) / 4) * inverse_width[face.axis];
      if (coefficient != nullptr) flux[to] *= static_cast<T>(coefficient[to]);
    }
  }

private:
  KOKKOS_FUNCTION T value_of(Index place) const {
    return place < coarse_count ? static_cast<T>(coarse[place]) : means[place - coarse_count];
  }
  KOKKOS_FUNCTION T beside(Face const& face, int k, int side, T here) const {
    Index const own = face.side[k][side], other = face.side[k][1 - side];
    if (own >= 0) return value_of(own);
    if (own == Face::no_cell) return beyond_wall(face, k, other, here);
    T const wall = given_at(own);
    if (other <= Face::given_value) return 4 * wall + 2 * given_at(other) - 5 * here;
    return other >= 0 ? 3 * wall + (value_of(other) - 5 * here) / 2 : 2 * wall - here;
  }
  /// Where nothing flows, values go on as they do inside. A pressure that balances gravity has a slope there.
  KOKKOS_FUNCTION T beyond_wall(Face const& face, int k, Index other, T here) const {
    if (other == Face::no_cell) return here;
    if (other <= Face::given_value) return 3 * here - 2 * given_at(other);
    Index const second = face.second[k];
    return second >= 0 ? 3 * (here - value_of(other)) + value_of(second) : 2 * here - value_of(other);
  }
  KOKKOS_FUNCTION T given_at(Index place) const {
    return given == nullptr ? T(0) : static_cast<T>(given[Face::given_value - place]);
  }
  /// Beyond a side, differences along it go on linearly.
  KOKKOS_FUNCTION T along_diagonal(Face const& face, int d, T here, T const (&value)[Face::tangent_count][2]) const {
    Index const own = face.diagonal[d];
    if (own >= 0) return value_of(own);
    int const outside = own == Face::no_cell ? -1 : static_cast<int>(Face::outside_along - own);
    if (outside < 0) return value[0][d & 1] + value[Face::tangent_count - 1][(d >> 1) & 1] - here;
    int const along = 1 - outside;
    Index const mirrored = face.diagonal[d ^ (1 << outside)];
    return 2 * value[along][(d >> along) & 1] - value_of(mirrored);
  }
};

/// extra = what interfaces add to the rows of the leaves beside them.
template <class T, int Dim>
struct GatherFluxes {
  BesideLeaf<Dim> const* leaves;
  T const *to_finer, *to_coarser;  ///< fluxes
  double coefficient;
  Vec<double, Dim> spacing;
  T* extra;

  KOKKOS_FUNCTION void operator()(Index m) const {
    constexpr int parts = InterfaceFace<Dim>::fine_count;
    auto const& own = leaves[m];
    T sum = 0;
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      Index const part = own.part[arm];
      if (part < 0) continue;
      T const scale = static_cast<T>(coefficient / spacing[arm / 2]);
      if (own.is_fine != 0) {
        sum -= scale * to_coarser[part];
      } else {
        T inflow = 0;
        for (int k = 0; k < parts; ++k) inflow += to_finer[part + k];
        sum += scale * inflow / parts;
      }
    }
    extra[m] = sum;
  }
};

}  // namespace sparse::poisson::detail
