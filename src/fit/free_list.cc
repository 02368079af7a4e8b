#include "fit/free_list.h"

#include <algorithm>
#include <limits>

namespace ttscope::fit {

std::uint64_t round_up(std::uint64_t value, std::uint64_t step) {
  if (step == 0) return value;
  const std::uint64_t remainder = value % step;
  if (remainder == 0) return value;
  const std::uint64_t missing = step - remainder;
  const std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  return value > limit - missing ? limit : value + missing;
}

FreeList::FreeList(const Options& options)
    : options_(options), holes_({options.first_address, options.bank_bytes}) {}

std::uint64_t FreeList::rounded(std::uint64_t size_bytes) const {
  return round_up(std::max(size_bytes, options_.alignment_bytes), options_.alignment_bytes);
}

std::optional<std::uint64_t> FreeList::allocate(std::uint64_t size_bytes, Direction direction,
                                                Policy policy) {
  const std::uint64_t wanted = rounded(size_bytes);
  const std::optional<std::uint64_t> address = holes_.take(wanted, direction, policy);
  if (!address) return std::nullopt;
  sizes_.emplace(*address, wanted);
  allocated_bytes_ += wanted;
  return address;
}

bool FreeList::free(std::uint64_t address) {
  const auto allocated = sizes_.find(address);
  if (allocated == sizes_.end()) return false;
  holes_.give({address, allocated->second});
  allocated_bytes_ -= allocated->second;
  sizes_.erase(allocated);
  return true;
}

FreeListStats FreeList::stats() const {
  FreeListStats stats;
  stats.total_bytes = options_.bank_bytes;
  stats.allocated_bytes = allocated_bytes_;
  stats.free_bytes = options_.bank_bytes - allocated_bytes_;
  stats.largest_free_bytes = holes_.largest_bytes();
  if (!sizes_.empty()) stats.lowest_occupied_address = options_.first_address + holes_.room_at_bottom_bytes();
  return stats;
}

}  // namespace ttscope::fit
