/// Ranks that share the levels of a flow compute, bit by bit, what one process computes.

#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

#include <sparse/amr/measure/checkpoint.hpp>
#include <sparse/amr/measure/control_volume.hpp>
#include <sparse/amr/measure/diagnostics.hpp>
#include <sparse/amr/measure/forces.hpp>
#include <sparse/amr/measure/overlapping_amr.hpp>
#include <sparse/amr/measure/probes.hpp>
#include <sparse/amr/measure/snapshot.hpp>
#include <sparse/amr/measure/tags.hpp>
#include <sparse/io/levels/overlapping_amr.hpp>
#include <sparse/sets/algebra.hpp>
#include <support/euler_flow.hpp>
#include <support/io_levels.hpp>

#include "team_of_test.hpp"

using namespace flow;
using sparse::distributed::Curve;
using sparse::distributed::Team;

namespace {

template <class Case>
class RanksStep : public testing::Test {};
TYPED_TEST_SUITE(RanksStep, Cases);

/// A box around a ball with a curved wall and a block with faces, and one of three sets of sides.
template <int Dim>
DomainOptions<Dim> with_bodies(int sides, int level_count) {
  auto options = closed_box<Dim>(level_count == 1 ? (Dim == 2 ? 40 : 16) : (Dim == 2 ? 24 : 10), level_count);
  Coord const n = options.cells[0], finest = n << (level_count - 1);
  options.cells[1] += 3;
  auto const block = sparse::box<Dim>(Cell<Dim>::filled(finest / 2 + 3), Cell<Dim>::filled(finest - 3));
  options.bodies = {body_from_distance<Dim>("ball", BallDistance<Dim>{Vec<double, Dim>::filled(0.3 * n), 0.14 * n}),
                    body_from_cells<Dim>("block", block, sides == 0 ? BoundaryKind::wall : BoundaryKind::no_slip)};
  if (sides == 1) options.sides = all_sides<Dim>(BoundaryKind::periodic);
  if (sides == 2) {
    options.sides[0] = {BoundaryKind::inflow, BoundaryKind::outflow};
    options.sides[1] = {BoundaryKind::no_slip, BoundaryKind::given};
  }
  return options;
}

template <class T, int Dim>
struct Density {
  KOKKOS_FUNCTION Vec<float, 1> operator()(typename Gas<T, Dim>::State const& u) const {
    return {static_cast<float>(u[0])};
  }
};

template <int Dim>
bool are_same(sparse::HostSet<Dim> const& a, sparse::HostSet<Dim> const& b) {
  auto const bounds = [](auto const& set) {
    std::vector<Coord> all;
    for (auto const& interval : set.intervals) all.insert(all.end(), {interval.begin, interval.end});
    return all;
  };
  return a.row_keys == b.row_keys && a.row_ptr == b.row_ptr && bounds(a) == bounds(b);
}

/// A flow as one process computes it, and as the ranks of the test do.
template <class T, int Dim>
struct Both {
  using Law = Gas<T, Dim>;
  Domain<Dim> domain;
  Flux<T, Dim> flux;
  sparse::amr::Outside<Law> outside;
  Options<T, Dim> options, shared;
  Simulation<T, Dim> whole, part;

  Both(DomainOptions<Dim> const& of_domain, HotBall<T, Dim> const& initial, FluxKind kind, Options<T, Dim> how,
       Curve curve, double most_imbalance)
      : domain(of_domain), flux{Law{T(1.4)}, kind}, outside{initial(Vec<double, Dim>{}),
                                                            sparse::amr::boundary<Law>(
                                                                sparse::amr::OutflowAgainst<Law>{T(1.1)})},
        options(how), shared(over_ranks(how, curve, most_imbalance)), whole(domain, flux, initial, outside, options),
        part(domain, flux, initial, outside, shared) {}

  static Options<T, Dim> over_ranks(Options<T, Dim> how, Curve curve, double most_imbalance) {
    how.team = &team_of_test();
    how.partition = {curve, 0.1, 20};
    how.most_imbalance = most_imbalance;
    return how;
  }

  /// Whether the ranks have the levels, the time and the states of the whole.
  static testing::AssertionResult agree(Simulation<T, Dim> const& part, Simulation<T, Dim> const& whole) {
    auto const different = [](auto const& what) { return testing::AssertionFailure() << what; };
    if (part.level_count() != whole.level_count()) return different("numbers of levels");
    if (part.leaf_count() != whole.leaf_count()) return different("numbers of leaves");
    if (part.update_count() != whole.update_count()) return different("numbers of updates");
    if (part.repeated_step_count() != whole.repeated_step_count()) return different("repeated steps");
    if (part.time() != whole.time() || part.next_step() != whole.next_step()) return different("times");
    for (int l = 0; l < whole.level_count(); ++l) {
      auto const& own = part.sets(l).cells;
      if (sparse::amr::united(team_of_test(), own) != whole.sets(l).cells) return different("cells of levels");
      auto const leaves = part.sets(l).leaves;
      auto const here = remap(part.state(l), leaves), there = remap(whole.state(l), leaves);
      for (int c = 0; c < Dim + 2; ++c) {
        auto const a = to_host(here, c), b = to_host(there, c);
        for (std::size_t i = 0; i < a.size(); ++i)
          if (std::memcmp(&a[i], &b[i], sizeof(T)) != 0)
            return different("level ") << l << ", component " << c << " of " << cell_of(leaves, static_cast<Index>(i))
                                       << ": " << a[i] - b[i];
      }
    }
    return testing::AssertionSuccess();
  }
  testing::AssertionResult agree() const { return agree(part, whole); }

  /// Whether sums, extrema, forces and values at points have the same bits. Points lie in leaves of all ranks, on their
  /// borders, in bodies and outside.
  testing::AssertionResult measures_agree() {
    auto const different = [](auto const& what) { return testing::AssertionFailure() << what; };
    if (part.totals() != whole.totals()) return different("totals");
    auto const here = sparse::amr::extrema(part), there = sparse::amr::extrema(whole);
    if (here.least != there.least || here.greatest != there.greatest) return different("extrema");
    if (here.inadmissible_count != there.inadmissible_count) return different("counts of impossible states");
    auto const center = Vec<double, Dim>::filled(0.3 * domain.box(0).end[0]);
    for (int body = 0; body < domain.body_count(); ++body) {
      auto const a = sparse::amr::force_on_body(part, body, center),
                 b = sparse::amr::force_on_body(whole, body, center);
      if (a.force != b.force || a.moment != b.moment) return different("forces on bodies");
    }
    sparse::amr::ControlVolume<Dim> of_part(domain, {}, 2.0 * center), of_whole(domain, {}, 2.0 * center);
    auto const a = of_part.force(part), b = of_whole.force(whole);
    if (a.force != b.force || a.moment != b.moment) return different("forces from the balance of momentum");
    auto end = Vec<double, Dim>::filled(domain.box(0).end[0] + 1.0);
    auto const points = sparse::amr::points_between(Vec<double, Dim>::filled(-1), end, 301);
    auto const at_part = sparse::amr::primitive_at(part, points), at_whole = sparse::amr::primitive_at(whole, points);
    for (std::size_t i = 0; i < points.size(); ++i)
      for (int c = 0; c < Dim + 2; ++c)
        if (!(at_part[i][c] == at_whole[i][c] || (std::isnan(at_part[i][c]) && std::isnan(at_whole[i][c]))))
          return different("values at point ") << i;
    return testing::AssertionSuccess();
  }

  /// Whether the file of all ranks is that of one process.
  bool files_agree() {
    auto const grid = whole.domain().grid(0);
    auto const own = sparse::amr::snapshot_of_rank(part, Density<T, Dim>(), {{"density", 0, 1}});
    std::vector<sparse::IntervalSet<Dim>> all;
    for (int l = 0; l < part.level_count(); ++l) all.push_back(part.cells_of_all(l));
    auto& team = team_of_test();
    SharedFolder const folder(team);
    sparse::amr::write_overlapping_amr(folder / "ranks.hdf", grid, all, own, team);
    if (team.rank() > 0) return true;
    sparse::io::write_overlapping_amr(folder / "alone.hdf", grid,
                                      sparse::amr::snapshot(whole, Density<T, Dim>(), {{"density", 0, 1}}));
    return io_test::contents(folder / "ranks.hdf") == io_test::contents(folder / "alone.hdf") &&
           !std::filesystem::exists(folder / ".ranks.hdf.tmp");
  }

  /// Whether rank 0 sees the cells and values of all, and all ranks the cells that criteria refine.
  testing::AssertionResult outputs_agree() {
    auto const different = [](auto const& what) { return testing::AssertionFailure() << what; };
    auto const here = sparse::amr::snapshot(part, Density<T, Dim>(), {{"density", 0, 1}});
    auto const there = sparse::amr::snapshot(whole, Density<T, Dim>(), {{"density", 0, 1}});
    if (here.size() != (team_of_test().rank() == 0 ? there.size() : 0)) return different("numbers of levels");
    for (std::size_t l = 0; l < here.size(); ++l) {
      if (!are_same(here[l].cells, there[l].cells) || !are_same(here[l].covered, there[l].covered))
        return different("cells");
      if (here[l].arrays[0].values != there[l].arrays[0].values) return different("values");
    }
    if (!files_agree()) return different("files");
    for (int l = 0; l < whole.level_count(); ++l) {
      if (part.cells_of_all(l) != whole.sets(l).cells) return different("sets of all");
      if (sparse::amr::tagged_cells(part, l) != sparse::amr::tagged_cells(whole, l)) return different("tags");
    }
    return testing::AssertionSuccess();
  }
};

template <class T, int Dim>
HotBall<T, Dim> hot_ball(DomainOptions<Dim> const& options, double jump) {
  return {Vec<double, Dim>::filled(0.6 * options.cells[0]), 0.2 * options.cells[0], 0.5 * jump, jump};
}

}  // namespace

TYPED_TEST(RanksStep, AsOneProcessDoes) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  int next = 0;
  for (int sides = 0; sides < 3; ++sides)
    for (Scheme const scheme : schemes) {
      int const number = next++;
      if (!is_turn(turn_of<T, Dim> + static_cast<std::size_t>(number))) continue;
      int const level_count = number % 5 == 2 ? 1 : 3;
      SCOPED_TRACE(std::string(name_of(scheme)) + ", sides " + std::to_string(sides) + ", levels " +
                   std::to_string(level_count));
      auto const options = with_bodies<Dim>(sides, level_count);
      Options<T, Dim> how;
      how.scheme = scheme;
      how.limiter = number % 2 == 0 ? Limiter::minmod : Limiter::mc;
      how.cfl = 0.5;
      how.subcycle = number % 5 != 4;
      how.longest_stride = 1 + number % 3;
      how.criteria = {sparse::amr::relative_gradient<Gas<T, Dim>>(0, 0.05)};
      Both<T, Dim> both(options, hot_ball<T, Dim>(options, 1), flux_kinds[number % 3], how,
                        number % 4 == 3 ? Curve::scattered : Curve::hilbert, number % 3 == 0 ? 1.0 : 1.1);
      ASSERT_TRUE(both.agree()) << "at the start";
      for (int step = 0; step < (Dim == 2 ? 7 : 2); ++step) {
        both.whole.advance();
        both.part.advance();
        ASSERT_TRUE(both.agree()) << "step " << step;
      }
      ASSERT_TRUE(both.measures_agree());
      ASSERT_TRUE(both.outputs_agree());
    }
}

TYPED_TEST(RanksStep, FromASavedStateAndFail) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  if (!is_turn(turn_of<T, Dim>)) return;
  auto& team = team_of_test();
  auto const options = with_bodies<Dim>(2, 3);
  Options<T, Dim> how;
  how.criteria = {sparse::amr::relative_gradient<Gas<T, Dim>>(0, 0.05)};
  Both<T, Dim> both(options, hot_ball<T, Dim>(options, 3), FluxKind::hllc, how, Curve::hilbert, 1.1);
  for (int step = 0; step < 3; ++step) {
    both.whole.advance();
    both.part.advance();
  }
  // Each rank saves its part. From the pieces, all go on, and so does one process.
  auto const saved = both.part.save(), whole = both.whole.save();
  ASSERT_EQ(saved.cells, whole.cells);
  ASSERT_EQ(saved.rate, whole.rate);
  SharedFolder const folder(team);
  auto const path = folder / "checkpoint.h5";
  for (int i = 0; i < 2; ++i) sparse::amr::write_checkpoint(path, saved, "a box", 1, &team);
  auto const read = sparse::amr::read_checkpoint<T, Dim>(path, "a box");
  for (std::size_t l = 0; l < whole.states.size(); ++l) {
    auto const& leaves = both.whole.sets(static_cast<int>(l)).leaves;  // other cells may be out of date
    auto const here = remap(read.states[l], leaves), there = remap(whole.states[l], leaves);
    for (int c = 0; c < Dim + 2; ++c) ASSERT_EQ(to_host(here, c), to_host(there, c)) << "level " << l;
  }
  auto const opened = sparse::amr::open_checkpoint<T, Dim>(path, "a box", {}, &team);
  Simulation<T, Dim> again(both.domain, both.flux, opened, both.outside, both.shared);
  Simulation<T, Dim> alone(both.domain, both.flux, read, both.outside, both.whole.options());
  ASSERT_TRUE((Both<T, Dim>::agree(again, alone)));
  // A rank that cannot write: all say so, and the checkpoint stays.
  try {
    sparse::amr::write_checkpoint(folder / "none/checkpoint.h5", saved, "a box", 1, &team);
    ADD_FAILURE() << "no error";
  } catch (std::runtime_error const& error) {
    EXPECT_NE(std::string(error.what()).find("none/checkpoint_a_0.h5: "), std::string::npos) << error.what();
  }
  // A piece that is not there: all say so.
  if (team.rank() == 0) std::filesystem::remove(sparse::amr::pieces_of(path).path(0));
  team.all(true);
  try {
    Simulation<T, Dim>(both.domain, both.flux, opened, both.outside, both.shared);
    ADD_FAILURE() << "no error";
  } catch (std::runtime_error const& error) {
    EXPECT_NE(std::string(error.what()).find("_0.h5: "), std::string::npos) << error.what();
  }
  team.all(true);
  for (int step = 0; step < 2; ++step) {
    both.whole.advance();
    both.part.advance();
    again.advance();
    ASSERT_TRUE(both.agree());
    ASSERT_TRUE((Both<T, Dim>::agree(again, both.whole)));
  }
  // A cell without a number, of the rank that owns it: all ranks say the same, and their levels stay.
  auto const spoil = [](Simulation<T, Dim>& flow, sparse::Vec<Coord, Dim> const& cell) {
    auto& state = flow.edit_state(1);
    if (flow.sets(1).cells.contains(cell))
      state.view()(0, flow.sets(1).storage.view().find(cell)) = std::numeric_limits<T>::quiet_NaN();
  };
  auto const message = [](Simulation<T, Dim>& flow) -> std::string {
    try {
      flow.advance();
    } catch (NonFiniteState const& error) {
      return error.what();
    }
    return "no error";
  };
  auto const leaves = both.whole.sets(1).leaves;
  auto const cell = cell_of(leaves, leaves.cell_count() / 2);
  spoil(both.whole, cell);
  spoil(both.part, cell);
  std::string const of_whole = message(both.whole);
  EXPECT_NE(of_whole, "no error");
  EXPECT_EQ(message(both.part), of_whole);
  ASSERT_EQ(both.part.time(), both.whole.time());
}
