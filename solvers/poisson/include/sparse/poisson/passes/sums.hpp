#pragma once
/// Sums over the cells of a matrix.

#include <algorithm>
#include <vector>

#include <sparse/poisson/passes/pipeline.hpp>

namespace sparse::poisson::detail {

/// Three sums at once.
struct Sums {
  double s[3] = {0, 0, 0};
  KOKKOS_FORCEINLINE_FUNCTION void operator+=(Sums const& b) {
    for (int k = 0; k < 3; ++k) s[k] += b.s[k];
  }
};

/// Sums by group of cells, so that their totals do not depend on the number of threads.
class GroupSums {
public:
  explicit GroupSums(Chain const& chain)
      : parts_(is_host_backend ? static_cast<std::size_t>(std::max<Index>(chain.group_count, 1)) : 1) {}
  Sums* data() { return parts_.data(); }
  double total(int k) const {
    double sum = 0;
    for (auto const& part : parts_) sum += part.s[k];
    return sum;
  }

private:
  std::vector<Sums> parts_;
};

}  // namespace sparse::poisson::detail
