#include "graph/analyze/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>

#include "base/result.h"
#include "graph/analyze/trace_utilities.h"

namespace ttscope::graph {

std::int64_t per_bank_bytes(const BufferFacts& facts) {
  if (facts.max_size_per_bank_bytes != kNotRecorded) return facts.max_size_per_bank_bytes;
  const std::int64_t parts = facts.num_cores > 0 ? facts.num_cores : facts.dram_banks;
  if (parts > 0 && facts.page_size_bytes > 0 && facts.size_bytes > 0) {
    const std::int64_t pages = facts.size_bytes / facts.page_size_bytes;
    return (pages / parts + (pages % parts != 0 ? 1 : 0)) * facts.page_size_bytes;
  }
  return std::max<std::int64_t>(facts.size_bytes, 0);
}

std::uint32_t buffer_node_of(const GraphTrace& trace, std::uint32_t event) {
  const auto connections = trace.connections_of(event);
  if (connections.empty()) return event;
  const std::uint32_t node = trace.node_at(connections.front());
  return node != kNone && trace.kinds[node] == NodeKind::kBuffer ? node : event;
}

const BufferFacts& whole_of_freed(const GraphTrace& trace, std::uint32_t deallocate) {
  return trace.buffer_of(buffer_node_of(trace, deallocate));
}

const BufferFacts& facts_of_freed(const GraphTrace& trace, std::uint32_t deallocate) {
  const BufferFacts& own = trace.buffer_of(deallocate);
  const bool has_size = own.max_size_per_bank_bytes != kNotRecorded || own.size_bytes > 0;
  return has_size ? own : whole_of_freed(trace, deallocate);
}

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
    RETURN_IF_ERROR(check_gaps(trace));
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

namespace {

/// What a walk over the capture finds that the original's sums get wrong.
struct Findings {
  std::int64_t l1_lowest_bytes = 0;      ///< of the running sum of L1 buffers; below 0: older ones were freed
  std::size_t most_cb_devices = 0;       ///< devices with circular buffers at one moment
  std::size_t buffers_without_bank = 0;  ///< L1 buffers whose share of a bank is not recorded
};

Findings find(const GraphTrace& trace) {
  Findings found;
  constexpr std::int64_t kMinValue = -std::numeric_limits<std::int64_t>::max();  // can be negated
  std::int64_t l1_bytes = 0;
  std::map<std::int64_t, bool> cb_devices;
  for (std::uint32_t node = 0; node < trace.size(); ++node) {
    const NodeKind kind = trace.kinds[node];
    if (kind == NodeKind::kDeallocateAll) cb_devices.clear();
    if (kind == NodeKind::kCircularBufferAllocate &&
        !trace.program_buffer_of(node).borrowed.value_or(false)) {
      cb_devices[trace.program_buffer_of(node).device_id] = true;
      found.most_cb_devices = std::max(found.most_cb_devices, cb_devices.size());
    }
    if (kind != NodeKind::kBufferAllocate && kind != NodeKind::kBufferDeallocate) continue;
    const BufferFacts& facts = trace.buffer_of(node);
    if (facts.in_dram) continue;
    if (facts.max_size_per_bank_bytes == kNotRecorded) ++found.buffers_without_bank;
    l1_bytes =
        sum_of(l1_bytes, kind == NodeKind::kBufferAllocate ? per_bank_bytes(facts)
                                                           : -per_bank_bytes(facts_of_freed(trace, node)));
    found.l1_lowest_bytes = std::min(found.l1_lowest_bytes, std::max(l1_bytes, kMinValue));
  }
  return found;
}

}  // namespace

std::string_view name_of(DifferenceKind kind) {
  constexpr std::array<std::string_view, 3> kNames = {"older_l1_freed", "chips_apart", "bank_derived"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::vector<Difference> differences_from_original(const GraphTrace& trace) {
  const Findings found = find(trace);
  std::vector<Difference> differences;
  const auto add = [&](bool is_there, DifferenceKind kind, std::int64_t figure) {
    if (is_there) differences.push_back({kind, figure});
  };
  add(found.l1_lowest_bytes < 0, DifferenceKind::kOlderL1Freed, -found.l1_lowest_bytes);
  add(found.most_cb_devices > 1, DifferenceKind::kChipsApart,
      static_cast<std::int64_t>(found.most_cb_devices));
  add(found.buffers_without_bank > 0, DifferenceKind::kBankDerived,
      static_cast<std::int64_t>(found.buffers_without_bank));
  return differences;
}

// A bank holds ceil(pages / banks) pages, so that k of them mean pages / k <= banks < pages / (k - 1).
void BankGuess::learn(const BufferFacts& facts) {
  if (facts.num_cores != 0 || facts.page_size_bytes <= 0 || facts.max_size_per_bank_bytes <= 0) return;
  if (facts.size_bytes > kMaxMemoryBytes || facts.max_size_per_bank_bytes > kMaxMemoryBytes) return;
  const std::int64_t pages = facts.size_bytes / facts.page_size_bytes;
  const std::int64_t of_a_bank = facts.max_size_per_bank_bytes / facts.page_size_bytes;
  if (pages <= 0 || of_a_bank <= 0) return;
  Range& range = facts.in_dram ? dram_ : l1_;
  range.least = std::max(range.least, (pages + of_a_bank - 1) / of_a_bank);
  if (of_a_bank > 1) range.most = std::min(range.most, (pages + of_a_bank - 2) / (of_a_bank - 1) - 1);
}

std::int64_t BankGuess::per_bank_bytes(const BufferFacts& facts, std::int64_t page_bytes) const {
  const Range& range = facts.in_dram ? dram_ : l1_;
  if (page_bytes <= 0 || facts.size_bytes <= 0 || range.least > range.most) return 0;
  if (page_bytes > kMaxMemoryBytes || facts.size_bytes > kMaxMemoryBytes) return 0;
  const std::int64_t pages = (facts.size_bytes + page_bytes - 1) / page_bytes;
  const auto share = [&](std::int64_t banks) { return (pages + banks - 1) / banks * page_bytes; };
  const std::vector<std::int64_t> known = known_banks(range, facts.in_dram);
  return share(known.empty() ? range.least : known.front());
}

std::vector<std::int64_t> BankGuess::known_banks(const Range& range, bool in_dram) {
  const std::vector<std::int64_t> usual = in_dram ? std::vector<std::int64_t>{12, 8, 7}
                                                  : std::vector<std::int64_t>{64, 130, 110, 56, 72, 120, 140};
  std::vector<std::int64_t> known;
  for (const std::int64_t banks : usual) {
    if (range.least <= banks && banks <= range.most) known.push_back(banks);
  }
  return known;
}

std::optional<std::int64_t> BankGuess::banks(bool in_dram) const {
  const Range& range = in_dram ? dram_ : l1_;
  if (range.least == range.most) return range.least;
  const std::vector<std::int64_t> known = known_banks(range, in_dram);
  return known.size() == 1 ? std::optional<std::int64_t>(known.front()) : std::nullopt;
}

std::int64_t page_bytes_of(const GraphTrace& trace, const TensorFacts& tensor) {
  struct Type {
    std::string_view name;
    std::int64_t tile_bytes;
    std::int64_t element_bytes;  ///< 0: only in tiles
  };
  constexpr std::array<Type, 8> kTypes = {{{"BFLOAT16", 2048, 2},
                                           {"FLOAT32", 4096, 4},
                                           {"UINT32", 4096, 4},
                                           {"INT32", 4096, 4},
                                           {"UINT16", 2048, 2},
                                           {"UINT8", 1024, 1},
                                           {"BFLOAT8_B", 1088, 0},
                                           {"BFLOAT4_B", 576, 0}}};
  const std::string_view dtype = trace.text(tensor.dtype);
  const std::string_view layout = trace.text(tensor.layout);
  const std::string_view name = dtype.substr(dtype.rfind(':') + 1);
  const auto* const type =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const Type& one) { return one.name == name; });
  if (type == kTypes.end()) return 0;
  if (layout.ends_with("TILE")) return type->tile_bytes;
  const std::vector<std::int64_t> shape = shape_numbers(trace.text(tensor.shape));
  if (!layout.ends_with("ROW_MAJOR") || shape.empty() || shape.back() > kMaxMemoryBytes) return 0;
  return shape.back() * type->element_bytes;
}

}  // namespace ttscope::graph
