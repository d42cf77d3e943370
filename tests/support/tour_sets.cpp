#include <sparse/base/error.hpp>
#include <sparse/fields/component_field.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/components.hpp>
#include <sparse/sets/faces.hpp>
#include <sparse/sets/morphology.hpp>
#include <sparse/sets/scaling.hpp>
#include <sparse/sets/transform.hpp>
#include <support/tour_parts.hpp>

namespace tour {

using namespace sparse;

template <int Dim>
IntervalSet<Dim> combinations(std::vector<IntervalSet<Dim>> const& shapes, int step) {
  auto const &all = shapes[0], &body = shapes[1], &pattern = shapes[2], &slope = shapes[3], &bitmap = shapes[4];
  auto const both = pattern ^ slope;
  auto const read = from_host(both.to_host());
  auto const fluid = (all - body) | (shift(both, 0, step % 5) & bitmap) | read;

  auto const chain = fuse([](bool a, bool b, bool c) { return (a && !b) || c; }, all, body, pattern);
  auto const sweep =
      fuse([](bool a, bool b, bool c, bool d) { return int{a} + b + c + d == 2; }, body, pattern, slope, shapes[5]);
  auto const any = unite(shapes), every = intersect<Dim>({all, bitmap, any});
  auto turned = mirror(rotate(transpose(pattern & any, 0, Dim - 1), 0, 1), step % Dim, 2);
  if constexpr (Dim == 3) turned |= transpose(pattern, 1, 2);
  validate(turned);
  expects(!(every == sweep) && chain.contains(chain.bounds().begin) != chain.is_empty(), "a tour of set algebra");
  return (fluid & (chain | sweep)) | (turned & every);
}

namespace {

/// Growing, shrinking and layers by each kind of element.
template <int Dim>
IntervalSet<Dim> grown(IntervalSet<Dim> const& set, int step) {
  auto const radii = Vec<Coord, Dim>::filled(1) + Vec<Coord, Dim>::along(Dim - 1, 2);
  auto result = expand(shrink(set, 1), 2) & expand(set, Dim - 1, 3) & (expand(set, radii) - shrink(set, radii));
  for (auto const element : {Element::box, Element::diamond, Element::ball}) {
    auto const cleaned = close(open(set, 1, element), 2, element);
    result |= cleaned - inner_layer(cleaned, 1, element);
    result |= outer_layer(cleaned, 1 + step % 2, element);
    for (auto const& band : distance_bands(set, {1, 3}, element)) result = result ^ (band & cleaned);
  }
  return result;
}

/// Faces, edges and nodes, as cells.
template <int Dim>
IntervalSet<Dim> skeleton(IntervalSet<Dim> const& set, int step) {
  int const axis = step % Dim;
  auto const skin = boundary(set);
  auto result = faces(set, axis) - interior_faces(set, axis);
  result |= (edges(set, axis) & nodes(set)) - boundary_faces(set, axis, FaceSide::upper);
  for (int other = 0; other < Dim; ++other) result |= skin(other, FaceSide::lower);
  expects(skin.face_count() > 0, "a tour of boundaries");
  return result;
}

/// What hangs together, with its holes filled.
template <int Dim>
IntervalSet<Dim> together(IntervalSet<Dim> const& set, IntervalSet<Dim> const& seeds) {
  IntervalSet<Dim> result;
  for (auto const neighbours : {Neighbours::faces, Neighbours::edges, Neighbours::corners}) {
    auto const parts = connected_components(set, neighbours);
    auto const sizes = component_sizes(parts);
    expects(static_cast<Index>(sizes.size()) == component_count(set, neighbours) &&
                component_field(parts).cell_count() == set.cell_count(),
            "a tour of components");
    result |= component(parts, 0) | components_of_size(parts, 5) | components_touching(parts, seeds);
    result |= fill_holes(set, neighbours);
  }
  return result;
}

}  // namespace

template <int Dim>
IntervalSet<Dim> neighbourhoods(IntervalSet<Dim> const& set, int step) {
  auto const around = grown(set, step);
  auto const bones = skeleton(set, step);
  auto const parts = together(set, bones);
  auto result = around | set | (bones & parts);
  for (auto const children : {Children::any, Children::majority, Children::all})
    result |= coarsen(refine(result), children);
  expects(!(result == set), "a tour of neighbourhoods");
  return result;
}

#define SPARSE_INSTANTIATE(Dim)                                                                                        \
  template IntervalSet<Dim> combinations(std::vector<IntervalSet<Dim>> const&, int);                                   \
  template IntervalSet<Dim> neighbourhoods(IntervalSet<Dim> const&, int);
SPARSE_INSTANTIATE(2)
SPARSE_INSTANTIATE(3)

}  // namespace tour
