/// Ranks that each step a part of a grid compute, bit by bit, what one process computes. One level, with bodies.

#include <bit>
#include <cstring>

#include <sparse/amr/hierarchy/part_of_levels.hpp>
#include <sparse/amr/hierarchy/synchronise.hpp>
#include <sparse/distributed/halo.hpp>
#include <sparse/sets/algebra.hpp>
#include <support/euler_flow.hpp>

#include "team_of_test.hpp"

using namespace flow;
using sparse::Box;
using sparse::FieldView;
using sparse::distributed::Curve;
using sparse::distributed::Halo;
using sparse::distributed::Partition;
using sparse::distributed::Team;

namespace {

template <class Case>
class RanksStep : public testing::Test {};
TYPED_TEST_SUITE(RanksStep, Cases);

/// A box around a ball with a curved wall and a block with faces, and one of three sets of sides.
template <int Dim>
DomainOptions<Dim> with_bodies(int sides) {
  auto options = closed_box<Dim>(Dim == 2 ? 40 : 16, 1);
  Coord const n = options.cells[0];
  options.cells[1] += 3;
  auto const block = sparse::box<Dim>(Cell<Dim>::filled(n / 2 + 3), Cell<Dim>::filled(n - 3));
  options.bodies = {body_from_distance<Dim>("ball", BallDistance<Dim>{Vec<double, Dim>::filled(0.3 * n), 0.14 * n}),
                    body_from_cells<Dim>("block", block, sides == 0 ? BoundaryKind::wall : BoundaryKind::no_slip)};
  if (sides == 1) options.sides = all_sides<Dim>(BoundaryKind::periodic);
  if (sides == 2) {
    options.sides[0] = {BoundaryKind::inflow, BoundaryKind::outflow};
    options.sides[1] = {BoundaryKind::no_slip, BoundaryKind::given};
  }
  return options;
}

/// What each rank keeps: its part of the level, and the messages that fill it.
template <class T, int Dim>
class Part {
public:
  using Law = Gas<T, Dim>;
  static constexpr int count = Law::component_count;

  Part(Team& team, sparse::amr::Problem<Law> problem, Flux<T, Dim> const& flux, HotBall<T, Dim> const& initial,
       Curve curve)
      : team_(team), problem_(std::move(problem)), flux_(flux) {
    auto const& domain = problem_.domain;
    auto const all = level_sets<Dim>(domain, {domain.fluid(0)});
    Partition<Dim> const partition(team.size(), domain.box(0), {all[0].update}, {curve, 0.1, 1});
    auto const box = sparse::box<Dim>(domain.box(0).begin, domain.box(0).end);
    auto const part = part_of_levels<Dim>(domain, all, {partition.part(0, box, team.rank())});
    levels_.push_back(sparse::amr::make_level<Law>(domain, part.sets[0], 0));
    levels_[0].plans = level_plans(domain, part.sets, 0);
    auto const& storage = levels_[0].sets.storage;
    halo_ = Halo<Dim>(team, partition, 0, storage, storage, {{part.received[0]}});
    sparse::amr::InitialState<Law>(initial).fill(levels_[0].states.current(), problem_.law, levels_[0].sets.cells,
                                                 domain.grid(0));
    exchange(levels_[0].current());
    fill_ghosts(levels_[0].current(), problem_, levels_, 0, 1, 0);
    levels_[0].rate = rate_of(problem_, levels_[0], 0);
    agree_on_rate();
  }

  /// One step, as `CoarseStep` does it, with an exchange after each stage.
  void advance() {
    auto& level = levels_[0];
    double const dt = problem_.options.cfl / static_cast<double>(rate_);
    sparse::amr::SweepValues<Flux<T, Dim>, Dim> values{flux_};
    values.reconstruction = sparse::amr::reconstruction_of(problem_.options.scheme);
    values.limiter = problem_.options.limiter;
    values.dt = static_cast<T>(dt);
    values.inverse_spacing = problem_.inverse_spacing(0);
    values.base = level.current();
    FieldView<T> in = level.current();
    for (auto const& stage : sparse::amr::stages_of(problem_.options.scheme)) {
      fill_ghosts(in, problem_, levels_, 0, 1, time_ + stage.time * dt);
      FieldView<T> const out = level.states.take().view();
      values.in = in;
      values.out = out;
      values.in_weight = static_cast<T>(stage.weight);
      values.base_weight = 1 - values.in_weight;
      level.rate = sparse::amr::sweep<Flux<T, Dim>, Dim>(level.sweep, values);
      exchange(out);
      in = out;
    }
    level.states.commit();
    time_ += dt;
    if (level.beyond_given.cell_count() > 0)
      fill_sides(level.current(), problem_.law, level.plans.ghosts.sides, problem_.outside.inflow,
                 problem_.outside.given, time_);
    agree_on_rate();
  }

  double time() const { return time_; }
  sparse::amr::Level<Law> const& level() const { return levels_[0]; }

private:
  void exchange(FieldView<T> state) { halo_.template fill<T>(team_, state, state, count); }
  void agree_on_rate() {
    using Bits = sparse::amr::OrderedBits<T>;
    std::vector<std::uint64_t> bits{static_cast<std::uint64_t>(std::bit_cast<Bits>(greatest_rate(problem_, levels_)))};
    team_.maximise(bits);
    rate_ = std::bit_cast<T>(static_cast<Bits>(bits[0]));
  }

  Team& team_;
  sparse::amr::Problem<Law> problem_;
  Flux<T, Dim> flux_;
  sparse::amr::Levels<Law> levels_;
  Halo<Dim> halo_;
  double time_ = 0;
  T rate_ = 0;
};

}  // namespace

TYPED_TEST(RanksStep, AsOneProcessDoes) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  auto& team = team_of_test();
  int number = 0;
  for (int sides = 0; sides < 3; ++sides)
    for (Scheme const scheme : schemes) {
      SCOPED_TRACE(std::string(name_of(scheme)) + ", sides " + std::to_string(sides));
      auto const options = with_bodies<Dim>(sides);
      Domain<Dim> const domain(options);
      HotBall<T, Dim> const initial{Vec<double, Dim>::filled(0.6 * options.cells[0]), 0.2 * options.cells[0], 0.5, 1};
      Flux<T, Dim> const flux{Gas<T, Dim>{T(1.4)}, flux_kinds[number % 3]};
      sparse::amr::Outside<Gas<T, Dim>> const outside{
          initial(Vec<double, Dim>{}),
          sparse::amr::boundary<Gas<T, Dim>>(sparse::amr::OutflowAgainst<Gas<T, Dim>>{T(1.1)})};
      Options<T, Dim> how;
      how.scheme = scheme;
      how.limiter = number % 2 == 0 ? Limiter::minmod : Limiter::mc;
      how.cfl = 0.5;
      how.criteria = {sparse::amr::relative_gradient<Gas<T, Dim>>(0, 0.05)};
      Simulation<T, Dim> whole(domain, flux, initial, outside, how);
      Part<T, Dim> part(team, {domain, flux.law, outside, how}, flux, initial,
                        number % 4 == 3 ? Curve::scattered : Curve::hilbert);
      for (int step = 0; step < 10; ++step) {
        whole.advance();
        part.advance();
      }
      ASSERT_EQ(whole.repeated_step_count(), 0);
      ASSERT_EQ(part.time(), whole.time());
      auto const& own = part.level().sets.update;
      auto const here = remap(part.level().states.current(), own), there = remap(whole.state(0), own);
      for (int c = 0; c < Dim + 2; ++c) {
        auto const a = to_host(here, c), b = to_host(there, c);
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i)
          ASSERT_TRUE(std::memcmp(&a[i], &b[i], sizeof(T)) == 0)
              << "component " << c << " of " << cell_of(own, static_cast<Index>(i)) << ": " << a[i] - b[i];
      }
      ++number;
    }
}
