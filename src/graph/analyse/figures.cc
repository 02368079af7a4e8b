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
    return facts.size_bytes == kAbsentNumber ? "size" : "";
  }
  const BufferFacts& facts = trace.buffer_of(node);
  if (facts.type == kNone) return "type";
  return !facts.in_dram && facts.max_size_per_bank_bytes == kAbsentNumber ? "max_size_per_bank" : "";
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

/// The original's running sums: unsigned, of all devices.
class CompatSums {
 public:
  void add_program_buffer(NodeKind kind, const ProgramBufferFacts& facts) {
    if (facts.borrowed.value_or(false)) return;
    const auto size = static_cast<std::uint64_t>(facts.size_bytes);
    if (kind == NodeKind::kCircularBufferAllocate) {
      raise(cb_, usage_.peak_cb, size);
    } else if (kind == NodeKind::kDataflowBufferAllocate) {
      raise(dataflow_, usage_.peak_dataflow_buffer, size);
    } else {
      raise(scratchpad_, usage_.peak_scratchpad, size);
    }
  }
  void allocate(std::int64_t size) { raise(l1_, usage_.peak_l1, static_cast<std::uint64_t>(size)); }
  void deallocate(std::int64_t size) {
    l1_ -= static_cast<std::uint64_t>(size);
    total_ -= static_cast<std::uint64_t>(size);
  }
  void deallocate_all() {
    total_ -= cb_ + dataflow_ + scratchpad_;
    cb_ = dataflow_ = scratchpad_ = 0;
  }
  const L1Usage& usage() const { return usage_; }

 private:
  void raise(std::uint64_t& sum, std::uint64_t& peak, std::uint64_t by) {
    sum += by;
    total_ += by;
    peak = std::max(peak, sum);
    usage_.peak_total = std::max(usage_.peak_total, total_);
  }

  std::uint64_t cb_ = 0, dataflow_ = 0, scratchpad_ = 0, l1_ = 0, total_ = 0;
  L1Usage usage_;
};

/// Signed sums; what belongs to programs for each device, of which the fullest counts. L1 tensors lie at the
/// same place of all chips, so they are a base for each.
class CorrectedSums {
 public:
  void add_program_buffer(NodeKind kind, const ProgramBufferFacts& facts) {
    if (facts.borrowed.value_or(false)) return;
    Device& device = devices_[facts.device_id];
    const std::int64_t size = std::max<std::int64_t>(facts.size_bytes, 0);
    if (kind == NodeKind::kCircularBufferAllocate) {
      raise(device.cb, usage_.peak_cb, size);
    } else if (kind == NodeKind::kDataflowBufferAllocate) {
      raise(device.dataflow, usage_.peak_dataflow_buffer, size);
    } else {
      raise(device.scratchpad, usage_.peak_scratchpad, size);
    }
    fullest_ = std::max(fullest_, sum_of(device.cb, sum_of(device.dataflow, device.scratchpad)));
    note_total();
  }
  void allocate(std::int64_t size) {
    raise(l1_, usage_.peak_l1, size);
    note_total();
  }
  void deallocate(std::int64_t size) { l1_ = sum_of(l1_, -size); }
  void deallocate_all() {
    devices_.clear();
    fullest_ = 0;
  }
  const L1Usage& usage() const { return usage_; }

 private:
  struct Device {
    std::int64_t cb = 0, dataflow = 0, scratchpad = 0;
  };
  static void raise(std::int64_t& sum, std::uint64_t& peak, std::int64_t by) {
    sum = sum_of(sum, by);
    peak = std::max(peak, static_cast<std::uint64_t>(std::max<std::int64_t>(sum, 0)));
  }
  void note_total() {
    const std::int64_t total = sum_of(l1_, fullest_);
    if (total > 0) usage_.peak_total = std::max(usage_.peak_total, static_cast<std::uint64_t>(total));
  }

  std::map<std::int64_t, Device> devices_;
  std::int64_t fullest_ = 0;  ///< circular buffers and the like of the fullest device
  std::int64_t l1_ = 0;
  L1Usage usage_;
};

template <typename Sums>
void take_node(const GraphTrace& trace, std::uint32_t node, Sums& sums) {
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

Result<L1Usage> compat_l1(const GraphTrace& trace) {
  if (const Result<void> ordered = check_order(trace); !ordered) return failure(ordered.error());
  CompatSums sums;
  for (std::uint32_t node = 0; node < trace.size(); ++node) {
    const NodeKind kind = trace.kinds[node];
    if (is_program_buffer(kind) || kind == NodeKind::kBufferAllocate || kind == NodeKind::kBufferDeallocate) {
      const std::string_view missing = missing_in(trace, node);
      if (!missing.empty()) return failure(missing_key(trace, node, missing));
    }
    take_node(trace, node, sums);
  }
  return sums.usage();
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
      if (facts.size_bytes == kAbsentNumber) return failure(missing_key(trace, node, "size"));
      current = sum_of(current, facts.size_bytes);
      usage.total_allocations = sum_of(usage.total_allocations, facts.size_bytes);
      usage.peak = std::max(usage.peak, current);
    } else if (kind == NodeKind::kBufferDeallocate) {
      const BufferFacts& facts = whole_of_freed(trace, node);
      if (!facts.in_dram) continue;
      if (facts.size_bytes == kAbsentNumber) return failure(missing_key(trace, node, "size"));
      current = sum_of(current, -facts.size_bytes);
      usage.total_deallocations = sum_of(usage.total_deallocations, facts.size_bytes);
    }
  }
  return usage;
}

Result<L1Usage> l1_usage(const GraphTrace& trace, Accounting accounting) {
  if (accounting == Accounting::kCompat) return compat_l1(trace);
  CorrectedSums sums;
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
