#pragma once

#include <cstddef>
#include <cstdint>

// The file of one process (docs/formats/recording.md): a head of one page, then chunks that begin at pages. A
// chunk is of one thread, whose chunks are numbered. A thread writes into a chunk that it has mapped, its
// slot; when that is full, its content is written behind all others and the slot takes the next number.
// Events are words of 64 bits. An event counts from the moment on at which its first word is not zero: that
// word is stored last, and the one behind the event is zero before.

namespace ttscope::record {

inline constexpr char kFileMagic[8] = {'T', 'T', 'S', 'R', 'E', 'C', '\n', '\x01'};
inline constexpr std::uint64_t kChunkMagic = 0x314B4E4843525454;  // "TTRCHNK1"
inline constexpr std::uint32_t kFileVersion = 1;
inline constexpr std::size_t kHeadBytes = 4096;
inline constexpr std::size_t kPageBytes = 4096;
inline constexpr std::size_t kSlotBytes = std::size_t{1} << 16;
inline constexpr const char* kFileEnding = ".ttrec";

/// What the first word of an event is about, in its highest 8 bits. Below them stand 24 bits, the field, and
/// 32 bits, the rest. A time is the difference to that of the event before, in ticks.
enum class EventKind : std::uint8_t {
  kNone = 0,       ///< nothing more was written
  kZoneBegin = 1,  ///< field: place; rest: time
  kZoneEnd = 2,    ///< rest: time
  kSync =
      3,  ///< lower 56 bits: ticks since the recording began; a word: nanoseconds of the monotonic clock then
  kTextPart = 4,     ///< field: bytes; text that stands before that of the next event with one
  kZoneText = 5,     ///< field: bytes; rest: the zone, by its depth from 1; text
  kZoneName = 6,     ///< the same
  kZoneColor = 7,    ///< field: color; rest: zone
  kZoneValue = 8,    ///< rest: zone; a word: value
  kMessage = 9,      ///< field: bytes; rest: time; a word: color; text
  kFrame = 10,       ///< field: name; rest: time
  kFrameBegin = 11,  ///< the same
  kFrameEnd = 12,    ///< the same
  kPlot = 13,        ///< field: name; rest: time; a word: a double
  kPlotUnit = 14,    ///< field: name; rest: 0 number, 1 bytes, 2 percent
  kAlloc = 15,       ///< field: name of the pool; rest: time; words: address, bytes
  kFree = 16,        ///< field: name of the pool; rest: time; a word: address
  kPlace = 17,  ///< field: bytes; rest: number; words: line and color (high half), bytes of the name and of
                ///< the function; texts
  kThreadName = 18,  ///< field: bytes; text
};

inline constexpr std::uint8_t kLastEventKind = 18;

inline constexpr unsigned kKindShift = 56;
inline constexpr unsigned kFieldShift = 32;
inline constexpr std::uint64_t kFieldMask = 0xFFFFFF;
inline constexpr std::uint64_t kRestMask = 0xFFFFFFFF;
inline constexpr std::uint64_t kTicksMask = (std::uint64_t{1} << kKindShift) - 1;

/// A text longer than this is written in parts.
inline constexpr std::size_t kPartBytes = std::size_t{1} << 14;
inline constexpr std::size_t kMaxTextBytes = std::size_t{1} << 20;
/// Of a name, a function or a file.
inline constexpr std::size_t kMaxNameBytes = std::size_t{1} << 12;
/// The place of zones when there are too many to number.
inline constexpr std::uint32_t kFurtherPlaces = 1;

/// A short zone with nothing inside is one word: the highest bit, its place, the time of its beginning, its
/// length. The words of all other events have a highest bit of 0.
inline constexpr std::uint64_t kShortZone = std::uint64_t{1} << 63;
inline constexpr unsigned kShortTicksBits = 22;
inline constexpr std::uint64_t kShortTicksMask = (std::uint64_t{1} << kShortTicksBits) - 1;
inline constexpr unsigned kShortPlaceShift = 2 * kShortTicksBits;
inline constexpr std::uint64_t kShortPlaceMask = (std::uint64_t{1} << (63 - kShortPlaceShift)) - 1;

constexpr std::uint64_t event_word(EventKind kind, std::uint64_t field, std::uint64_t rest) {
  return static_cast<std::uint64_t>(kind) << kKindShift | (field & kFieldMask) << kFieldShift |
         (rest & kRestMask);
}

enum class ClockKind : std::uint32_t {
  kSystem = 0,   ///< CLOCK_MONOTONIC
  kCounter = 1,  ///< the counter of the CPU
};

/// How far writing came, for readers: how the recording ended.
enum class EndKind : std::uint32_t {
  kOpen = 0,  ///< still written, or killed
  kEnded = 1,
};

/// Counters of several threads that do not get into each other's way.
inline constexpr std::size_t kCounterCount = 16;

struct alignas(64) DropCounter {
  std::uint64_t count;
};

struct FileHead {
  char magic[8];  ///< stored last
  std::uint32_t version;
  std::uint32_t head_bytes;
  std::uint64_t slot_bytes;
  std::uint64_t process;
  std::uint64_t parent;
  ClockKind clock;
  EndKind end;
  std::uint64_t first_ticks;   ///< when the recording began, on the counter
  std::int64_t first_mono_ns;  ///< and on CLOCK_MONOTONIC
  std::int64_t first_real_ns;  ///< and since 1970
  double ticks_per_s;          ///< measured at the beginning
  std::uint64_t last_ticks;    ///< since the beginning; when recording ended; 0: it did not
  std::int64_t last_mono_ns;
  std::uint64_t most_bytes;    ///< that the file may take
  std::uint64_t is_disk_full;  ///< the file could not grow though it had not reached them
  char boot[40];               ///< of the kernel: the same where the monotonic clocks of two files are
  char host[72];
  char program[1024];
  alignas(64) DropCounter dropped[kCounterCount];  ///< marks that found no room; their sum counts
  std::uint64_t used_bytes;                        ///< of the file; 0: an older recorder, which did not say
};

static_assert(offsetof(FileHead, dropped) == 1280 && sizeof(FileHead) <= kHeadBytes);

struct ChunkHead {
  std::uint64_t magic;
  std::uint32_t bytes;     ///< with this head; chunks that are not full have zeros at the end
  std::uint32_t thread;    ///< a number that the process gives
  std::uint32_t sequence;  ///< of the chunk in its thread, from 0
  std::uint32_t unused;
  std::uint64_t thread_id;  ///< of the system
};

static_assert(sizeof(ChunkHead) == 32);

}  // namespace ttscope::record
