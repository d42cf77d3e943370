/// Plans: every cell once, every operand where brute force finds it.

#include <stdexcept>

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>
#include <sparse/shapes/shapes.hpp>
#include <support/visits.hpp>

using namespace reference;
using sparse::coord_limit;

namespace {

/// True when the plan visits exactly `cells`, and has the right operands there. At each cell operand k must be the cell
/// `operands[k](cell)` of the sets numbered by `numbering[k]`, or operand 0 where there is none and `stands_in`.
template <int Dim, class Plan, class Numbering, class Locate>
testing::AssertionResult visits_exactly(Plan const& plan, Cells<Dim> const& cells, Numbering const& numbering,
                                        Locate const& locate) {
  constexpr int K = Plan::operand_count;
  constexpr bool is_transfer = std::is_same_v<Plan, sparse::ProlongPlan<Dim>>;
  auto const visits = visits_of<Dim>(plan);
  if (plan.cell_count() != static_cast<Index>(cells.size()) || visits.size() != cells.size())
    return testing::AssertionFailure() << visits.size() << " visits, " << plan.cell_count() << " planned, for "
                                       << cells.size() << " cells";
  for (auto const& cell : cells) {
    auto const found = visits.find(cell);
    if (found == visits.end()) return testing::AssertionFailure() << cell << " is not visited";
    Visit<Dim, K> const& visit = found->second;
    for (int k = 0; k < K; ++k) {
      auto const& index = *numbering(k);
      auto const wanted = index.find(locate(cell, k));
      bool const is_child = is_transfer && k >= 1 + 2 * Dim;
      Index const place = wanted != index.end() ? wanted->second : is_child ? -1 : visit.place[0];
      if (visit.present[k] != (wanted != index.end()) || visit.place[k] != place)
        return testing::AssertionFailure()
               << "operand " << k << " of " << cell << ": " << (visit.present[k] ? "present at " : "absent, ")
               << visit.place[k] << " instead of " << place;
    }
  }
  return testing::AssertionSuccess();
}

/// The cell that operand k of a stencil or transfer looks at.
template <int Dim>
Cell<Dim> operand_cell(Cell<Dim> const& cell, int k) {
  if (k == 0) return cell;
  if (k < 1 + 2 * Dim) return cell + Cell<Dim>::along((k - 1) / 2, (k - 1) % 2 == 0 ? -1 : 1);
  Cell<Dim> child = 2 * cell;
  for (int axis = 0; axis < Dim; ++axis) child[axis] += ((k - 1 - 2 * Dim) >> axis) & 1;
  return child;
}

template <class Dimension>
class Plans : public testing::Test {};
TYPED_TEST_SUITE(Plans, Dimensions);

}  // namespace

TYPED_TEST(Plans, SubsetVisitsItsCellsWhereStorageHasThem) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto const storage = random_cells<Dim>(seed, 0), cells = both(storage, random_cells<Dim>(seed, 1));
    auto const index = positions(storage);
    ASSERT_TRUE(visits_exactly<Dim>(
        sparse::Subset<Dim>(set_of(cells), set_of(storage)), cells, [&](int) { return &index; }, operand_cell<Dim>))
        << "seed " << seed;
    ASSERT_TRUE(visits_exactly<Dim>(
        sparse::Subset<Dim>(set_of(storage), set_of(storage)), storage, [&](int) { return &index; }, operand_cell<Dim>))
        << "seed " << seed;
  }
}

TYPED_TEST(Plans, StencilFindsNeighboursOrTheCellItself) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto const storage = random_cells<Dim>(seed, 0), cells = both(storage, random_cells<Dim>(seed, 1));
    auto const index = positions(storage);
    ASSERT_TRUE(visits_exactly<Dim>(
        sparse::Stencil<Dim>(set_of(cells), set_of(storage)), cells, [&](int) { return &index; }, operand_cell<Dim>))
        << "seed " << seed;
    ASSERT_TRUE(visits_exactly<Dim>(
        sparse::Stencil<Dim>(set_of(storage), set_of(storage)), storage, [&](int) { return &index; },
        operand_cell<Dim>))
        << "seed " << seed;
  }
}

TYPED_TEST(Plans, JoinedPlansVisitWhatTheirPartsVisit) {
  constexpr int Dim = TypeParam::value;
  using Pair = sparse::Plan<Dim, 2>;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto const storage = random_cells<Dim>(seed, 0), some = both(storage, random_cells<Dim>(seed, 1));
    Cells<Dim> others;
    for (auto const& cell : storage)
      if (some.count(cell) == 0) others.insert(cell);
    auto const set = set_of(storage);
    auto const up = Cell<Dim>::along(Dim - 1, 1);
    auto const plan_of = [&](Cells<Dim> const& cells, Cell<Dim> const& offset) {
      return Pair(set_of(cells), {sparse::operand<Dim>(set.view()), sparse::operand<Dim>(set.view(), offset)});
    };
    std::vector<Pair> parts;  // with an empty one between them
    parts.push_back(plan_of(some, up));
    parts.push_back(plan_of({}, up));
    parts.push_back(plan_of(others, -1 * up));
    auto const index = positions(storage);
    ASSERT_TRUE(visits_exactly<Dim>(
        Pair(parts), storage, [&](int) { return &index; },
        [&](Cell<Dim> const& cell, int k) { return k == 0                 ? cell
                                                   : some.count(cell) > 0 ? cell + up
                                                                          : cell - up; }))
        << "seed " << seed;
  }
  EXPECT_EQ(Pair(std::vector<Pair>(2)).cell_count(), 0);
}

TYPED_TEST(Plans, ArmListsNameTheirNeighbours) {
  constexpr int Dim = TypeParam::value;
  auto const differing = [](Cell<Dim> const& offset) {
    int steps = 0;
    for (int axis = 0; axis < Dim; ++axis) steps += offset[axis] != 0;
    return steps;
  };
  auto const check = [&](auto const& arms, int most) {
    Cells<Dim> expected, actual(std::begin(arms.offset), std::end(arms.offset));
    for_each_offset<Dim>(Cell<Dim>::filled(1), [&](Cell<Dim> const& offset) {
      if (differing(offset) > 0 && differing(offset) <= most) expected.insert(offset);
    });
    EXPECT_EQ(actual, expected);
    EXPECT_EQ(std::size(arms.offset), expected.size());
    for (int arm = 0; arm < 2 * Dim; ++arm) EXPECT_EQ(arms.offset[arm], operand_cell<Dim>({}, 1 + arm));
  };
  check(sparse::face_arms<Dim>(), 1);
  check(sparse::corner_arms<Dim>(), 3);
}

TYPED_TEST(Plans, StencilsOfAnyArmsFindTheirCellsOrTheCellItself) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto engine = random_engine(seed);
    auto const storage = random_cells<Dim>(seed, 0), cells = both(storage, random_cells<Dim>(seed, 1));
    auto const index = positions(storage);
    auto const check = [&](auto const& arms, auto count) {
      sparse::Stencil<Dim, count> const stencil(set_of(cells), set_of(storage), arms);
      return visits_exactly<Dim>(
          stencil, cells, [&](int) { return &index; },
          [&](Cell<Dim> const& cell, int k) { return k == 0 ? cell : cell + arms.offset[k - 1]; });
    };
    ASSERT_TRUE(check(sparse::corner_arms<Dim>(), std::integral_constant < int, Dim == 2 ? 8 : 26 > ()));
    // Arms of any length, the cell itself and one cell twice among them; some to beyond the range of coordinates.
    sparse::Arms<Dim, 5> arms{};
    for (int arm = 1; arm < 4; ++arm)
      for (int axis = 0; axis < Dim; ++axis) arms.offset[arm][axis] = random_int(engine, -6, 6);
    arms.offset[4] = arms.offset[3];
    ASSERT_TRUE(check(arms, std::integral_constant<int, 5>()));
    arms.offset[0] = Cell<Dim>::filled(random_int(engine, 0, 1) == 0 ? coord_limit - 1 : -coord_limit + 1);
    ASSERT_TRUE(check(arms, std::integral_constant<int, 5>()));
  }
}

TYPED_TEST(Plans, StencilsRefuseArmsThatAreNoDifferences) {
  constexpr int Dim = TypeParam::value;
  auto const set = set_of(Cells<Dim>{{}});
  for (int axis = 0; axis < Dim; ++axis)
    for (Coord const far : {coord_limit, -coord_limit})
      EXPECT_THROW((sparse::Stencil<Dim, 1>(set, set, {{Cell<Dim>::along(axis, far)}})), std::invalid_argument);
}

TYPED_TEST(Plans, TransferFindsNeighboursAndChildren) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    // At the limit, where the children of a coarse cell would have coordinates that no set has, or all inside.
    auto const coarse_storage = random_cells<Dim>(seed, 0, seed % 2 == 0 ? coord_limit : coord_limit / 2);
    auto const cells = seed % 3 == 0 ? coarse_storage : both(coarse_storage, random_cells<Dim>(seed, 1));
    Cells<Dim> fine_storage;
    if (seed % 2 != 0)
      for (auto const& cell : refined(either(coarse_storage, random_cells<Dim>(seed, 2, coord_limit / 2))))
        if (random_int(engine, 0, 5) != 0) fine_storage.insert(cell);
    Cells<Dim> children;
    for (auto const& cell : fine_storage)
      if (random_int(engine, 0, 3) != 0) children.insert(cell);
    auto const coarse_index = positions(coarse_storage), fine_index = positions(fine_storage);
    std::map<Cell<Dim>, Index, StorageOrder> child_index;
    for (auto const& cell : children) child_index.emplace(cell, fine_index.at(cell));
    ASSERT_TRUE(visits_exactly<Dim>(
        sparse::ProlongPlan<Dim>(set_of(cells), set_of(coarse_storage), set_of(children), set_of(fine_storage)), cells,
        [&](int k) { return k < 1 + 2 * Dim ? &coarse_index : &child_index; }, operand_cell<Dim>))
        << "seed " << seed;
  }
}

TYPED_TEST(Plans, CopyFindsBothSides) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto engine = random_engine(seed);
    auto const target = random_cells<Dim>(seed, 0, coord_limit - 100);
    Cell<Dim> offset;
    for (int axis = 0; axis < Dim; ++axis) offset[axis] = random_int(engine, -99, 99);
    auto const source = either(moved(target, offset), random_cells<Dim>(seed, 1));
    auto const cells = both(target, random_cells<Dim>(seed, 2));
    auto const target_index = positions(target), source_index = positions(source);
    ASSERT_TRUE(visits_exactly<Dim>(
        sparse::CopyPlan<Dim>(set_of(cells), set_of(target), set_of(source), offset), cells,
        [&](int k) { return k == 0 ? &target_index : &source_index; },
        [&](Cell<Dim> const& cell, int k) { return k == 0 ? cell : cell + offset; }))
        << "seed " << seed;
  }
}

TYPED_TEST(Plans, CopyRefusesCellsThatTheSourceLacks) {
  constexpr int Dim = TypeParam::value;
  auto const target = set_of(reference::box<Dim>({}, Cell<Dim>::filled(4)));
  auto const source = set_of(reference::box<Dim>({}, Cell<Dim>::filled(3)));
  EXPECT_THROW(sparse::CopyPlan<Dim>(target, target, source), std::invalid_argument);
  EXPECT_THROW(sparse::CopyPlan<Dim>(source, target, source, Cell<Dim>::along(0, 1)), std::invalid_argument);
  EXPECT_THROW(sparse::CopyPlan<Dim>(source, target, IntervalSet<Dim>()), std::invalid_argument);
  EXPECT_NO_THROW(sparse::CopyPlan<Dim>(source, target, source));
}

TYPED_TEST(Plans, EmbeddingNumbersCellsAsStorageDoes) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    auto const storage = random_cells<Dim>(seed, 0), cells = both(storage, random_cells<Dim>(seed, 1));
    auto const index = positions(storage);
    auto const set = set_of(cells);
    sparse::Embedding<Dim> const embedding(set, set_of(storage));
    auto const view = embedding.view();
    auto host = set.to_host();
    host.cell_offsets = to_host(set.context(), view.cell_offsets, view.interval_count);
    host.for_each_cell([&](Cell<Dim> const& cell, Index i) { ASSERT_EQ(i, index.at(cell)) << "seed " << seed; });
  }
}

TYPED_TEST(Plans, RefuseCellsThatAreNotInStorage) {
  constexpr int Dim = TypeParam::value;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto engine = random_engine(seed);
    auto const cells = random_cells<Dim>(seed);
    if (cells.empty()) continue;
    auto storage = cells;  // all but one
    storage.erase(std::next(storage.begin(), random_int(engine, 0, static_cast<int>(cells.size()) - 1)));
    ASSERT_THROW(sparse::Subset<Dim>(set_of(cells), set_of(storage)), std::invalid_argument);
    ASSERT_THROW(sparse::Stencil<Dim>(set_of(cells), set_of(storage)), std::invalid_argument);
    ASSERT_THROW(sparse::Embedding<Dim>(set_of(cells), set_of(storage)), std::invalid_argument);
    ASSERT_THROW(sparse::ProlongPlan<Dim>(set_of(cells), set_of(storage), {}, {}), std::invalid_argument);
    ASSERT_THROW(sparse::ProlongPlan<Dim>({}, {}, set_of(cells), set_of(storage)), std::invalid_argument);
  }
}

TYPED_TEST(Plans, CountMoreCellsThan32BitsHold) {
  constexpr int Dim = TypeParam::value;
  Cell<Dim> begin = Cell<Dim>::filled(-1), end = Cell<Dim>::filled(2);
  begin[0] = -coord_limit + 1;
  end[0] = coord_limit;
  auto const slab = sparse::box<Dim>(begin, end);
  Index const row_count = slab.row_count(), width = slab.cell_count() / row_count;
  auto const runs_of = [&](auto const& plan) {
    auto const view = plan.view();
    EXPECT_EQ(plan.cell_count(), slab.cell_count());
    return to_host(plan.context(), view.starts, view.run_count + 1);
  };
  std::vector<Index> starts;
  for (Index r = 0; r <= row_count; ++r) starts.push_back(r * width);
  EXPECT_EQ(runs_of(sparse::Subset<Dim>(slab, slab)), starts);
  // The first and the last cell of each row lack a neighbour along x.
  auto const stencil_starts = runs_of(sparse::Stencil<Dim>(slab, slab));
  ASSERT_EQ(stencil_starts.size(), static_cast<std::size_t>(3 * row_count + 1));
  for (Index r = 0; r < row_count; ++r) {
    EXPECT_EQ(stencil_starts[static_cast<std::size_t>(3 * r + 1)], r * width + 1);
    EXPECT_EQ(stencil_starts[static_cast<std::size_t>(3 * r + 2)], (r + 1) * width - 1);
  }
}
