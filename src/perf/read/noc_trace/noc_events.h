#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "perf/model/device_profile.h"

namespace ttscope::perf {

/// A line of a NoC trace: a transfer, or the start of a zone that tells where its clock stands.
struct NocEvent {
  std::uint64_t cycle = 0;
  std::uint64_t bytes = 0;
  std::uint64_t op = 0;
  std::uint16_t x = 0;  ///< of the core that began it
  std::uint16_t y = 0;
  std::string_view risc;
  std::string_view type;  ///< `READ`; empty: the start of a zone
  std::string_view noc;   ///< `NOC_0`
  std::string_view zone;  ///< name of the zone that starts
  std::string to;         ///< `3,4`, `1,1 to 8,8`; empty: not said
};

/// Gives the events of a NoC trace file in their order; their texts
/// live as long as the call of `take`. False if the text is no list of events.
bool read_noc_events(std::string_view text, const std::function<void(const NocEvent&)>& take);

/// The execution that the name of a NoC trace tells: `noc_trace_dev0_Matmul_ID1024_traceID30064771073.json`.
ExecutionKey key_of_noc_file(std::string_view file_name);

}  // namespace ttscope::perf
