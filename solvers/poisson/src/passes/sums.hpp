#pragma once
/// Sums over the cells of a matrix.

#include <algorithm>
#include <array>
#include <vector>

#include <sparse/distributed/exact_sum.hpp>

#include "passes/pipeline.hpp"

namespace sparse::poisson::detail {

/// Three sums at once.
struct Sums {
  double s[3] = {0, 0, 0};
  KOKKOS_FORCEINLINE_FUNCTION void operator+=(Sums const& b) {
    for (int k = 0; k < 3; ++k) s[k] += b.s[k];
  }
};

/// The same without rounding.
using ExactSums = std::array<distributed::ExactSum, 3>;

/// Terms on their way to exact sums, which are fast for many at once.
/// @tparam Totals  an array of exact sums
template <int sum_count, class Totals>
struct ExactTerms {
  static constexpr int room = 512;
  double values[sum_count][room];
  int count;
  Totals* total;
  void add() {
    for (std::size_t k = 0; k < sum_count; ++k) (*total)[k].take(values[k], count);
    count = 0;
  }
};

/// Sums by group of cells, so that their totals do not depend on the number of threads. Exact ones do not depend on the
/// number of ranks either.
class GroupSums {
public:
  /// @param team  the ranks that share the cells, or null
  explicit GroupSums(Chain const& chain, distributed::Team* team = nullptr, bool is_exact = false) : team_(team) {
    auto const count = is_host_backend ? static_cast<std::size_t>(std::max<Index>(chain.group_count, 1)) : 1;
    is_exact ? exact_parts_.resize(count) : parts_.resize(count);
  }
  Sums* data() { return parts_.data(); }
  /// The exact ones; null if they are not.
  ExactSums* exact_data() { return exact_parts_.empty() ? nullptr : exact_parts_.data(); }
  /// Over ranks, the first call is collective and must come after the passes that sum.
  double total(int k) const;

private:
  distributed::Team* team_;
  std::vector<Sums> parts_;
  std::vector<ExactSums> exact_parts_;
  mutable std::vector<double> totals_;  // of all ranks, once they are known
};

}  // namespace sparse::poisson::detail
