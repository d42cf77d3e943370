/// Cells get the values of their owners, bit by bit, whatever the sets and the partition.

#include <set>

#include <sparse/distributed/gathering.hpp>
#include <sparse/distributed/halo.hpp>
#include <sparse/distributed/traffic.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <support/reference.hpp>

#include "team_of_test.hpp"

using namespace reference;
using sparse::Field;
using sparse::Index;
using sparse::distributed::Curve;
using sparse::distributed::Halo;
using sparse::distributed::Partition;
using sparse::distributed::Wanted;

namespace {

template <class Dimension>
class Halos : public testing::Test {};
TYPED_TEST_SUITE(Halos, Dimensions);

constexpr Coord limit = 1000100;

/// A value for each cell and component, with a fraction that fills the type.
template <class T, int Dim>
T value_of(Cell<Dim> const& cell, int component) {
  std::uint64_t hash = static_cast<std::uint64_t>(component) + 1;
  for (int axis = 0; axis < Dim; ++axis) hash = (hash ^ static_cast<std::uint32_t>(cell[axis])) * 0x9e3779b97f4a7c15ULL;
  return static_cast<T>(hash >> 11) / 3;
}

/// Some of the cells, drawn anew for each rank.
template <int Dim>
Cells<Dim> some_of(Cells<Dim> const& cells, unsigned seed, int rank) {
  auto engine = random_engine(seed * 16 + static_cast<unsigned>(rank));
  int const kind = random_int(engine, 0, 3), one_in = kind == 0 ? 1000000 : kind == 1 ? 10 : 2;
  Cells<Dim> result;
  for (auto const& cell : cells)
    if (random_int(engine, 1, one_in) == 1) result.insert(cell);
  return result;
}

/// Random cells, who owns them, and what each rank wants: cells, and cells far away that repeat others.
template <int Dim>
struct RandomHalo {
  Cells<Dim> all;
  Partition<Dim> partition;
  Cell<Dim> offset;
  int component_count;

  RandomHalo(unsigned seed, int ranks) : all(random_cells<Dim>(seed, 0, limit)) {
    auto engine = random_engine(seed);
    Curve const curves[] = {Curve::hilbert, Curve::rows, Curve::scattered};
    partition = Partition<Dim>(ranks, {Cell<Dim>::filled(-limit), Cell<Dim>::filled(limit)}, {set_of(all)},
                               {curves[random_int(engine, 0, 2)], 0.1, random_int(engine, 0, 1) == 0 ? 1 : 40});
    for (int axis = 0; axis < Dim; ++axis) offset[axis] = random_int(engine, -1, 1) * 3 * limit;
    if (offset == Cell<Dim>{}) offset[0] = 3 * limit;
    component_count = random_int(engine, 1, 6);
    seed_ = seed;
  }
  Cells<Dim> owned(int rank) const {
    Cells<Dim> cells;
    for (auto const& cell : all)
      if (partition.owner(0, cell) == rank) cells.insert(cell);
    return cells;
  }
  Cells<Dim> wanted(int rank) const { return some_of(all, seed_, rank); }
  /// Cells that want the value of cell + offset.
  Cells<Dim> repeated(int rank) const { return moved(some_of(all, seed_ + 1000, rank), Cell<Dim>{} - offset); }

private:
  unsigned seed_;
};

template <class T, int Dim>
Field<T, Dim> field_with_values(Cells<Dim> const& with_values, IntervalSet<Dim> const& domain, int component_count) {
  Field<T, Dim> field("values", domain, component_count, T(-1));
  auto const view = field.view();
  for (auto const& [cell, position] : positions(cells_of(domain)))
    for (int c = 0; c < component_count; ++c)
      if (with_values.count(cell) != 0) view(c, position) = value_of<T>(cell, c);
  return field;
}

template <class T, int Dim>
void check_fill(unsigned seed) {
  auto& team = team_of_test();
  RandomHalo<Dim> const random(seed, team.size());
  int const rank = team.rank(), n = random.component_count;
  auto const owned = random.owned(rank), wanted = random.wanted(rank), repeated = random.repeated(rank);
  auto const stored = set_of(either(either(owned, wanted), repeated));
  Halo<Dim> const halo(team, random.partition, 0, set_of(owned), stored,
                       {{set_of(wanted)}, {set_of(repeated), random.offset}});
  auto const source = field_with_values<T>(owned, set_of(owned), n);
  Field<T, Dim> target("target", stored, n, T(-1));
  auto const before = team.sent();
  halo.template fill<T>(team, target.view(), source.view(), n);
  auto const view = target.view();
  for (auto const& [cell, position] : positions(cells_of(stored)))
    for (int c = 0; c < n; ++c) {
      T const expected = wanted.count(cell) != 0     ? value_of<T>(cell, c)
                         : repeated.count(cell) != 0 ? value_of<T>(Cell<Dim>(cell + random.offset), c)
                                                     : T(-1);
      ASSERT_EQ(view(c, position), expected) << "seed " << seed << ", rank " << rank << ", cell " << cell;
    }
  // What it sent is what others want of it.
  Index cell_count = 0, messages = 0;
  for (int other = 0; other < team.size(); ++other) {
    if (other == rank) continue;
    Index count = 0;
    for (auto const& cell : random.wanted(other)) count += random.partition.owner(0, cell) == rank ? 1 : 0;
    for (auto const& cell : moved(random.repeated(other), random.offset))
      count += random.partition.owner(0, cell) == rank ? 1 : 0;
    cell_count += count;
    messages += count > 0 ? 1 : 0;
  }
  ASSERT_EQ(halo.sent_cell_count(), cell_count);
  ASSERT_EQ(halo.message_count(), messages);
  Cells<Dim> sent;
  for (int other = 0; other < team.size(); ++other) {
    if (other == rank) continue;
    for (auto const& cell : either(random.wanted(other), moved(random.repeated(other), random.offset)))
      if (random.partition.owner(0, cell) == rank) sent.insert(cell);
  }
  ASSERT_EQ(cells_of(halo.sent_cells()), sent);
  ASSERT_EQ(team.sent().messages - before.messages, messages);
  ASSERT_EQ(team.sent().bytes - before.bytes, cell_count * n * static_cast<Index>(sizeof(T)));
}

}  // namespace

TYPED_TEST(Halos, GiveWantedCellsTheValuesOfTheirOwners) {
  for (unsigned seed = 1; seed <= seed_count / 4; ++seed)
    seed % 2 == 0 ? check_fill<double, TypeParam::value>(seed) : check_fill<float, TypeParam::value>(seed);
}

TYPED_TEST(Halos, BeginAndFinishApart) {
  constexpr int Dim = TypeParam::value;
  auto& team = team_of_test();
  for (unsigned seed = 1; seed <= seed_count / 8; ++seed) {
    RandomHalo<Dim> const random(seed, team.size());
    auto const owned = random.owned(team.rank());
    auto const wanted = difference(random.wanted(team.rank()), owned);
    auto const repeated = difference(random.repeated(team.rank()), random.all);
    auto const stored = set_of(either(either(owned, wanted), repeated));
    Halo<Dim> const one(team, random.partition, 0, stored, stored, {{set_of(wanted)}});
    Halo<Dim> const other(team, random.partition, 0, stored, stored, {{set_of(repeated), random.offset}});
    auto field = field_with_values<float>(owned, stored, 2);
    auto const later = field_with_values<float>(owned, stored, 2);
    auto begun = Halo<Dim>::template begin<float>(team, {{&one, field.view(), field.view()}}, 2);
    auto also_begun = Halo<Dim>::template begin<float>(team, {{&other, field.view(), later.view()}}, 2);
    // What has been sent may change.
    auto const sent = cells_of(one.sent_cells());
    ASSERT_LE(static_cast<Index>(sent.size()), one.sent_cell_count());
    auto const view = field.view();
    for (auto const& [cell, position] : positions(cells_of(stored)))
      if (sent.count(cell) != 0) view(0, position) = -7;
    Halo<Dim>::template finish<float>(also_begun);
    Halo<Dim>::template finish<float>(begun);
    for (auto const& [cell, position] : positions(cells_of(stored))) {
      float value = wanted.count(cell) != 0 || owned.count(cell) != 0 ? value_of<float>(cell, 0) : -1.F;
      if (sent.count(cell) != 0) value = -7;
      if (repeated.count(cell) != 0) value = value_of<float>(Cell<Dim>(cell + random.offset), 0);
      ASSERT_EQ(view(0, position), value) << "seed " << seed << ", cell " << cell;
    }
  }
}

TYPED_TEST(Halos, FillTheFieldThatTheySend) {
  constexpr int Dim = TypeParam::value;
  auto& team = team_of_test();
  for (unsigned seed = 1; seed <= seed_count / 8; ++seed) {
    RandomHalo<Dim> const random(seed, team.size());
    auto const owned = random.owned(team.rank());
    auto const wanted = difference(random.wanted(team.rank()), owned);
    auto const stored = set_of(either(owned, wanted));
    Halo<Dim> const halo(team, random.partition, 0, stored, stored, {{set_of(wanted)}});
    auto field = field_with_values<double>(owned, stored, 3);
    for (int round = 0; round < 3; ++round) halo.template fill<double>(team, field.view(), field.view(), 3);
    auto const expected = field_with_values<double>(either(owned, wanted), stored, 3);
    for (int c = 0; c < 3; ++c) ASSERT_EQ(to_host(field, c), to_host(expected, c)) << "seed " << seed;
  }
}

TYPED_TEST(Halos, AreMadeTogether) {
  constexpr int Dim = TypeParam::value;
  auto& team = team_of_test();
  for (unsigned seed = 1; seed <= seed_count / 8; ++seed) {
    RandomHalo<Dim> const random(seed, team.size());
    auto const owned = random.owned(team.rank());
    auto const near = set_of(random.wanted(team.rank())), far = set_of(random.repeated(team.rank()));
    std::vector<Halo<Dim>> halos(3);
    Halo<Dim>::make(team, random.partition,
                    {{&halos[0], 0, set_of(owned), far, {{far, random.offset}}},
                     {&halos[1], 0, set_of(owned), near, {{near}}},
                     {&halos[2], 0, set_of(owned), {}, {}}});
    auto const source = field_with_values<double>(owned, set_of(owned), 2);
    auto const check = [&](Halo<Dim> const& together, Halo<Dim> const& alone, IntervalSet<Dim> const& stored) {
      Field<double, Dim> here("here", stored, 2, -1.0), there("there", stored, 2, -1.0);
      together.template fill<double>(team, here.view(), source.view(), 2);
      alone.template fill<double>(team, there.view(), source.view(), 2);
      for (int c = 0; c < 2; ++c) ASSERT_EQ(to_host(here, c), to_host(there, c)) << "seed " << seed;
      ASSERT_EQ(together.sent_cell_count(), alone.sent_cell_count());
      ASSERT_EQ(together.received_cell_count(), alone.received_cell_count());
    };
    check(halos[0], Halo<Dim>(team, random.partition, 0, set_of(owned), far, {{far, random.offset}}), far);
    check(halos[1], Halo<Dim>(team, random.partition, 0, set_of(owned), near, {{near}}), near);
    EXPECT_EQ(halos[2].message_count(), 0);
    // They can also share messages: there is one to each partner.
    Field<double, Dim> of_far("far", far, 2, -1.0), of_near("near", near, 2, -1.0);
    auto alone_far = clone(of_far), alone_near = clone(of_near);
    halos[0].template fill<double>(team, alone_far.view(), source.view(), 2);
    halos[1].template fill<double>(team, alone_near.view(), source.view(), 2);
    auto const before = team.sent();
    auto begun = Halo<Dim>::template begin<double>(team,
                                                   {{&halos[0], of_far.view(), source.view()},
                                                    {&halos[2], {}, source.view()},
                                                    {&halos[1], of_near.view(), source.view()}},
                                                   2);
    Halo<Dim>::template finish<double>(begun);
    for (int c = 0; c < 2; ++c) {
      ASSERT_EQ(to_host(of_far, c), to_host(alone_far, c)) << "seed " << seed;
      ASSERT_EQ(to_host(of_near, c), to_host(alone_near, c)) << "seed " << seed;
    }
    Index const messages = team.sent().messages - before.messages;
    EXPECT_GE(messages, std::max(halos[0].message_count(), halos[1].message_count()));
    EXPECT_LE(messages, team.size() - 1);
    EXPECT_EQ(team.sent().bytes - before.bytes,
              (halos[0].sent_cell_count() + halos[1].sent_cell_count()) * 2 * static_cast<Index>(sizeof(double)));
  }
  Halo<Dim>::make(team, {}, {});  // nothing to do
}

TYPED_TEST(Halos, OfAllCellsAreGathered) {
  constexpr int Dim = TypeParam::value;
  auto& team = team_of_test();
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomHalo<Dim> const random(seed, team.size());
    auto const all = set_of(random.all);
    auto const own = random.owned(team.rank());
    for (auto const& stored : {all, set_of(own)}) {
      auto const check = [&]<class T>(T) {
        auto const source = field_with_values<T, Dim>(own, stored, 1);
        auto const expected = field_with_values<T, Dim>(random.all, all, 1);
        Field<T, Dim> target("all", all, T(-2));
        sparse::distributed::Gathering<Dim> const gathering(random.partition, team.rank(), 0, all, stored);
        gathering.fill(team, target.view().data, source.view().data);
        ASSERT_EQ(sparse::to_host(target), sparse::to_host(expected));
      };
      check(0.0F);
      check(0.0);
    }
  }
}

TYPED_TEST(Halos, CrossPeriodicSides) {
  constexpr int Dim = TypeParam::value;
  auto& team = team_of_test();
  Coord const n = Dim == 2 ? 16 : 8;
  auto const cells = reference::box<Dim>({}, Cell<Dim>::filled(n));
  for (Curve const curve : {Curve::hilbert, Curve::rows, Curve::scattered}) {
    Partition<Dim> const partition(team.size(), {{}, Cell<Dim>::filled(n)}, {set_of(cells)}, {curve, 0.1, 1});
    auto const owned = partition.part(0, set_of(cells), team.rank());
    auto const near = expand(owned, 2);
    // Pieces by the number of periods along each axis; for few ranks some of these are the rank's own.
    std::vector<Wanted<Dim>> wanted;
    for_each_offset<Dim>(Cell<Dim>::filled(1), [&](Cell<Dim> const& periods) {
      auto const there = shift(set_of(cells), n * periods);
      wanted.push_back({(near & there) - owned, -n * periods});
    });
    auto const stored = owned | near;
    Halo<Dim> const halo(team, partition, 0, owned, stored, wanted);
    auto const source = field_with_values<double>(cells_of(owned), owned, 2);
    auto field = field_with_values<double>(cells_of(owned), stored, 2);
    halo.template fill<double>(team, field.view(), source.view(), 2);
    for (auto const& [cell, position] : positions(cells_of(stored))) {
      Cell<Dim> inner;
      for (int axis = 0; axis < Dim; ++axis) inner[axis] = ((cell[axis] % n) + n) % n;
      for (int c = 0; c < 2; ++c) ASSERT_EQ(field.view()(c, position), value_of<double>(inner, c)) << cell;
    }
  }
}

TYPED_TEST(Halos, SendWhatWasPredicted) {
  constexpr int Dim = TypeParam::value;
  auto& team = team_of_test();
  for (unsigned seed = 1; seed <= seed_count / 8; ++seed) {
    auto const cells = random_set<Dim>(seed, 0, limit);
    if (cells.is_empty()) continue;
    Partition<Dim> const partition(team.size(), cells.bounds(), {cells}, {Curve::hilbert, 0.1, 1});
    auto const owned = partition.part(0, cells, team.rank());
    auto const wanted = owned.is_empty() ? owned : (expand(owned, 2, sparse::Element::diamond) & cells) - owned;
    Halo<Dim> const halo(team, partition, 0, owned, owned | wanted, {{wanted}});
    auto const predicted = traffic<Dim>(partition, {cells})[0];
    Index received = 0, messages = 0, sent = 0;
    for (std::size_t r = 0; r < predicted.size(); ++r)
      for (auto const& delivery : predicted[r].halo) {
        received += r == static_cast<std::size_t>(team.rank()) ? delivery.cell_count : 0;
        sent += delivery.from == team.rank() ? delivery.cell_count : 0;
        messages += delivery.from == team.rank() ? 1 : 0;
      }
    ASSERT_EQ(halo.received_cell_count(), received) << "seed " << seed;
    ASSERT_EQ(halo.sent_cell_count(), sent) << "seed " << seed;
    ASSERT_EQ(halo.message_count(), messages) << "seed " << seed;
  }
}

TEST(HaloErrors, AreFoundByAllRanks) {
  auto& team = team_of_test();
  auto const cells = set_of(reference::box<2>({0, 0}, {8, 8}));
  Partition<2> const partition(team.size(), {{0, 0}, {8, 8}}, {cells}, {Curve::hilbert, 0.1, 1});
  auto const owned = partition.part(0, cells, team.rank());
  bool const is_last = team.rank() + 1 == team.size();
  auto const nowhere = set_of(reference::box<2>({20, 20}, {21, 21}));
  // One rank wants a cell that nobody has; one rank does not store a cell that it wants.
  EXPECT_THROW(Halo<2>(team, partition, 0, owned, owned | nowhere, {{is_last ? nowhere : IntervalSet<2>()}}),
               std::invalid_argument);
  EXPECT_THROW(Halo<2>(team, partition, 0, owned, owned, {{is_last ? nowhere : IntervalSet<2>()}}),
               std::invalid_argument);
  Partition<2> const other(team.size() + 1, {{0, 0}, {8, 8}}, {cells});
  EXPECT_THROW(Halo<2>(team, other, 0, owned, owned, {}), std::invalid_argument);
}
