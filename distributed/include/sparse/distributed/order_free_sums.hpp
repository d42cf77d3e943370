#pragma once
/// Sums over the cells of plans whose bits depend on no order, so on no number of threads or ranks.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include <sparse/distributed/team.hpp>
#include <sparse/plans/accumulate.hpp>

namespace sparse::distributed {

/// The cells of a plan, and `body(point, terms)`, a device function that gives the N terms of a cell. Terms are 0
/// before.
template <class AnyPlan, class Body>
struct SumPart {
  AnyPlan plan;
  Body body;
};

/// For each part, the sums of N terms over the cells of all ranks: the same bits on each of them.
///
/// Terms are rounded to multiples of 2^-96 of the greatest one, and these are added as integers. So a sum is exact
/// where terms differ by a factor below 2^43. If a term is not finite, or beyond 2^960, the sum is NaN.
/// @param team   nullptr: there is one rank
/// @return  [part]
/// @throws std::invalid_argument  on all ranks, for more than 2^31 - 1 cells in a part, if each rank had the most
/// Collective. Cost: two passes over the cells of each part, and two reductions over the ranks; waits for each pass.
template <int N, class AnyPlan, class Body>
std::vector<Vec<double, N>> order_free_sums(Team* team, std::string const& label,
                                            std::vector<SumPart<AnyPlan, Body>> const& parts);

/// For each part, the greatest magnitudes of N terms over the cells of all ranks; NaN if there is one.
/// @return  [part]
/// Collective. Cost: a pass over the cells of each part, and a reduction over the ranks.
template <int N, class AnyPlan, class Body>
std::vector<Vec<double, N>> greatest_magnitudes(Team* team, std::string const& label,
                                                std::vector<SumPart<AnyPlan, Body>> const& parts);

// ---- implementation

namespace detail {

inline constexpr int limb_count = 3;

/// What turns terms into integers, for one sum: adding 1.5 * 2^52 units makes the lowest bits of a double a number of
/// units. A limb counts units of 2^-32 of the next higher one's.
struct Shifters {
  double of[limb_count];
};
/// @param most  the bits of the greatest magnitude of the terms
Shifters shifters_of(std::uint64_t most);
/// @throws std::invalid_argument  if limbs might overflow with so many cells on each rank
void expect_room(std::uint64_t cell_count, int rank_count);
/// The sum of limbs, rounded once.
double value_of(std::uint64_t most, std::int64_t const* limbs);

template <int N>
struct GreatestBits {
  std::uint64_t of[N] = {};
  KOKKOS_FORCEINLINE_FUNCTION void add(GreatestBits const& b) {
    for (int i = 0; i < N; ++i) of[i] = b.of[i] > of[i] ? b.of[i] : of[i];
  }
  KOKKOS_FORCEINLINE_FUNCTION static void add_volatile(GreatestBits volatile& a, GreatestBits const volatile& b) {
    for (int i = 0; i < N; ++i)
      if (b.of[i] > a.of[i]) a.of[i] = b.of[i];
  }
};

template <int N>
struct Limbs {
  std::int64_t of[N][limb_count] = {};
  KOKKOS_FORCEINLINE_FUNCTION void add(Limbs const& b) {
    for (int i = 0; i < N; ++i)
      for (int k = 0; k < limb_count; ++k) of[i][k] += b.of[i][k];
  }
  KOKKOS_FORCEINLINE_FUNCTION static void add_volatile(Limbs volatile& a, Limbs const volatile& b) {
    for (int i = 0; i < N; ++i)
      for (int k = 0; k < limb_count; ++k) a.of[i][k] = a.of[i][k] + b.of[i][k];
  }
};

/// The terms of a cell. Compilers contract products and sums differently in copies of a loop, so there is one copy.
template <int N, class Body>
struct TermsOf {
  Body body;
  template <class Point>
  KOKKOS_FUNCTION __attribute__((noinline)) Vec<double, N> operator()(Point const& point) const {
    Vec<double, N> terms{};
    body(point, terms);
    return terms;
  }
};

template <int N, class Body>
struct FindGreatest {
  TermsOf<N, Body> terms_of;
  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point const& point, GreatestBits<N>& greatest) const {
    auto const terms = terms_of(point);
    GreatestBits<N> bits;
    for (int i = 0; i < N; ++i) bits.of[i] = std::bit_cast<std::uint64_t>(terms[i]) & ~(std::uint64_t{1} << 63);
    greatest.add(bits);
  }
};

template <int N, class Body>
struct AddTerms {
  TermsOf<N, Body> terms_of;
  Shifters shifters[N];
  template <class Point>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Point const& point, Limbs<N>& limbs) const {
    auto const terms = terms_of(point);
    for (int i = 0; i < N; ++i) {
      double rest = terms[i];
      for (int k = 0; k < limb_count; ++k) {
        double const shifter = shifters[i].of[k], moved = rest + shifter;
        limbs.of[i][k] += std::bit_cast<std::int64_t>(moved) - std::bit_cast<std::int64_t>(shifter);
        rest -= moved - shifter;
      }
    }
  }
};

/// [part * N + sum]
template <int N, class AnyPlan, class Body>
std::vector<std::uint64_t> greatest_bits(Team* team, std::string const& label,
                                         std::vector<SumPart<AnyPlan, Body>> const& parts) {
  std::vector<std::uint64_t> bits;
  for (auto const& part : parts) {
    auto const greatest = accumulate<GreatestBits<N>>(label, part.plan, FindGreatest<N, Body>{{part.body}});
    bits.insert(bits.end(), greatest.of, greatest.of + N);
  }
  bits.push_back(0);
  for (auto const& part : parts) bits.back() = std::max<std::uint64_t>(bits.back(), part.plan.cell_count());
  if (team != nullptr) team->maximise(bits);
  expect_room(bits.back(), team == nullptr ? 1 : team->size());
  bits.pop_back();
  return bits;
}

}  // namespace detail

template <int N, class AnyPlan, class Body>
std::vector<Vec<double, N>> greatest_magnitudes(Team* team, std::string const& label,
                                                std::vector<SumPart<AnyPlan, Body>> const& parts) {
  auto const bits = detail::greatest_bits<N>(team, label, parts);
  std::vector<Vec<double, N>> values(parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (int i = 0; i < N; ++i) values[p][i] = std::bit_cast<double>(bits[p * N + static_cast<std::size_t>(i)]);
  return values;
}

template <int N, class AnyPlan, class Body>
std::vector<Vec<double, N>> order_free_sums(Team* team, std::string const& label,
                                            std::vector<SumPart<AnyPlan, Body>> const& parts) {
  auto const most = detail::greatest_bits<N>(team, label, parts);
  std::vector<std::int64_t> limbs;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    detail::AddTerms<N, Body> body{{parts[p].body}, {}};
    for (std::size_t i = 0; i < N; ++i) body.shifters[i] = detail::shifters_of(most[p * N + i]);
    auto const sums = accumulate<detail::Limbs<N>>(label, parts[p].plan, body);
    for (auto const& of_sum : sums.of) limbs.insert(limbs.end(), of_sum, of_sum + detail::limb_count);
  }
  if (team != nullptr) team->add(limbs);
  std::vector<Vec<double, N>> values(parts.size());
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (int i = 0; i < N; ++i) {
      std::size_t const sum = p * N + static_cast<std::size_t>(i);
      values[p][i] = detail::value_of(most[sum], limbs.data() + sum * detail::limb_count);
    }
  return values;
}

}  // namespace sparse::distributed
