#pragma once

#include <string>

#include "support/perf_lines.h"
#include "support/temp_folder.h"

namespace ttscope::testing {

/// Puts the logs of a run into a folder: two ops on one device, a signpost behind them.
inline void write_traced_logs(const TempFolder& place, const std::string& folder) {
  std::filesystem::create_directories(place.path(folder));
  place.file(folder + "/profile_log_device.csv", kLogHead +
                                                     risc_lines("0,1,1", "BRISC", "1024,,", 1000, 2000) +
                                                     risc_lines("0,1,1", "BRISC", "2048,,", 5000, 6000));
  place.file(folder + "/tracy_ops_data.csv", kMessagesHead + op_message(1024, "Matmul", 0, 0, 100) +
                                                 op_message(2048, "Softmax", 0, 0, 200) +
                                                 "`TT_SIGNPOST: done`;350\n");
  place.file(folder + "/tracy_ops_times.csv", kTimesHead + op_zone(1024, 90, 100) + op_zone(2048, 190, 100));
}

}  // namespace ttscope::testing
