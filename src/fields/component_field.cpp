#include <sparse/fields/component_field.hpp>

#include <limits>

#include <sparse/sets/locate.hpp>

namespace sparse {
namespace {

/// Writes the labels of a group of consecutive cells.
struct LabelStretch {
  static constexpr Index length = has_many_threads ? 1 : 4096;
  SetView set;
  Index const* labels;
  std::int32_t* out;
  KOKKOS_FUNCTION void operator()(Index c) const {
    Index cell = c * length;
    Index const last = cell + length < set.cell_count ? cell + length : set.cell_count;
    for (Index i = detail::last_at_most(set.cell_offsets, set.interval_count, cell); cell < last; ++i) {
      Index const interval_end = set.cell_offsets[i] + (Index{set.intervals[i].end} - set.intervals[i].begin);
      Index const end = interval_end < last ? interval_end : last;
      auto const label = static_cast<std::int32_t>(labels[i]);
      for (; cell < end; ++cell) out[cell] = label;
    }
  }
};

}  // namespace

template <int Dim>
Field<std::int32_t, Dim> component_field(Components<Dim> const& components) {
  expects(components.count() <= std::numeric_limits<std::int32_t>::max(),
          "component_field: more components than 32 bits count");
  Field<std::int32_t, Dim> field("component", components.set());
  SetView const set = components.set().view();
  constexpr Index length = LabelStretch::length;
  parallel_for(field.context(), "sparse::components::label_cells", (set.cell_count + length - 1) / length,
               LabelStretch{set, components.interval_labels(), field.view().data});
  return field;
}

template Field<std::int32_t, 2> component_field(Components<2> const&);
template Field<std::int32_t, 3> component_field(Components<3> const&);

}  // namespace sparse
