#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "timeline/model/timeline.h"

namespace ttscope::timeline {

/// Reads the bytes of a .tracy file of the versions 0.10 to 0.14: zones and messages of threads, zones of
/// devices, frames, plots, and what was allocated, as curves. A file that is cut or damaged is read as far as
/// it goes, which a warning says; an error where it is none, or of another version. `name` is what messages
/// call it.
Result<Timeline> read_tracy(std::string_view file, const std::string& name);

/// `Device: 0, Logical (0,1) Physical (1,2)`, as tt-metal calls the context of a core; until 2025 `Device: 0,
/// Core (1,2)`.
struct CoreName {
  std::uint32_t device = kNone;
  std::uint16_t x = 0;
  std::uint16_t y = 0;
};

std::optional<CoreName> core_of_context(std::string_view name);

/// `Device: 0, ops` and `Device: 0, gaps`, as this program calls the contexts of a device as a whole.
struct WholeDevice {
  std::uint32_t device = kNone;
  TrackKind kind = TrackKind::kOps;
};

std::optional<WholeDevice> device_of_context(std::string_view name);

/// tt-metal numbers the processors of a core in the lowest bits of a lane.
std::string lane_name(std::uint64_t lane, bool of_core);
/// Ops that overlap have several tracks.
std::string track_name(const WholeDevice& whole, std::uint64_t number);

}  // namespace ttscope::timeline
