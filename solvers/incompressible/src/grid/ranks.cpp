#include "ranks.hpp"

#include <string>

#include <sparse/distributed/team.hpp>
#include <sparse/fields/transfer.hpp>
#include <sparse/poisson/partition.hpp>
#include <sparse/sets/algebra.hpp>
#include <sparse/sets/locate.hpp>
#include <sparse/sets/morphology.hpp>

#include "body.hpp"
#include "pressure_problem.hpp"

namespace sparse::incompressible::detail {
namespace {

/// The cells of the fluid that some of them reach (box), also across periods.
template <int Dim>
IntervalSet<Dim> around(IntervalSet<Dim> const& some, FlowDomain<Dim> const& domain) {
  auto near = expand(some, domain.reach);
  for (int axis = 0; axis < Dim; ++axis)
    if (Coord const period = domain.period[axis]; period > 0)
      near = near | shift(near, axis, period) | shift(near, axis, -period);
  return near & domain.fluid;
}

}  // namespace

template <int Dim>
GridRanks<Dim>::GridRanks(FlowDomain<Dim> const& domain) {
  if (domain.reach < least_reach)
    fail("incompressible: ranks must store " + std::to_string(least_reach) + " or more cells beyond their own, not " +
         std::to_string(domain.reach));
  window_ = domain;
  window_.team = nullptr;
  StaggeredGrid<Dim> const all(window_);
  auto const periodicity = all.domain().periodicity();
  pressure_ = pressure_problem(all);
  pressure_.team = domain.team;
  pressure_.has_exact_sums = domain.has_exact_sums;
  pressure_.partition = domain.partition;
  partition_ = poisson::partition_of(pressure_);
  origin_ = domain.fluid.bounds().begin;
  whole_storage_ = all.storage();
  own_ = shift(partition_.part(0, shift(domain.fluid, -1 * origin_), team().rank()), origin_);

  auto const first = cell_of(domain.fluid, 0);  // a rank without cells of its own must have some, too
  auto const some = own_.is_empty() ? box<Dim>(first, first + Vec<Coord, Dim>::filled(1)) : own_;
  window_.fluid = around(some, domain);
  window_.period_begin = periodicity.begin;
  BoundaryPart<Dim> beyond{BoundaryKind::outflow};
  for (int axis = 0; axis < Dim; ++axis) {
    auto const above = periodicity.stored(shift(window_.fluid, axis, 1));
    for (auto& part : window_.parts) part.faces[axis] = periodicity.stored(part.faces[axis]) & (window_.fluid | above);
    beyond.faces[axis] = ((window_.fluid | above) - (window_.fluid & above)) & all.open_faces(axis);
  }
  window_.parts.push_back(std::move(beyond));
}

template <int Dim>
GridRanks<Dim>::GridRanks(LevelRanks<Dim> const& level, FlowDomain<Dim> const& window)
    : origin_(level.origin), partition_(level.partition), window_(window), own_(level.own), of_faces_(Dim) {
  pressure_.cells = level.leaves;
  pressure_.team = level.team;
}

template <int Dim>
std::vector<distributed::Wanted<Dim>> GridRanks<Dim>::wanted(IntervalSet<Dim> const& cells, bool has_own) const {
  auto const& fluid = pressure_.cells;
  auto const without_own = [&](IntervalSet<Dim> const& set, Vec<Coord, Dim> const& holder) {
    auto const rest = has_own ? set : set - shift(own_, -1 * holder);
    return distributed::Wanted<Dim>{shift(rest, -1 * origin_), {}, holder};
  };
  std::vector<distributed::Wanted<Dim>> list{without_own(cells & fluid, {})};
  // Faces above the fluid are stored where there is none; the cell below has them.
  auto left = cells - fluid;
  for (int axis = 0; axis < Dim; ++axis)
    for (Coord const step : {Coord{-1}, window_.period[axis] - 1}) {  // without a period, twice the same
      auto const holder = Vec<Coord, Dim>::along(axis, step);
      auto const found = left & shift(fluid, -1 * holder);
      if (found.is_empty()) continue;
      list.push_back(without_own(found, holder));
      left = left - found;
    }
  return list;
}

template <int Dim>
distributed::Halo<Dim> GridRanks<Dim>::halo(IntervalSet<Dim> const& owned, IntervalSet<Dim> const& stored,
                                            bool has_own) const {
  return {team(), partition_, 0, shift(owned, -1 * origin_), shift(stored, -1 * origin_), wanted(stored, has_own)};
}

template <int Dim>
void GridRanks<Dim>::connect(IntervalSet<Dim> const& storage) {
  storage_ = storage;
  if (is_of_level()) return connect_level(storage);
  auto const& fluid = window_.fluid;
  bool const is_first = team().rank() == 0;
  IntervalSet<Dim> const none;
  of_fluid_ = halo(fluid, fluid, false);
  of_storage_ = halo(storage, storage, false);
  gather_fluid_ = halo(fluid, is_first ? pressure_.cells : none, true);
  gather_storage_ = halo(storage, is_first ? whole_storage_ : none, true);
  take_ = CopyPlan<Dim>(own_, own_, fluid);
  spread_ = CopyPlan<Dim>(own_, fluid, own_);
}

template <int Dim>
std::vector<distributed::Wanted<Dim>> GridRanks<Dim>::faces_above(IntervalSet<Dim> const& cells, int axis) const {
  std::vector<distributed::Wanted<Dim>> list;
  auto left = storage_ - (window_.fluid & pressure_.cells);
  for (Coord const step : {Coord{-1}, window_.period[axis] - 1}) {
    auto const holder = Vec<Coord, Dim>::along(axis, step);
    auto const found = left & shift(cells, -1 * holder);
    list.push_back({shift(found, -1 * origin_), {}, holder});
    left = left - found;
  }
  return list;
}

template <int Dim>
void GridRanks<Dim>::connect_level(IntervalSet<Dim> const& storage) {
  auto const others = (window_.fluid & pressure_.cells) - own_;
  auto const moved = [&](IntervalSet<Dim> const& set) { return shift(set, -1 * origin_); };
  auto const fluid = moved(window_.fluid), stored = moved(storage), wanted_cells = moved(others);
  std::vector<typename distributed::Halo<Dim>::Request> requests{{&of_fluid_, 0, fluid, fluid, {{wanted_cells}}},
                                                                 {&of_storage_, 0, stored, stored, {{wanted_cells}}}};
  for (int axis = 0; axis < Dim; ++axis) {
    auto faces = faces_above(others, axis);
    faces.push_back({wanted_cells});
    requests.push_back({&of_faces_[static_cast<std::size_t>(axis)], 0, stored, stored, faces});
  }
  auto const gathered = team().rank() == 0 ? moved(pressure_.cells) : IntervalSet<Dim>();
  requests.push_back({&gather_fluid_, 0, fluid, gathered, {{gathered}}});
  distributed::Halo<Dim>::make(team(), partition_, requests);
}

template <int Dim>
template <class T>
void GridRanks<Dim>::fill(Field<T, Dim>& stored) const {
  if (is_of_level() && stored.component_count() == Dim) {
    std::vector<typename distributed::Halo<Dim>::template Filling<T>> fillings;
    for (std::size_t axis = 0; axis < Dim; ++axis) {
      FieldView<T> const of_axis{stored.component(static_cast<int>(axis)), 0};
      fillings.push_back({&of_faces_[axis], of_axis, of_axis});
    }
    auto begun = distributed::Halo<Dim>::template begin<T>(team(), fillings, 1);
    distributed::Halo<Dim>::template finish<T>(begun);
    return;
  }
  of_storage_.template fill<T>(team(), stored.view(), stored.view(), stored.component_count());
}

template <int Dim>
template <class T>
void GridRanks<Dim>::take(Field<T, Dim>& own, Field<T, Dim> const& from) const {
  copy<T, Dim>(own.view(), take_, from.view());
}

template <int Dim>
template <class T>
void GridRanks<Dim>::spread(Field<T, Dim>& to, Field<T, Dim> const& own) const {
  copy<T, Dim>(to.view(), spread_, own.view());
  of_fluid_.template fill<T>(team(), to.view(), to.view(), 1);
}

template <int Dim>
template <class T>
Field<T, Dim> GridRanks<Dim>::gather(Field<T, Dim> const& field) const {
  // On some ranks the fluid and the storage may be the same set.
  bool const is_stored = !is_of_level() && team().all(field.domain() == storage_), is_first = team().rank() == 0;
  auto const& cells = is_stored ? whole_storage_ : pressure_.cells;
  Field<T, Dim> all(field.name(), is_first ? cells : IntervalSet<Dim>(), field.component_count());
  (is_stored ? gather_storage_ : gather_fluid_)
      .template fill<T>(team(), all.view(), field.view(), field.component_count());
  return all;
}

template <int Dim>
double GridRanks<Dim>::greatest(double value) const {
  std::vector<double> values{value};
  maximise(team(), values);
  return values[0];
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template void GridRanks<Dim>::fill(Field<T, Dim>&) const;                                                            \
  template void GridRanks<Dim>::take(Field<T, Dim>&, Field<T, Dim> const&) const;                                      \
  template void GridRanks<Dim>::spread(Field<T, Dim>&, Field<T, Dim> const&) const;                                    \
  template Field<T, Dim> GridRanks<Dim>::gather(Field<T, Dim> const&) const;
template class GridRanks<2>;
template class GridRanks<3>;
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible::detail
