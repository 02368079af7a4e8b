#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/ids.h"
#include "graph/analyze/figures.h"
#include "graph/analyze/trace_utilities.h"
#include "graph/model/graph_trace.h"

namespace ttscope::graph {

/// One function of the capture and what happened between its start and its end, functions inside of it
/// included.
struct GraphCall {
  std::uint32_t start = kNone;
  std::uint32_t end = kNone;     ///< kNone: it never ended
  std::uint32_t parent = kNone;  ///< in SegmentProfile::calls
  std::uint32_t name = kNone;
  std::uint8_t level = 0;
  std::int64_t duration_ns = 0;  ///< host time; 0: not recorded
  std::int64_t dram_allocated_bytes = 0;
  std::int64_t dram_freed_bytes = 0;
  std::int64_t dram_peak_bytes = 0;  ///< highest running sum inside of it, from the start of the capture
  std::int64_t l1_allocated_per_core_bytes = 0;
  std::int64_t l1_freed_per_core_bytes = 0;
  std::int64_t l1_peak_per_core_bytes = 0;  ///< buffers and what programs take, of the fullest device
  std::int64_t cb_peak_per_core_bytes = 0;
};

/// The life of one device buffer as far as the capture shows it: allocated or freed in it, or only used.
struct BufferLife {
  std::uint32_t buffer = kNone;     ///< its node; kNone in old captures without one
  std::uint32_t allocated = kNone;  ///< kNone: it is older than the capture
  std::uint32_t freed = kNone;      ///< kNone: it outlives the capture
  std::uint32_t call = kNone;       ///< innermost function that allocated it
  std::uint32_t tensor = kNone;     ///< first tensor in it
  std::uint32_t facts = 0;
  std::int64_t address = kNotRecorded;
  std::int64_t size_bytes = 0;
  std::int64_t per_bank_bytes = 0;  ///< as recorded or derived
  bool in_dram = false;
};

/// A moment at which a running sum is highest.
struct GraphPeak {
  std::int64_t bytes = 0;
  std::uint32_t node = kNone;  ///< the event that reached it; kNone: the sum never rose above the start
  std::uint32_t call = kNone;  ///< innermost function around it
  /// Buffers allocated in the capture and live then, in SegmentProfile::buffers; largest first.
  std::vector<std::uint32_t> live;
  std::int64_t older_freed_bytes =
      0;  ///< of buffers older than the capture, freed before; live - this = the peak
  std::int64_t programs_bytes = 0;  ///< L1 only: circular buffers and the like at that moment
};

/// What one device id of the capture carries. Buffers name the mesh, circular buffers (when dispatched) the
/// chip.
struct GraphDeviceUse {
  std::int64_t device_id = kNotRecorded;
  std::int64_t dram_peak_bytes = 0;
  std::int64_t dram_allocated_bytes = 0;
  std::int64_t dram_freed_bytes = 0;
  std::int64_t l1_peak_per_core_bytes = 0;
  std::int64_t cb_peak_per_core_bytes = 0;
};

/// The core with the most L1 in use at one moment: circular buffers by their core ranges, tensors on all
/// cores.
struct BusiestCore {
  bool known = false;  ///< core ranges could be read
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t peak_cb_bytes = 0;     ///< of any core
  std::int64_t peak_total_bytes = 0;  ///< of this core
};

/// What was found in one capture.
struct SegmentProfile {
  DramUsage dram;
  L1Usage l1;
  std::vector<Difference> differences;  ///< from the original's figures; empty where the rules tell none
  std::vector<GraphCall> calls;
  std::vector<BufferLife> buffers;
  std::vector<GraphDeviceUse> devices;
  GraphPeak dram_peak;
  GraphPeak l1_peak;
  BusiestCore busiest_core;
  std::vector<std::uint32_t> outputs;  ///< tensor nodes; empty: no function left any
  /// Calls that never ended, outermost first: the program stopped inside of the last one.
  std::vector<std::uint32_t> unfinished;
  bool no_dispatch = false;  ///< all addresses are 0: recorded without allocating
};

/// Everything above of one capture. Errors are those of dram_usage() and l1_usage().
Result<SegmentProfile> profile_segment(const GraphTrace& trace, const Rules& rules);
/// The figures and differences alone, for the tracker's summary.
Result<SegmentProfile> figures_of_segment(const GraphTrace& trace, const Rules& rules);

/// Memory in use over the nodes of a capture, from its start: DRAM of one device in whole buffers, L1 per
/// core of the fullest device. At most so many points; each has the highest value of the nodes it stands for.
struct UsageCurve {
  std::vector<std::uint32_t> nodes;  ///< first node of each point
  std::vector<std::int64_t> dram_bytes;
  std::vector<std::int64_t> l1_bytes;
};

UsageCurve usage_curve(const GraphTrace& trace, std::size_t max_points);

/// The life of a circular buffer, dataflow buffer or scratchpad: until the next program of the capture.
struct ProgramBufferLife {
  std::uint32_t allocated = 0;
  std::uint32_t released = kNone;  ///< kNone: live at the end
};

std::vector<ProgramBufferLife> program_buffer_lives(const GraphTrace& trace);

/// The calls of a capture that use most memory, at most so many, in the order in which they ran.
std::vector<std::uint32_t> ranked_calls(const SegmentProfile& profile, std::size_t most);

/// All calls of one name that no call of the same name is around; sums of them, peaks of the highest.
struct CallGroup {
  std::uint32_t name = kNone;  ///< in GraphTrace::texts
  std::uint8_t level = 0;      ///< of the outermost
  std::uint64_t calls = 0;
  std::int64_t duration_ns = 0;
  std::int64_t dram_allocated_bytes = 0;
  std::int64_t dram_freed_bytes = 0;
  std::int64_t l1_peak_per_core_bytes = 0;
  std::int64_t cb_peak_per_core_bytes = 0;
};

/// By name; those that use most first.
std::vector<CallGroup> call_groups(const SegmentProfile& profile);

/// `nodes`, `report`, `segments` or `database`.
std::string_view format_text(GraphCapture::Format format);
/// `NORMAL`, `NO_DISPATCH`; `unknown` where no buffer tells.
std::string_view run_mode_text(const SegmentProfile& profile);
/// `DRAM`, `L1`, `L1_SMALL`, `TRACE`, ... from the number in a node, or else from its type.
std::string_view buffer_type_text(const GraphTrace& trace, const BufferFacts& facts);
/// How a buffer is called: `layers.0.mlp.w1/weight [1, 1, 2048, 5632] BFLOAT16` where the capture knows whose
/// it is, `tensor 5 [1, 1, 1024, 1024] BFLOAT16`, or the kind of buffer where no tensor is in it.
std::string buffer_title(const GraphTrace& trace, const BufferLife& life);
/// `weight`, `gradient`, ... where the capture says it; `binary` also for what can only be the binary of a
/// kernel: a small DRAM buffer of a dispatched program without a tensor. Empty: not known.
std::string_view buffer_kind(const GraphTrace& trace, const SegmentProfile& profile, const BufferLife& life);
/// `layers.0.mlp.w1/weight`; empty where the capture does not say it.
std::string_view buffer_owner(const GraphTrace& trace, const BufferLife& life);
/// `[1, 1, 1024, 1024] BFLOAT16`: what buffers that differ in their number only have in common.
std::string buffer_form(const GraphTrace& trace, const BufferLife& life);
/// `circular buffer`, `dataflow buffer` or `scratchpad`.
std::string_view program_buffer_text(NodeKind kind);
/// `MatmulDeviceOperation > tt::tt_metal::create_device_tensor`: the functions around, outermost first;
/// after `...` where more than 64 are.
std::string call_path(const GraphTrace& trace, const SegmentProfile& profile, std::uint32_t call);

}  // namespace ttscope::graph
