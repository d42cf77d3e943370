#include <support/tour.hpp>
#include <support/tour_parts.hpp>

template <int Dim>
void tour_the_core(int step) {
  auto const shapes = tour::shapes<Dim>(step);
  auto const combined = tour::combinations(shapes, step);
  auto const domain = tour::neighbourhoods(combined, step);
  tour::fields(domain);
  tour::points(domain, step);
}

template void tour_the_core<2>(int);
template void tour_the_core<3>(int);
