#include "pressure_guess.hpp"

#include <algorithm>
#include <utility>

#include <sparse/fields/algebra.hpp>

#include "grid/body.hpp"
#include "parts.hpp"
#include "step/greatest_size.hpp"

namespace sparse::incompressible::detail {
namespace {

constexpr char const* of_other_cells = "pressures_of_other_cells";
constexpr char const* step_names[3] = {"last_time_step", "second_last_time_step", "third_last_time_step"};

/// last = pressure + factor (pressure - last)
template <class T, int Dim>
void go_on_by_line(Field<T, Dim>& last, Field<T, Dim> const& pressure, T factor) {
  T const* const p = pressure.component(0);
  T* const q = last.component(0);
  parallel_for(
      pressure.context(), "sparse::incompressible::extrapolate", pressure.cell_count(),
      KOKKOS_LAMBDA(Index i) { q[i] = p[i] + factor * (p[i] - q[i]); });
}

/// before = pressure + factor (pressure - last) + factor_before (last - before)
template <class T, int Dim>
void go_on_by_parabola(Field<T, Dim>& before, Field<T, Dim> const& pressure, Field<T, Dim> const& last, T factor,
                       T factor_before) {
  T const *const p = pressure.component(0), *const q = last.component(0);
  T* const r = before.component(0);
  parallel_for(
      pressure.context(), "sparse::incompressible::extrapolate", pressure.cell_count(),
      KOKKOS_LAMBDA(Index i) { r[i] = p[i] + factor * (p[i] - q[i]) + factor_before * (q[i] - r[i]); });
}

/// past += pressure - guess
template <class T, int Dim>
void move_along(Field<T, Dim>& past, Field<T, Dim> const& pressure, Field<T, Dim> const& guess) {
  add(past, T(1), pressure);
  add(past, T(-1), guess);
}

}  // namespace

template <class T, int Dim>
PressureGuess<T, Dim>::PressureGuess(StaggeredGrid<Dim> const& grid, bool is_parabola, double tolerance)
    : grid_(grid), cells_(grid.fluid(), grid.fluid()), tolerance_(tolerance), last_("pressure", grid.fluid(), 1, 0) {
  if (is_parabola) before_.emplace("pressure", grid.fluid(), 1, 0);
}

template <class T, int Dim>
bool PressureGuess<T, Dim>::is_changing(Field<T, Dim> const& pressure) const {
  constexpr double noise = 30;  // tolerances
  auto const& body = grid_.body();
  double const change = body.greatest(greatest_difference<T, Dim>(cells_, pressure.component(0), last_.component(0)));
  return change > noise * tolerance_ * body.greatest(greatest_size<T, Dim>(cells_, pressure.component(0)));
}

template <class T, int Dim>
Field<T, Dim>& PressureGuess<T, Dim>::extrapolate(Field<T, Dim> const& pressure, double time_step) {
  auto& guess = go_on(pressure, time_step);
  first_.reset();
  if (is_from_other_cells_) first_ = clone(guess);
  return guess;
}

template <class T, int Dim>
Field<T, Dim>& PressureGuess<T, Dim>::go_on(Field<T, Dim> const& pressure, double time_step) {
  auto& guess = before_ ? *before_ : last_;
  // The first pressure follows on no other one; and far away nothing can be told.
  if (step_count_ < 2 || (before_ && !is_changing(pressure))) {
    assign(guess, pressure);
    return guess;
  }
  double const line = std::min(time_step / time_steps_[0], 2.0);
  if (!before_) {
    go_on_by_line(last_, pressure, static_cast<T>(line));
    return guess;
  }
  double factor = line, factor_before = 0;
  if (step_count_ > 2 && time_step < 2 * time_steps_[0]) {
    // Newton's polynomial. Pressures count for the middles of steps.
    double const ahead = 0.5 * (time_step + time_steps_[0]), first = 0.5 * (time_steps_[0] + time_steps_[1]),
                 second = 0.5 * (time_steps_[1] + time_steps_[2]);
    factor_before = -ahead * (ahead + first) / (second * (first + second));
    factor = ahead / first * (1 + (ahead + first) / (first + second));
  }
  go_on_by_parabola(*before_, pressure, last_, static_cast<T>(factor), static_cast<T>(factor_before));
  return guess;
}

template <class T, int Dim>
void PressureGuess<T, Dim>::accept(Field<T, Dim>& pressure, double time_step, Index step_count) {
  if (before_) {
    std::swap(pressure, *before_);
    std::swap(last_, *before_);
  } else {
    std::swap(pressure, last_);
  }
  if (first_) {
    for (auto* of_past : past()) move_along(*of_past, pressure, *first_);
    first_.reset();
    is_from_other_cells_ = false;
  }
  time_steps_[2] = time_steps_[1];
  time_steps_[1] = time_steps_[0];
  time_steps_[0] = time_step;
  step_count_ = step_count;
}

template <class T, int Dim>
std::vector<Field<T, Dim>*> PressureGuess<T, Dim>::past() {
  std::vector<Field<T, Dim>*> fields = {&last_};
  if (before_) fields.push_back(&*before_);
  return fields;
}

template <class T, int Dim>
std::map<std::string, double> PressureGuess<T, Dim>::numbers() const {
  std::map<std::string, double> numbers{{"steps_done", static_cast<double>(step_count_)}};
  for (int i = 0; i < (before_ ? 3 : 1); ++i) numbers[step_names[i]] = time_steps_[i];
  if (is_from_other_cells_) numbers[of_other_cells] = 1;
  return numbers;
}

template <class T, int Dim>
void PressureGuess<T, Dim>::set_numbers(std::map<std::string, double> const& numbers) {
  step_count_ = static_cast<Index>(remembered(numbers, "steps_done"));
  for (int i = 0; i < (before_ ? 3 : 1); ++i) time_steps_[i] = remembered(numbers, step_names[i]);
  is_from_other_cells_ = numbers.count(of_other_cells) > 0;
}

template <class T, int Dim>
void PressureGuess<T, Dim>::keep(MethodMemory<T, Dim>& memory) const {
  memory.fields.emplace("last_pressure", clone(last_));
  if (before_) memory.fields.emplace("second_last_pressure", clone(*before_));
  for (auto const& [name, number] : numbers()) memory.numbers[name] = number;
}

template <class T, int Dim>
void PressureGuess<T, Dim>::restore(MethodMemory<T, Dim> const& memory) {
  assign(last_, remembered(memory.fields, "last_pressure"));
  if (before_) assign(*before_, remembered(memory.fields, "second_last_pressure"));
  set_numbers(memory.numbers);
}

template class PressureGuess<float, 2>;
template class PressureGuess<float, 3>;
template class PressureGuess<double, 2>;
template class PressureGuess<double, 3>;

}  // namespace sparse::incompressible::detail
