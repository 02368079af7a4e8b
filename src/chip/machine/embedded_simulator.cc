// embedded_simulator() of chip/simulator.h: both simulators stand behind one interface.
#include <fmt/format.h>

#include <cstring>

#include "chip/machine/windows.h"
#include "chip/simulator.h"

namespace ttscope::chip {

namespace {

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
