#include "interface.hpp"

#include "search.hpp"

namespace sparse::poisson::detail {
namespace {

KOKKOS_FORCEINLINE_FUNCTION Coord step_of(int arm) { return arm % 2 == 0 ? -1 : 1; }

/// The fine cell beyond a part of the face of a coarse leaf.
template <int Dim>
KOKKOS_FORCEINLINE_FUNCTION Vec<Coord, Dim> child_at_face(Vec<Coord, Dim> const& leaf, int arm, int part) {
  int const axis = arm / 2;
  auto child = 2 * (leaf + Vec<Coord, Dim>::along(axis, step_of(arm)));
  if (arm % 2 == 0) ++child[axis];
  for (int k = 0; k < Dim - 1; ++k) child[tangent_axis<Dim>(axis, k)] += (part >> k) & 1;
  return child;
}

template <int Dim>
struct FillFaces {
  using Face = InterfaceFace<Dim>;
  int arm;
  LevelSearch<Dim> coarse, fine;
  SetView averaged;
  SetView dirichlet[Dim];
  Vec<Index, Dim> dirichlet_starts;
  Face* faces;

  struct Searches {
    NearbySearch cells, averaged, children, inner;
  };
  KOKKOS_FUNCTION Searches searches() const {
    return {NearbySearch(coarse.cells), NearbySearch(averaged), NearbySearch(fine.cells), NearbySearch(fine.cells)};
  }

  KOKKOS_FUNCTION void operator()(Searches& in, Index i, Vec<Coord, Dim> const& cell) const {
    Face face{};
    face.axis = arm / 2;
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
    Coord const inwards = step_of(arm);
    for (int part = 0; part < Face::fine_count; ++part) {
      auto const child = child_at_face(cell, arm, part);
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
  SetView coarse, fine;
  AveragedCell<Dim>* cells;

  struct Searches {
    NearbySearch cells, children;
  };
  KOKKOS_FUNCTION Searches searches() const { return {NearbySearch(coarse), NearbySearch(fine)}; }

  KOKKOS_FUNCTION void operator()(Searches& in, Index i, Vec<Coord, Dim> const& cell) const {
    AveragedCell<Dim> own{};
    own.cell = static_cast<Place>(in.cells.find(cell));
    for (int k = 0; k < 1 << Dim; ++k) {
      auto child = 2 * cell;
      for (int axis = 0; axis < Dim; ++axis) child[axis] += (k >> axis) & 1;
      own.child[k] = static_cast<Place>(in.children.find(child));
    }
    cells[i] = own;
  }
};

template <int Dim>
struct FillBeside {
  SetView cells, of_leaves;
  BesideLeaf<Dim>* leaves;

  struct Searches {
    NearbySearch cells, leaves;
  };
  KOKKOS_FUNCTION Searches searches() const { return {NearbySearch(cells), NearbySearch(of_leaves)}; }

  KOKKOS_FUNCTION void operator()(Searches& in, Index m, Vec<Coord, Dim> const& cell) const {
    BesideLeaf<Dim> own{};
    own.cell = static_cast<Place>(in.cells.find(cell));
    own.leaf = static_cast<Place>(in.leaves.find(cell));
    for (Place& part : own.part) part = -1;
    leaves[m] = own;
  }
};

/// Tells coarse leaves the first part of each of their faces at the interface. Over ranks, some leaves are others'.
template <int Dim>
struct TellCoarse {
  SetView beside;
  int arm;
  Index first;  ///< face of this arm
  BesideLeaf<Dim>* leaves;

  KOKKOS_FUNCTION NearbySearch searches() const { return NearbySearch(beside); }

  KOKKOS_FUNCTION void operator()(NearbySearch& in, Index i, Vec<Coord, Dim> const& cell) const {
    Index const m = in.find(cell);
    if (m >= 0) leaves[m].part[arm] = static_cast<Place>((first + i) * InterfaceFace<Dim>::fine_count);
  }
};

/// Tells fine leaves their parts of the faces of coarse ones. Over ranks, some are others'.
template <int Dim>
struct TellFine {
  SetView beside;
  LevelSearch<Dim> fine;
  int arm;  ///< of the coarse leaves
  Index first;
  BesideLeaf<Dim>* leaves;

  KOKKOS_FUNCTION NearbySearch searches() const { return NearbySearch(beside); }

  KOKKOS_FUNCTION void operator()(NearbySearch& in, Index i, Vec<Coord, Dim> const& cell) const {
    for (int part = 0; part < InterfaceFace<Dim>::fine_count; ++part) {
      Index const m = fine.find_in(in, child_at_face(cell, arm, part));
      if (m < 0) continue;
      leaves[m].is_fine = 1;
      leaves[m].part[arm ^ 1] = static_cast<Place>((first + i) * InterfaceFace<Dim>::fine_count + part);
    }
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
    FillFaces<Dim> fill{
        arm, LevelSearch<Dim>(coarse), LevelSearch<Dim>(fine), coarse.averaged.view(), {}, dirichlet_starts, next};
    for (int axis = 0; axis < Dim; ++axis) fill.dirichlet[axis] = coarse.of_leaves.dirichlet[axis].view();
    for_cells_in_order("sparse::poisson::interface", coarse.facing[arm], fill);
    next += coarse.facing[arm].cell_count();
  }
  made.averaged = Buffer<AveragedCell<Dim>>(context, coarse.averaged.cell_count());
  for_cells_in_order("sparse::poisson::averaged", coarse.averaged,
                     FillAveraged<Dim>{coarse.cells.view(), fine.cells.view(), made.averaged.data()});
  return made;
}

template <int Dim>
Buffer<BesideLeaf<Dim>> make_beside(CompositeLevel<Dim> const& level, CompositeLevel<Dim> const* before) {
  auto const context = level.cells.context();
  Index const count = level.beside.cell_count();
  Buffer<BesideLeaf<Dim>> made(context, count);
  auto const beside = level.beside.view();
  for_cells_in_order("sparse::poisson::beside", level.beside,
                     FillBeside<Dim>{level.cells.view(), level.leaves.view(), made.data()});
  Index first = 0, first_before = 0;
  for (int arm = 0; arm < 2 * Dim; ++arm) {
    auto const& facing = level.facing[arm];
    for_cells_in_order("sparse::poisson::beside_finer", facing, TellCoarse<Dim>{beside, arm, first, made.data()});
    first += facing.cell_count();
    if (before == nullptr) continue;
    auto const& facing_before = before->facing[arm];
    for_cells_in_order("sparse::poisson::beside_coarser", facing_before,
                       TellFine<Dim>{beside, LevelSearch<Dim>(level), arm, first_before, made.data()});
    first_before += facing_before.cell_count();
  }
  return made;
}

template Interface<2> make_interface(CompositeLevel<2> const&, CompositeLevel<2> const&, Vec<Index, 2> const&);
template Interface<3> make_interface(CompositeLevel<3> const&, CompositeLevel<3> const&, Vec<Index, 3> const&);
template Buffer<BesideLeaf<2>> make_beside(CompositeLevel<2> const&, CompositeLevel<2> const*);
template Buffer<BesideLeaf<3>> make_beside(CompositeLevel<3> const&, CompositeLevel<3> const*);

}  // namespace sparse::poisson::detail
