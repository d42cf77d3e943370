#pragma once
/// All numerical fluxes for a gas, for typed tests.

#include <sparse/compressible/fluxes/hll.hpp>
#include <sparse/compressible/fluxes/hllc.hpp>
#include <sparse/compressible/fluxes/rusanov.hpp>
#include <sparse/compressible/riemann/exact_riemann.hpp>

#include "gas.hpp"
#include "roe.hpp"

namespace gas {

using sparse::compressible::ExactRiemann;
using sparse::compressible::Hll;
using sparse::compressible::Hllc;
using sparse::compressible::Rusanov;

/// For typed tests: a flux, a scalar type and a dimension.
template <template <class> class AnyFlux, class T, int D>
struct FluxCase {
  using Scalar = T;
  static constexpr int Dim = D;
  using Flux = AnyFlux<Euler<T, D>>;
  template <class Law>
  using FluxOf = AnyFlux<Law>;
};

template <class... Lists>
struct Joined;
template <class... First, class... Second, class... Rest>
struct Joined<testing::Types<First...>, testing::Types<Second...>, Rest...>
    : Joined<testing::Types<First..., Second...>, Rest...> {};
template <class... All>
struct Joined<testing::Types<All...>> {
  using type = testing::Types<All...>;
};

template <template <class> class Flux>
using CasesOf = testing::Types<FluxCase<Flux, double, 2>, FluxCase<Flux, double, 3>, FluxCase<Flux, float, 2>,
                               FluxCase<Flux, float, 3>>;

template <template <class> class... Fluxes>
using FluxCases = typename Joined<CasesOf<Fluxes>...>::type;

}  // namespace gas
