#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "chip/build/compiler.h"
#include "chip/driver/card.h"

namespace ttscope::chip {

/// Code for the RISCs of a core, by Processor; empty: that RISC has no kernel.
using KernelSet = std::array<const Binary*, 5>;

/// A launch on one core.
struct Launch {
  Place core;
  std::uint32_t host_id = 0;
  std::uint32_t enables = 0;  ///< which RISCs run; see LaunchMessage
  KernelSet kernels{};
};

/// What is known of a core that runs our firmware.
struct BootedCore {
  Place place;
  bool ethernet = false;
  std::uint32_t flat_id = 0;
};

/// A card with our firmware: boots cores, launches programs, keeps the profiler's words in order. Not thread
/// safe.
class Device {
 public:
  /// `card` and `compiler` must outlive it. `dram_address` 0: the profiler has no DRAM.
  Device(Card& card, Compiler& compiler, const ProfilerBuild& profiler,
         std::optional<std::uint32_t> dram_address = {});

  Arch arch() const { return card_->arch(); }
  Card& card() { return *card_; }
  const ProfilerBuild& profiler() const { return profiler_; }
  const std::vector<BootedCore>& cores() const { return cores_; }
  /// Zones that the firmware announced, all modes of it.
  const std::vector<ZoneName>& firmware_zones() const { return zones_; }

  /// Loads the firmware of a Tensix core (five RISCs) or an idle ethernet core (one) and waits until it is
  /// ready.
  Result<void> boot(const std::vector<Place>& places);

  /// Writes kernels and messages of all launches, then lets them go. Returns before they have ended.
  void start(const std::vector<Launch>& launches);
  /// Clocks until the cores have ended; `limit` in ticks for each.
  Result<void> wait(const std::vector<Place>& places, std::uint64_t limit = 50'000'000);
  /// Says that a trace begins again.
  Result<void> replay_trace(const std::vector<Place>& places);

  // The profiler's words.
  std::uint32_t control_address(const BootedCore& core) const;
  std::uint32_t dram_address() const { return dram_address_; }
  /// As after a read: everything but the addresses and numbers of the core becomes 0.
  void reset_control(const BootedCore& core);
  /// Where the words of a RISC of the core begin in DRAM.
  struct Region {
    std::uint32_t bank = 0;
    std::uint64_t address = 0;
  };
  Region region(const BootedCore& core, std::uint32_t risc) const;
  /// What the regions of all cores take in a bank.
  std::uint64_t profiler_bytes_per_bank() const;

 private:
  Result<void> load_firmware(const BootedCore& core);
  void load(Place place, const Image& image);

  Card* card_;
  Compiler* compiler_;
  ProfilerBuild profiler_;
  std::uint32_t dram_address_;
  std::vector<BootedCore> cores_;
  std::map<Processor, Binary> firmware_;
  std::vector<ZoneName> zones_;
};

}  // namespace ttscope::chip
