#include "chip/arch.h"

#include <algorithm>
#include <array>

namespace ttscope::chip {
namespace {

constexpr std::uint32_t kVendor = 0x1E52;
constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
constexpr std::uint64_t kWormholeBank = kWormhole.dram_bank_bytes;

// Device code cannot include the table of chips.
static_assert(ttscope_device::kWormhole.l1_bytes == kWormhole.l1_bytes);
static_assert(ttscope_device::kBlackhole.l1_bytes == kBlackhole.l1_bytes);
static_assert(ttscope_device::kWormhole.dram_profiler == kWormhole.dram_alignment_bytes);
static_assert(ttscope_device::kBlackhole.dram_profiler == kBlackhole.dram_alignment_bytes);

/// Translated columns 18.. and rows 16.. of Wormhole.
constexpr std::array<std::uint32_t, 8> kWormholeColumns = {1, 2, 3, 4, 6, 7, 8, 9};
constexpr std::array<std::uint32_t, 12> kWormholeRows = {0, 6, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11};
constexpr std::uint32_t kFirstTranslatedColumn = 18;
constexpr std::uint32_t kFirstTranslatedRow = 16;
/// Translated rows 12.. of the DRAM columns of Blackhole.
constexpr std::array<std::uint32_t, 12> kBlackholeDramRows = {0, 1, 11, 2, 10, 3, 5, 7, 6, 9, 4, 8};
constexpr std::uint32_t kFirstDramRow = 12;

ArchFacts wormhole() {
  ArchFacts facts = {Arch::kWormhole,
                     &kWormhole,
                     0x401Eu << 16 | kVendor,
                     &ttscope_device::kWormhole,
                     10,
                     12,
                     {},
                     {},
                     {},
                     256 * 1024,
                     2 * kWormholeBank};
  for (std::uint32_t y : {1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 10u, 11u}) {
    for (std::uint32_t x : kWormholeColumns) facts.tensix.push_back({x, y});
  }
  for (std::uint32_t y : {0u, 6u}) {
    for (std::uint32_t x : {9u, 1u, 8u, 2u, 7u, 3u, 6u, 4u}) facts.ethernet.push_back({x, y});
  }
  facts.dram = {{{0, 11}, 0}, {{0, 1}, kWormholeBank},  {{0, 5}, 0}, {{0, 7}, kWormholeBank},
                {{5, 1}, 0},  {{5, 11}, kWormholeBank}, {{5, 2}, 0}, {{5, 9}, kWormholeBank},
                {{5, 8}, 0},  {{5, 3}, kWormholeBank},  {{5, 5}, 0}, {{5, 7}, kWormholeBank}};
  return facts;
}

ArchFacts blackhole() {
  ArchFacts facts = {
      Arch::kBlackhole, &kBlackhole, 0xB140u << 16 | kVendor, &ttscope_device::kBlackhole, 17, 12, {}, {}, {},
      512 * 1024,       4 * kGiB};
  for (std::uint32_t y = 2; y <= 11; ++y) {
    for (std::uint32_t x = 1; x <= 16; ++x) {
      if (x != 8 && x != 9) facts.tensix.push_back({x, y});
    }
  }
  for (std::uint32_t x = 1; x <= 7; ++x) {
    facts.ethernet.push_back({x, 1});
    facts.ethernet.push_back({17 - x, 1});
  }
  // Physical places; the tables hold translated ones.
  facts.dram = {{{0, 0}, 0}, {{0, 2}, 0}, {{0, 9}, 0}, {{0, 5}, 0},
                {{9, 0}, 0}, {{9, 2}, 0}, {{9, 9}, 0}, {{9, 5}, 0}};
  return facts;
}

std::optional<Place> resolve_wormhole(std::uint32_t noc, Place given) {
  const bool x_translated = given.x >= kFirstTranslatedColumn;
  const bool y_translated = given.y >= kFirstTranslatedRow;
  if (x_translated) {
    if (given.x - kFirstTranslatedColumn >= kWormholeColumns.size()) return std::nullopt;
    given.x = kWormholeColumns[given.x - kFirstTranslatedColumn];
  }
  if (y_translated) {
    if (given.y - kFirstTranslatedRow >= kWormholeRows.size()) return std::nullopt;
    given.y = kWormholeRows[given.y - kFirstTranslatedRow];
  }
  if (given.x > 9 || given.y > 11) return std::nullopt;
  if (noc == 1 && !x_translated) given.x = 9 - given.x;
  if (noc == 1 && !y_translated) given.y = 11 - given.y;
  return given;
}

std::optional<Place> resolve_blackhole(Place given) {
  if ((given.x == 17 || given.x == 18) && given.y >= kFirstDramRow &&
      given.y - kFirstDramRow < kBlackholeDramRows.size()) {
    return Place{given.x == 18 ? 0u : 9u, kBlackholeDramRows[given.y - kFirstDramRow]};
  }
  if (given.y == 25 && given.x >= 20 && given.x < 34)
    return facts_of(Arch::kBlackhole).ethernet[given.x - 20];
  if (given.x > 16 || given.y > 11) return std::nullopt;
  if (given.y >= 2 && (given.x == 0 || given.x == 9))
    return std::nullopt;  // DRAM has translated coordinates only
  return given;
}

}  // namespace

const ArchFacts& facts_of(Arch arch) {
  static const ArchFacts kWormholeFacts = wormhole();
  static const ArchFacts kBlackholeFacts = blackhole();
  return arch == Arch::kWormhole ? kWormholeFacts : kBlackholeFacts;
}

std::optional<Place> resolve(Arch arch, std::uint32_t noc, Place given) {
  return arch == Arch::kWormhole ? resolve_wormhole(noc, given) : resolve_blackhole(given);
}

Place translated(Arch arch, Place physical) {
  if (arch == Arch::kWormhole) {
    const auto column = std::find(kWormholeColumns.begin(), kWormholeColumns.end(), physical.x);
    const auto row = std::find(kWormholeRows.begin(), kWormholeRows.end(), physical.y);
    if (column == kWormholeColumns.end()) return physical;
    return {kFirstTranslatedColumn + static_cast<std::uint32_t>(column - kWormholeColumns.begin()),
            kFirstTranslatedRow + static_cast<std::uint32_t>(row - kWormholeRows.begin())};
  }
  if (physical.y == 1 && physical.x >= 1) {
    const std::vector<Place>& ethernet = facts_of(arch).ethernet;
    const auto found = std::find(ethernet.begin(), ethernet.end(), physical);
    if (found != ethernet.end()) return {20 + static_cast<std::uint32_t>(found - ethernet.begin()), 25};
  }
  return physical;
}

Place dram_coordinate(Arch arch, std::uint32_t noc, const DramBank& bank) {
  if (arch == Arch::kWormhole) return noc == 0 ? bank.place : Place{9 - bank.place.x, 11 - bank.place.y};
  const auto row = std::find(kBlackholeDramRows.begin(), kBlackholeDramRows.end(), bank.place.y);
  return {bank.place.x == 0 ? 18u : 17u,
          kFirstDramRow + static_cast<std::uint32_t>(row - kBlackholeDramRows.begin())};
}

std::uint32_t flat_id(Arch arch, Place place) {
  const ArchFacts& facts = facts_of(arch);
  const auto before = [&](const Place& other) { return other < place; };
  return static_cast<std::uint32_t>(std::count_if(facts.tensix.begin(), facts.tensix.end(), before) +
                                    std::count_if(facts.ethernet.begin(), facts.ethernet.end(), before));
}

std::uint32_t cores_per_dram_bank(Arch arch) {
  const ArchFacts& facts = facts_of(arch);
  const std::size_t cores = facts.tensix.size() + facts.ethernet.size();
  return static_cast<std::uint32_t>((cores + facts.dram.size() - 1) / facts.dram.size());
}

}  // namespace ttscope::chip
