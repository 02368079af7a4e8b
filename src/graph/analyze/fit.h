#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/result.h"
#include "fit/allocator.h"
#include "fit/device.h"
#include "fit/report.h"
#include "graph/analyze/profile.h"

namespace ttscope::graph {

/// Places the recorded allocations and frees of captures by the allocator model on the devices asked for, or
/// on the one they were recorded on: whether they fit, with how much room, and what finds none first. The
/// profile must have been loaded with Depth::kEverything. Fails where something is asked that a capture
/// cannot tell (graph/analyze/fit/script_changes.h says which changes it can), and where it allocates
/// nothing.
Result<fit::Report> fit_profile(const Profile& profile, const fit::FitQuery& question);

/// One request of a run, with what decides its share of a bank on any device.
struct ScriptRequest {
  std::uint32_t buffer = kNone;  ///< in LiveSet::buffers; kNone: the circular buffers of a program
  Moment at;                     ///< unknown: it is older than the first capture
  fit::Demand demand;            ///< bytes_per_bank as recorded
  std::int64_t size_bytes = 0;
  std::int64_t page_bytes = 0;  ///< 0: not known, the recorded share stands
  std::int64_t cores = 0;       ///< sharded over so many; 0: interleaved
};

/// The recorded allocations and frees of captures that follow each other, in their order: what an allocator
/// of another device can be asked.
struct AllocationScript {
  std::vector<ScriptRequest> requests;
  std::optional<std::int64_t> dram_banks;  ///< of the device that was recorded, as far as it is known
  std::optional<std::int64_t> l1_banks;
  bool has_circular_buffers = false;
  bool has_binaries = false;
  bool has_small_l1 = false;
  bool has_unknown_older = false;  ///< buffers older than the captures whose share of a bank is not known
};

AllocationScript allocation_script(const Profile& profile);

/// The requests as a device would be asked them. A request that is sharded over more cores than the device
/// has keeps its recorded share.
std::vector<fit::Demand> demands_on(const AllocationScript& script, const fit::Device& device);

}  // namespace ttscope::graph
