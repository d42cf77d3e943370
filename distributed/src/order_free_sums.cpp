#include <sparse/distributed/order_free_sums.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <sparse/base/error.hpp>
#include <sparse/distributed/exact_sum.hpp>

namespace sparse::distributed::detail {
namespace {

constexpr int limb_bits = 32, mantissa_bits = 52, exponent_bias = 1023;
/// Greatest terms beyond these powers of two: units would leave the range of doubles.
constexpr int least_top = -900, greatest_top = 960;

/// All terms are below 2^top.
int top_of(std::uint64_t most) {
  return std::max(least_top, static_cast<int>(most >> mantissa_bits) - exponent_bias + 1);
}

int unit_exponent(int top, int limb) { return top - (limb + 1) * limb_bits; }

}  // namespace

Shifters shifters_of(std::uint64_t most) {
  Shifters shifters;
  int const top = std::min(top_of(most), greatest_top);
  for (int k = 0; k < limb_count; ++k) shifters.of[k] = std::ldexp(1.5, mantissa_bits + unit_exponent(top, k));
  return shifters;
}

void expect_room(std::uint64_t cell_count, int rank_count) {
  constexpr std::uint64_t most = (std::uint64_t{1} << 31) - 1;  // a term has at most 2^32 units, and a limb 63 bits
  expects(cell_count <= most / static_cast<std::uint64_t>(rank_count), "order_free_sums: too many cells");
}

double value_of(std::uint64_t most, std::int64_t const* limbs) {
  int const top = top_of(most);
  if (top > greatest_top) return std::numeric_limits<double>::quiet_NaN();
  ExactSum sum;
  for (int k = 0; k < limb_count; ++k) {
    // A limb has more bits than a double.
    constexpr std::int64_t half = std::int64_t{1} << limb_bits;
    std::int64_t const high = limbs[k] >> limb_bits, low = limbs[k] & (half - 1);
    int const exponent = unit_exponent(top, k);
    sum.add(std::ldexp(static_cast<double>(high), exponent + limb_bits));
    sum.add(std::ldexp(static_cast<double>(low), exponent));
  }
  return sum.value();
}

}  // namespace sparse::distributed::detail
