#include <sparse/incompressible/picture/fine_ink.hpp>

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include <sparse/fields/algebra.hpp>
#include <sparse/plans/for_each.hpp>

#include "fine_velocity.hpp"
#include "grid/body.hpp"
#include "step/ink_transport.hpp"

namespace sparse::incompressible {
namespace {

template <int Dim>
StaggeredGrid<Dim> const& valid(StaggeredGrid<Dim> const& grid, int factor, double speed) {
  detail::expect_alone(grid, "fine ink");
  expects(factor >= 1, "incompressible: the factor of a finer grid must be at least 1");
  expects(std::isfinite(speed) && speed > 0, "incompressible: the factor of velocities must be positive");
  expects(!grid.has_curved_walls(), "incompressible: fine ink knows no curved walls");
  return grid;
}

/// Children of a cell that differ in x alone are neighbours in memory.
template <class T, int Dim>
void average_children(StaggeredGrid<Dim> const& grid, StaggeredGrid<Dim> const& fine, int factor, T const* from,
                      T* to) {
  auto const view = fine.body().view();
  int const rows = Dim == 3 ? factor * factor : factor;
  for_each(
      "sparse::incompressible::average_children", grid.body().computed_plan(Dim),
      KOKKOS_LAMBDA(SubsetPoint<Dim> const& p) {
        T sum = 0;
        for (int row = 0; row < rows; ++row) {
          auto cell = factor * p.coordinates();
          cell[1] += row % factor;
          if constexpr (Dim == 3) cell[2] += row / factor;
          Index const first = view.find(cell);
          for (int x = 0; x < factor; ++x) sum += from[first + x];
        }
        to[p.cell] = sum / static_cast<T>(rows * factor);
      });
}

}  // namespace

template <class T, int Dim>
struct FineInk<T, Dim>::Body {
  StaggeredGrid<Dim> grid, fine;
  int factor;
  double speed;
  std::optional<detail::FineVelocity<T, Dim>> interpolate;  // if cells are divided
  InkTransport<T, Dim> transport;
  Field<T, Dim> velocity, velocity_after;
  bool has_velocity = false;
  std::vector<Field<T, Dim>> inks, next;

  Body(StaggeredGrid<Dim> const& g, int k, double s)
      : grid(valid(g, k, s)), fine(k == 1 ? g : detail::divided(g, k)), factor(k), speed(s), transport(fine),
        velocity("velocity", fine.storage(), Dim, 0), velocity_after("velocity", fine.storage(), Dim, 0) {
    if (k > 1) interpolate.emplace(grid, fine, k);
  }

  /// Takes the velocity of the flow.
  void take(Field<T, Dim> const& from, Field<T, Dim>& to) {
    if (interpolate) return (*interpolate)(from, speed, to);
    grid.expect_stored(from, Dim, "velocity");
    assign(to, from);
    if (speed != 1) scale(to, static_cast<T>(speed));
  }
};

template <class T, int Dim>
FineInk<T, Dim>::FineInk(StaggeredGrid<Dim> const& grid, int factor, std::size_t count, double speed)
    : body_(std::make_unique<Body>(grid, factor, speed)) {
  for (std::size_t i = 0; i < count; ++i)
    for (auto* const fields : {&body_->inks, &body_->next}) fields->emplace_back("ink", body_->fine.storage(), 1, 0);
}

template <class T, int Dim>
FineInk<T, Dim>::FineInk(FineInk&&) noexcept = default;
template <class T, int Dim>
FineInk<T, Dim>& FineInk<T, Dim>::operator=(FineInk&&) noexcept = default;
template <class T, int Dim>
FineInk<T, Dim>::~FineInk() = default;

template <class T, int Dim>
StaggeredGrid<Dim> const& FineInk<T, Dim>::grid() const {
  return body_->fine;
}
template <class T, int Dim>
IntervalSet<Dim> FineInk<T, Dim>::divided(IntervalSet<Dim> const& cells) const {
  return detail::divided(cells, body_->factor);
}
template <class T, int Dim>
std::size_t FineInk<T, Dim>::count() const {
  return body_->inks.size();
}
template <class T, int Dim>
Field<T, Dim>& FineInk<T, Dim>::ink(std::size_t i) {
  return body_->inks.at(i);
}
template <class T, int Dim>
Field<T, Dim> const& FineInk<T, Dim>::ink(std::size_t i) const {
  return body_->inks.at(i);
}
template <class T, int Dim>
Field<T, Dim> const& FineInk<T, Dim>::velocity() const {
  return body_->velocity;
}

template <class T, int Dim>
void FineInk<T, Dim>::set_velocity(Field<T, Dim> const& velocity) {
  body_->take(velocity, body_->velocity);
  body_->has_velocity = true;
}

template <class T, int Dim>
void FineInk<T, Dim>::advance(Field<T, Dim> const& velocity, double time_step) {
  auto& self = *body_;
  self.take(velocity, self.velocity_after);
  std::vector<typename InkTransport<T, Dim>::Ink> inks;
  for (std::size_t i = 0; i < self.inks.size(); ++i) inks.push_back({self.inks[i], self.next[i]});
  self.transport(inks, self.has_velocity ? self.velocity : self.velocity_after, self.velocity_after, time_step);
  std::swap(self.inks, self.next);
  std::swap(self.velocity, self.velocity_after);
  self.has_velocity = true;
}

template <class T, int Dim>
void FineInk<T, Dim>::average(std::size_t i, Field<T, Dim>& values) const {
  body_->grid.expect_stored(values, 1, "ink");
  average_children<T>(body_->grid, body_->fine, body_->factor, ink(i).component(0), values.component(0));
}

template class FineInk<float, 2>;
template class FineInk<float, 3>;
template class FineInk<double, 2>;
template class FineInk<double, 3>;

}  // namespace sparse::incompressible
