#include "passes/sums.hpp"

namespace sparse::poisson::detail {

double GroupSums::total(int k) const {
  if (team_ == nullptr) {
    double sum = 0;
    for (auto const& part : parts_) sum += part.s[k];
    return sum;
  }
  if (totals_.empty() && exact_parts_.empty()) {
    totals_.resize(3);
    for (auto const& part : parts_)
      for (int i = 0; i < 3; ++i) totals_[static_cast<std::size_t>(i)] += part.s[i];
    team_->add(totals_);
  } else if (totals_.empty()) {
    std::vector<distributed::ExactSum> sums(3);
    for (auto const& part : exact_parts_)
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i].add(part[i]);
    totals_ = distributed::exact_totals(*team_, std::move(sums));
  }
  return totals_[static_cast<std::size_t>(k)];
}

}  // namespace sparse::poisson::detail
