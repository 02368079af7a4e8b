#include "graph/analyse/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "graph/analyse/per_bank.h"

namespace ttscope::graph {
namespace {

Error missing_key(const GraphTrace& trace, std::uint32_t node, std::string_view key) {
  return bad_input(fmt::format("node {} ({}): key '{}' not found", trace.counter(node),
                               node_type_text(trace.kinds[node]), key));
}

bool is_program_buffer(NodeKind kind) {
  return kind == NodeKind::kCircularBufferAllocate || kind == NodeKind::kDataflowBufferAllocate ||
         kind == NodeKind::kScratchpadAllocate;
}

/// The key whose absence ends the original's walk.
std::string_view missing_in(const GraphTrace& trace, std::uint32_t node) {
  const NodeKind kind = trace.kinds[node];
  if (is_program_buffer(kind)) {
    const ProgramBufferFacts& facts = trace.program_buffer_of(node);
    if (kind == NodeKind::kCircularBufferAllocate && !facts.borrowed) return "globally_allocated";
    if (kind == NodeKind::kDataflowBufferAllocate && !facts.borrowed) return "borrows_memory";
    return facts.size_bytes == kNotRecorded ? "size" : "";
  }
  const BufferFacts& facts = trace.buffer_of(node);
  if (facts.type == kNone) return "type";
  return !facts.in_dram && facts.max_size_per_bank_bytes == kNotRecorded ? "max_size_per_bank" : "";
}

Result<void> check_order(const GraphTrace& trace) {
  for (std::uint32_t node = 0; node < trace.counters.size(); ++node) {
    if (trace.counters[node] != node) {
      return failure(bad_input(fmt::format(
          "Graph trace counter/execution out of order: node {} has counter {}", node, trace.counters[node])));
    }
  }
  return {};
}

/// Running sums of L1. What belongs to programs is kept for each device, of which the fullest counts; L1
/// tensors lie at the same place of all chips, so they are a base for each.
class L1Sums {
 public:
  explicit L1Sums(const Rules& rules) : rules_(rules) {}

  void add_program_buffer(NodeKind kind, const ProgramBufferFacts& facts) {
    if (facts.borrowed.value_or(false)) return;
    constexpr std::int64_t kAllChips = 0;
    Device& device = devices_[rules_.chips_add_up ? kAllChips : facts.device_id];
    if (kind == NodeKind::kCircularBufferAllocate) {
      raise(device.cb, usage_.peak_cb, facts.size_bytes);
    } else if (kind == NodeKind::kDataflowBufferAllocate) {
      raise(device.dataflow, usage_.peak_dataflow_buffer, facts.size_bytes);
    } else {
      raise(device.scratchpad, usage_.peak_scratchpad, facts.size_bytes);
    }
    const std::int64_t sum = plus(device.cb, plus(device.dataflow, device.scratchpad));
    fullest_ = rules_.chips_add_up ? sum : std::max(fullest_, sum);
    note(usage_.peak_total, plus(l1_, fullest_));
  }
  void allocate(std::int64_t size) {
    raise(l1_, usage_.peak_l1, size);
    note(usage_.peak_total, plus(l1_, fullest_));
  }
  void deallocate(std::int64_t size) {
    l1_ = plus(l1_, static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(size)));
  }
  void deallocate_all() {
    devices_.clear();
    fullest_ = 0;
  }
  const L1Usage& usage() const { return usage_; }

 private:
  struct Device {
    std::int64_t cb = 0, dataflow = 0, scratchpad = 0;
  };

  std::int64_t plus(std::int64_t left, std::int64_t right) const {
    if (!rules_.sums_wrap) return sum_of(left, right);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(left) + static_cast<std::uint64_t>(right));
  }
  void note(std::uint64_t& peak, std::int64_t sum) const {
    const std::int64_t counted = rules_.sums_wrap ? sum : std::max<std::int64_t>(sum, 0);
    peak = std::max(peak, static_cast<std::uint64_t>(counted));
  }
  void raise(std::int64_t& sum, std::uint64_t& peak, std::int64_t by) const {
    sum = plus(sum, rules_.sums_wrap ? by : std::max<std::int64_t>(by, 0));
    note(peak, sum);
  }

  const Rules& rules_;
  std::map<std::int64_t, Device> devices_;
  std::int64_t fullest_ = 0;  ///< circular buffers and the like of the fullest device
  std::int64_t l1_ = 0;
  L1Usage usage_;
};

void take_node(const GraphTrace& trace, std::uint32_t node, L1Sums& sums) {
  const NodeKind kind = trace.kinds[node];
  if (is_program_buffer(kind)) return sums.add_program_buffer(kind, trace.program_buffer_of(node));
  if (kind == NodeKind::kDeallocateAll) return sums.deallocate_all();
  if (kind != NodeKind::kBufferAllocate && kind != NodeKind::kBufferDeallocate) return;
  const BufferFacts& facts = trace.buffer_of(node);
  if (facts.in_dram) return;
  if (kind == NodeKind::kBufferAllocate) {
    sums.allocate(per_bank_bytes(facts));
  } else {
    sums.deallocate(per_bank_bytes(facts_of_freed(trace, node)));
  }
}

/// What ends the original's walk: counters out of order, then the first node that lacks a value.
Result<void> check_gaps(const GraphTrace& trace) {
  if (Result<void> ordered = check_order(trace); !ordered) return ordered;
  for (std::uint32_t node = 0; node < trace.size(); ++node) {
    const NodeKind kind = trace.kinds[node];
    if (!is_program_buffer(kind) && kind != NodeKind::kBufferAllocate && kind != NodeKind::kBufferDeallocate)
      continue;
    const std::string_view missing = missing_in(trace, node);
    if (!missing.empty()) return failure(missing_key(trace, node, missing));
  }
  return {};
}

}  // namespace

Result<DramUsage> dram_usage(const GraphTrace& trace) {
  DramUsage usage;
  std::int64_t current = 0;
  for (std::uint32_t node = 0; node < trace.size(); ++node) {
    const NodeKind kind = trace.kinds[node];
    if (kind == NodeKind::kBufferAllocate) {
      const BufferFacts& facts = trace.buffer_of(node);
      if (!facts.in_dram) continue;
      if (facts.size_bytes == kNotRecorded) return failure(missing_key(trace, node, "size"));
      current = sum_of(current, facts.size_bytes);
      usage.total_allocations = sum_of(usage.total_allocations, facts.size_bytes);
      usage.peak = std::max(usage.peak, current);
    } else if (kind == NodeKind::kBufferDeallocate) {
      const BufferFacts& facts = whole_of_freed(trace, node);
      if (!facts.in_dram) continue;
      if (facts.size_bytes == kNotRecorded) return failure(missing_key(trace, node, "size"));
      current = sum_of(current, -facts.size_bytes);
      usage.total_deallocations = sum_of(usage.total_deallocations, facts.size_bytes);
    }
  }
  return usage;
}

Result<L1Usage> l1_usage(const GraphTrace& trace, const Rules& rules) {
  if (rules.gaps_are_errors) {
    if (const Result<void> complete = check_gaps(trace); !complete) return failure(complete.error());
  }
  L1Sums sums(rules);
  for (std::uint32_t node = 0; node < trace.size(); ++node) take_node(trace, node, sums);
  return sums.usage();
}

std::vector<CumulativeDram> cumulative_dram(std::span<const SegmentFigures> segments) {
  std::vector<CumulativeDram> cumulative;
  CumulativeDram now;
  for (const SegmentFigures& segment : segments) {
    now.peak = std::max(now.peak, sum_of(now.current, segment.dram.peak));
    now.current = sum_of(now.current, segment.dram.total_allocations - segment.dram.total_deallocations);
    cumulative.push_back(now);
  }
  return cumulative;
}

}  // namespace ttscope::graph
