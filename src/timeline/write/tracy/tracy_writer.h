#pragma once

#include <cstdint>

#include "base/result.h"
#include "base/writer.h"
#include "timeline/model/timeline.h"

namespace ttscope::timeline {

/// Versions of .tracy that are written; their content is the same. Tracy 0.11 to 0.14 read the first,
/// tt-metal's fork of 0.10 the second.
enum class TracyVersion { kMinor11, kMinor10 };

/// What of a timeline did not go into a file.
struct TracyLosses {
  bool ops = false;           ///< which op a zone belongs to: more of them than a file can name
  std::uint64_t links = 0;    ///< arrows, which Tracy does not have
  std::int64_t shift_ns = 0;  ///< what was added to all times, because the file's are of 47 bits
};

/// Writes a capture of the Tracy profiler. Zones of device lanes are those of a GPU context for each core, as
/// tt-metal names them. An error where the file cannot hold the timeline; nothing is written then.
Result<TracyLosses> write_tracy(const Timeline& timeline, TracyVersion version, Writer& out);

}  // namespace ttscope::timeline
