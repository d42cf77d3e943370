#include "face_transfer.hpp"

#include <limits>

#include <sparse/base/error.hpp>
#include <sparse/base/parallel.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/cells_in_order.hpp>
#include <sparse/sets/nearby_search.hpp>

namespace sparse::incompressible::detail {
namespace {

using sparse::detail::NearbySearch;
using sparse::detail::sum_in_order;

/// The same for kernels.
template <int Dim>
struct StoreView {
  SetView storage, faces[Dim];
  Periodicity<Dim> periodicity;

  explicit StoreView(FaceStore<Dim> const& store) : storage(store.storage.view()), periodicity(store.periodicity) {
    expects(store.storage.cell_count() <= std::numeric_limits<StoredAt>::max(),
            "incompressible: a level has too many cells");
    for (int axis = 0; axis < Dim; ++axis) faces[axis] = store.faces[axis].view();
  }
};

/// Finds faces that lie close to each other.
template <int Dim>
class StoreSearch {
public:
  explicit KOKKOS_FUNCTION StoreSearch(StoreView<Dim> const& store)
      : periodicity_(store.periodicity), storage_(store.storage) {
    for (int axis = 0; axis < Dim; ++axis) faces_[axis] = NearbySearch(store.faces[axis]);
  }
  /// The position of a face, or -1.
  KOKKOS_FUNCTION StoredAt find(int axis, Vec<Coord, Dim> const& face) {
    return faces_[axis].find(periodicity_.stored(face)) < 0 ? -1 : find_stored(face);
  }
  /// The same for what must be a face of an axis, which is not looked up.
  KOKKOS_FUNCTION StoredAt find_stored(Vec<Coord, Dim> const& face) {
    return static_cast<StoredAt>(storage_.find(periodicity_.stored(face)));
  }

private:
  Periodicity<Dim> const& periodicity_;
  NearbySearch storage_, faces_[Dim];
};

/// @return  the number of faces that are not stored
template <int Dim>
KOKKOS_FUNCTION Index find_family(StoreSearch<Dim>& coarse, StoreSearch<Dim>& fine, int axis,
                                  Vec<Coord, Dim> const& face, FaceFamily<Dim>& family) {
  family.axis = axis;
  family.coarse = coarse.find_stored(face);
  Index lost = family.coarse < 0 ? 1 : 0;
  for (int part = 0; part < face_parts<Dim>; ++part) {
    family.fine[part] = fine.find_stored(part_of<Dim>(axis, face, part));
    lost += family.fine[part] < 0 ? 1 : 0;
  }
  return lost;
}

void expect_none(Index lost) {
  if (lost > 0)
    throw std::logic_error("incompressible: " + std::to_string(lost) + " faces beside an interface are not stored");
}

/// What is searched from face to face on both levels.
template <int Dim>
struct StoreSearches {
  StoreSearch<Dim> coarse, fine;
};

template <int Dim>
struct FindFamilies {
  StoreView<Dim> coarse, fine;
  int axis;
  FaceFamily<Dim>* families;

  KOKKOS_FUNCTION StoreSearches<Dim> searches() const { return {StoreSearch<Dim>(coarse), StoreSearch<Dim>(fine)}; }
  KOKKOS_FUNCTION Index operator()(StoreSearches<Dim>& in, Index i, Vec<Coord, Dim> const& face) const {
    return find_family<Dim>(in.coarse, in.fine, axis, face, families[i]);
  }
};

/// `SideFaces` for kernels.
template <int Dim>
struct SidesView {
  SetView slip[Dim][2], no_slip[Dim][2], inflow[Dim][2];

  explicit SidesView(SideFaces<Dim> const& sides) {
    for (int axis = 0; axis < Dim; ++axis)
      for (int side = 0; side < 2; ++side) {
        slip[axis][side] = sides.slip[axis][side].view();
        no_slip[axis][side] = sides.no_slip[axis][side].faces.view();
        inflow[axis][side] = sides.inflow[axis][side].faces.view();
      }
  }
  /// What is beyond a face normal to `axis` along another axis.
  KOKKOS_FUNCTION StoredAt beyond(int axis, Vec<Coord, Dim> const& face, int across, int side) const {
    for (int below = 0; below < 2; ++below) {  // the cells beside the face, of which one may be outside
      auto at = face - Vec<Coord, Dim>::along(axis, below);
      at[across] += side;
      if (slip[across][side].find(at) >= 0) return SplitFace<Dim>::slip;
      if (no_slip[across][side].find(at) >= 0) return SplitFace<Dim>::no_slip;
      if (inflow[across][side].find(at) >= 0) return SplitFace<Dim>::inflow;
    }
    return SplitFace<Dim>::open;
  }
};

template <int Dim>
struct FindSplits {
  StoreView<Dim> coarse, fine;
  SidesView<Dim> sides;
  int axis;
  SplitFace<Dim>* splits;

  KOKKOS_FUNCTION StoreSearches<Dim> searches() const { return {StoreSearch<Dim>(coarse), StoreSearch<Dim>(fine)}; }
  KOKKOS_FUNCTION Index operator()(StoreSearches<Dim>& in, Index i, Vec<Coord, Dim> const& face) const {
    SplitFace<Dim>& split = splits[i];
    for (int k = 0; k < Dim - 1; ++k)
      for (int side = 0; side < 2; ++side) {
        int const across = axis_beside(axis, k);
        StoredAt& beside = split.beside[2 * k + side];
        beside = in.coarse.find(axis, face + Vec<Coord, Dim>::along(across, 2 * side - 1));
        if (beside < 0) beside = sides.beyond(axis, face, across, side);
      }
    return find_family<Dim>(in.coarse, in.fine, axis, face, split.family);
  }
};

template <int Dim>
struct FindChildFaces {
  StoreView<Dim> fine;
  ChildFaces<Dim>* found;

  KOKKOS_FUNCTION StoreSearch<Dim> searches() const { return StoreSearch<Dim>(fine); }
  KOKKOS_FUNCTION Index operator()(StoreSearch<Dim>& in, Index i, Vec<Coord, Dim> const& parent) const {
    Index lost = 0;
    for (int axis = 0; axis < Dim; ++axis)
      for (int part = 0; part < face_parts<Dim>; ++part) {
        auto const lower = part_of<Dim>(axis, parent, part);
        for (int layer = 0; layer < 3; ++layer) {
          StoredAt const at = in.find_stored(lower + Vec<Coord, Dim>::along(axis, layer));
          (layer == 1 ? found[i].inner[axis][part] : found[i].outer[axis][layer / 2][part]) = at;
          lost += at < 0 ? 1 : 0;
        }
      }
    return lost;
  }
};

template <class T, int Dim>
void take_means(Context const& context, Buffer<FaceFamily<Dim>> const& list, FieldView<T> coarse,
                FieldView<T const> fine) {
  FaceFamily<Dim> const* const families = list.data();
  parallel_for(
      context, "sparse::incompressible::face_means", list.size(), KOKKOS_LAMBDA(Index i) {
        FaceFamily<Dim> const& family = families[i];
        T sum = 0;
        SPARSE_UNROLL
        for (int part = 0; part < face_parts<Dim>; ++part) sum += fine(family.axis, family.fine[part]);
        coarse(family.axis, family.coarse) = sum / face_parts<Dim>;
      });
}

/// A quarter of the change from face to face along an axis.
template <class T, int Dim>
struct QuarterOfSlope {
  SplitFace<Dim> const& split;
  SideVelocities<Dim> const& of_sides;
  T const* values;  // of the normal component
  T here;

  KOKKOS_FORCEINLINE_FUNCTION T operator()(int k) const {
    StoredAt const below = split.beside[2 * k], above = split.beside[2 * k + 1];
    T lower = below >= 0 ? values[below] : here, upper = above >= 0 ? values[above] : here;
    if (below < 0) lower = image(2 * k, upper);
    if (above < 0) upper = image(2 * k + 1, below >= 0 ? values[below] : here);
    return (upper - lower) / 8;
  }

private:
  /// What stands in for a face that is missing. @param opposite  the face on the other side, or `here`
  KOKKOS_FORCEINLINE_FUNCTION T image(int arm, T opposite) const {
    StoredAt const kind = split.beside[arm];
    if (kind == SplitFace<Dim>::slip) return here;
    if (kind == SplitFace<Dim>::open) return 2 * here - opposite;
    int const axis = split.family.axis;
    auto const& given_at = kind == SplitFace<Dim>::no_slip ? of_sides.no_slip : of_sides.inflow;
    T const given = static_cast<T>(given_at[axis_beside(axis, arm / 2)][arm % 2][axis]);
    return split.beside[arm ^ 1] >= 0 ? (8 * given - 6 * here + opposite) / 3  // the parabola through these
                                      : 2 * given - here;
  }
};

template <class T, int Dim>
void split_faces(Context const& context, Buffer<SplitFace<Dim>> const& list, SideVelocities<Dim> const& of_sides,
                 FieldView<T> fine, FieldView<T const> coarse) {
  SplitFace<Dim> const* const splits = list.data();
  parallel_for(
      context, "sparse::incompressible::split_faces", list.size(), KOKKOS_LAMBDA(Index i) {
        SplitFace<Dim> const& split = splits[i];
        int const axis = split.family.axis;
        T const* const values = coarse.data + axis * coarse.stride;
        T const here = values[split.family.coarse];
        QuarterOfSlope<T, Dim> const quarter_of_slope{split, of_sides, values, here};
        T slope[Dim - 1];
        for (int k = 0; k < Dim - 1; ++k) slope[k] = quarter_of_slope(k);
        for (int part = 0; part < face_parts<Dim>; ++part) {
          T value = here;
          for (int k = 0; k < Dim - 1; ++k) value += (part >> k) & 1 ? slope[k] : -slope[k];
          fine(axis, split.family.fine[part]) = value;
        }
      });
}

/// The faces between the children of a cell.
template <class T, int Dim>
struct FillBetweenChildren {
  static constexpr int octants = 1 << Dim;
  ChildFaces<Dim> const* cells;
  FieldView<T> fine;
  Vec<T, Dim> spacing;

  /// Bit b of an octant's number is its half along axis b.
  KOKKOS_FORCEINLINE_FUNCTION static T sign(int octant, int axis) { return (octant >> axis) & 1 ? T(1) : T(-1); }
  KOKKOS_FORCEINLINE_FUNCTION static int part(int axis, int octant) {
    int result = 0;
    for (int k = 0; k < Dim - 1; ++k) result |= ((octant >> axis_beside(axis, k)) & 1) << k;
    return result;
  }
  KOKKOS_FUNCTION void operator()(Index i) const {
    ChildFaces<Dim> const& cell = cells[i];
    T outer[Dim][octants];
    SPARSE_UNROLL
    for (int axis = 0; axis < Dim; ++axis) {
      SPARSE_UNROLL
      for (int o = 0; o < octants; ++o) outer[axis][o] = fine(axis, cell.outer[axis][(o >> axis) & 1][part(axis, o)]);
    }
    T twist[Dim] = {};  // the change of a component along all axes
    if constexpr (Dim == 3)
      for (int b = 0; b < Dim; ++b) {
        for (int o = 0; o < octants; ++o) twist[b] += sign(o, 0) * sign(o, 1) * sign(o, 2) * outer[b][o];
        twist[b] /= octants;
      }
    for (int c = 0; c < Dim; ++c) {
      T bend = 0;  // what makes up for the change of the other components
      for (int b = 0; b < Dim; ++b) {
        if (b == c) continue;
        T sum = 0;
        for (int o = 0; o < octants; ++o) sum += sign(o, c) * sign(o, b) * outer[b][o];
        bend += spacing[c] / spacing[b] * sum / octants;
      }
      for (int at = 0; at < face_parts<Dim>; ++at) {
        T value = T(0.5) * (fine(c, cell.outer[c][0][at]) + fine(c, cell.outer[c][1][at])) + bend;
        if constexpr (Dim == 3)
          for (int k = 0; k < Dim - 1; ++k) {
            int const b = axis_beside(c, k);
            T const side = (at >> (1 - k)) & 1 ? T(1) : T(-1);  // along the third axis
            value += side * twist[b] * spacing[c] / (2 * spacing[b]);
          }
        fine(c, cell.inner[c][at]) = value;
      }
    }
  }
};

template <class T, int Dim>
void fill_between_children(Context const& context, Buffer<ChildFaces<Dim>> const& list, FieldView<T> fine,
                           Vec<T, Dim> spacing) {
  parallel_for(context, "sparse::incompressible::between_children", list.size(),
               FillBetweenChildren<T, Dim>{list.data(), fine, spacing});
}

}  // namespace

template <int Dim>
FaceStore<Dim> store_of(StaggeredGrid<Dim> const& grid) {
  FaceStore<Dim> store{grid.storage(), {}, grid.domain().periodicity()};
  for (int axis = 0; axis < Dim; ++axis) store.faces[axis] = grid.faces(axis);
  return store;
}

template <int Dim>
FaceSets<Dim> faces_of_cells(IntervalSet<Dim> const& cells, Periodicity<Dim> const& periodicity) {
  FaceSets<Dim> result;
  if (cells.is_empty()) return result;
  for (int axis = 0; axis < Dim; ++axis) result[axis] = cells | periodicity.stored(shift(cells, axis, 1));
  return result;
}

template <int Dim>
FaceStore<Dim> store_of_cells(IntervalSet<Dim> const& cells, Periodicity<Dim> const& periodicity) {
  FaceStore<Dim> store{{}, faces_of_cells(cells, periodicity), periodicity};
  for (int axis = 0; axis < Dim; ++axis) store.storage = store.storage | store.faces[axis];
  return store;
}

template <int Dim>
FaceMeans<Dim>::FaceMeans(FaceStore<Dim> const& coarse, FaceStore<Dim> const& fine, FaceSets<Dim> const& faces)
    : families_(coarse.storage.context(), faces.face_count()) {
  StoreView<Dim> const of_coarse(coarse), of_fine(fine);
  Index lost = 0, first = 0;
  for (int axis = 0; axis < Dim; ++axis) {
    lost += sum_in_order("sparse::incompressible::find_families", faces[axis],
                         FindFamilies<Dim>{of_coarse, of_fine, axis, families_.data() + first});
    first += faces[axis].cell_count();
  }
  expect_none(lost);
}

template <int Dim>
template <class T>
void FaceMeans<Dim>::operator()(Field<T, Dim>& coarse, Field<T, Dim> const& fine) const {
  take_means<T, Dim>(coarse.context(), families_, coarse.view(), fine.view());
}

template <int Dim>
FaceSplits<Dim>::FaceSplits(FaceStore<Dim> const& coarse, FaceStore<Dim> const& fine, IntervalSet<Dim> const& parents,
                            FaceSets<Dim> const& kept, SideFaces<Dim> const& sides) {
  auto faces = faces_of_cells(parents, coarse.periodicity);
  for (int axis = 0; axis < Dim; ++axis) faces[axis] = faces[axis] - kept[axis];
  auto const context = coarse.storage.context();
  faces_ = Buffer<SplitFace<Dim>>(context, faces.face_count());
  cells_ = Buffer<ChildFaces<Dim>>(context, parents.cell_count());
  for (int axis = 0; axis < Dim; ++axis)
    for (int side = 0; side < 2; ++side) {
      of_sides_.no_slip[axis][side] = sides.no_slip[axis][side].velocity;
      of_sides_.inflow[axis][side] = sides.inflow[axis][side].velocity;
    }
  StoreView<Dim> const of_coarse(coarse), of_fine(fine);
  SidesView<Dim> const of_sides(sides);
  Index lost = sum_in_order("sparse::incompressible::find_child_faces", parents,
                            FindChildFaces<Dim>{of_fine, cells_.data()}),
        first = 0;
  for (int axis = 0; axis < Dim; ++axis) {
    lost += sum_in_order("sparse::incompressible::find_splits", faces[axis],
                         FindSplits<Dim>{of_coarse, of_fine, of_sides, axis, faces_.data() + first});
    first += faces[axis].cell_count();
  }
  expect_none(lost);
}

template <int Dim>
template <class T>
void FaceSplits<Dim>::operator()(Field<T, Dim>& fine, Field<T, Dim> const& coarse,
                                 Vec<double, Dim> const& spacing) const {
  Vec<T, Dim> widths;
  for (int axis = 0; axis < Dim; ++axis) widths[axis] = static_cast<T>(spacing[axis]);
  split_faces<T, Dim>(fine.context(), faces_, of_sides_, fine.view(), coarse.view());
  fill_between_children<T, Dim>(fine.context(), cells_, fine.view(), widths);
}

#define SPARSE_DEFINE(Dim)                                                                                             \
  template FaceStore<Dim> store_of(StaggeredGrid<Dim> const&);                                                         \
  template FaceSets<Dim> faces_of_cells(IntervalSet<Dim> const&, Periodicity<Dim> const&);                             \
  template FaceStore<Dim> store_of_cells(IntervalSet<Dim> const&, Periodicity<Dim> const&);                            \
  template class FaceMeans<Dim>;                                                                                       \
  template class FaceSplits<Dim>;                                                                                      \
  template void FaceMeans<Dim>::operator()(Field<float, Dim>&, Field<float, Dim> const&) const;                        \
  template void FaceMeans<Dim>::operator()(Field<double, Dim>&, Field<double, Dim> const&) const;                      \
  template void FaceSplits<Dim>::operator()(Field<float, Dim>&, Field<float, Dim> const&, Vec<double, Dim> const&)     \
      const;                                                                                                           \
  template void FaceSplits<Dim>::operator()(Field<double, Dim>&, Field<double, Dim> const&, Vec<double, Dim> const&)   \
      const;
SPARSE_DEFINE(2)
SPARSE_DEFINE(3)

}  // namespace sparse::incompressible::detail
