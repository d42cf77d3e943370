/// What a rank computes on its part of the levels is, bit by bit, what one process computes on all of them.

#include <cstring>
#include <limits>

#include <sparse/amr/hierarchy/part_of_levels.hpp>
#include <sparse/amr/hierarchy/synchronise.hpp>
#include <sparse/amr/steps/stages.hpp>
#include <sparse/amr/sweep/sweep.hpp>
#include <sparse/compressible/fluxes/any_flux.hpp>
#include <sparse/distributed/partition.hpp>
#include <sparse/fields/algebra.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <support/amr_levels.hpp>
#include <support/gas.hpp>

using namespace reference;
using sparse::Coord;
using sparse::FieldView;
using sparse::Index;
using sparse::amr::Levels;
using sparse::amr::OwnSets;
using sparse::amr::part_of_levels;
using sparse::amr::PartOfLevels;
using sparse::amr::Problem;
using sparse::amr::Scheme;
using sparse::distributed::Curve;
using sparse::distributed::Partition;

namespace {

/// Random levels with random states, and how a stage of a step is made of them.
template <class Case>
struct Flow {
  using T = typename Case::Scalar;
  static constexpr int Dim = Case::Dim;
  using Law = gas::Euler<T, Dim>;
  using Flux = sparse::compressible::AnyFlux<Law>;
  static constexpr int count = Law::component_count;
  static constexpr double between = 0.25;  // the coarser level's old and current state

  unsigned seed;
  RandomLevels<Dim> random;
  Problem<Law> problem;
  std::vector<LevelSets<Dim>> sets;
  std::vector<std::map<Cell<Dim>, typename Law::State, StorageOrder>> states;  // [level] conserved, of cells in the box
  Scheme scheme;
  sparse::amr::Limiter limiter;
  sparse::compressible::FluxKind kind;

  explicit Flow(unsigned number) : seed(number), random(number), problem{Domain<Dim>(random.options), Law{T(1.4)}} {
    gas::RandomStates<T, Dim> draw(seed);
    problem.outside.inflow = draw();
    problem.outside.given = sparse::amr::boundary<Law>(sparse::amr::OutflowAgainst<Law>{draw()[Dim + 1]});
    sets = level_sets(problem.domain, nested_cells(problem.domain, random.tag_sets(), random.buffers));
    for (int l = 0; l < level_count(); ++l) {
      states.emplace_back();
      for (auto const& cell : cells_of(sparse::amr::inside(at(sets, l).valid, problem.domain.box(l))))
        states.back().emplace(cell, problem.law.conserved(draw()));
    }
    scheme = seed % 3 == 0 ? Scheme::godunov : seed % 3 == 1 ? Scheme::hancock : Scheme::muscl_rk2;
    limiter = seed % 2 == 0 ? sparse::amr::Limiter::minmod : sparse::amr::Limiter::mc;
    kind = seed % 2 == 0 ? sparse::compressible::FluxKind::hllc : sparse::compressible::FluxKind::rusanov;
  }
  int level_count() const { return static_cast<int>(sets.size()); }

  template <class Container>
  static auto& at(Container& container, int l) {
    return container[static_cast<std::size_t>(l)];
  }

  /// Levels with states in the given cells, and no numbers elsewhere.
  Levels<Law> levels_of(std::vector<LevelSets<Dim>> const& of, std::vector<IntervalSet<Dim>> const& known) const {
    Levels<Law> levels;
    for (int l = 0; l < level_count(); ++l) {
      levels.push_back(sparse::amr::make_level<Law>(problem.domain, at(of, l)));
      levels.back().sweep = sparse::amr::sweep_plan(problem.domain, at(of, l), l);
      levels.back().plans = sparse::amr::level_plans(problem.domain, of, l);
      auto& field = levels.back().states.current();
      fill(field, std::numeric_limits<T>::quiet_NaN());
      auto const place = positions(cells_of(at(of, l).storage));
      for (auto const& cell : cells_of(at(known, l))) field.view().store(place.at(cell), at(states, l).at(cell));
    }
    for (int l = 0; l < level_count(); ++l) fill_ghosts(at(levels, l).current(), problem, levels, l, between, 0.5);
    return levels;
  }

  /// One stage of a step of each level.
  void sweep(Levels<Law>& levels) const {
    for (int l = 0; l < level_count(); ++l) {
      auto& level = at(levels, l);
      level.coarse_register.clear();
      level.fine_register.clear();
      sparse::amr::SweepValues<Flux, Dim> values{Flux{problem.law, kind}};
      values.reconstruction = sparse::amr::reconstruction_of(scheme);
      values.limiter = limiter;
      values.dt = T(0.01) / static_cast<T>(1 << l);
      values.inverse_spacing = problem.inverse_spacing(l);
      values.in = values.base = level.current();
      values.out = level.states.take().view();
      values.record_weight = values.dt;
      for (int axis = 0; axis < Dim; ++axis) {
        values.coarse_register[axis] = level.coarse_register[axis];
        values.fine_register[axis] = level.fine_register[axis];
      }
      level.rate = sparse::amr::sweep<Flux, Dim>(level.sweep, values);
      level.states.commit();
    }
  }

  static bool same_bits(T a, T b) { return std::memcmp(&a, &b, sizeof(T)) == 0; }
  /// Whether a part's values of these cells are those of the whole.
  static testing::AssertionResult agree(IntervalSet<Dim> const& cells, FieldView<T const> part,
                                        IntervalSet<Dim> const& part_domain, FieldView<T const> whole,
                                        IntervalSet<Dim> const& whole_domain) {
    auto const here = positions(cells_of(part_domain)), there = positions(cells_of(whole_domain));
    for (auto const& cell : cells_of(cells))
      for (int c = 0; c < count; ++c)
        if (T const a = part(c, here.at(cell)), b = whole(c, there.at(cell)); !same_bits(a, b))
          return testing::AssertionFailure() << "component " << c << " of " << cell << ": " << a << ", not " << b;
    return testing::AssertionSuccess();
  }
};

template <class Case>
class Parts : public testing::Test {};
TYPED_TEST_SUITE(Parts, gas::Cases);

}  // namespace

TYPED_TEST(Parts, StepAsTheWhole) {
  constexpr int Dim = TypeParam::Dim;
  using T = typename TypeParam::Scalar;
  using Law = typename Flow<TypeParam>::Law;
  Index stored = 0, stored_by_ranks = 0, beside = 0;
  for (unsigned seed = 1; seed <= seed_count / 4; ++seed) {
    Flow<TypeParam> const flow(seed);
    SCOPED_TRACE("seed " + std::to_string(seed));
    auto const& domain = flow.problem.domain;
    std::vector<IntervalSet<Dim>> work, everything;
    for (int l = 0; l < flow.level_count(); ++l) {
      work.push_back(flow.at(flow.sets, l).update);
      everything.push_back(sparse::amr::inside(flow.at(flow.sets, l).valid, domain.box(l)));
      stored += flow.at(flow.sets, l).storage.cell_count();
    }
    auto whole = flow.levels_of(flow.sets, everything);
    auto const before = [&] {
      std::vector<sparse::Field<T, Dim>> fields;
      for (auto const& level : whole) fields.push_back(clone(level.states.current()));
      return fields;
    }();
    flow.sweep(whole);
    int const ranks = 1 + static_cast<int>(seed % 5);
    Partition<Dim> const partition(ranks, domain.box(0), work,
                                   {seed % 4 == 0 ? Curve::scattered : Curve::hilbert, 0.1, 1});
    std::vector<T> rates(static_cast<std::size_t>(flow.level_count()));
    std::vector<Index> computed(rates.size());
    for (int rank = 0; rank < ranks; ++rank) {
      std::vector<IntervalSet<Dim>> regions, known, all_known;
      for (int l = 0; l < flow.level_count(); ++l)
        regions.push_back(partition.part(l, box<Dim>(domain.box(l).begin, domain.box(l).end, {}), rank));
      std::vector<OwnSets<Dim>> owned;
      for (int l = 0; l < flow.level_count(); ++l)
        owned.emplace_back(flow.at(flow.sets, l), [&](auto const& set) { return partition.part(l, set, rank); });
      PartOfLevels<Dim> const part = part_of_levels(domain, flow.sets, owned);
      for (int l = 0; l < flow.level_count(); ++l) {
        known.push_back(flow.at(part.sets, l).cells | flow.at(part.received, l));
        all_known.push_back(flow.at(known, l) | flow.at(part.beside, l));
        auto const of_others = flow.at(all_known, l) - flow.at(part.sets, l).cells;
        ASSERT_TRUE((of_others & flow.at(regions, l)).is_empty());
        ASSERT_TRUE((of_others - flow.at(flow.sets, l).cells).is_empty());
        ASSERT_EQ(of_others.cell_count(),
                  flow.at(part.received, l).cell_count() + flow.at(part.beside, l).cell_count());
        beside += flow.at(part.beside, l).cell_count();
        stored_by_ranks += flow.at(part.sets, l).storage.cell_count();
      }
      auto own = flow.levels_of(part.sets, known);
      auto const seen = flow.levels_of(part.sets, all_known);
      auto const agrees_around = [&](Levels<Law> const& levels, int l, IntervalSet<Dim> const& cells, Coord steps) {
        auto const& all = flow.at(flow.sets, l).storage;
        auto const read = (cells.is_empty() ? cells : expand(cells, steps, sparse::Element::diamond)) & all;
        auto const& level = flow.at(levels, l);
        return flow.agree(read, level.current(), level.sets.storage, flow.at(before, l).view(), all);
      };
      for (int l = 0; l < flow.level_count(); ++l) {
        SCOPED_TRACE("rank " + std::to_string(rank) + " of " + std::to_string(ranks) + ", level " + std::to_string(l));
        ASSERT_TRUE(agrees_around(own, l, flow.at(part.sets, l).update, 2)) << "what a step reads";
        ASSERT_TRUE(agrees_around(seen, l, flow.at(part.sets, l).cells, 1)) << "what criteria look at";
      }
      flow.sweep(own);
      for (int l = 0; l < flow.level_count(); ++l) {
        auto const& level = flow.at(own, l);
        auto const& all = flow.at(whole, l);
        ASSERT_TRUE(flow.agree(level.sets.update, level.current(), level.sets.storage, all.current(), all.sets.storage))
            << "rank " << rank << " of " << ranks << ", level " << l;
        for (int axis = 0; axis < Dim; ++axis) {
          ASSERT_TRUE(flow.agree(level.sets.coarse_interface[axis], level.coarse_register[axis],
                                 level.sets.coarse_interface[axis], all.coarse_register[axis],
                                 all.sets.coarse_interface[axis]));
          ASSERT_TRUE(flow.agree(level.sets.fine_interface[axis], level.fine_register[axis],
                                 level.sets.fine_interface[axis], all.fine_register[axis],
                                 all.sets.fine_interface[axis]));
        }
        computed[static_cast<std::size_t>(l)] += level.sets.update.cell_count();
        if (!(level.rate <= rates[static_cast<std::size_t>(l)])) rates[static_cast<std::size_t>(l)] = level.rate;
      }
    }
    for (int l = 0; l < flow.level_count(); ++l) {
      ASSERT_EQ(flow.at(computed, l), flow.at(flow.sets, l).update.cell_count());
      ASSERT_TRUE(flow.same_bits(flow.at(rates, l), flow.at(whole, l).rate)) << "level " << l;
    }
  }
  EXPECT_GT(beside, 0);
  EXPECT_LT(stored_by_ranks, 4 * stored);  // not everything on each of up to five ranks
}
