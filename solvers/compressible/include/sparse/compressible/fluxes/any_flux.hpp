#pragma once
/// A numerical flux that is chosen at run time, and the simulations with it that the library has compiled.

#include <sparse/amr/simulation.hpp>
#include <sparse/compressible/fluxes/flux_kind.hpp>
#include <sparse/compressible/fluxes/hll.hpp>
#include <sparse/compressible/fluxes/hllc.hpp>
#include <sparse/compressible/fluxes/rusanov.hpp>
#include <sparse/compressible/laws/euler.hpp>
#include <sparse/compressible/laws/navier_stokes.hpp>

namespace sparse::compressible {

/// One of the fluxes for gases. `visit` passes the chosen flux to a body that runs a whole loop with it.
template <class ConservationLaw>
struct AnyFlux {
  /// The law, its numbers and its states.
  using Law = ConservationLaw;
  using Scalar = typename Law::Scalar;
  using State = typename Law::State;

  /// The law, and which flux is meant.
  Law law;
  FluxKind kind = FluxKind::hllc;

  /// Calls `body(flux)` with the flux that is meant, so that loops need no branch.
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void visit(Body const& body) const {
    switch (kind) {
    case FluxKind::rusanov:
      body(Rusanov<Law>{law});
      break;
    case FluxKind::hll:
      body(Hll<Law>{law});
      break;
    case FluxKind::hllc:
      body(Hllc<Law>{law});
      break;
    }
  }
  /// The flux through a face from the primitive states on both sides.
  KOKKOS_FUNCTION State operator()(State const& left, State const& right, int axis) const {
    State flux{};
    visit([&](auto const& chosen) { flux = chosen(left, right, axis); });
    return flux;
  }
};

}  // namespace sparse::compressible

// A program that uses one of these simulations links the library's (src/simulations) and does not compile its own.
#define SPARSE_SIMULATION(prefix, ...)                                                                                 \
  prefix template class sparse::amr::Hierarchy<__VA_ARGS__>;                                                           \
  prefix template class sparse::amr::CoarseStep<sparse::compressible::AnyFlux<__VA_ARGS__>>;                           \
  prefix template class sparse::amr::Simulation<sparse::compressible::AnyFlux<__VA_ARGS__>>;                           \
  prefix template sparse::amr::Criterion<__VA_ARGS__> sparse::amr::relative_gradient<__VA_ARGS__>(int, double, double);
#define SPARSE_SWEEP(prefix, T, Dim, ...)                                                                              \
  prefix template T sparse::amr::sweep<sparse::compressible::AnyFlux<__VA_ARGS__>, Dim>(                               \
      sparse::amr::SweepPlan<Dim> const&,                                                                              \
      sparse::amr::SweepValues<sparse::compressible::AnyFlux<__VA_ARGS__>, Dim> const&);
#define SPARSE_EXTERN_GAS(Law, T, Dim)                                                                                 \
  SPARSE_SIMULATION(extern, sparse::compressible::Law<T, Dim>)                                                         \
  SPARSE_SWEEP(extern, T, Dim, sparse::compressible::Law<T, Dim>)
SPARSE_EXTERN_GAS(Euler, float, 2)
SPARSE_EXTERN_GAS(Euler, float, 3)
SPARSE_EXTERN_GAS(Euler, double, 2)
SPARSE_EXTERN_GAS(Euler, double, 3)
SPARSE_EXTERN_GAS(NavierStokes, double, 2)
SPARSE_EXTERN_GAS(NavierStokes, double, 3)
// With a tracer, for two gases.
SPARSE_SIMULATION(extern, sparse::compressible::WithTracer<sparse::compressible::Euler<double, 2>>)
SPARSE_SWEEP(extern, double, 2, sparse::compressible::WithTracer<sparse::compressible::Euler<double, 2>>)
#undef SPARSE_EXTERN_GAS
