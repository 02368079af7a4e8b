#include "graph/analyse/busiest_core.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <unordered_map>

#include "graph/analyse/core_ranges.h"
#include "graph/analyse/per_bank.h"

namespace ttscope::graph {
namespace {

constexpr std::int64_t kMostCoresOfRange = 1 << 14;

struct CoreUse {
  std::int64_t cb = 0;
  std::int64_t total = 0;  ///< with dataflow buffers and scratchpads
};

class CoreWalk {
 public:
  explicit CoreWalk(const GraphTrace& trace) : trace_(trace) {}

  BusiestCore run() {
    found_.known = true;
    for (std::uint32_t node = 0; node < trace_.size() && found_.known; ++node) take(node);
    return found_;
  }

 private:
  void take(std::uint32_t node) {
    switch (trace_.kinds[node]) {
      case NodeKind::kDeallocateAll:
        cores_.clear();
        fullest_ = {};
        return;
      case NodeKind::kCircularBufferAllocate:
      case NodeKind::kDataflowBufferAllocate:
      case NodeKind::kScratchpadAllocate:
        return add_program_buffer(node);
      case NodeKind::kBufferAllocate:
        if (trace_.buffer_of(node).in_dram) return;
        base_ = sum_of(base_, per_bank_bytes(trace_.buffer_of(node)));
        return note();
      case NodeKind::kBufferDeallocate:
        if (!trace_.buffer_of(node).in_dram)
          base_ = sum_of(base_, -per_bank_bytes(facts_of_freed(trace_, node)));
        return;
      default:
        return;
    }
  }

  void add_program_buffer(std::uint32_t node) {
    const ProgramBufferFacts& facts = trace_.program_buffer_of(node);
    if (facts.borrowed.value_or(false)) return;
    const std::optional<std::vector<CoreRange>>& ranges = ranges_of(facts.core_ranges);
    if (!ranges) {
      found_.known = false;
      return;
    }
    const bool is_cb = trace_.kinds[node] == NodeKind::kCircularBufferAllocate;
    for (const CoreRange& range : *ranges) {
      for (std::int64_t y = range.y0; y <= range.y1; ++y) {
        for (std::int64_t x = range.x0; x <= range.x1; ++x) {
          raise({facts.device_id, y, x}, std::max<std::int64_t>(facts.size_bytes, 0), is_cb);
        }
      }
    }
    note();
  }

  using Core = std::array<std::int64_t, 3>;  ///< device, y, x

  void raise(const Core& core, std::int64_t bytes, bool is_cb) {
    CoreUse& use = cores_[core];
    if (is_cb) use.cb = sum_of(use.cb, bytes);
    use.total = sum_of(use.total, bytes);
    found_.peak_cb_bytes = std::max(found_.peak_cb_bytes, use.cb);
    if (use.total <= fullest_.total) return;
    fullest_ = use;
    fullest_core_ = core;
  }

  void note() {
    const std::int64_t total = sum_of(base_, fullest_.total);
    if (total <= found_.peak_total_bytes) return;
    found_.peak_total_bytes = total;
    found_.y = fullest_core_[1];
    found_.x = fullest_core_[2];
  }

  /// Distinct texts are few; each is read once. A range larger than any chip counts as unreadable.
  const std::optional<std::vector<CoreRange>>& ranges_of(std::uint32_t text) {
    const auto known = ranges_.find(text);
    if (known != ranges_.end()) return known->second;
    std::optional<std::vector<CoreRange>> ranges = parse_core_ranges(trace_.text(text));
    if (ranges) {
      std::int64_t cores = 0;
      for (const CoreRange& range : *ranges) cores += (range.x1 - range.x0 + 1) * (range.y1 - range.y0 + 1);
      if (cores > kMostCoresOfRange) ranges.reset();
    }
    return ranges_.emplace(text, std::move(ranges)).first->second;
  }

  const GraphTrace& trace_;
  BusiestCore found_;
  std::map<Core, CoreUse> cores_;
  CoreUse fullest_;
  Core fullest_core_{};
  std::int64_t base_ = 0;  ///< L1 buffers, which take the same of each core
  std::unordered_map<std::uint32_t, std::optional<std::vector<CoreRange>>> ranges_;
};

}  // namespace

BusiestCore find_busiest_core(const GraphTrace& trace) { return CoreWalk(trace).run(); }

}  // namespace ttscope::graph
