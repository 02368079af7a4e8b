#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "graph/model/graph_trace.h"

namespace ttscope::graph {

/// What is decided when the figures of a capture are worked out. A set is chosen where options are read
/// (`ttscope graph --compat`, Figures of the tracker) and handed down; nothing below asks which set it is.
struct Rules {
  /// How documents call the set: `corrected` or `compat`.
  std::string_view name;
  /// The same for people.
  std::string_view title;
  /// L1 sums are unsigned: they wrap round at 2^64 when what is older than the capture is freed in it.
  /// Otherwise they are signed and a peak is never below 0.
  bool sums_wrap = false;
  /// Circular buffers and the like of all chips of a mesh are added up. Otherwise the fullest chip counts.
  bool chips_add_up = false;
  /// A node without a value that the original looks up, and counters out of order, are errors. Otherwise what
  /// is missing is derived from what is there.
  bool gaps_are_errors = false;
  /// It is said what the figures differ in from the original's.
  bool reports_differences = true;
};

/// Figures that are right where the original's mislead.
inline constexpr Rules kCorrectedRules{"corrected", "corrected", false, false, false, true};
/// Exactly the figures of the original tracker.
inline constexpr Rules kCompatRules{"compat", "compat (the original's figures)", true, true, true, false};

/// DRAM of one device over one capture, in bytes of whole buffers (no page padding, no alignment). It starts
/// at 0 with the capture: freeing what is older makes it negative, and the peak is relative to the start, at
/// least 0.
struct DramUsage {
  std::int64_t peak = 0;
  std::int64_t total_allocations = 0;
  std::int64_t total_deallocations = 0;
  bool operator==(const DramUsage&) const = default;
};

/// L1 over one capture, in bytes per core. peak_total is the peak of the sum at one moment. Circular buffers
/// on disjoint cores are summed, as the original does; BusiestCore tells them apart.
struct L1Usage {
  std::uint64_t peak_cb = 0;
  std::uint64_t peak_l1 = 0;
  std::uint64_t peak_dataflow_buffer = 0;
  std::uint64_t peak_scratchpad = 0;
  std::uint64_t peak_total = 0;
  bool operator==(const L1Usage&) const = default;
};

/// Errors are those of the original: a node without a value the figure needs, counters out of order.
Result<DramUsage> dram_usage(const GraphTrace& trace);
Result<L1Usage> l1_usage(const GraphTrace& trace, const Rules& rules);

/// The figures of one segment of a tracker.
struct SegmentFigures {
  std::string name;
  DramUsage dram;
  L1Usage l1;
};

/// Running totals over the segments of a session, in order.
struct CumulativeDram {
  std::int64_t peak = 0;  ///< over this and all earlier segments
  std::int64_t current =
      0;  ///< after this segment; negative if more was freed than allocated since the begin
};

std::vector<CumulativeDram> cumulative_dram(std::span<const SegmentFigures> segments);

/// Why the corrected figures of a capture differ from those of the original tracker.
enum class DifferenceKind : std::uint8_t {
  kOlderL1Freed,  ///< L1 buffers older than the capture were freed in it: the original's sums wrap round
  kChipsApart,    ///< circular buffers are recorded for each chip: the original adds them up
  kBankDerived,   ///< an old capture without the size in a bank: the original fails
};

std::string_view name_of(DifferenceKind kind);

/// Worded by the writers.
struct Difference {
  DifferenceKind kind = DifferenceKind::kOlderL1Freed;
  /// kOlderL1Freed: bytes per core that were freed; kChipsApart: chips; kBankDerived: events.
  std::int64_t figure = 0;
  bool operator==(const Difference&) const = default;
};

/// Empty if nothing differs.
std::vector<Difference> differences_from_original(const GraphTrace& trace);

/// Stops at the ends of the range: sizes in a damaged capture may be anything.
inline std::int64_t sum_of(std::int64_t left, std::int64_t right) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(left, right, &sum)) return sum;
  return right < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
}

/// What a buffer takes of a bank: as recorded, or where an old capture does not say, worked out from its
/// pages and its cores or the banks of DRAM (derived), or else its whole size.
std::int64_t per_bank_bytes(const BufferFacts& facts);

/// The buffer node a buffer_deallocate (or buffer_allocate) belongs to: its first connection; the node itself
/// where the capture has no such connection.
std::uint32_t buffer_node_of(const GraphTrace& trace, std::uint32_t event);

/// The facts that tell the whole size of what a buffer_deallocate frees: the connected buffer node's.
const BufferFacts& whole_of_freed(const GraphTrace& trace, std::uint32_t deallocate);
/// The facts that tell its size in a bank: its own, or the buffer node's where old captures leave them out.
const BufferFacts& facts_of_freed(const GraphTrace& trace, std::uint32_t deallocate);

/// No memory is larger: what a damaged capture says above it is not computed with.
inline constexpr std::int64_t kMaxMemoryBytes = std::int64_t{1} << 50;

/// How many banks a memory has, from what interleaved buffers of known size take of a bank: a buffer that is
/// older than the capture has a size, and no share of a bank.
class BankGuess {
 public:
  /// A buffer_allocate or buffer_deallocate node.
  void learn(const BufferFacts& facts);
  /// What an interleaved buffer in pages of this size takes of a bank (derived); 0 where nothing tells.
  std::int64_t per_bank_bytes(const BufferFacts& facts, std::int64_t page_bytes) const;
  /// The number that the buffers leave, or of several the only one that a chip has; nothing where they allow
  /// more.
  std::optional<std::int64_t> banks(bool in_dram) const;

 private:
  struct Range {
    std::int64_t least = 1;
    std::int64_t most = 1 << 16;
  };
  /// Numbers of banks that chips have, the most usual first, as far as the buffers allow them.
  static std::vector<std::int64_t> known_banks(const Range& range, bool in_dram);

  Range dram_;
  Range l1_;
};

/// Bytes of a page of a tensor: a tile, or a row; 0 where type or layout are not known.
std::int64_t page_bytes_of(const GraphTrace& trace, const TensorFacts& tensor);

}  // namespace ttscope::graph
