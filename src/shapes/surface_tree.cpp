#include "surface_tree.hpp"

#include <algorithm>

namespace sparse::detail {

template <int Dim>
SurfaceTree<Dim>::SurfaceTree(std::vector<SurfaceElement<Dim>> elements, FillRule rule, Context const& context)
    : elements_(std::move(elements)), rule_(rule) {
  build(0, elements_.size());
  device_elements_ = to_device(context, elements_);
  device_nodes_ = to_device(context, nodes_);
}

/// Splits elements in halves along the longest axis of their box until few are left.
template <int Dim>
void SurfaceTree<Dim>::build(std::size_t first, std::size_t count) {
  constexpr std::size_t leaf_size = 4;
  auto const begin = elements_.begin() + static_cast<std::ptrdiff_t>(first);
  auto const end = begin + static_cast<std::ptrdiff_t>(count);
  SurfaceNode<Dim> node{Vec<double, Dim>::filled(HUGE_VAL), Vec<double, Dim>::filled(-HUGE_VAL),
                        static_cast<int>(first), static_cast<int>(count), 0};
  for (auto element = begin; element != end; ++element)
    for (auto const& corner : element->corners)
      for (int axis = 0; axis < Dim; ++axis) {
        node.lower[axis] = std::min(node.lower[axis], corner[axis]);
        node.upper[axis] = std::max(node.upper[axis], corner[axis]);
      }
  std::size_t const n = nodes_.size();
  nodes_.push_back(node);
  if (count <= leaf_size) return;

  int longest = 0;
  for (int axis = 1; axis < Dim; ++axis)
    if (node.upper[axis] - node.lower[axis] > node.upper[longest] - node.lower[longest]) longest = axis;
  auto const place = [longest](SurfaceElement<Dim> const& element) {
    double sum = 0;
    for (auto const& corner : element.corners) sum += corner[longest];
    return sum;
  };
  std::size_t const half = count / 2;
  std::nth_element(begin, begin + static_cast<std::ptrdiff_t>(half), end,
                   [&](auto const& a, auto const& b) { return place(a) < place(b); });
  nodes_[n].count = 0;
  build(first, half);
  nodes_[n].second = static_cast<int>(nodes_.size());
  build(first + half, count - half);
}

template class SurfaceTree<2>;
template class SurfaceTree<3>;

}  // namespace sparse::detail
