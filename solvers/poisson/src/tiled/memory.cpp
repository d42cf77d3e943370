#include "memory.hpp"

namespace sparse::poisson::detail {

void SectorCounter::flush(KernelCounts& to) {
  to.asked_bytes += asked_;
  to.moved_bytes += TileCounts::sector_bytes * sectors_;
  to.divisions += divisions_;
  asked_ = sectors_ = divisions_ = 0;
  pages_.clear();
  last_ = nullptr;
}

void SectorCounter::touch(void const* address, std::size_t bytes, std::size_t direction) {
  asked_ += static_cast<Index>(bytes);
  auto const sector = reinterpret_cast<std::uintptr_t>(address) / TileCounts::sector_bytes;  // values are aligned
  if (last_ == nullptr || sector / page_sectors != last_number_) {
    last_number_ = sector / page_sectors;
    last_ = &pages_[last_number_];
  }
  std::uint64_t const bit = std::uint64_t{1} << sector % page_sectors;
  sectors_ += ((*last_)[direction] & bit) == 0 ? 1 : 0;
  (*last_)[direction] |= bit;
}

}  // namespace sparse::poisson::detail
