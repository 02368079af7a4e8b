#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <optional>

#include "chip/arch.h"
#include "chip/simulator.h"

namespace ttscope::chip {
namespace {

/// The address windows of a card's first BAR: which tile and address a byte of it means.
class Windows {
 public:
  static constexpr std::uint64_t kConfig = 0x1FC00000;

  explicit Windows(Arch arch) : arch_(arch) {}

  struct Target {
    Place coordinate;
    std::uint64_t address = 0;
    std::uint64_t left_bytes = 0;  ///< to the end of the window
  };
  /// Empty: no window is there.
  std::optional<Target> target(std::uint64_t offset) const;

  bool is_config(std::uint64_t offset) const {
    return offset >= kConfig && offset < kConfig + sizeof(words_);
  }
  /// A register of the windows: whole words.
  bool write_config(std::uint64_t offset, const void* from, std::uint32_t bytes);
  bool read_config(std::uint64_t offset, void* to, std::uint32_t bytes) const;

 private:
  Arch arch_;
  std::array<std::uint32_t, 640> words_{};
};

/// A row of windows of one size.
struct WindowRow {
  std::uint32_t first;
  std::uint32_t count;
  std::uint64_t start;
  std::uint32_t size_bits;
};

constexpr WindowRow kWormholeRows[] = {{0, 156, 0, 20}, {156, 10, 0x9C00000, 21}, {166, 20, 0xB000000, 24}};
constexpr WindowRow kBlackholeRows[] = {{0, 202, 0, 21}};

std::optional<Windows::Target> Windows::target(std::uint64_t offset) const {
  const bool wormhole = arch_ == Arch::kWormhole;
  const WindowRow* rows = wormhole ? kWormholeRows : kBlackholeRows;
  const int count = wormhole ? 3 : 1;
  for (int i = 0; i < count; ++i) {
    const WindowRow& row = rows[i];
    if (offset < row.start || (offset - row.start) >> row.size_bits >= row.count) continue;
    const std::uint64_t index = row.first + ((offset - row.start) >> row.size_bits);
    const std::uint64_t size = std::uint64_t{1} << row.size_bits;
    const std::uint64_t low = (offset - row.start) & (size - 1);
    Target found;
    found.left_bytes = size - low;
    if (wormhole) {
      const std::uint64_t config = std::uint64_t{words_[2 * index + 1]} << 32 | words_[2 * index];
      const std::uint32_t address_bits = 36 - row.size_bits;
      found.address = (config & ((std::uint64_t{1} << address_bits) - 1)) << row.size_bits | low;
      found.coordinate = {static_cast<std::uint32_t>(config >> address_bits & 63),
                          static_cast<std::uint32_t>(config >> (address_bits + 6) & 63)};
    } else {
      const std::uint32_t high = words_[3 * index + 1];
      found.address =
          std::uint64_t{words_[3 * index]} << row.size_bits | std::uint64_t{high & 0x7FF} << 53 | low;
      found.coordinate = {high >> 11 & 63, high >> 17 & 63};
    }
    return found;
  }
  return std::nullopt;
}

bool Windows::write_config(std::uint64_t offset, const void* from, std::uint32_t bytes) {
  if (offset % 4 != 0 || bytes % 4 != 0 || bytes > kConfig + sizeof(words_) - offset) return false;
  std::memcpy(reinterpret_cast<char*>(words_.data()) + (offset - kConfig), from, bytes);
  return true;
}

bool Windows::read_config(std::uint64_t offset, void* to, std::uint32_t bytes) const {
  if (bytes > kConfig + sizeof(words_) - offset) return false;
  std::memcpy(to, reinterpret_cast<const char*>(words_.data()) + (offset - kConfig), bytes);
  return true;
}

constexpr std::uint64_t kFirstBar = std::uint64_t{1} << 32;
constexpr std::uint64_t kBarStride = std::uint64_t{1} << 32;

class EmbeddedSimulator final : public Simulator {
 public:
  explicit EmbeddedSimulator(const std::vector<ChipOptions>& chips) {
    for (const ChipOptions& options : chips) cards_.push_back(std::make_unique<Card>(options));
  }

  std::uint32_t config_read(std::uint32_t bus_device, std::uint32_t offset) override {
    const std::size_t number = bus_device >> 3;
    if (number >= cards_.size()) return ~0u;
    switch (offset) {
      case 0:
        return facts_of(cards_[number]->chip.arch()).pci_id;
      case 0x10:
        return static_cast<std::uint32_t>(kFirstBar + number * kBarStride) | 0xC;  // 64 bits, prefetchable
      case 0x14:
        return static_cast<std::uint32_t>((kFirstBar + number * kBarStride) >> 32);
      default:
        return 0;
    }
  }

  void memory_read(std::uint64_t address, void* to, std::uint32_t bytes) override {
    std::memset(to, 0, bytes);
    Card* card = card_at(address);
    if (card == nullptr) return;
    const std::uint64_t offset = (address - kFirstBar) % kBarStride;
    if (card->windows.is_config(offset)) {
      if (!card->windows.read_config(offset, to, bytes)) refuse("read", offset, bytes);
      return;
    }
    const std::optional<Windows::Target> target = card->windows.target(offset);
    if (!target || bytes > target->left_bytes) return refuse("read", offset, bytes);
    if (!card->chip.read(target->coordinate, target->address, to, bytes)) std::memset(to, 0, bytes);
  }

  void memory_write(std::uint64_t address, const void* from, std::uint32_t bytes) override {
    Card* card = card_at(address);
    if (card == nullptr) return;
    const std::uint64_t offset = (address - kFirstBar) % kBarStride;
    if (card->windows.is_config(offset)) {
      if (!card->windows.write_config(offset, from, bytes)) refuse("write", offset, bytes);
      return;
    }
    const std::optional<Windows::Target> target = card->windows.target(offset);
    if (!target || bytes > target->left_bytes) return refuse("write", offset, bytes);
    // Some of the time passes before the bytes arrive, the rest until the host knows: it cannot tell which.
    const std::uint32_t whole = card->jitter_ns == 0 ? 0 : next_random() % (card->jitter_ns + 1);
    const std::uint32_t before = whole == 0 ? 0 : next_random() % (whole + 1);
    if (before != 0) clock(before);
    card->chip.write(target->coordinate, target->address, from, bytes);
    if (whole != before) clock(whole - before);
  }

  void clock(std::uint32_t ticks) override {
    if (!error().empty()) return;
    nanoseconds_ += ticks;
    for (const auto& card : cards_) card->chip.run_to(nanoseconds_);
  }

  std::uint64_t nanoseconds() const override { return nanoseconds_; }

  std::string error() override {
    if (!error_.empty()) return error_;
    for (std::size_t i = 0; i < cards_.size(); ++i) {
      if (!cards_[i]->chip.fault().empty())
        return error_ = fmt::format("chip {}: {}", i, cards_[i]->chip.fault());
    }
    return {};
  }

 private:
  struct Card {
    explicit Card(const ChipOptions& options)
        : chip(options.arch, options.clock, options.latency),
          windows(options.arch),
          jitter_ns(options.host_jitter_ns) {}
    Chip chip;
    Windows windows;
    std::uint32_t jitter_ns;
  };

  Card* card_at(std::uint64_t address) {
    const std::uint64_t number = address >= kFirstBar ? (address - kFirstBar) / kBarStride : cards_.size();
    if (number < cards_.size()) return cards_[number].get();
    refuse("access", address, 0);
    return nullptr;
  }

  /// The same series in every run (xorshift).
  std::uint32_t next_random() {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 17;
    random_ ^= random_ << 5;
    return random_;
  }

  void refuse(const char* what, std::uint64_t offset, std::uint32_t bytes) {
    if (error_.empty())
      error_ = fmt::format("{} of {} bytes at {:#x}, where no window is", what, bytes, offset);
  }

  std::vector<std::unique_ptr<Card>> cards_;
  std::uint64_t nanoseconds_ = 0;
  std::uint32_t random_ = 2463534242;
  std::string error_;
};

}  // namespace

std::unique_ptr<Simulator> embedded_simulator(const std::vector<ChipOptions>& chips) {
  return std::make_unique<EmbeddedSimulator>(chips);
}

}  // namespace ttscope::chip
