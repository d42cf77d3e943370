#pragma once
/// Sums without rounding, which do not depend on the order of their terms.

#include <array>
#include <cstdint>
#include <vector>

#include <sparse/distributed/team.hpp>

namespace sparse::distributed {

/// A sum of floating-point numbers that is rounded once, at the end.
///
/// It is an integer of some two thousand bits, in units of the least number that a double can be. So any order of the
/// terms, and any split of them among ranks and threads, gives the same bits. Memory: 560 bytes.
/// Source: Neal, Fast exact summation using small and large superaccumulators, arXiv:1505.05571 (2015).
class ExactSum {
public:
  /// Adds a number. Any that is infinite or NaN has the effect that it has in any other sum.
  void add(double term);
  /// Adds numbers of type float or double. Cost: some 1.5 ns per term, a few times that of a plain sum; more where
  /// magnitudes differ by more than 2^70 within 512 terms.
  template <class T>
  void add(T const* terms, Index count);
  /// The same for at most 512 terms in memory that it may change.
  void take(double* terms, int count);
  /// Adds another sum.
  void add(ExactSum const& other);

  /// The sum, rounded to the nearest double, ties to even; infinite if it is too large for one. A sum of zeros is +0.
  double value() const;

private:
  friend std::vector<double> exact_totals(Team& team, std::vector<ExactSum> of_rank);
  static constexpr int limb_count = 67;  // of 32 bits each, the first of which counts 2^-1074
  static constexpr int bits = 32, least_exponent = -1074;
  enum Special { positive = limb_count, negative, nan, entry_count };  // how many terms were infinite or NaN

  void add_digits(bool is_negative, std::uint64_t mantissa, int exponent);
  void carry();

  // Entries grow by less than 2^32 per addition. So they have room for 2^31 additions before carries are taken up.
  std::array<std::int64_t, entry_count> entries_ = {};
  std::int64_t addition_count_ = 0;
};

/// The sums over all ranks, rounded: the same on each. Collective. Cost: a message of 560 bytes per sum, as
/// `Team::add` sends it.
/// @param of_rank  as many on each rank
std::vector<double> exact_totals(Team& team, std::vector<ExactSum> of_rank);

}  // namespace sparse::distributed
