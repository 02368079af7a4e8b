#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/none.h"
#include "graph/analyse/live_set.h"
#include "graph/model/graph_device.h"

namespace ttscope::graph {

enum class FindingKind : std::uint8_t {
  kStopped,       ///< the capture ends in the middle of calls
  kL1BeyondCore,  ///< a core would have to hold more than it has
  kL1SumBeyond,   ///< only the sum over different cores is more than a core has
  kTiedBySize,    ///< frees across segments whose buffer is known by its size alone
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

}  // namespace ttscope::graph
