#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "timeline/read/recording_format.h"

namespace ttscope::record {

/// Where zones stand, or, with a name alone, what frames, curves and pools are called.
struct LocationText {
  std::string_view name;
  std::string_view function{};
  std::string_view file{};
  std::uint32_t line = 0;
  std::uint32_t color = 0;
};

/// A place that has a number in this process. It is kept for good.
struct RegisteredLocation {
  LocationText text;  ///< of its own
  std::uint64_t hash = 0;
  std::uint32_t number = 0;
  std::atomic<std::uint32_t> written_in{0};  ///< the recording whose file holds it
  RegisteredLocation* next = nullptr;
};

/// The place of this text, a new one where there is none: without locks. The one of kFurtherPlaces where
/// there are too many.
RegisteredLocation& known_place(const LocationText& text);

class Recording;

/// Where a thread writes. All zero before its first mark and after it was detached, so that the checks which
/// each mark makes anyway (is there room, is it of this recording) find what has to be done first.
struct ThreadBuffer {
  std::uint64_t* next = nullptr;  ///< where the next event goes
  std::uint64_t* limit =
      nullptr;  ///< behind it is room for the ends of open zones alone; `next` once something was dropped
  std::uint64_t* begin = nullptr;  ///< the last beginning of a zone
  std::uint64_t last_ticks = 0;    ///< of the last event
  std::uint32_t generation = 0;    ///< of the recording that it writes into
  std::uint32_t depth = 0;         ///< recorded zones that are open
  std::uint32_t skipped = 0;       ///< zones inside of them that found no room
  std::uint32_t thread = 0;        ///< number in the recording
  bool has_given_name = false;
  bool is_closed = false;  ///< something was dropped
  ChunkHead* slot = nullptr;
  Recording* recording = nullptr;
};

// The library is always loaded with the program or early: a place in the first block of thread memory saves a
// call for each mark; constinit here saves the question whether it was made already.
extern constinit thread_local ThreadBuffer this_thread __attribute__((tls_model("initial-exec")));

/// The first word of an event makes it count: all others are there before, and the one behind it, which ends
/// what is read, is zero.
inline void publish(ThreadBuffer& buffer, std::uint64_t word, std::size_t words = 1) {
  buffer.next[words] = 0;
  std::atomic_ref(*buffer.next).store(word, std::memory_order_release);
  buffer.next += words;
}

/// Attaches the thread where needed. False: nothing is recorded.
bool is_ready(ThreadBuffer& buffer);
/// Gives back what the thread has: it ends, or records elsewhere.
void detach(ThreadBuffer& buffer);

/// Sees to room for so many words at `next`, spilling the slot if need be. After the first time that there is
/// none, none is found any more: what a thread recorded has no gaps.
bool has_room(ThreadBuffer& buffer, std::size_t words);
/// Room for the end of an open zone, which was kept free.
bool has_room_for_end(const ThreadBuffer& buffer);

/// What an event needs beside its own words, for its time.
inline constexpr std::size_t kTimeWords = 2;

/// Time of the event that follows, as the difference to the last one; writes a kSync before it where that is
/// too long.
std::uint64_t take_time(ThreadBuffer& buffer);
void count_dropped(ThreadBuffer& buffer);

/// An event as a whole: its first word, further words, a text.
struct Event {
  EventKind kind = EventKind::kNone;
  std::uint64_t field = 0;  ///< of events with text: its size takes the place
  std::uint64_t rest = 0;
  bool has_time = false;  ///< in the place of `rest`
  const std::uint64_t* words = nullptr;
  std::size_t word_count = 0;
  bool has_text = false;
  std::string_view text{};
};

/// Counts it where there is no room.
void write_event(ThreadBuffer& buffer, const Event& event);

/// The number of a place, whose text stands in the file then; 0 where there is no room for it.
std::uint32_t number_of(ThreadBuffer& buffer, RegisteredLocation& place);

}  // namespace ttscope::record
