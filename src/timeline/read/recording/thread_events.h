#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "timeline/model/timeline.h"
#include "timeline/read/recording/recording_file.h"

namespace ttscope::timeline {

/// A frame mark, a value or a change of memory, which the threads of a process make together.
struct SharedEvent {
  std::int64_t time_ns = 0;
  record::EventKind kind = record::EventKind::kNone;
  std::uint32_t name = 0;  ///< number of a place
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};

/// What the threads of one process tell each other while they are read.
struct ProcessEvents {
  ProcessEvents(const RecordedProcess& from, Timeline& to) : process(from), timeline(to) {}

  const RecordedProcess& process;
  Timeline& timeline;
  bool is_child = false;       ///< another process of the run began it
  std::int64_t offset_ns = 0;  ///< of the beginning of the recording on the axis
  std::uint32_t group = 0;
  std::string part;                                         ///< that is being read, in words
  std::unordered_map<std::uint32_t, std::uint32_t> places;  ///< locations by number
  std::map<std::tuple<TextId, TextId, std::uint32_t>, std::uint32_t> details;
  std::unordered_map<std::uint32_t, PlotUnit> units;
  std::vector<SharedEvent> shared;
  std::int64_t last_ns = 0;
  std::uint64_t bad_events = 0;

  /// The location of a place, which may be told later, by another thread.
  std::uint32_t location_of(std::uint32_t number);
  std::uint32_t detail_of(const ZoneDetail& detail);
};

/// Adds a thread's track, zones and messages; what belongs to the process goes to `events.shared`.
void add_thread(const RecordedThread& thread, ProcessEvents& events);

}  // namespace ttscope::timeline
