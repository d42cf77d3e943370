#include "stages.hpp"

namespace sparse::poisson::detail {

LeafTotals& LevelSums::next(Chain const& chain, double volume) {
  auto const count = static_cast<std::size_t>(std::max<Index>(chain.group_count, 1));
  auto& level = levels_.emplace_back();
  level.volume = volume;
  is_exact_ ? level.exact_parts.resize(count) : level.parts.resize(count);
  return level;
}

double LevelSums::total(int k) {
  if (totals_.empty()) {
    totals_.resize(4);
    std::vector<distributed::ExactSum> exact;
    for (auto const& level : levels_)
      for (std::size_t i = 0; i < totals_.size(); ++i) {
        double sum = 0;
        for (auto const& part : level.parts) sum += part.s[i];
        totals_[i] += level.volume * sum;
        if (!is_exact_) continue;
        auto& own = exact.emplace_back();
        for (auto const& part : level.exact_parts) own.add(part[i]);
      }
    if (is_exact_) {
      auto const sums = distributed::exact_totals(*team_, std::move(exact));
      for (std::size_t i = 0; i < sums.size(); ++i)
        totals_[i % totals_.size()] += levels_[i / totals_.size()].volume * sums[i];
    } else if (team_ != nullptr) {
      team_->add(totals_);
    }
  }
  return totals_[static_cast<std::size_t>(k)];
}

}  // namespace sparse::poisson::detail
