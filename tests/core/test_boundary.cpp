/// Faces, edges and nodes against brute force over cells.

#include <stdexcept>

#include <sparse/sets/faces.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/shapes/shapes.hpp>
#include <support/reference.hpp>

using namespace reference;
using sparse::coord_limit;
using sparse::FaceSide;

namespace {

template <class Dimension>
class Boundary : public testing::Test {};
TYPED_TEST_SUITE(Boundary, Dimensions);

/// The cells moved by every combination of 0 and 1 along the axes for which `is_moved(axis)`.
template <int Dim, class Predicate>
Cells<Dim> spread(Cells<Dim> const& cells, Predicate const& is_moved) {
  Cells<Dim> result;
  for (auto const& cell : cells)
    for (int corner = 0; corner < 1 << Dim; ++corner) {
      Cell<Dim> image = cell;
      for (int axis = 0; axis < Dim; ++axis) image[axis] += is_moved(axis) ? (corner >> axis) & 1 : 0;
      result.insert(image);
    }
  return result;
}

}  // namespace

TYPED_TEST(Boundary, EdgesAndNodesAreThoseOfTheCells) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto const cells = random_cells<Dim>(seed, 0, coord_limit - 1);
    auto const set = set_of(cells);
    for (int axis = 0; axis < Dim; ++axis)
      ASSERT_TRUE(matches(edges(set, axis), spread(cells, [&](int a) { return a != axis; })))
          << "seed " << seed << ", axis " << axis;
    ASSERT_TRUE(matches(nodes(set), spread(cells, [](int) { return true; }))) << "seed " << seed;
  }
}

TYPED_TEST(Boundary, FacesAreInteriorOrHaveACellOnOneSide) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto const cells = random_cells<Dim>(seed, 0, coord_limit - 1);
    auto const set = set_of(cells);
    auto const all = boundary(set);
    Index face_count = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", axis " + std::to_string(axis));
      Cells<Dim> inside, lower, upper;
      for (auto const& cell : cells) {
        auto const step = Cell<Dim>::along(axis, 1);
        if (cells.count(cell - step) != 0) inside.insert(cell);
        if (cells.count(cell - step) == 0) lower.insert(cell);
        if (cells.count(cell + step) == 0) upper.insert(cell + step);
      }
      ASSERT_TRUE(matches(interior_faces(set, axis), inside));
      ASSERT_TRUE(matches(boundary_faces(set, axis, FaceSide::lower), lower));
      ASSERT_TRUE(matches(boundary_faces(set, axis, FaceSide::upper), upper));
      ASSERT_TRUE(matches(all(axis, FaceSide::lower), lower));
      ASSERT_TRUE(matches(all(axis, FaceSide::upper), upper));
      ASSERT_TRUE(matches(faces(set, axis), either(inside, either(lower, upper))));
      face_count += static_cast<Index>(lower.size() + upper.size());
    }
    ASSERT_EQ(all.face_count(), face_count) << "seed " << seed;
  }
}

TYPED_TEST(Boundary, OutwardDirectionsLeaveTheSet) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto const cells = random_cells<Dim>(seed, 0, coord_limit - 1);
    auto const all = boundary(set_of(cells));
    for (int axis = 0; axis < Dim; ++axis)
      for (FaceSide const side : {FaceSide::lower, FaceSide::upper})
        for (auto const& face : cells_of(all(axis, side))) {
          // The cells before and behind a face, seen in the outward direction.
          Cell<Dim> const above = face, below = face - Cell<Dim>::along(axis, 1);
          bool const looks_up = outward(side) > 0;
          ASSERT_EQ(cells.count(looks_up ? below : above), 1u) << "seed " << seed;
          ASSERT_EQ(cells.count(looks_up ? above : below), 0u) << "seed " << seed;
        }
  }
}

TYPED_TEST(Boundary, OfABoxIsItsSurface) {
  constexpr int Dim = TypeParam::value;
  Cell<Dim> const size = [] {
    Cell<Dim> s;
    for (int axis = 0; axis < Dim; ++axis) s[axis] = 3 + 2 * axis;
    return s;
  }();
  auto const set = sparse::box<Dim>({}, size);
  Index surface = 0, node_count = 1;
  for (int axis = 0; axis < Dim; ++axis) {
    surface += 2 * set.cell_count() / size[axis];
    node_count *= size[axis] + 1;
    EXPECT_EQ(interior_faces(set, axis).cell_count(), set.cell_count() / size[axis] * (size[axis] - 1));
    EXPECT_EQ(edges(set, axis).cell_count(), node_count * 0 + nodes(set).cell_count() / (size[axis] + 1) * size[axis]);
  }
  EXPECT_EQ(boundary(set).face_count(), surface);
  EXPECT_EQ(nodes(set).cell_count(), node_count);
}

TYPED_TEST(Boundary, AtTheLimitThrowsOnlyWhereAFaceHasNoCoordinates) {
  constexpr int Dim = TypeParam::value;
  for (int axis = 0; axis < Dim; ++axis) {
    auto const last = set_of(Cells<Dim>{Cell<Dim>::along(axis, coord_limit - 1)});
    EXPECT_THROW(nodes(last), std::invalid_argument);
    EXPECT_THROW(edges(last, (axis + 1) % Dim), std::invalid_argument);
    EXPECT_NO_THROW(edges(last, axis));
    EXPECT_THROW(boundary(last), std::invalid_argument);
    EXPECT_THROW(boundary_faces(last, axis, FaceSide::upper), std::invalid_argument);
    EXPECT_EQ(boundary_faces(last, axis, FaceSide::lower), last);
    EXPECT_EQ(boundary_faces(last, (axis + 1) % Dim, FaceSide::upper).cell_count(), 1);
    EXPECT_TRUE(interior_faces(last, axis).is_empty());
  }
}

TYPED_TEST(Boundary, RefusesAxesThatAreNotAndTakesNothing) {
  constexpr int Dim = TypeParam::value;
  auto const set = set_of(Cells<Dim>{{}});
  for (int const axis : {-1, Dim}) {
    EXPECT_THROW(edges(set, axis), std::invalid_argument);
    EXPECT_THROW(interior_faces(set, axis), std::invalid_argument);
    EXPECT_THROW(boundary_faces(set, axis, FaceSide::lower), std::invalid_argument);
  }
  IntervalSet<Dim> const none;
  EXPECT_TRUE(nodes(none).is_empty());
  EXPECT_TRUE(edges(none, 0).is_empty());
  EXPECT_EQ(boundary(none).face_count(), 0);
}
