#include <sparse/amr/hierarchy/tagging.hpp>
#include <sparse/sets/morphology.hpp>

namespace sparse::amr {
namespace {

/// The operands of a `Stencil`, then the covered cells, then the cells themselves.
template <int Dim>
struct TagOperands {
  Operand operands[3 + 2 * Dim];
  TagOperands(SetView const& cells, SetView const& storage, SetView const& covered) {
    operands[0] = operand<Dim>(storage);
    for (int arm = 0; arm < 2 * Dim; ++arm) operands[1 + arm] = operand<Dim>(storage, face_arms<Dim>().offset[arm]);
    operands[TagPlan<Dim>::covered] = operand<Dim>(covered);
    operands[TagPlan<Dim>::number] = operand<Dim>(cells);
  }
};

}  // namespace

template <int Dim>
TagPlan<Dim>::TagPlan(IntervalSet<Dim> const& cells, IntervalSet<Dim> const& storage,
                      IntervalSet<Dim> const& covered_cells)
    : Plan<Dim, 3 + 2 * Dim>(cells, TagOperands<Dim>(cells.view(), storage.view(), covered_cells.view()).operands) {}

template <int Dim>
IntervalSet<Dim> with_minimum_width(IntervalSet<Dim> const& tags, Coord width) {
  expects(width > 0, "with_minimum_width: the width must be positive");
  if (width == 1) return tags;
  // A box of even width reaches one cell further up than down.
  Coord const radius = (width - 1) / 2;
  bool const is_even = width % 2 == 0;
  IntervalSet<Dim> seeds = shrink(tags, radius);
  for (int axis = 0; is_even && axis < Dim; ++axis) seeds = seeds & shift(seeds, axis, -1);
  auto const boxes_around = [&](IntervalSet<Dim> const& cells) {
    IntervalSet<Dim> boxes = expand(cells, radius);
    for (int axis = 0; is_even && axis < Dim; ++axis) boxes = boxes | shift(boxes, axis, 1);
    return boxes;
  };
  return tags | boxes_around(tags - boxes_around(seeds));
}

template class TagPlan<2>;
template class TagPlan<3>;
template IntervalSet<2> with_minimum_width(IntervalSet<2> const&, Coord);
template IntervalSet<3> with_minimum_width(IntervalSet<3> const&, Coord);

}  // namespace sparse::amr
