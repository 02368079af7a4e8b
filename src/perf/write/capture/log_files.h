#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "perf/model/read_out.h"

namespace ttscope::perf {

/// Writes profile_log_device.csv and zone_src_locations.log into a folder, which is made if need be; nothing
/// that lies there is replaced. `zones`: of the kernels, without those that stand for whole replays. The
/// paths.
Result<std::vector<std::string>> write_log_files(const ReadOut& read,
                                                 const std::map<std::uint16_t, RawZone>& zones,
                                                 const std::string& folder);

}  // namespace ttscope::perf
