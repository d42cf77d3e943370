#pragma once
/// The range of a solution, and whether all states are possible.
///
/// Functions of this folder take a `Flow`: a `Simulation`, or anything with the same `domain`, `level_count`, `sets`,
/// `state`, `flux`, `time` and `synchronise`.

#include <limits>

#include <sparse/amr/law.hpp>
#include <sparse/amr/measure/team_of.hpp>
#include <sparse/fields/field.hpp>
#include <sparse/plans/accumulate.hpp>
#include <sparse/plans/subset.hpp>

namespace sparse::amr {

/// The least and the greatest value of each primitive variable over all leaves, ignoring NaN. Without any other number,
/// the least is infinity, and the greatest is minus infinity.
template <class Law>
struct Extrema {
  using State = typename Law::State;
  /// Of each component, over the cells seen so far.
  State least = State::filled(std::numeric_limits<typename Law::Scalar>::infinity());
  State greatest = State::filled(-std::numeric_limits<typename Law::Scalar>::infinity());
  Index inadmissible_count = 0;  ///< leaves with an impossible state, such as a negative pressure or NaN

  /// Takes in other extrema. `add_volatile` is for Kokkos before 4.0.
  KOKKOS_FORCEINLINE_FUNCTION void add(State const& lower, State const& upper, Index inadmissible) {
    SPARSE_UNROLL
    for (int c = 0; c < Law::component_count; ++c) {
      least[c] = lower[c] < least[c] ? lower[c] : least[c];
      greatest[c] = upper[c] > greatest[c] ? upper[c] : greatest[c];
    }
    inadmissible_count += inadmissible;
  }
  KOKKOS_FORCEINLINE_FUNCTION void add(Extrema const& b) { add(b.least, b.greatest, b.inadmissible_count); }
  KOKKOS_FORCEINLINE_FUNCTION static void add_volatile(Extrema volatile& a, Extrema const volatile& b) {
    for (int c = 0; c < Law::component_count; ++c) {
      if (b.least.data[c] < a.least.data[c]) a.least.data[c] = b.least.data[c];
      if (b.greatest.data[c] > a.greatest.data[c]) a.greatest.data[c] = b.greatest.data[c];
    }
    a.inadmissible_count = a.inadmissible_count + b.inadmissible_count;
  }
};

namespace detail {

template <class Law>
struct FindExtrema {
  Law law;
  FieldView<typename Law::Scalar const> state;
  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point const& p, Extrema<Law>& extrema) const {
    auto const w = law.primitive(state.template load<Law::component_count>(p.cell));
    extrema.add(w, w, law.is_admissible(w) ? 0 : 1);
  }
};

/// Makes the extrema of a rank those of all.
template <class Law>
void unite(distributed::Team& team, Extrema<Law>& extrema) {
  std::vector<double> values;
  for (int c = 0; c < Law::component_count; ++c) {
    values.push_back(-static_cast<double>(extrema.least[c]));
    values.push_back(static_cast<double>(extrema.greatest[c]));
  }
  distributed::maximise(team, values);
  for (int c = 0; c < Law::component_count; ++c) {
    auto const first = 2 * static_cast<std::size_t>(c);
    extrema.least[c] = static_cast<typename Law::Scalar>(-values[first]);
    extrema.greatest[c] = static_cast<typename Law::Scalar>(values[first + 1]);
  }
  std::vector<std::int64_t> count{extrema.inadmissible_count};
  team.add(count);
  extrema.inadmissible_count = count[0];
}

}  // namespace detail

/// The extrema of a flow. Collective if there are several ranks. Cost: plans of the leaves, and one pass over these;
/// waits for each level.
template <class Flow>
Extrema<typename Flow::Law> extrema(Flow const& flow) {
  using Law = typename Flow::Law;
  Extrema<Law> result;
  for (int l = 0; l < flow.level_count(); ++l) {
    Subset<Law::dimension> const leaves(flow.sets(l).leaves, flow.sets(l).storage);
    result.add(accumulate<Extrema<Law>>("sparse::diagnostics::extrema", leaves,
                                        detail::FindExtrema<Law>{flow.flux().law, flow.state(l).view()}));
  }
  if (auto* const team = team_of(flow)) detail::unite(*team, result);
  for (int c = 0; c < Law::component_count; ++c) {  // -0 becomes 0: which of them comes first depends on ranks
    result.least[c] += 0;
    result.greatest[c] += 0;
  }
  return result;
}

}  // namespace sparse::amr
