#pragma once

#include <cstdint>
#include <vector>

#include "perf/analyse/device_stats/op_records.h"

namespace ttscope::perf {

/// What a dispatch core did for one op.
struct DispatchRecord {
  std::uint32_t core = 0;
  std::uint64_t op_id = 0;
  OpRecord record;
};

/// The dispatch cores of a device.
struct DeviceDispatch {
  std::vector<DispatchRecord> records;  ///< core by core, in order of time
  /// First and last marker of each zone go by the command that was carried out in it.
  ZoneNames names;

  /// The records in order of time over all cores, as indices.
  std::vector<std::size_t> in_order() const;
};

/// Puts the markers of each dispatch core together: those of BRISC up to the go signal, and the part of
/// NCRISC with the same number in order of time. An op that is replayed counts once, by its first replay.
DeviceDispatch find_dispatch_records(const MarkerSource& source);

}  // namespace ttscope::perf
