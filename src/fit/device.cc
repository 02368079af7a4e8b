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

constexpr std::int64_t kWormholeDram = 1'070'773'184;
constexpr std::int64_t kBlackholeDram = 4'272'341'376;
constexpr std::int64_t kWormholeL1 = 1'329'888;
constexpr std::int64_t kBlackholeL1 = 1'396'224;

constexpr std::array<Product, 8> kProducts = {{
    {"n150", "wormhole", 12, kWormholeDram, 64, kWormholeL1, 1},
    {"n300", "wormhole", 12, kWormholeDram, 64, kWormholeL1, 2},
    {"t3000", "wormhole", 12, kWormholeDram, 64, kWormholeL1, 8},
    {"galaxy", "wormhole", 12, kWormholeDram, 72, kWormholeL1, 32},
    {"p100", "blackhole", 7, kBlackholeDram, 110, kBlackholeL1, 1},
    {"p150", "blackhole", 8, kBlackholeDram, 130, kBlackholeL1, 1},
    {"p300", "blackhole", 8, kBlackholeDram, 110, kBlackholeL1, 2},
    {"bh-galaxy", "blackhole", 8, kBlackholeDram, 130, kBlackholeL1, 32},
}};

constexpr std::string_view kCustom = "custom";
constexpr std::string_view kCustomExample = "custom:DRAM=12x1024MB,L1=64x1.3MB";
constexpr std::uint32_t kBlackholeAlignment = 64;
constexpr std::int64_t kTracePageBytes = 8192;
constexpr std::uint32_t kMostBanks = 4096;
constexpr double kMostBankBytes = 1e15;

std::int64_t divide_up(std::int64_t value, std::int64_t by) { return (value + by - 1) / by; }

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
  if (!factor || region.banks == 0 || region.banks > kMostBanks || size * *factor > kMostBankBytes)
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
  const bool blackhole = dram.banks == 7 || dram.banks == 8;
  device.arch = blackhole ? "blackhole" : "wormhole";
  device.alignment_bytes = blackhole ? kBlackholeAlignment : 32;
  Region& small = device.regions[index_of(Memory::kL1Small)];
  if (small.banks == 0) small = {l1.banks, reserved.l1_small_bytes_per_bank};
  return device;
}

}  // namespace

const Product* find_product(std::string_view name) {
  const auto found = std::find_if(kProducts.begin(), kProducts.end(),
                                  [&](const Product& product) { return product.name == name; });
  return found == kProducts.end() ? nullptr : &*found;
}

std::vector<std::string_view> product_names() {
  std::vector<std::string_view> names;
  names.reserve(kProducts.size());
  for (const Product& product : kProducts) names.push_back(product.name);
  return names;
}

const std::vector<std::int64_t>& usual_bank_sizes(Memory memory) {
  static const std::vector<std::int64_t> kDram = {kWormholeDram,  1'073'741'792, 1'071'821'792,
                                                  kBlackholeDram, 4'273'390'016, 4'278'190'016};
  static const std::vector<std::int64_t> kL1 = {kWormholeL1, kBlackholeL1, 1'395'424, 1'364'928, 1'461'248};
  static const std::vector<std::int64_t> kL1Small = {kUsualL1SmallBytes, 32768};
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
  Device device;
  device.name = product.name;
  device.arch = product.arch;
  device.chips = product.chips;
  device.alignment_bytes = product.arch == "blackhole" ? kBlackholeAlignment : 32;
  const std::int64_t small = static_cast<std::int64_t>(
      round_up(static_cast<std::uint64_t>(reserved.l1_small_bytes_per_bank), device.alignment_bytes));
  std::int64_t trace = 0;
  if (reserved.trace_bytes > 0) {
    const std::int64_t pages =
        divide_up(divide_up(reserved.trace_bytes, product.dram_banks), kTracePageBytes);
    trace = std::min(pages * kTracePageBytes, product.dram_bytes_per_bank);
  }
  const std::int64_t l1 = product.l1_bytes_per_bank + kUsualL1SmallBytes - small;
  device.regions = {{{product.dram_banks, product.dram_bytes_per_bank - trace},
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
