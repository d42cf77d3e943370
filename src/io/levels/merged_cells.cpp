#include <sparse/io/levels/merged_cells.hpp>

#include <sparse/sets/algebra.hpp>
#include <sparse/sets/scaling.hpp>

namespace sparse::io {

template <int Dim>
std::vector<LevelCells<Dim>> merged_cells(IntervalSet<Dim> const& set, int level) {
  std::vector<LevelCells<Dim>> levels(static_cast<std::size_t>(level) + 1);
  IntervalSet<Dim> rest = set;
  for (int l = level; l >= 0; --l) {
    IntervalSet<Dim> whole;  // parents with all their children
    if (l > 0) {
      IntervalSet<Dim> const parents = coarsen(rest);
      whole = parents - coarsen(refine(parents) - rest);
    }
    levels[static_cast<std::size_t>(l)] = {l, (l > 0 ? rest - refine(whole) : rest).to_host(), {}, {}};
    rest = whole;
  }
  return levels;
}

template std::vector<LevelCells<2>> merged_cells(IntervalSet<2> const&, int);
template std::vector<LevelCells<3>> merged_cells(IntervalSet<3> const&, int);

}  // namespace sparse::io
