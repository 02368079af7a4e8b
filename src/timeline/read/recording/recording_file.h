#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "record/file_format.h"

namespace ttscope::timeline {

/// The events of a thread, in order: words as the file has them, up to the first that was not written.
struct RecordedThread {
  std::uint32_t number = 0;     ///< in the process
  std::uint64_t thread_id = 0;  ///< of the system
  std::vector<std::vector<std::uint64_t>> chunks;
};

/// What a recording says before its events are looked at.
struct RecordedProcess {
  std::uint64_t process = 0;
  std::uint64_t parent = 0;
  std::int64_t first_mono_ns = 0;
  std::int64_t first_real_ns = 0;
  double ns_per_tick = 1;
  bool is_ended = false;  ///< else it is still written, or the program was killed
  bool is_disk_full = false;
  std::uint64_t dropped = 0;
  std::uint64_t most_bytes = 0;
  std::string boot;
  std::string host;
  std::string program;
  std::vector<RecordedThread> threads;  ///< in the order of their numbers
  std::uint64_t bad_chunks = 0;         ///< that cannot be of this recorder
  std::uint64_t cut_threads = 0;        ///< with a gap, behind which nothing is taken
  std::uint64_t file_bytes = 0;         ///< that the file has
  std::uint64_t used_bytes = 0;         ///< and had when it was written; 0: not known

  /// The end is missing, or was written after the file was opened.
  bool is_short() const { return file_bytes < used_bytes; }

  /// Nanoseconds since the recording began.
  std::int64_t since_start_ns(std::uint64_t ticks) const;
};

/// Takes a file apart. It may be cut anywhere and may be written to meanwhile. An error where it is none.
Result<RecordedProcess> take_apart(std::string_view bytes, const std::string& name);

/// One event of a chunk.
struct RecordedEvent {
  record::EventKind kind = record::EventKind::kNone;
  bool is_short_zone = false;
  std::uint64_t word = 0;
  std::uint64_t field = 0;
  std::uint64_t rest = 0;
  const std::uint64_t* words = nullptr;  ///< behind the first
  std::string_view text{};
};

/// Takes the event at a place of a chunk and moves on. False at the end, and at what cannot be an event,
/// which `is_bad` tells then.
bool next_event(const std::vector<std::uint64_t>& chunk, std::size_t& at, RecordedEvent& event, bool& is_bad);

}  // namespace ttscope::timeline
