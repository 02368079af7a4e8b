#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "mem/model/device.h"
#include "mem/model/runtime_log.h"
#include "mem/read/mlir_text.h"

namespace ttscope::mem {

/// What a line means to a memory profile; all others are passed over.
enum class LineKind : std::uint8_t {
  kOp,
  kProgramStart,
  kProgramEnd,
  kBlock,
  kRetained,
  kCacheHit,
  kCacheMiss,
  kCacheHash,
  kModuleHeader,
  kModuleEnd,
  kOutputMarker,
  kFailure,
  kCrash,
  kFrame,
  kBadView
};

/// One line of interest. Views point into the chunk.
struct LineRecord {
  LineKind kind = LineKind::kOp;
  Stage stage = Stage::kTtnn;    ///< kModuleHeader
  std::uint16_t tag = 0;         ///< in ChunkScan::tags
  std::uint32_t line = 0;        ///< from 0 within the chunk
  std::uint32_t block = 0;       ///< kBlock: in ChunkScan::blocks
  bool over_limit = false;       ///< the text was cut because the line is too long
  std::string_view text;         ///< kOp: op text without location; else the payload of the line
  std::string_view loc;          ///< kOp: inside `loc( )`
  std::uint64_t text_hash = 0;   ///< kOp
  std::uint64_t loc_hash = 0;    ///< kOp
  std::uint32_t parts = kNone;   ///< kOp: in ChunkScan::op_parts, when the text was taken apart here
  std::uint32_t number = kNone;  ///< kOp: of the text among those of ChunkScan::thread
  bool has_loc = false;
  bool from_logger = false;   ///< kFailure: the device's logger printed it
  bool is_continued = false;  ///< kCrash: the chunk ends before its reason; the text is all of its rest
};

/// One memory block, or the part of it that lies in the chunk.
struct ScannedBlock {
  bool has_header = false;
  MemoryBlock::Moment moment = MemoryBlock::Moment::kBeforeOp;
  std::string_view op_type;  ///< `MatmulOp`
  std::uint32_t line = 0;    ///< from 0 within the chunk
  std::uint8_t present = 0;
  std::array<std::uint32_t, kMemoryCount> banks{};
  std::array<MilliMib, kMemoryCount> total{};
  std::array<MilliMib, kMemoryCount> allocated{};
  std::array<MilliMib, kMemoryCount> free{};
  std::array<MilliMib, kMemoryCount> largest_free{};
  std::array<std::uint32_t, kMemoryCount> view_line{};
};

/// The lines of interest of one chunk. Chunks are scanned in any order by several threads.
struct ChunkScan {
  std::vector<LineRecord> records;
  std::vector<ScannedBlock> blocks;
  std::vector<std::string_view> tags;  ///< [0] is the empty tag
  OpPartsTable op_parts;
  std::uint32_t lines = 0;
  std::uint32_t thread = 0;  ///< that scanned it
  bool has_other = false;    ///< a line is one of ScanContext::is_other
};

/// Remembers the op texts that one thread met lately, in fixed room, so that a text that comes again from run
/// to run is taken apart and looked up once. Each text gets a number of its own: those of one thread appear
/// for the first time in the order of its chunks.
class RecentTexts {
 public:
  static constexpr std::size_t kPairs = 8192;

  /// `pairs`: how many pairs of texts there is room for, a power of two.
  explicit RecentTexts(std::uint32_t thread = 0, std::size_t pairs = kPairs)
      : entries_(2 * pairs), thread_(thread) {}
  std::uint32_t thread() const { return thread_; }

  struct Lookup {
    std::uint32_t number = kNone;  ///< kNone for texts whose bytes do not stay
    bool before = false;
  };
  /// `stable`: the bytes stay as long as this object, so that equality can be checked later.
  Lookup look_up(std::string_view text, std::uint64_t hash, bool stable);

 private:
  struct Entry {
    std::uint64_t hash = 0;
    std::string_view text;
    std::uint32_t number = kNone;
  };

  std::vector<Entry> entries_;
  std::uint32_t thread_;
  std::uint32_t next_number_ = 0;
};

/// Tells lines of another kind of log.
using IsOtherLine = bool (*)(std::string_view line);

/// Where a chunk is scanned.
struct ScanContext {
  RecentTexts* recent = nullptr;   ///< op texts that it does not know are taken apart; null: none
  bool stable = false;             ///< the chunk's bytes stay until the reading ends
  IsOtherLine is_other = nullptr;  ///< asked of lines that mean nothing here; null: nothing is
};

ChunkScan scan_chunk(std::string_view bytes, const ScanContext& context = {});

/// The numbers of one view line.
struct MemoryView {
  std::uint32_t banks = 0;
  MilliMib total = 0;
  MilliMib allocated = 0;
  MilliMib free = 0;
  MilliMib largest_free = 0;
};

/// Reads the text behind `memory state: `:
///   MemoryView{numBanks: 12, totalBytesPerBank: 1024.000 MB, totalBytesAllocatedPerBank: 0.008 MB,
///     totalBytesFreePerBank: 1023.992 MB, largestContiguousBytesFreePerBank: 1023.992 MB}
/// False when a field is missing, is no number, or does not fit.
bool parse_memory_view(std::string_view text, MemoryView& view);

}  // namespace ttscope::mem
