#pragma once

#include "fit/report.h"
#include "mem/analyse/fit/lives.h"

namespace ttscope::mem {

/// The unchanged run of a rank, placed by the allocator model on its own device.
struct OwnReplay {
  fit::Device device;  ///< with exact sizes where they can be told
  bool device_is_assumed = false;
  bool device_by_message = false;  ///< a message tells the banks of DRAM, and nothing else its device
  RankLives lives;                 ///< with what the states show beyond the op lines
  fit::Agreement agreement;
  std::vector<fit::ScheduleEvent> events;  ///< births and deaths of the lives
};

OwnReplay replay_rank(const RuntimeTrace& trace, std::uint32_t rank, const RankProfile& profile);

}  // namespace ttscope::mem
