#include "sim/device/free_list.h"

#include <algorithm>
#include <limits>

namespace ttscope::sim {

std::uint64_t round_up(std::uint64_t value, std::uint64_t step) {
  if (step == 0) return value;
  const std::uint64_t remainder = value % step;
  if (remainder == 0) return value;
  const std::uint64_t missing = step - remainder;
  const std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
  return value > limit - missing ? limit : value + missing;
}

FreeList::FreeList(const Options& options) : options_(options) {
  if (options_.bank_bytes > 0) holes_.push_back({options_.first_address, options_.bank_bytes});
}

std::optional<std::size_t> FreeList::find_hole(std::uint64_t size_bytes, Direction direction) const {
  const auto fits = [size_bytes](const Block& hole) { return hole.size_bytes >= size_bytes; };
  if (direction == Direction::kBottomUp) {
    const auto found = std::find_if(holes_.begin(), holes_.end(), fits);
    if (found == holes_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - holes_.begin());
  }
  const auto found = std::find_if(holes_.rbegin(), holes_.rend(), fits);
  if (found == holes_.rend()) return std::nullopt;
  return static_cast<std::size_t>(holes_.rend() - found) - 1;
}

std::optional<std::uint64_t> FreeList::allocate(std::uint64_t size_bytes, Direction direction) {
  const std::uint64_t wanted =
      round_up(std::max(size_bytes, options_.alignment_bytes), options_.alignment_bytes);
  const auto index = find_hole(wanted, direction);
  if (!index) return std::nullopt;
  Block& hole = holes_[*index];
  std::uint64_t address = hole.address;
  if (direction == Direction::kBottomUp) {
    hole.address += wanted;
  } else {
    address = hole.address + hole.size_bytes - wanted;
  }
  hole.size_bytes -= wanted;
  if (hole.size_bytes == 0) holes_.erase(holes_.begin() + static_cast<std::ptrdiff_t>(*index));
  sizes_.emplace(address, wanted);
  allocated_bytes_ += wanted;
  return address;
}

bool FreeList::free(std::uint64_t address) {
  const auto allocated = sizes_.find(address);
  if (allocated == sizes_.end()) return false;
  Block block{address, allocated->second};
  sizes_.erase(allocated);
  allocated_bytes_ -= block.size_bytes;

  auto next = std::lower_bound(holes_.begin(), holes_.end(), address,
                               [](const Block& hole, std::uint64_t at) { return hole.address < at; });
  if (next != holes_.end() && block.address + block.size_bytes == next->address) {
    block.size_bytes += next->size_bytes;
    next = holes_.erase(next);
  }
  if (next != holes_.begin()) {
    Block& previous = *std::prev(next);
    if (previous.address + previous.size_bytes == block.address) {
      previous.size_bytes += block.size_bytes;
      return true;
    }
  }
  holes_.insert(next, block);
  return true;
}

FreeListStats FreeList::stats() const {
  FreeListStats stats;
  stats.total_bytes = options_.bank_bytes;
  stats.allocated_bytes = allocated_bytes_;
  stats.free_bytes = options_.bank_bytes - allocated_bytes_;
  for (const Block& hole : holes_)
    stats.largest_free_bytes = std::max(stats.largest_free_bytes, hole.size_bytes);
  if (!sizes_.empty()) stats.lowest_occupied_address = sizes_.begin()->first;
  return stats;
}

}  // namespace ttscope::sim
