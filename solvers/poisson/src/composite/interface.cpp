#include "interface.hpp"

#include "search.hpp"

namespace sparse::poisson::detail {
namespace {

/// The position of a cell, or -1.
template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION Place place_in(SetView const& set, Vec<Coord, Dim> const& cell) {
  return static_cast<Place>(set.find(cell));
}

template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION Coord step_of(int arm) {
  return arm % 2 == 0 ? -1 : 1;
}

template <int Dim>
struct FillFaces {
  using Face = InterfaceFace<Dim>;
  SetView facing;
  int arm;
  LevelSearch<Dim> coarse, fine;
  SetView averaged;
  SetView dirichlet[Dim];
  Vec<Index, Dim> dirichlet_starts;
  Face* faces;

  /// What is searched for one face after the other.
  struct Searches {
    NearbySearch cells, averaged, children, inner;
  };

  KOKKOS_FUNCTION void operator()(Index i) const {
    Face face{};
    face.axis = arm / 2;
    auto const cell = cell_of<Dim>(facing, i);
    Searches in{NearbySearch(coarse.cells), NearbySearch(averaged), NearbySearch(fine.cells), NearbySearch(fine.cells)};
    face.coarse = static_cast<Place>(in.cells.find(cell));
    fill_fine(face, cell, in);
    for (int k = 0; k < Face::tangent_count; ++k) {
      int const tangent = tangent_axis<Dim>(face.axis, k);
      for (int side = 0; side < 2; ++side) face.side[k][side] = find_side(cell, tangent, side, in);
      face.second[k] = Face::no_cell;
      // Behind a covered cell, means may not be known.
      for (int side = 0; side < 2; ++side)
        if (is_leaf(face.side[k][side]) && face.side[k][1 - side] == Face::no_cell)
          face.second[k] = find_coarse(cell + Vec<Coord, Dim>::along(tangent, 4 * side - 2), in);
    }
    if constexpr (Dim == 3) fill_diagonals(face, cell, in);
    faces[i] = face;
  }

  KOKKOS_FUNCTION void fill_fine(Face& face, Vec<Coord, Dim> const& cell, Searches& in) const {
    Coord const inwards = step_of<Dim>(arm);
    auto const parent = cell + Vec<Coord, Dim>::along(face.axis, inwards);
    for (int part = 0; part < Face::fine_count; ++part) {
      auto child = 2 * parent;
      child[face.axis] += inwards > 0 ? 0 : 1;
      for (int k = 0; k < Face::tangent_count; ++k) child[tangent_axis<Dim>(face.axis, k)] += (part >> k) & 1;
      face.fine[part] = face.inner[part] = static_cast<Place>(fine.find_in(in.children, child));
      if (face.fine[part] < 0) continue;
      auto const inner = child + Vec<Coord, Dim>::along(face.axis, inwards);
      if (Index const found = fine.find_in(in.inner, inner); found >= 0) face.inner[part] = static_cast<Place>(found);
    }
  }

  KOKKOS_FUNCTION Place find_coarse(Vec<Coord, Dim> const& cell, Searches& in) const {
    Index const mean = coarse.find_in(in.averaged, cell);
    return static_cast<Place>(mean >= 0 ? coarse.cells.cell_count + mean : coarse.find_in(in.cells, cell));
  }

  KOKKOS_FUNCTION bool is_leaf(Place place) const { return place >= 0 && place < coarse.cells.cell_count; }

  KOKKOS_FUNCTION Place find_side(Vec<Coord, Dim> const& cell, int axis, int side, Searches& in) const {
    auto const beside = cell + Vec<Coord, Dim>::along(axis, 2 * side - 1);
    if (Place const found = find_coarse(beside, in); found >= 0) return found;
    Index const given = dirichlet[axis].find(cell + Vec<Coord, Dim>::along(axis, side));
    return given < 0 ? Face::no_cell : static_cast<Place>(Face::given_value - (dirichlet_starts[axis] + given));
  }

  KOKKOS_FUNCTION void fill_diagonals(Face& face, Vec<Coord, Dim> const& cell, Searches& in) const {
    for (int d = 0; d < Face::fine_count; ++d) {
      auto other = cell;
      for (int k = 0; k < Face::tangent_count; ++k) other[tangent_axis<Dim>(face.axis, k)] += 2 * ((d >> k) & 1) - 1;
      // Where both cells between are missing, nothing flows to the one along the diagonal.
      bool const is_near = face.side[0][d & 1] >= 0 || face.side[Face::tangent_count - 1][(d >> 1) & 1] >= 0;
      face.diagonal[d] = is_near ? find_coarse(other, in) : Face::no_cell;
    }
    Place const found[4] = {face.diagonal[0], face.diagonal[1], face.diagonal[2], face.diagonal[3]};
    for (int d = 0; d < Face::fine_count; ++d) {
      if (found[d] >= 0) continue;
      face.diagonal[d] = Face::no_cell;
      for (int k = 0; k < Face::tangent_count; ++k)
        if (face.side[k][(d >> k) & 1] < 0 && found[d ^ (1 << k)] >= 0) {
          face.diagonal[d] = Face::outside_along - k;
          break;
        }
    }
  }
};

template <int Dim>
struct FillAveraged {
  SetView averaged, coarse, fine;
  AveragedCell<Dim>* cells;
  KOKKOS_FUNCTION void operator()(Index i) const {
    auto const cell = cell_of<Dim>(averaged, i);
    AveragedCell<Dim> own{};
    own.cell = place_in(coarse, cell);
    for (int k = 0; k < 1 << Dim; ++k) {
      auto child = 2 * cell;
      for (int axis = 0; axis < Dim; ++axis) child[axis] += (k >> axis) & 1;
      own.child[k] = place_in(fine, child);
    }
    cells[i] = own;
  }
};

template <int Dim>
struct FillBeside {
  SetView beside, cells, of_leaves;
  LevelSearch<Dim> before;
  SetView facing[2 * Dim], facing_before[2 * Dim], rims[2 * Dim];
  BesideLeaf<Dim>* leaves;

  KOKKOS_FUNCTION void operator()(Index m) const {
    constexpr int parts = InterfaceFace<Dim>::fine_count;
    auto const cell = cell_of<Dim>(beside, m);
    BesideLeaf<Dim> own{};
    own.cell = place_in(cells, cell);
    own.leaf = place_in(of_leaves, cell);
    Index first = 0, first_before = 0;
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      own.part[arm] = -1;
      if (Index const found = facing[arm].find(cell); found >= 0)
        own.part[arm] = static_cast<Place>((first + found) * parts);
      first += facing[arm].cell_count;
    }
    for (int arm = 0; arm < 2 * Dim; ++arm) {  // faces of the other side have the opposite arm
      if (rims[arm ^ 1].find(cell) >= 0) {
        int const axis = arm / 2;
        auto coarse = cell;
        coarse[axis] += step_of<Dim>(arm ^ 1);
        int part = 0;
        for (int k = 0; k < Dim - 1; ++k) part |= (cell[tangent_axis<Dim>(axis, k)] & 1) << k;
        for (int a = 0; a < Dim; ++a) coarse[a] >>= 1;
        own.is_fine = 1;
        own.part[arm ^ 1] =
            static_cast<Place>((first_before + before.find_in(facing_before[arm], coarse)) * parts + part);
      }
      first_before += facing_before[arm].cell_count;
    }
    leaves[m] = own;
  }
};

}  // namespace

template <int Dim>
Interface<Dim> make_interface(CompositeLevel<Dim> const& coarse, CompositeLevel<Dim> const& fine,
                              Vec<Index, Dim> const& dirichlet_starts) {
  auto const context = coarse.cells.context();
  Interface<Dim> made;
  Index count = 0;
  for (int arm = 0; arm < 2 * Dim; ++arm) count += coarse.facing[arm].cell_count();
  made.faces = Buffer<InterfaceFace<Dim>>(context, count);
  InterfaceFace<Dim>* next = made.faces.data();
  for (int arm = 0; arm < 2 * Dim; ++arm) {
    FillFaces<Dim> fill{coarse.facing[arm].view(), arm, LevelSearch<Dim>(coarse), LevelSearch<Dim>(fine),
                        coarse.averaged.view(),    {},  dirichlet_starts,         next};
    for (int axis = 0; axis < Dim; ++axis) fill.dirichlet[axis] = coarse.of_leaves.dirichlet[axis].view();
    parallel_for(context, "sparse::poisson::interface", coarse.facing[arm].cell_count(), fill);
    next += coarse.facing[arm].cell_count();
  }
  made.averaged = Buffer<AveragedCell<Dim>>(context, coarse.averaged.cell_count());
  parallel_for(context, "sparse::poisson::averaged", coarse.averaged.cell_count(),
               FillAveraged<Dim>{coarse.averaged.view(), coarse.cells.view(), fine.cells.view(), made.averaged.data()});
  return made;
}

template <int Dim>
Buffer<BesideLeaf<Dim>> make_beside(CompositeLevel<Dim> const& level, CompositeLevel<Dim> const* before) {
  auto const context = level.cells.context();
  Index const count = level.beside.cell_count();
  Buffer<BesideLeaf<Dim>> made(context, count);
  FillBeside<Dim> fill{level.beside.view(),
                       level.cells.view(),
                       level.leaves.view(),
                       LevelSearch<Dim>(before != nullptr ? *before : level),
                       {},
                       {},
                       {},
                       made.data()};
  for (int arm = 0; arm < 2 * Dim; ++arm) {
    fill.facing[arm] = level.facing[arm].view();
    fill.rims[arm] = level.rims[arm].view();
    if (before != nullptr) fill.facing_before[arm] = before->facing[arm].view();
  }
  parallel_for(context, "sparse::poisson::beside", count, fill);
  return made;
}

template Interface<2> make_interface(CompositeLevel<2> const&, CompositeLevel<2> const&, Vec<Index, 2> const&);
template Interface<3> make_interface(CompositeLevel<3> const&, CompositeLevel<3> const&, Vec<Index, 3> const&);
template Buffer<BesideLeaf<2>> make_beside(CompositeLevel<2> const&, CompositeLevel<2> const*);
template Buffer<BesideLeaf<3>> make_beside(CompositeLevel<3> const&, CompositeLevel<3> const*);

}  // namespace sparse::poisson::detail
