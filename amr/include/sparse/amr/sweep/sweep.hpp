#pragma once
/// One explicit finite-volume stage on one level.

#include <algorithm>
#include <bit>

#include <sparse/amr/sweep/tile.hpp>

namespace sparse::amr {

namespace detail {

/// The greatest of the rates of tiles. Waits for it.
template <class Bits>
Bits greatest(Context const& context, Buffer<Bits> const& rates) {
  Bits const* const of_tiles = rates.data();
  if constexpr (is_host_backend) {  // too few numbers for a parallel loop
    context.fence();
    return *std::max_element(of_tiles, of_tiles + rates.size());
  } else {
    return parallel_reduce<Kokkos::Max, Bits>(
        context, "sparse::amr::greatest_rate", rates.size(),
        KOKKOS_LAMBDA(Index t, Bits & greatest) { greatest = of_tiles[t] > greatest ? of_tiles[t] : greatest; });
  }
}

}  // namespace detail

/// Computes the cells of the plan; see `SweepValues`.
///
/// Every value is read once from memory and written once: 16 bytes per component and update in double, 24 with
/// `base_weight`. Every flux is computed once, except between tiles.
/// @param between  called once, before the last tiles, when the tiles that come first have been given to the device;
///                 kernels after it see their new states
/// @return  the greatest wave rate of the new states [1/s]; NaN or infinity when one is impossible. Waits for it.
template <class Flux, int Dim, class Between>
typename Flux::Scalar sweep(SweepPlan<Dim> const& plan, SweepValues<Flux, Dim> const& values, Between const& between) {
  using T = typename Flux::Scalar;
  using Bits = OrderedBits<T>;
  using Body = SweepTile<Flux, Dim>;
  Buffer<Bits> const rates(plan.context(), plan.tile_count());
  auto const run = [&](Index begin, Index count) {
    if (count == 0) return;
    using Policy = Kokkos::TeamPolicy<ExecutionSpace, Kokkos::Schedule<Kokkos::Dynamic>>;
    Policy policy(plan.context().execution(), static_cast<int>(count), is_host_backend ? 1 : 128);
    policy.set_scratch_size(1, Kokkos::PerTeam(static_cast<int>(Body::Scratch::bytes)));
    Kokkos::parallel_for("sparse::amr::sweep", policy,
                         Body{values, plan.starts(), plan.order() + begin, plan.loops(), rates.data()});
  };
  run(0, plan.first_tile_count());
  between();
  run(plan.first_tile_count(), plan.tile_count() - plan.first_tile_count());
  return plan.tile_count() == 0 ? T(0) : std::bit_cast<T>(detail::greatest(plan.context(), rates));
}

/// The same without anything between.
template <class Flux, int Dim>
typename Flux::Scalar sweep(SweepPlan<Dim> const& plan, SweepValues<Flux, Dim> const& values) {
  return sweep(plan, values, [] {});
}

}  // namespace sparse::amr
