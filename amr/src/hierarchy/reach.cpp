#include <sparse/amr/hierarchy/reach.hpp>

#include <algorithm>
#include <bit>

#include <sparse/amr/hierarchy/part_of_levels.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>
#include <sparse/sets/transform.hpp>
#include <sparse/shapes/shapes.hpp>

namespace sparse::amr {

template <int Dim>
Reach<Dim>::Reach(Domain<Dim> const& domain, distributed::Partition<Dim> const& partition, int rank, Coord margin)
    : rank_(rank) {
  int const count = partition.level_count();
  levels_.resize(static_cast<std::size_t>(count));
  auto const shift_of = [&](int l) { return std::countr_zero(static_cast<unsigned>(partition.unit_edge(l))); };
  for (int l = 0; l < count; ++l) {
    double unit_count = 1;
    Box<Dim> const box = levels_[static_cast<std::size_t>(l)].box = domain.box(l);
    for (int axis = 0; axis < Dim; ++axis) unit_count *= ((box.end[axis] - box.begin[axis]) >> shift_of(l)) + 2;
    is_everywhere_ = is_everywhere_ || (unit_count > 1e6 && partition.curve() != distributed::Curve::hilbert);
  }
  if (is_everywhere_) {
    partition_ = partition;
    return;
  }
  std::vector<IntervalSet<Dim>> own;
  for (int l = 0; l < count; ++l) own.push_back(partition.units(l, rank));
  // Stencils reach two cells, and the images of ghosts, where one may need another, as far as this.
  Coord const reach = image_reach(domain) + 12;
  rims_.resize(levels_.size());
  IntervalSet<Dim> near;  // units near what the rank owns, and near the parents of that
  for (int l = count - 1; l >= 0; --l) {
    auto const index = static_cast<std::size_t>(l);
    int const shift = shift_of(l);
    Vec<Coord, Dim> const size = domain.box(l).end - domain.box(l).begin;
    Coord const longest = *std::max_element(size.data, size.data + Dim);
    auto const within = [&](IntervalSet<Dim> const& units, Coord distance) {
      return units.is_empty() ? units : expand(units, (std::min(distance, longest) >> shift) + 1);
    };
    auto const cells_of = [&](IntervalSet<Dim> const& units) {
      IntervalSet<Dim> cells = rescale(units, shift);
      for (int axis = 0; axis < Dim && !cells.is_empty(); ++axis) {
        Coord const period = domain.box(l).end[axis];
        if (domain.is_periodic(axis))
          cells = cells | sparse::shift(cells, axis, period) | sparse::shift(cells, axis, -period);
      }
      return cells;
    };
    if (l + 1 < count) near = rescale(near, shift_of(l + 1) - 1 - shift);
    near = within(own[index] | near, reach);
    levels_[index].own = rescale(own[index], shift);
    levels_[index].cells = cells_of(near);
    // Interfaces of the next coarser level need the sets of this one at its children.
    IntervalSet<Dim> const children = l > 0 ? rescale(own[index - 1], shift_of(l - 1) + 1 - shift) : IntervalSet<Dim>();
    levels_[index].around = cells_of(within(near | children, 8 + margin));
    rims_[index] = rim_of(domain, l, levels_[index].own, levels_[index].cells, rim_at(rims_, l + 1), reach);
  }
}

template <int Dim>
IntervalSet<Dim> Reach<Dim>::own(int l, IntervalSet<Dim> const& set) const {
  return is_everywhere_ ? partition_.part(l, set, rank_) : set & levels_[static_cast<std::size_t>(l)].own;
}

template <int Dim>
IntervalSet<Dim> Reach<Dim>::part(int l, IntervalSet<Dim> const& set) const {
  return is_everywhere_ ? set : set & levels_[static_cast<std::size_t>(l)].cells;
}

template <int Dim>
IntervalSet<Dim> Reach<Dim>::around(int l, IntervalSet<Dim> const& set) const {
  return is_everywhere_ ? set : set & levels_[static_cast<std::size_t>(l)].around;
}

template <int Dim>
IntervalSet<Dim> Reach<Dim>::around(int l) const {
  Level const& level = levels_[static_cast<std::size_t>(l)];
  return is_everywhere_ ? box<Dim>(level.box.begin, level.box.end) : inside(level.around, level.box);
}

template class Reach<2>;
template class Reach<3>;

}  // namespace sparse::amr
