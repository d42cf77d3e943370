#include "heat_steps.hpp"

#include <cmath>

#include <sparse/incompressible/step/time_step.hpp>

#include "parts.hpp"
#include "shu_osher.hpp"
#include "step/crossing_rate.hpp"

namespace sparse::incompressible::detail {

template <class T, int Dim>
HeatSteps<T, Dim>::HeatSteps(StaggeredGrid<Dim> const& grid, std::vector<Transport<Dim>> const& transported)
    : grid_(grid), transported_(transported), transport_(grid) {
  expect_valid(transported);
  for (auto const& one : transported) gains_.emplace_back(grid, one);
  if (transported.empty()) return;
  for (auto& field : after_) field = Field<T, Dim>("carried", grid.storage(), 1, 0);
}

template <class T, int Dim>
double HeatSteps<T, Dim>::longest_step(Field<T, Dim> const& velocity, double diffusivity) const {
  return 0.5 * std::fmin(ShuOsher::cells / greatest_crossing_rate(grid_, velocity),
                         ShuOsher::diffusion * diffusive_time_step(grid_, diffusivity));
}

template <class T, int Dim>
void HeatSteps<T, Dim>::operator()(std::size_t i, Field<T, Dim> const& from, Field<T, Dim> const& velocity, double time,
                                   Field<T, Dim>& to) {
  double const diffusivity = transported_[i].diffusivity, wanted = time / longest_step(velocity, diffusivity);
  // If the velocity is not finite, one step shows it.
  auto const step_count = wanted > 1 && std::isfinite(wanted) ? static_cast<Index>(std::ceil(wanted)) : Index{1};
  double const step = time / static_cast<double>(step_count);
  for (Index k = 0; k < step_count; ++k) {
    auto const& start = k == 0 ? from : to;
    for (int stage = 0; stage < ShuOsher::stage_count; ++stage) {
      // The last stage may write to where the step started: of that it reads only the same cell.
      auto& next = stage + 1 == ShuOsher::stage_count ? to : after_[stage];
      double const of_start = ShuOsher::of_start[stage];
      transport_(stage == 0 ? start : after_[stage - 1], velocity, step, diffusivity,
                 CellStage<T, Dim>{start, of_start, velocity, 0}, next);
      gains_[i].add((1 - of_start) * step, next);
    }
    grid_.exchange(to);
  }
}

template class HeatSteps<float, 2>;
template class HeatSteps<float, 3>;
template class HeatSteps<double, 2>;
template class HeatSteps<double, 3>;

}  // namespace sparse::incompressible::detail
