#include "fit/device.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/text.h"
#include "fit/allocator.h"

namespace ttscope::fit {
namespace {

constexpr std::string_view kCustom = "custom";
constexpr std::string_view kCustomExample = "custom:DRAM=12x1024MB,L1=64x1.3MB";
constexpr std::uint32_t kMaxBanks = 4096;
constexpr double kMaxBankBytes = 1e15;

std::int64_t ceil_divide(std::int64_t value, std::int64_t by) { return (value + by - 1) / by; }

std::optional<double> unit_factor(std::string_view unit) {
  constexpr std::array<std::string_view, 4> kUnits = {"B", "KB", "MB", "GB"};
  std::string upper;
  for (const char c : unit) upper += static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  if (upper.size() == 3 && upper[1] == 'I') upper.erase(1, 1);
  double factor = 1;
  for (const std::string_view known : kUnits) {
    if (upper == known || (upper.size() == 1 && known.size() == 2 && upper[0] == known[0])) return factor;
    factor *= 1024;
  }
  return upper.empty() ? std::optional<double>(1) : std::nullopt;
}

std::optional<Memory> memory_named(std::string_view name) {
  for (const Memory memory : kMemories) {
    if (name == name_of(memory)) return memory;
  }
  return std::nullopt;
}

/// `12x1024MB`
std::optional<Region> parse_region(std::string_view text) {
  Region region;
  const char* const end = text.data() + text.size();
  const auto banks = std::from_chars(text.data(), end, region.banks);
  if (banks.ec != std::errc() || banks.ptr == end || *banks.ptr != 'x') return std::nullopt;
  double size = 0;
  const auto read = std::from_chars(banks.ptr + 1, end, size);
  if (read.ec != std::errc() || !std::isfinite(size) || size < 0) return std::nullopt;
  const std::optional<double> factor = unit_factor({read.ptr, static_cast<std::size_t>(end - read.ptr)});
  if (!factor || region.banks == 0 || region.banks > kMaxBanks || size * *factor > kMaxBankBytes)
    return std::nullopt;
  region.bytes_per_bank = std::llround(size * *factor);
  return region;
}

Error bad_device(std::string_view text, std::string_view why) {
  return bad_input(fmt::format("{}: {}; an example: {}", terminal_safe(text), why, kCustomExample));
}

Result<Device> parse_custom(std::string_view text, std::string_view list, const Reservations& reserved) {
  Device device;
  device.name = kCustom;
  device.chips = 1;
  while (!list.empty()) {
    const std::string_view item = list.substr(0, list.find(','));
    list.remove_prefix(std::min(list.size(), item.size() + 1));
    const std::size_t equals = item.find('=');
    const std::optional<Memory> memory = memory_named(item.substr(0, equals));
    if (equals == std::string_view::npos || !memory)
      return failure(
          bad_device(text, "expected DRAM=, L1=, L1_SMALL= or TRACE= with banks and bytes of each"));
    const std::optional<Region> region = parse_region(item.substr(equals + 1));
    if (!region)
      return failure(bad_device(
          text, fmt::format("{} wants the number of banks, x, and the size of one", name_of(*memory))));
    device.regions[index_of(*memory)] = *region;
  }
  Region& l1 = device.regions[index_of(Memory::kL1)];
  const Region& dram = device.region(Memory::kDram);
  if (dram.bytes_per_bank == 0 || l1.bytes_per_bank == 0)
    return failure(bad_device(text, "DRAM and L1 are both needed"));
  const Architecture& architecture = may_be_blackhole(dram.banks) ? kBlackhole : kWormhole;
  device.arch = architecture.name;
  device.alignment_bytes = architecture.dram_alignment_bytes;
  Region& small = device.regions[index_of(Memory::kL1Small)];
  if (small.banks == 0) small = {l1.banks, reserved.l1_small_bytes_per_bank};
  return device;
}

}  // namespace

const std::vector<std::int64_t>& common_bank_sizes(Memory memory) {
  static const std::vector<std::int64_t> kDram = {
      kWormhole.dram_bytes_for_buffers(),         kWormhole.other_dram_bytes_for_buffers[0],
      kWormhole.other_dram_bytes_for_buffers[1],  kBlackhole.dram_bytes_for_buffers(),
      kBlackhole.other_dram_bytes_for_buffers[0], kBlackhole.other_dram_bytes_for_buffers[1]};
  static const std::vector<std::int64_t> kL1 = {
      kWormhole.l1_bytes_for_buffers(), kBlackhole.l1_bytes_for_buffers(),
      kWormhole.other_l1_bytes_for_buffers[0], kWormhole.other_l1_bytes_for_buffers[1],
      kBlackhole.other_l1_bytes_for_buffers[0]};
  static const std::vector<std::int64_t> kL1Small = {kDefaultL1SmallBytes, 32768};
  static const std::vector<std::int64_t> kTrace = {};
  switch (memory) {
    case Memory::kDram:
      return kDram;
    case Memory::kL1:
      return kL1;
    case Memory::kL1Small:
      return kL1Small;
    case Memory::kTrace:
      break;
  }
  return kTrace;
}

Device device_of(const Product& product, const Reservations& reserved) {
  const Architecture& architecture = *product.architecture;
  Device device;
  device.name = product.name;
  device.arch = architecture.name;
  device.chips = product.chips;
  device.alignment_bytes = architecture.dram_alignment_bytes;
  const std::int64_t small = static_cast<std::int64_t>(
      round_up(static_cast<std::uint64_t>(reserved.l1_small_bytes_per_bank), device.alignment_bytes));
  std::int64_t trace = 0;
  if (reserved.trace_bytes > 0) {
    const std::int64_t pages =
        ceil_divide(ceil_divide(reserved.trace_bytes, product.dram_banks), kTracePageBytes);
    trace = std::min(pages * kTracePageBytes, architecture.dram_bytes_for_buffers());
  }
  const std::int64_t l1 = architecture.l1_bytes_for_buffers() + kDefaultL1SmallBytes - small;
  device.regions = {{{product.dram_banks, architecture.dram_bytes_for_buffers() - trace},
                     {product.l1_banks, std::max<std::int64_t>(l1, 0)},
                     {product.l1_banks, small},
                     {product.dram_banks, trace}}};
  return device;
}

Result<Device> parse_device(std::string_view text, const Reservations& reserved) {
  if (const Product* product = find_product(text)) return device_of(*product, reserved);
  if (text == kCustom) return failure(bad_device(text, "its sizes have to be given"));
  if (text.starts_with(std::string(kCustom) + ":"))
    return parse_custom(text, text.substr(kCustom.size() + 1), reserved);
  const std::string_view near = nearest_name(text, product_names());
  return failure(bad_input(fmt::format("{}: no such device{}; known are {}, all and {}", terminal_safe(text),
                                       near.empty() ? "" : fmt::format(", did you mean {}?", near),
                                       fmt::join(product_names(), ", "), kCustomExample)));
}

}  // namespace ttscope::fit
