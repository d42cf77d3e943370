#include <cmath>

#include <fmt/format.h>

#include "options.hpp"

void report_shedding(sparse::app::RunFolder& folder, sparse::app::Shedding const& shedding, Options const& o) {
  if (auto const periods = shedding.periods()) {
    folder.report("periods", periods->count);
    // Of a cylinder without walls around it, Re from 47 to 180: Wang, Travnicek and Chia, Phys. Fluids 12 (2000).
    folder.report("Strouhal number", 1 / periods->length,
                  o.re >= 47 && o.re <= 180 ? std::optional(0.2660 - 1.0160 / std::sqrt(o.re)) : std::nullopt);
    folder.report("drag coefficient", periods->drag);
    folder.report("greatest lift coefficient", periods->greatest_lift);
  } else {
    if (folder.is_mine()) fmt::print("Lift does not swing in the second half: no vortex street, or not yet.\n");
    folder.report("drag coefficient", shedding.mean_drag());
  }
}
