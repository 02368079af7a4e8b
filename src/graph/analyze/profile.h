#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "base/result.h"
#include "graph/analyze/figures.h"
#include "graph/analyze/segment_profile.h"
#include "graph/model/graph_trace.h"

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

enum class FindingKind : std::uint8_t {
  kStopped,           ///< the capture ends in the middle of calls
  kL1ExceedsCore,     ///< a core would have to hold more than it has
  kL1SumExceedsCore,  ///< only the sum over different cores is more than a core has
  kTiedBySize,        ///< frees across segments whose buffer is known by its size alone
};

std::string_view name_of(FindingKind kind);

/// What a capture lacks, so that a figure of it may be too high.
enum class Lack : std::uint8_t {
  kDevice,      ///< the size of a core: the largest there is was taken
  kReleases,    ///< circular_buffer_deallocate_all: programs' buffers add up
  kCoreRanges,  ///< cores of circular buffers: they are added up as if on one
  kBankSizes,   ///< max_size_per_bank: whole buffers count
  kPlacement,   ///< NO_DISPATCH: no allocator was asked, which would have refused
};

std::string_view name_of(Lack lack);

/// Something of a capture that a reader must know, with its evidence. Writers word it.
struct Finding {
  FindingKind kind = FindingKind::kStopped;
  std::uint32_t segment = kNone;    ///< in the list; kNone: all of them
  std::int64_t bytes = 0;           ///< L1 of a core at the peak
  std::int64_t limit_bytes = 0;     ///< L1 of a core
  std::int64_t busiest_bytes = -1;  ///< L1 of the busiest core; -1: not known
  std::uint64_t count = 0;          ///< calls that never ended, frees
  std::uint32_t call = kNone;       ///< the innermost of them, in the segment's calls
  std::vector<Lack> lacks;
};

/// `devices` are those that the captures describe.
std::vector<Finding> find_in(const std::vector<SegmentView>& segments, const LiveSet& live,
                             const std::vector<GraphDevice>& devices);

/// One capture of a file with what was found in it.
struct ProfiledSegment {
  std::uint32_t file = 0;  ///< in Profile::files
  std::string name;
  const GraphTrace* trace = nullptr;  ///< in Profile::captures
  SegmentProfile profile;
};

/// What all tables and outputs of graph captures are made from. Immutable once made; readers may share it
/// among threads.
struct Profile {
  std::vector<std::string> files;                             ///< as given
  std::vector<std::unique_ptr<const GraphCapture>> captures;  ///< one for each file
  Rules rules = kCorrectedRules;
  std::vector<ProfiledSegment> segments;  ///< of all files, in order
  LiveSet live;                           ///< across them; with Depth::kEverything
  std::vector<Finding> findings;          ///< the same

  std::vector<SegmentFigures> figures() const;
  std::vector<SegmentView> views() const;
  /// Nodes of all segments; 0: there is nothing to tell.
  std::uint64_t node_count() const;
};

/// How much is worked out.
enum class Depth : std::uint8_t {
  kFigures,     ///< the peaks of each segment alone: all that the tracker's summary needs
  kEverything,  ///< calls, lives of buffers, what is live at the peaks
};

/// Adds a file that was read, by the rules of the profile.
Result<void> add_capture(Profile& profile, const std::string& file, GraphCapture capture,
                         Depth depth = Depth::kEverything);
/// Works out what goes across the segments, when all files are there.
void finish_profile(Profile& profile, Depth depth = Depth::kEverything);

}  // namespace ttscope::graph
