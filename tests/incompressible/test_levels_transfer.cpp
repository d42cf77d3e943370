/// Velocities on faces from one level to the next.

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>
#include <support/incompressible.hpp>

#include "levels/face_transfer.hpp"

namespace {

using namespace reference;
using sparse::Field;
using sparse::incompressible::detail::FaceMeans;
using sparse::incompressible::detail::faces_of_cells;
using sparse::incompressible::detail::FaceSplits;
using sparse::incompressible::detail::FaceStore;
using sparse::incompressible::detail::store_of_cells;

template <class TheCase>
class IncompressibleLevelsTransfer : public testing::Test {};
TYPED_TEST_SUITE(IncompressibleLevelsTransfer, RealCases);

template <int Dim>
Cell<Dim> stored(sparse::incompressible::Periodicity<Dim> const& periodicity, Cell<Dim> const& cell) {
  return periodicity.stored(cell);
}

/// Values of faces by axis and place.
template <class T, int Dim>
struct FaceValues {
  FaceStore<Dim> store;
  std::map<Cell<Dim>, T, StorageOrder> of[Dim];

  FaceValues(FaceStore<Dim> const& s, Field<T, Dim> const& field) : store(s) {
    for (int axis = 0; axis < Dim; ++axis) {
      auto const all = value_map(field, axis);
      store.faces[axis].to_host().for_each_cell([&](Cell<Dim> const& cell, Index) { of[axis][cell] = all.at(cell); });
    }
  }
  T at(int axis, Cell<Dim> const& face) const { return of[axis].at(store.periodicity.stored(face)); }
  double divergence(Cell<Dim> const& cell, Point<Dim> const& spacing) const {
    double sum = 0;
    for (int axis = 0; axis < Dim; ++axis)
      sum += (static_cast<double>(at(axis, cell + Cell<Dim>::along(axis, 1))) - static_cast<double>(at(axis, cell))) /
             spacing[axis];
    return sum;
  }
};

template <class T, int Dim>
Field<T, Dim> random_faces(FaceStore<Dim> const& store, unsigned seed) {
  auto engine = random_engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  Field<T, Dim> field("velocity", store.storage, Dim, 0);
  for (int axis = 0; axis < Dim; ++axis)
    set_where(field, axis, store.faces[axis], [&](Cell<Dim> const&) { return uniform(engine); });
  return field;
}

/// Cells of a box, some of them refined, some of these already; maybe periodic.
template <int Dim>
struct TwoLevels {
  sparse::incompressible::Periodicity<Dim> of_coarse, of_fine;
  IntervalSet<Dim> coarse, known, fresh;  // coarse cells; the last two are disjoint
  Point<Dim> spacing;

  explicit TwoLevels(unsigned seed) {
    auto engine = random_engine(seed);
    Cell<Dim> end;
    for (int axis = 0; axis < Dim; ++axis) {
      end[axis] = random_int(engine, 4, Dim == 2 ? 12 : 6);
      spacing[axis] = 0.25 * random_int(engine, 1, 6);
      if (random_int(engine, 0, 1) == 1) {
        of_coarse.period[axis] = end[axis];
        of_fine.period[axis] = 2 * end[axis];
      }
    }
    coarse = sparse::box<Dim>({}, end);
    Cells<Dim> a, b;
    std::bernoulli_distribution is_chosen(0.3);
    for (auto const& cell : reference::box<Dim>({}, end)) {
      if (is_chosen(engine))
        a.insert(cell);
      else if (is_chosen(engine))
        b.insert(cell);
    }
    known = set_of(a);
    fresh = set_of(b);
  }
};

TYPED_TEST(IncompressibleLevelsTransfer, DivergenceOfChildrenIsThatOfTheirParent) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 50; ++seed) {
    TwoLevels<Dim> const levels(seed);
    if (levels.fresh.is_empty()) continue;
    auto const coarse = store_of_cells(levels.coarse, levels.of_coarse);
    auto const fine = store_of_cells(refine(levels.known | levels.fresh), levels.of_fine);
    auto of_coarse = random_faces<T>(coarse, seed), of_fine = random_faces<T>(fine, seed + 1000);
    auto const kept = faces_of_cells(levels.known, levels.of_coarse);
    FaceMeans<Dim>(coarse, fine, kept)(of_coarse, of_fine);
    FaceValues<T, Dim> const before(fine, of_fine);
    FaceSplits<Dim>(coarse, fine, levels.fresh, kept)(of_fine, of_coarse, levels.spacing);
    FaceValues<T, Dim> const parents(coarse, of_coarse), children(fine, of_fine);

    for (auto const& parent : cells_of(levels.fresh)) {
      double const wanted = parents.divergence(parent, levels.spacing);
      for (int k = 0; k < 1 << Dim; ++k) {
        auto child = 2 * parent;
        for (int axis = 0; axis < Dim; ++axis) child[axis] += (k >> axis) & 1;
        ASSERT_NEAR(children.divergence(child, 0.5 * levels.spacing), wanted, precise<T>(1e-4, 1e-12))
            << "seed " << seed << " " << child;
      }
    }
    for (int axis = 0; axis < Dim; ++axis) {
      auto const known = faces_of_cells(refine(levels.known), levels.of_fine);
      for (auto const& face : cells_of(known[axis]))
        ASSERT_EQ(children.at(axis, face), before.at(axis, face)) << "seed " << seed << " kept " << axis << face;
    }
  }
}

TYPED_TEST(IncompressibleLevelsTransfer, MeansOfPartsAreCoarseFaces) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= 50; ++seed) {
    TwoLevels<Dim> const levels(seed);
    if (levels.fresh.is_empty()) continue;
    auto const coarse = store_of_cells(levels.coarse, levels.of_coarse);
    auto const fine = store_of_cells(refine(levels.fresh), levels.of_fine);
    auto const of_coarse = random_faces<T>(coarse, seed);
    Field<T, Dim> of_fine("velocity", fine.storage, Dim, 0), back("velocity", coarse.storage, Dim, 0);
    FaceSplits<Dim>(coarse, fine, levels.fresh, {})(of_fine, of_coarse, levels.spacing);
    auto const faces = faces_of_cells(levels.fresh, levels.of_coarse);
    FaceMeans<Dim>(coarse, fine, faces)(back, of_fine);
    FaceValues<T, Dim> const wanted(coarse, of_coarse), got(coarse, back);
    for (int axis = 0; axis < Dim; ++axis)
      for (auto const& face : cells_of(faces[axis]))
        ASSERT_NEAR(got.at(axis, face), wanted.at(axis, face), precise<T>(1e-6, 1e-14))
            << "seed " << seed << " " << axis << face;
  }
}

/// A linear field without divergence.
template <class T, int Dim>
Field<T, Dim> linear_faces(FaceStore<Dim> const& store, Point<Dim> const& spacing, double const (&slopes)[3][3]) {
  Field<T, Dim> field("velocity", store.storage, Dim, 0);
  for (int axis = 0; axis < Dim; ++axis)
    set_where(field, axis, store.faces[axis], [&](Cell<Dim> const& face) {
      double value = 1 + axis;
      for (int b = 0; b < Dim; ++b) value += slopes[axis][b] * spacing[b] * (face[b] + (b == axis ? 0 : 0.5));
      return value;
    });
  return field;
}

TYPED_TEST(IncompressibleLevelsTransfer, LinearVelocitiesAreExact) {
  using T = typename TypeParam::T;
  constexpr int Dim = TypeParam::value;
  double slopes[3][3] = {{0.3, -0.7, 0.2}, {0.5, -0.3, 0.9}, {-0.4, 0.1, 0}};
  if (Dim == 3) slopes[1][1] = -0.1, slopes[2][2] = -0.2;
  for (unsigned seed = 1; seed <= 50; ++seed) {
    TwoLevels<Dim> levels(seed);
    levels.of_coarse = levels.of_fine = {};  // a linear function has no period
    if (levels.fresh.is_empty()) continue;
    auto const coarse = store_of_cells(levels.coarse, levels.of_coarse);
    auto const fine = store_of_cells(refine(levels.fresh), levels.of_fine);
    auto const of_coarse = linear_faces<T>(coarse, levels.spacing, slopes);
    auto const wanted = linear_faces<T>(fine, 0.5 * levels.spacing, slopes);
    Field<T, Dim> got("velocity", fine.storage, Dim, 0);
    FaceSplits<Dim>(coarse, fine, levels.fresh, {})(got, of_coarse, levels.spacing);
    FaceValues<T, Dim> const a(fine, got), b(fine, wanted);
    for (int axis = 0; axis < Dim; ++axis)
      for (auto const& [face, value] : b.of[axis])
        ASSERT_NEAR(a.at(axis, face), value, precise<T>(2e-5, 1e-13)) << "seed " << seed << " " << axis << face;
  }
}

TYPED_TEST(IncompressibleLevelsTransfer, FacesThatAreNotStoredAreRefused) {
  constexpr int Dim = TypeParam::value;
  auto const coarse = store_of_cells(sparse::box<Dim>({}, Cell<Dim>::filled(4)), {});
  auto const fine = store_of_cells(sparse::box<Dim>({}, Cell<Dim>::filled(2)), {});
  auto const parents = sparse::box<Dim>({}, Cell<Dim>::filled(2));
  EXPECT_THROW(FaceSplits<Dim>(coarse, fine, parents, {}), std::logic_error);
  EXPECT_THROW(FaceMeans<Dim>(coarse, fine, faces_of_cells(parents, {})), std::logic_error);
}

}  // namespace
