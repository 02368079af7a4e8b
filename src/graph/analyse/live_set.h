#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/none.h"
#include "graph/analyse/segment_profile.h"

namespace ttscope::graph {

/// A place in a list of captures that follow each other.
struct Moment {
  std::uint32_t segment = kNone;
  std::uint32_t node = kNone;
  bool is_known() const { return segment != kNone; }
  bool operator==(const Moment&) const = default;
};

/// A capture of the list.
struct SegmentView {
  std::string_view name;
  const GraphTrace* trace = nullptr;
  const SegmentProfile* profile = nullptr;
};

/// One buffer over all captures of a list.
struct JoinedBuffer {
  std::uint32_t segment = 0;  ///< where it is seen first,
  std::uint32_t buffer = 0;   ///< its number there: SegmentProfile::buffers
  Moment allocated;           ///< unknown: it is older than the first capture
  Moment freed;               ///< unknown: it outlives the last one
  std::uint32_t part = 0;     ///< in LiveSet::parts
  std::string kind;           ///< as recorded; `binary` also where it can only be one; empty: not known
  std::string owner;          ///< as recorded: `layers.0.mlp.w1/weight`; empty: not known
  bool in_dram = false;
  std::int64_t bytes = 0;       ///< what it counts in its memory: whole (DRAM), of a bank (L1)
  std::int64_t size_bytes = 0;  ///< whole
};

struct PartBytes {
  std::uint32_t part = 0;
  std::int64_t bytes = 0;
  std::uint64_t buffers = 0;
};

/// What makes the highest sum of a memory over all captures, or of one of them with what earlier ones left.
struct JoinedPeak {
  std::int64_t bytes = 0;
  Moment at;                           ///< unknown: the sum never rose above the start
  std::uint32_t call = kNone;          ///< innermost function around it, of that segment
  std::int64_t older_freed_bytes = 0;  ///< of buffers whose allocation no capture has; live - this = the peak
  std::int64_t programs_bytes = 0;     ///< L1 only
  std::vector<PartBytes> parts;        ///< of what is live, largest first
};

/// How the parts of peaks are told apart.
enum class PartsBy : std::uint8_t {
  kKind,     ///< weight, gradient, ...: the captures say it
  kSegment,  ///< the capture that allocated it
};

/// What is live across captures that follow each other: the segments of a tracker, the operations of a
/// database. A free is tied to its allocation by the buffer's id, its tensor, its address, and at last by its
/// size alone.
struct LiveSet {
  std::vector<JoinedBuffer> buffers;               ///< in the order in which they are seen
  std::vector<std::vector<std::uint32_t>> joined;  ///< for each segment: in `buffers`, of each of its buffers
  PartsBy parts_by = PartsBy::kKind;
  std::vector<std::string> parts;  ///< names
  JoinedPeak dram;
  JoinedPeak l1;
  std::vector<std::uint32_t> live_at_dram_peak;  ///< in `buffers`, largest first
  std::vector<std::uint32_t> live_at_l1_peak;
  std::vector<JoinedPeak> segment_dram;  ///< of each segment, with what earlier ones left
  std::vector<JoinedPeak> segment_l1;
  std::uint64_t tied_by_size = 0;  ///< frees whose buffer may be another one of the same size
};

LiveSet join_segments(const std::vector<SegmentView>& segments);

/// Buffers of a memory that are live at a moment, largest first; of those allocated in any capture.
std::vector<std::uint32_t> live_at(const LiveSet& set, bool in_dram, const Moment& moment);

/// `layers.*.mlp.w1/weight`: an owner without the numbers that tell equal layers apart.
std::string owner_group(std::string_view owner);

/// Buffers that are alike: the same kind, and owners that differ in a number only.
struct OwnerGroup {
  std::string kind;
  std::string owner;  ///< see owner_group; shape and type where no owner is known
  std::uint64_t buffers = 0;
  std::int64_t bytes = 0;
};
std::vector<OwnerGroup> owner_groups(const LiveSet& set, const std::vector<SegmentView>& segments,
                                     const std::vector<std::uint32_t>& live);

}  // namespace ttscope::graph
