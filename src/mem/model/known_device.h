#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "mem/model/device_facts.h"

namespace ttscope::mem {

/// A product by its name: what one chip of it has. Sizes are what today's runtime leaves to its allocators.
struct KnownDevice {
  std::string_view name;  ///< `n300`
  std::string_view arch;
  std::uint32_t dram_banks = 0;
  std::int64_t dram_bytes_per_bank = 0;
  std::uint32_t l1_banks = 0;
  std::int64_t l1_bytes_per_bank = 0;
  std::uint32_t chips = 1;
};

/// Null for a name that is none.
const KnownDevice* find_device(std::string_view name);
std::vector<std::string_view> device_names();

/// Fills in what is not known; what the log tells stays.
void supply_facts(DeviceFacts& facts, const KnownDevice& device);

}  // namespace ttscope::mem
