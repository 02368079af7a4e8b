#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "chip/arch.h"
#include "chip/machine/tile.h"

namespace ttscope::chip {

/// Memory of gigabytes of which little is used: pages come into being when they are written.
class SparseMemory {
 public:
  explicit SparseMemory(std::uint64_t size_bytes) : size_bytes_(size_bytes) {}

  std::uint64_t size_bytes() const { return size_bytes_; }
  bool holds(std::uint64_t address, std::uint64_t bytes) const {
    return address <= size_bytes_ && bytes <= size_bytes_ - address;
  }
  void read(std::uint64_t address, void* to, std::uint32_t bytes) const {
    for_pages(address, bytes,
              [&](std::uint64_t page, std::uint32_t offset, std::uint32_t done, std::uint32_t size) {
                const auto found = pages_.find(page);
                char* out = static_cast<char*>(to) + done;
                if (found == pages_.end()) {
                  std::memset(out, 0, size);
                } else {
                  std::memcpy(out, found->second.get() + offset, size);
                }
              });
  }
  void write(std::uint64_t address, const void* from, std::uint32_t bytes) {
    for_pages(address, bytes,
              [&](std::uint64_t page, std::uint32_t offset, std::uint32_t done, std::uint32_t size) {
                std::unique_ptr<char[]>& memory = pages_[page];
                if (!memory) memory = std::make_unique<char[]>(kPageBytes);
                std::memcpy(memory.get() + offset, static_cast<const char*>(from) + done, size);
              });
  }

 private:
  static constexpr std::uint32_t kPageBytes = 1 << 16;

  template <typename Visit>
  static void for_pages(std::uint64_t address, std::uint32_t bytes, Visit visit) {
    for (std::uint32_t done = 0; done < bytes;) {
      const std::uint64_t at = address + done;
      const std::uint32_t offset = static_cast<std::uint32_t>(at % kPageBytes);
      const std::uint32_t size = bytes - done < kPageBytes - offset ? bytes - done : kPageBytes - offset;
      visit(at / kPageBytes, offset, done, size);
      done += size;
    }
  }

  std::uint64_t size_bytes_;
  std::unordered_map<std::uint64_t, std::unique_ptr<char[]>> pages_;
};

/// How the clock of a chip runs against the time of the simulation, which counts nanoseconds. The default is
/// libttsim's: one tick a step.
struct ClockModel {
  double frequency_mhz = 1000;
  std::uint64_t offset_cycles = 0;  ///< what the wall clock shows when the simulation begins
  double drift_ppm_per_second = 0;  ///< by how much the frequency changes
};

/// One chip: its tiles, its DRAM and the networks between them. The same calls give the same words and times,
/// always.
class Chip {
 public:
  Chip(Arch arch, const ClockModel& clock, const Latency& latency);

  Arch arch() const { return arch_; }
  const std::string& fault() const { return fault_; }
  /// Ticks that all cores have reached.
  std::uint64_t now() const { return now_; }
  std::uint64_t wall_clock() const { return now_ + clock_.offset_cycles; }

  /// Lets the simulation's time come to `nanoseconds` since its beginning.
  void run_to(std::uint64_t nanoseconds);

  /// Memory and registers of the tile or DRAM at a coordinate (of NOC0, or translated), as the host sees
  /// them. False: nothing is there, and fault() says so.
  bool read(Place given, std::uint64_t address, void* to, std::uint32_t bytes);
  bool write(Place given, std::uint64_t address, const void* from, std::uint32_t bytes);

  std::uint64_t instructions() const;
  std::uint64_t rewinds() const;

 private:
  struct Endpoint {
    Tile* tile = nullptr;
    SparseMemory* dram = nullptr;
  };
  /// A transfer between L1 of the tile that commands it and another place.
  struct Transfer {
    Endpoint spot;
    Place to;
    std::uint64_t remote = 0;
    std::uint64_t local = 0;
    bool is_write = false;
  };

  Endpoint endpoint_at(Place physical);
  void run_until(std::uint64_t end);
  void run_quantum(std::uint64_t end);
  std::string execute(Tile& from);
  std::string transfer_error(const Tile& from, const Transfer& job) const;
  void write_remote(Tile& from, const Transfer& job);
  void read_remote(Tile& from, const Transfer& job);
  /// The same bytes to all workers of a rectangle.
  std::string write_multicast(Tile& from, std::uint32_t coordinates, std::uint64_t remote,
                              std::uint64_t local);
  std::string increment(Tile& from, const Endpoint& spot, std::uint64_t address, std::uint32_t back);
  /// Brings a tile to the moment at which others see what `from` does at `time`.
  std::uint64_t synchronize_tile(Tile& tile, const Tile& from, std::uint64_t time);
  /// Writes L1 of a tile as the waiting command of `from` does.
  void store(Tile& tile, Tile& from, std::uint32_t address, std::span<const std::uint8_t> data);
  std::uint64_t arrival(const Tile& from, Place to, std::uint32_t bytes, std::uint64_t time) const;

  Arch arch_;
  const ArchFacts* facts_;
  ClockModel clock_;
  Latency latency_;
  std::vector<std::unique_ptr<Tile>> tiles_;
  std::map<Place, Tile*> tile_at_;
  std::map<Place, SparseMemory> dram_at_;
  std::uint64_t now_ = 0;
  std::uint64_t quantum_ = Tile::kMaxQuantum;
  std::uint64_t stamp_ = 0;           ///< number of the quantum
  std::vector<Tile*> rewound_tiles_;  ///< by the command that is being carried out
  std::string fault_;
};

}  // namespace ttscope::chip
