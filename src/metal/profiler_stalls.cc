// Debug dumps have two regions for each processor: one that is full waits until the host has read it and
// gives it the other. Declared in profiler.h.
#include <algorithm>

#include <ttscope_device/profiler_layout.h>

#include "metal/profiler.h"
#include "perf/analyse/raw/judge_markers.h"

namespace ttscope::metal {

namespace {

namespace device = ttscope_device;

/// Which control word holds the address of a processor's region.
std::uint32_t address_word(std::uint32_t risc) {
  return device::kDumpAddress + risc < device::kControlWords
             ? device::kDumpAddress + risc
             : static_cast<std::uint32_t>(device::kDramAddress);
}

}  // namespace

std::uint64_t DeviceProfiler::region_offset(const chip::BootedCore& core, std::uint32_t risc) const {
  const auto found = second_regions_.find({core.flat_id, risc});
  return found != second_regions_.end() && found->second ? device_->profiler_bytes_per_bank() : 0;
}

void DeviceProfiler::serve_stalls() {
  if (!settings_->build.debug_dump) return;
  perf::RawRun run = empty_run();
  for (const chip::BootedCore& core : device_->cores()) {
    const std::uint32_t base = device_->control_address(core);
    std::vector<std::uint32_t> control = device_->card().read_words(core.place, base, device::kControlWords);
    std::vector<std::uint32_t> full;
    for (std::uint32_t risc = 0; risc < (core.ethernet ? 1u : device::kRiscCount); ++risc) {
      if (control[address_word(risc)] == device::kStalled) {
        full.push_back(risc);
      } else {
        control[device::kHostEnd + risc] = 0;  // goes on; it is read when it is full or all has ended
      }
    }
    if (full.empty()) continue;
    run.cores.push_back(read_core(core, control));
    run.cores.back().is_done = true;
    for (const std::uint32_t risc : full) {
      bool& second = second_regions_[{core.flat_id, risc}];
      second = !second;
      const std::uint64_t address = device_->dram_address() + region_offset(core, risc);
      device_->card().write_word(core.place, base + 4 * address_word(risc),
                                 static_cast<std::uint32_t>(address));
    }
  }
  if (run.cores.empty()) return;
  perf::judge_markers(run);
  tell(run);
  perf::take_markers(run, {&traces_, false}, read_);
}

}  // namespace ttscope::metal
