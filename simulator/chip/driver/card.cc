#include "chip/driver/card.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ttscope::chip {
namespace {

constexpr std::uint64_t kWindowConfig = 0x1FC00000;
constexpr std::uint32_t kPollTicks = 64;

/// The window that is used: the largest kind that both architectures' first BAR has.
struct WindowSlot {
  std::uint32_t index;
  std::uint64_t start;
  std::uint32_t size_bits;
};

constexpr WindowSlot kWormholeWindow = {166, 0xB000000, 24};
constexpr WindowSlot kBlackholeWindow = {0, 0, 21};

constexpr const WindowSlot& window_of(Arch arch) {
  return arch == Arch::kWormhole ? kWormholeWindow : kBlackholeWindow;
}

}  // namespace

Result<Card> Card::open(Simulator& simulator, std::uint32_t number) {
  const std::uint32_t device = number << 3;
  const std::uint32_t id = simulator.config_read(device, 0);
  if (const std::string error = simulator.error(); !error.empty()) return failure(bad_input(error));
  for (Arch arch : {Arch::kWormhole, Arch::kBlackhole}) {
    if (id != facts_of(arch).pci_id) continue;
    const std::uint64_t bar = std::uint64_t{simulator.config_read(device, 0x14)} << 32 |
                              (simulator.config_read(device, 0x10) & ~0xFu);
    return Card(simulator, arch, bar);
  }
  return failure(bad_input(
      fmt::format("no card {}: its PCI id is {:#010x}, expected Wormhole or Blackhole", number, id)));
}

std::uint64_t Card::map(Place tile, std::uint64_t address, std::uint64_t& offset) {
  const WindowSlot& window = window_of(arch_);
  const std::uint64_t page = address >> window.size_bits;
  if (!mapped_ || mapped_tile_ != tile || mapped_page_ != page) {
    if (arch_ == Arch::kWormhole) {
      const std::uint64_t value = page | std::uint64_t{tile.x} << 12 | std::uint64_t{tile.y} << 18;
      simulator_->memory_write(bar_ + kWindowConfig + std::uint64_t{8} * window.index, &value, 8);
    } else {
      const std::array<std::uint32_t, 3> words = {
          static_cast<std::uint32_t>(page),
          static_cast<std::uint32_t>(page >> 32) | tile.x << 11 | tile.y << 17, 0};
      for (std::uint32_t i = 0; i < 3; ++i)
        simulator_->memory_write(
            bar_ + kWindowConfig + std::uint64_t{12} * window.index + std::uint64_t{4} * i, &words[i], 4);
    }
    mapped_ = true;
    mapped_tile_ = tile;
    mapped_page_ = page;
  }
  const std::uint64_t size = std::uint64_t{1} << window.size_bits;
  offset = bar_ + window.start + (address & (size - 1));
  return size - (address & (size - 1));
}

void Card::write(Place tile, std::uint64_t address, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    std::uint64_t offset = 0;
    const std::size_t size = std::min<std::size_t>(map(tile, address, offset), bytes.size());
    simulator_->memory_write(offset, bytes.data(), static_cast<std::uint32_t>(size));
    address += size;
    bytes = bytes.subspan(size);
  }
}

void Card::read(Place tile, std::uint64_t address, std::span<std::uint8_t> bytes) {
  while (!bytes.empty()) {
    std::uint64_t offset = 0;
    const std::size_t size = std::min<std::size_t>(map(tile, address, offset), bytes.size());
    simulator_->memory_read(offset, bytes.data(), static_cast<std::uint32_t>(size));
    address += size;
    bytes = bytes.subspan(size);
  }
}

void Card::write_word(Place tile, std::uint64_t address, std::uint32_t value) {
  write_words(tile, address, {&value, 1});
}

std::uint32_t Card::read_word(Place tile, std::uint64_t address) { return read_words(tile, address, 1)[0]; }

void Card::write_words(Place tile, std::uint64_t address, std::span<const std::uint32_t> words) {
  write(tile, address, {reinterpret_cast<const std::uint8_t*>(words.data()), words.size_bytes()});
}

std::vector<std::uint32_t> Card::read_words(Place tile, std::uint64_t address, std::size_t count) {
  std::vector<std::uint32_t> words(count);
  read(tile, address, {reinterpret_cast<std::uint8_t*>(words.data()), 4 * count});
  return words;
}

void Card::write_dram(std::uint32_t bank, std::uint64_t address, std::span<const std::uint8_t> bytes) {
  const DramBank& where = facts_of(arch_).dram[bank];
  write(dram_coordinate(arch_, 0, where), where.offset + address, bytes);
}

void Card::read_dram(std::uint32_t bank, std::uint64_t address, std::span<std::uint8_t> bytes) {
  const DramBank& where = facts_of(arch_).dram[bank];
  read(dram_coordinate(arch_, 0, where), where.offset + address, bytes);
}

Result<std::uint64_t> Card::wait_for_word(Place tile, std::uint64_t address, std::uint32_t value,
                                          std::uint64_t limit) {
  std::uint64_t spent = 0;
  while (true) {
    const std::uint32_t seen = read_word(tile, address);
    if (const std::string error = simulator_->error(); !error.empty()) return failure(bad_input(error));
    if (seen == value) return spent;
    if (spent >= limit) {
      return failure(bad_input(
          fmt::format("tile ({},{}): the word at {:#x} is still {:#x} after {} clocks, expected {:#x}",
                      tile.x, tile.y, address, seen, spent, value)));
    }
    simulator_->clock(kPollTicks);
    spent += kPollTicks;
  }
}

}  // namespace ttscope::chip
