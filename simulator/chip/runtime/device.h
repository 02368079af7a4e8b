#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_reader.h"
#include "base/result.h"
#include "chip/build/compiler.h"
#include "chip/driver/card.h"

namespace ttscope::chip {

/// How much DRAM the profiler has for each RISC.
struct ProfilerRegion {
  std::uint32_t bytes = 0;
  std::uint32_t programs = 0;  ///< for which it was made
  std::string warning;         ///< the number asked for was too small and is raised
};

/// By the number of programs that shall be kept between two reads (TT_METAL_PROFILER_PROGRAM_SUPPORT_COUNT).
ProfilerRegion profiler_region(std::uint32_t programs, bool sums);

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

/// The profiler's words of a device, to be read later: a JSON file that says what was run and where words
/// lie, and a raw file with them (docs/formats/device_dump.md).
class RawDump {
 public:
  /// `device` must outlive it.
  RawDump(Device& device, std::string_view run, std::string_view title);

  /// Its number on the host, and what its clock is said to run at.
  void device(std::uint32_t number, double clock_mhz);
  // What happened, in order.
  void program(JsonTree program);
  void event(std::string_view name);
  /// All words of one core, as they are now.
  void snapshot(const BootedCore& core, std::string_view label);
  /// Control words, buffers and DRAM of these cores, instead of snapshots.
  void cores(const std::vector<BootedCore>& cores);

  /// Writes `folder/<run>.json` and `folder/<run>.bin.gz`.
  Result<void> write(const std::string& folder, const std::vector<ZoneName>& zones);

 private:
  JsonTree kept(std::span<const std::uint8_t> bytes);
  JsonTree l1(const BootedCore& core, std::uint32_t address, std::uint32_t bytes);
  JsonTree dram(const BootedCore& core, std::uint32_t risc_count);

  Device* device_;
  std::string run_;
  JsonTree root_ = JsonTree::object();
  JsonTree programs_ = JsonTree::array();
  JsonTree timeline_ = JsonTree::array();
  JsonTree snapshots_ = JsonTree::array();
  std::string raw_;
};

}  // namespace ttscope::chip
