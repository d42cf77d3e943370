/// A run that goes on from a file is the run without a break, bit by bit.

#include <filesystem>

#include <unistd.h>

#include <sparse/amr/measure/checkpoint.hpp>
#include <support/euler_flow.hpp>

using namespace flow;

namespace {

template <class TheCase>
class Restart : public testing::Test {};
TYPED_TEST_SUITE(Restart, Cases);

}  // namespace

TYPED_TEST(Restart, GoesOnAsIfThereHadBeenNoBreak) {
  using T = typename TypeParam::Scalar;
  constexpr int Dim = TypeParam::Dim;
  Coord const size = Dim == 2 ? 24 : 8;
  DomainOptions<Dim> domain;
  domain.cells = Cell<Dim>::filled(size);
  domain.level_count = 3;
  domain.sides[0] = {BoundaryKind::inflow, BoundaryKind::outflow};
  domain.bodies = {sparse::body_from_distance<Dim>(
      "ball", sparse::BallDistance<Dim>{Vec<double, Dim>::filled(0.7 * size), 0.1 * size})};
  Outside<T, Dim> const outside{gas_state<T, Dim>(1, Vec<double, Dim>::along(0, 1.5), 1), {}};
  HotBall<T, Dim> const ball{Vec<double, Dim>::filled(0.4 * size), 0.15 * size, 2, 4};
  auto const path = std::filesystem::temp_directory_path() / ("sparse_restart_" + std::to_string(getpid()) + ".h5");
  for (Scheme scheme : schemes) {
    Options<T, Dim> options;
    options.scheme = scheme;
    options.regrid_stride = 2;
    options.longest_stride = 1;
    Simulation<T, Dim> whole(Domain<Dim>(domain), {}, ball, outside, options);
    for (int step = 0; step < 3; ++step) whole.advance();
    sparse::amr::write_checkpoint(path, whole.save(), name_of(scheme));
    auto const saved = sparse::amr::read_checkpoint<T, Dim>(path, name_of(scheme));
    Simulation<T, Dim> resumed(Domain<Dim>(domain), {}, saved, outside, options);
    EXPECT_TRUE(Snapshot(resumed) == Snapshot(whole));
    LevelChanges<Dim> changes;
    for (int step = 0; step < (Dim == 2 ? 8 : 4); ++step) {
      whole.advance();
      resumed.advance();
      changes.note(whole);
      ASSERT_TRUE(Snapshot(resumed) == Snapshot(whole)) << name_of(scheme) << " step " << step;
    }
    EXPECT_GT(changes.count, Dim == 2 ? 1 : 0);
  }
  std::filesystem::remove(path);
}
