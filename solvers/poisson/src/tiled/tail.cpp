#include "tail.hpp"

#include <algorithm>

#include <sparse/base/parallel.hpp>
#include <sparse/sets/locate.hpp>

#include "multigrid/singular_means.hpp"
#include "operator/stages.hpp"

namespace sparse::poisson::detail {
namespace {

template <class T>
struct FillWith {
  T* values;
  T value;
  KOKKOS_FUNCTION void operator()(Index i) const { values[i] = value; }
};
template <class T>
Buffer<T> filled(Context const& context, Index count, T value) {
  Buffer<T> buffer(context, count);
  parallel_for(context, "sparse::poisson::tail_fill", count, FillWith<T>{buffer.data(), value});
  return buffer;
}

struct MarkRed {
  std::int32_t* is_red;
  template <class Rows>
  KOKKOS_FUNCTION void operator()(Rows const& rows, int step) const {
    is_red[rows.run.first + step] = ((rows.run.colour + step) & 1) == 0 ? 1 : 0;
  }
};
struct CountRed {
  std::int32_t const* is_red;
  KOKKOS_FUNCTION Count operator()(Index cell) const { return {is_red[cell]}; }
};
struct FindOrder {
  Count const* red_before;
  Index red_count;
  std::int32_t* order;  // whether it is red, then where it is
  KOKKOS_FUNCTION void operator()(Index cell) const {
    Index const red = red_before[cell].value;
    order[cell] = static_cast<std::int32_t>(order[cell] != 0 ? red : red_count + cell - red);
  }
};

template <class P, int Dim>
struct FillTailRows {
  std::int32_t const *order, *positions;
  Index count;
  std::int32_t *position, *neighbour;
  P *weight, *extra, *inverse;
  template <class Rows>
  KOKKOS_FUNCTION void operator()(Rows const& rows, int step) const {
    Index const cell = rows.run.first + step, i = order[cell];
    position[i] = positions[cell];
    extra[i] = rows.extra(step);
    inverse[i] = rows.inverse_diagonal(step);
    for (int arm = 0; arm < 2 * Dim; ++arm) {
      weight[arm * count + i] = rows.weight(arm, step);
      neighbour[arm * count + i] = positions[cell + rows.run.offset[arm]];
    }
  }
};

template <int Dim>
struct FindKin {
  SetView coarser;
  std::int32_t const *order, *positions, *coarser_order, *coarser_positions;
  Index coarser_count;
  std::int32_t *parent, *child;
  template <class Rows>
  KOKKOS_FUNCTION void operator()(Rows const& rows, int step) const {
    Index const cell = rows.run.first + step;
    auto at = cell_at<Dim>(rows.run.key, rows.run.x + step);
    Index place = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      place |= Index{at[axis] & 1} << axis;
      at[axis] >>= 1;
    }
    Index const found = coarser.find(at);
    parent[order[cell]] = coarser_positions[found];
    child[place * coarser_count + coarser_order[found]] = positions[cell];
  }
};

template <class Body, class T, int Dim>
void for_cells(Couplings<T, Dim> const& level, Body const& body) {
  Pipeline pipeline;
  pipeline.add(cell_stage(level, body));
  pipeline.run(level.context(), level.chain());
}

}  // namespace

template <class P, int Dim>
TailLevel<P, Dim>::TailLevel(Couplings<P, Dim> const& level, Tiles<Dim> const& tiles)
    : count_(level.cell_count()), has_two_colours_(level.has_two_colours()), order_(level.context(), count_),
      position_(level.context(), count_), neighbour_(level.context(), 2 * Dim * count_),
      weight_(level.context(), 2 * Dim * count_), extra_(level.context(), count_), inverse_(level.context(), count_) {
  auto const context = level.context();
  for_cells(level, MarkRed{order_.data()});
  auto const red = count_and_scan<Count>(context, "sparse::poisson::tail_colours", count_, CountRed{order_.data()});
  red_count_ = read_back(context, red.data() + count_).value;
  parallel_for(context, "sparse::poisson::tail_order", count_, FindOrder{red.data(), red_count_, order_.data()});
  for_cells(level, FillTailRows<P, Dim>{order_.data(), tiles.positions(), count_, position_.data(), neighbour_.data(),
                                        weight_.data(), extra_.data(), inverse_.data()});
  b_ = filled<P>(context, tiles.value_count(), 0);
  x_ = filled<P>(context, tiles.value_count(), 0);
  scratch_ = filled<P>(context, tiles.value_count(), 0);
  context.fence();
}

template <class P, int Dim>
void TailLevel<P, Dim>::connect(TailLevel& coarser, Couplings<P, Dim> const& own_cells,
                                Couplings<P, Dim> const& coarser_cells, Tiles<Dim> const& own_tiles,
                                Tiles<Dim> const& coarser_tiles) {
  auto const context = own_cells.context();
  parent_ = Buffer<std::int32_t>(context, count_);
  coarser.child_ = filled<std::int32_t>(context, coarser.count_ << Dim, -1);
  for_cells(own_cells,
            FindKin<Dim>{coarser_cells.cells().view(), order_.data(), own_tiles.positions(), coarser.order_.data(),
                         coarser_tiles.positions(), coarser.count_, parent_.data(), coarser.child_.data()});
  context.fence();
}

template <class P, int Dim>
void TailLevel<P, Dim>::find_singular_components(Context const& context) {
  auto const position = to_host(context, position_.data(), count_),
             neighbour = to_host(context, neighbour_.data(), 2 * Dim * count_);
  auto const weight = to_host(context, weight_.data(), 2 * Dim * count_),
             extra = to_host(context, extra_.data(), count_);
  auto const at = [](Index i) { return static_cast<std::size_t>(i); };
  std::vector<std::int32_t> cell_at_position(at(b_.size()));
  for (Index i = 0; i < count_; ++i) cell_at_position[at(position[at(i)])] = static_cast<std::int32_t>(i);
  LevelGraph graph;
  graph.starts.push_back(0);
  for (Index i = 0; i < count_; ++i) {
    graph.is_fixed.push_back(extra[at(i)] != 0);
    for (int arm = 0; arm < 2 * Dim; ++arm)
      if (weight[at(arm * count_ + i)] > 0) graph.to.push_back(cell_at_position[at(neighbour[at(arm * count_ + i)])]);
    graph.starts.push_back(static_cast<Index>(graph.to.size()));
  }
  auto singular = singular_components(graph);
  constexpr std::size_t large = 64;  // for one thread
  std::stable_sort(singular.begin(), singular.end(), [](auto const& a, auto const& b) { return a.size() > b.size(); });
  std::vector<std::int32_t> first{0}, members;
  large_count_ = 0;
  for (auto const& component : singular) {
    large_count_ += component.size() > large ? 1 : 0;
    for (Index const i : component) members.push_back(position[at(i)]);
    first.push_back(static_cast<std::int32_t>(members.size()));
  }
  first_member_ = to_device(context, first);
  member_ = to_device(context, members);
}

template <class P, int Dim>
TailView<P, Dim> TailLevel<P, Dim>::view() const {
  return {static_cast<std::int32_t>(count_),
          static_cast<std::int32_t>(red_count_),
          has_two_colours_ ? 1 : 0,
          position_.data(),
          parent_.data(),
          neighbour_.data(),
          child_.data(),
          weight_.data(),
          extra_.data(),
          inverse_.data(),
          b_.data(),
          x_.data(),
          scratch_.data(),
          static_cast<std::int32_t>(first_member_.size() > 0 ? first_member_.size() - 1 : 0),
          large_count_,
          first_member_.data(),
          member_.data()};
}

template class TailLevel<float, 2>;
template class TailLevel<float, 3>;
template class TailLevel<double, 2>;
template class TailLevel<double, 3>;

}  // namespace sparse::poisson::detail
