#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "chip/machine/chip.h"

namespace ttscope::chip {

/// Cards on a bus, by the entry points of libttsim: config space, memory of the cards, a clock. Time passes
/// only in clock(). Not thread safe.
class Simulator {
 public:
  virtual ~Simulator() = default;
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;

  /// `bus_device`: the number of the card << 3.
  virtual std::uint32_t config_read(std::uint32_t bus_device, std::uint32_t offset) = 0;
  virtual void memory_read(std::uint64_t address, void* to, std::uint32_t bytes) = 0;
  virtual void memory_write(std::uint64_t address, const void* from, std::uint32_t bytes) = 0;
  virtual void clock(std::uint32_t ticks) = 0;
  /// How far the clock has come.
  virtual std::uint64_t nanoseconds() const = 0;
  /// What went wrong; empty: nothing. From then on the clock stands still.
  virtual std::string error() = 0;
  /// Whether memory can be read, as a rule after an error too. Otherwise reads give zeroes.
  virtual bool has_memory() const { return true; }

 protected:
  Simulator() = default;
};

/// One simulated chip.
struct ChipOptions {
  Arch arch = Arch::kWormhole;
  ClockModel clock;
  Latency latency;
  std::uint32_t host_jitter_ns =
      0;  ///< a write of the host takes up to so long, by a fixed series of numbers
};

/// The embedded simulator. It does what libttsim does for programs of RV32IM, word by word and tick by tick,
/// without Tensix instructions.
std::unique_ptr<Simulator> embedded_simulator(const std::vector<ChipOptions>& chips);

/// Tenstorrent's simulator, loaded by a process of its own, because it ends its process on errors; such an
/// end is an error(), and memory can be read as it was then.
Result<std::unique_ptr<Simulator>> library_simulator(const std::string& library_path);

}  // namespace ttscope::chip
