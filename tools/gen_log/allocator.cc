#include "allocator.h"

#include <algorithm>
#include <array>

#include "base/chips.h"

namespace ttscope::gen_log {

namespace {

constexpr Device device_of(const Product& product) {
  const Architecture& chip = *product.architecture;
  return {chip.name,
          chip.runtime_name,
          product.dram_banks,
          chip.dram_bytes_for_buffers(),
          product.l1_banks,
          chip.l1_bytes_for_buffers(),
          chip.dram_alignment_bytes,
          chip.worker_rows,
          product.l1_banks / chip.worker_rows,
          chip.l1_bytes,
          chip.dram_bank_bytes};
}

constexpr std::array<Device, 2> kDevices = {device_of(usual_product(kWormhole)),
                                            device_of(usual_product(kBlackhole))};

}  // namespace

const Device* find_device(std::string_view option) {
  const auto found =
      std::find_if(kDevices.begin(), kDevices.end(), [&](const Device& d) { return d.option == option; });
  return found == kDevices.end() ? nullptr : &*found;
}

FreeList::FreeList(std::int64_t size_bytes, std::int64_t alignment, Direction direction)
    : size_bytes_(size_bytes), alignment_(alignment), direction_(direction), gaps_{{0, size_bytes}} {}

std::int64_t FreeList::rounded(std::int64_t bytes) const {
  const std::int64_t wanted = std::max<std::int64_t>(bytes, 1);
  return (wanted + alignment_ - 1) / alignment_ * alignment_;
}

std::optional<std::int64_t> FreeList::allocate(std::int64_t bytes) {
  const std::int64_t size = rounded(bytes);
  const auto fits = [size](const Gap& gap) { return gap.bytes >= size; };
  auto gap = gaps_.end();
  if (direction_ == Direction::kBottomUp) {
    gap = std::find_if(gaps_.begin(), gaps_.end(), fits);
  } else {
    const auto last = std::find_if(gaps_.rbegin(), gaps_.rend(), fits);
    if (last != gaps_.rend()) gap = std::prev(last.base());
  }
  if (gap == gaps_.end()) return std::nullopt;

  const std::int64_t address =
      direction_ == Direction::kBottomUp ? gap->address : gap->address + gap->bytes - size;
  if (direction_ == Direction::kBottomUp) gap->address += size;
  gap->bytes -= size;
  if (gap->bytes == 0) gaps_.erase(gap);
  allocated_bytes_ += size;
  highest_end_ = std::max(highest_end_, address + size);
  return address;
}

void FreeList::release(std::int64_t address, std::int64_t bytes) {
  const std::int64_t size = rounded(bytes);
  allocated_bytes_ -= size;
  const auto behind = [](const Gap& gap, std::int64_t at) { return gap.address < at; };
  auto next = std::lower_bound(gaps_.begin(), gaps_.end(), address, behind);
  const bool joins_next = next != gaps_.end() && address + size == next->address;
  const bool joins_previous =
      next != gaps_.begin() && std::prev(next)->address + std::prev(next)->bytes == address;
  if (joins_previous) {
    std::prev(next)->bytes += size + (joins_next ? next->bytes : 0);
    if (joins_next) gaps_.erase(next);
  } else if (joins_next) {
    next->address = address;
    next->bytes += size;
  } else {
    gaps_.insert(next, Gap{address, size});
  }
}

MemoryState FreeList::state() const {
  std::int64_t largest = 0;
  for (const Gap& gap : gaps_) largest = std::max(largest, gap.bytes);
  return {allocated_bytes_, size_bytes_ - allocated_bytes_, largest};
}

}  // namespace ttscope::gen_log
