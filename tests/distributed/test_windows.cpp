/// A rank finds its part of the levels from the tags in a window around its cells.

#include <sparse/distributed/partition.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>
#include <support/amr_levels.hpp>

using namespace reference;
using sparse::distributed::Curve;
using sparse::distributed::Partition;

namespace {

template <class Dimension>
class Windows : public testing::Test {};
TYPED_TEST_SUITE(Windows, Dimensions);

/// How far beyond its own cells a rank must know tags, in cells of level 0. A tag reaches as far as its buffer. A finer
/// level also needs parents around its own reach.
template <int Dim>
Coord margin_of(RandomLevels<Dim> const& random) {
  Coord reach = 0;
  for (int l = random.options.level_count - 1; l-- > 0;)
    reach = std::max(random.buffer(l), (nesting_width + reach + 1) / 2 + 1);
  return reach + 1;
}

/// `cells` of level 0 and all within `margin` of them, also across periodic sides.
template <int Dim>
IntervalSet<Dim> grown(Domain<Dim> const& domain, IntervalSet<Dim> const& cells, Coord margin) {
  auto window = cells;
  for (Coord step = 0; step < margin; ++step) window |= domain.wrapped(expand(window, 1), 0);
  return window;
}

}  // namespace

TYPED_TEST(Windows, GiveTheLevelsOfAll) {
  constexpr int Dim = TypeParam::value;
  int clipped_count = 0;
  for (unsigned seed = 1; seed <= seed_count; ++seed) {
    RandomLevels<Dim> const random(seed);
    Domain<Dim> const domain(random.options);
    auto const tags = random.tag_sets();
    auto const cells = nested_cells(domain, tags, random.buffers);
    auto const sets = level_sets(domain, cells);
    std::vector<IntervalSet<Dim>> work;
    for (auto const& level : sets) work.push_back(level.update);
    int const ranks = 1 + static_cast<int>(seed % 7);
    Partition<Dim> const partition(ranks, domain.box(0), work,
                                   {seed % 3 == 0 ? Curve::scattered : Curve::hilbert, 0.2, 1});
    for (int rank = 0; rank < ranks; ++rank) {
      IntervalSet<Dim> own;
      for (std::size_t l = 0; l < cells.size(); ++l) {
        auto of_level = partition.part(static_cast<int>(l), domain.fluid(static_cast<int>(l)), rank);
        for (std::size_t i = 0; i < l; ++i) of_level = coarsen(of_level);
        own |= of_level;
      }
      std::vector<IntervalSet<Dim>> windows{grown(domain, own, margin_of(random))};
      while (windows.size() < static_cast<std::size_t>(domain.level_count())) windows.push_back(refine(windows.back()));
      clipped_count += windows[0].cell_count() < domain.box(0).cell_count() ? 1 : 0;
      std::vector<IntervalSet<Dim>> local_tags;
      for (std::size_t l = 0; l < tags.size(); ++l) local_tags.push_back(tags[l] & windows[l]);
      auto const local = nested_cells(domain, local_tags, random.buffers);
      std::vector<IntervalSet<Dim>> in_window;
      for (std::size_t l = 0; l < cells.size(); ++l) {
        int const level = static_cast<int>(l);
        auto const found = l < local.size() ? local[l] : IntervalSet<Dim>();
        ASSERT_EQ(partition.part(level, found, rank), partition.part(level, cells[l], rank))
            << "seed " << seed << ", rank " << rank << ", level " << l;
        in_window.push_back(cells[l] & windows[l]);
      }
      // What a rank computes also follows from the levels in its window.
      auto const known = level_sets(domain, in_window);
      for (std::size_t l = 0; l < cells.size(); ++l)
        ASSERT_EQ(partition.part(static_cast<int>(l), known[l].update, rank),
                  partition.part(static_cast<int>(l), sets[l].update, rank))
            << "seed " << seed << ", rank " << rank << ", level " << l;
    }
  }
  EXPECT_GT(clipped_count, static_cast<int>(seed_count / 4));  // not only windows as large as the box
}
