#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <tt_metal/host_api.hpp>

#include "base/json_tree.h"
#include "chip/driver/card.h"
#include "chip/host/program_state.h"
#include "chip/runtime/device.h"

namespace tt::tt_metal {

/// A program ready to run: what is written before, and the launches.
struct PreparedProgram {
  struct Write {
    ttscope::chip::Place place;
    std::uint32_t address = 0;
    std::vector<std::uint32_t> words;
  };
  std::vector<Write> writes;
  std::vector<ttscope::chip::Launch> launches;
  std::vector<ttscope::chip::Place> places;
  std::vector<std::shared_ptr<const ttscope::chip::Binary>> binaries;  ///< kept as long as the launches
  ttscope::JsonTree description;
};

struct DeviceState {
  DeviceState(int number, const ttscope::chip::Card& opened);

  int id;
  ttscope::chip::Card card;
  ttscope::chip::Device device;
  std::uint64_t next_runtime_id = 1;
  std::vector<ttscope::chip::Place> running;  ///< cores of the program that was started last

  std::map<std::uint64_t, std::uint64_t> dram_blocks;  ///< offset in each bank to bytes in each bank
  std::map<std::uint32_t, std::vector<PreparedProgram>> traces;
  std::optional<std::uint32_t> recording;
  std::uint32_t next_trace = 0;

  // For the profiler's dump.
  std::vector<ttscope::chip::ZoneName> zones;
  std::vector<ttscope::JsonTree> programs;
  std::uint32_t dumps = 0;

  ttscope::chip::Place place_of(const CoreCoord& logical) const;
  PreparedProgram prepare(ProgramState& program);
  void add_zones(const std::vector<ttscope::chip::ZoneName>& more);
  void start(const PreparedProgram& program);
  void finish();
  void read_profiler();
};

}  // namespace tt::tt_metal
