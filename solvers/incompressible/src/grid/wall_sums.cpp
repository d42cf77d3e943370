#include <sparse/base/parallel.hpp>

#include "wall_probes.hpp"

namespace sparse::incompressible::detail {
namespace {

template <class T, int Dim>
struct AddFromWalls {
  WallProbe<Dim> const* probes;
  T const* values;
  T* to;
  double diffusivity, time;

  KOKKOS_FUNCTION void operator()(Index i) const {
    WallProbe<Dim> const& probe = probes[i];
    double const amount = diffusivity * time;
    double const gain =
        probe.kind == WallProbe<Dim>::with_temperature
            ? amount * probe.area / (probe.distance * probe.capacity) * (probe.own * probe.given - probe.value(values))
            : time * probe.given * probe.area / probe.capacity;
    to[probe.position] += static_cast<T>(gain);
  }
};

enum class Integrand { one, value, flux };

template <class T, int Dim>
struct WallIntegral {
  WallProbe<Dim> const* probes;
  T const* values;
  double diffusivity;
  Integrand integrand;

  KOKKOS_FUNCTION void operator()(Index i, double& sum) const {
    WallProbe<Dim> const& probe = probes[i];
    double const before = probe.value(values), conductance = diffusivity / probe.distance;
    bool const is_warm = probe.kind == WallProbe<Dim>::with_temperature;
    double const flux = is_warm ? conductance * (probe.own * probe.given - before) : probe.given;
    double const value = (before + flux / conductance) / probe.own;
    sum += probe.area * (integrand == Integrand::one ? 1 : integrand == Integrand::value ? value : flux);
  }
};

}  // namespace

template <class T, int Dim>
void add_from_walls(Context const& context, Buffer<WallProbe<Dim>> const& probes, T const* values, double diffusivity,
                    double time, T* to) {
  if (probes.size() == 0) return;
  parallel_for(context, "sparse::incompressible::add_from_walls", probes.size(),
               AddFromWalls<T, Dim>{probes.data(), values, to, diffusivity, time});
}

template <class T, int Dim>
WallSums sums_over_walls(Context const& context, Buffer<WallProbe<Dim>> const& probes, T const* values,
                         double diffusivity) {
  if (probes.size() == 0) return {};
  auto const integral = [&](Integrand integrand) {
    return parallel_reduce<Kokkos::Sum, double>(context, "sparse::incompressible::sums_over_walls", probes.size(),
                                                WallIntegral<T, Dim>{probes.data(), values, diffusivity, integrand});
  };
  return {integral(Integrand::one), integral(Integrand::value), integral(Integrand::flux)};
}

#define SPARSE_DEFINE(T, Dim)                                                                                          \
  template void add_from_walls(Context const&, Buffer<WallProbe<Dim>> const&, T const*, double, double, T*);           \
  template WallSums sums_over_walls(Context const&, Buffer<WallProbe<Dim>> const&, T const*, double);
SPARSE_DEFINE(float, 2)
SPARSE_DEFINE(float, 3)
SPARSE_DEFINE(double, 2)
SPARSE_DEFINE(double, 3)

}  // namespace sparse::incompressible::detail
