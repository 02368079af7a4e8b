#include "graph/analyse/usage_curve.h"

#include <algorithm>
#include <map>

#include "graph/analyse/per_bank.h"

namespace ttscope::graph {
namespace {

bool is_program_buffer(NodeKind kind) {
  return kind == NodeKind::kCircularBufferAllocate || kind == NodeKind::kDataflowBufferAllocate ||
         kind == NodeKind::kScratchpadAllocate;
}

/// Sums after each node.
class RunningUse {
 public:
  explicit RunningUse(const GraphTrace& trace) : trace_(trace) {}

  void take(std::uint32_t node) {
    const NodeKind kind = trace_.kinds[node];
    if (kind == NodeKind::kBufferAllocate || kind == NodeKind::kBufferDeallocate) return take_buffer(node);
    if (kind == NodeKind::kDeallocateAll) {
      programs_.clear();
      fullest_ = 0;
    }
    if (!is_program_buffer(kind) || trace_.program_buffer_of(node).borrowed.value_or(false)) return;
    const ProgramBufferFacts& facts = trace_.program_buffer_of(node);
    std::int64_t& sum = programs_[facts.device_id];
    sum = sum_of(sum, std::max<std::int64_t>(facts.size_bytes, 0));
    fullest_ = std::max(fullest_, sum);
  }
  std::int64_t dram() const { return dram_; }
  std::int64_t l1() const { return sum_of(l1_, fullest_); }

 private:
  void take_buffer(std::uint32_t node) {
    const bool frees = trace_.kinds[node] == NodeKind::kBufferDeallocate;
    const BufferFacts& facts = frees ? whole_of_freed(trace_, node) : trace_.buffer_of(node);
    if (facts.in_dram) {
      const std::int64_t size = std::max<std::int64_t>(facts.size_bytes, 0);
      dram_ = sum_of(dram_, frees ? -size : size);
    } else {
      const std::int64_t size = per_bank_bytes(frees ? facts_of_freed(trace_, node) : facts);
      l1_ = sum_of(l1_, frees ? -size : size);
    }
  }

  const GraphTrace& trace_;
  std::map<std::int64_t, std::int64_t> programs_;
  std::int64_t fullest_ = 0;
  std::int64_t dram_ = 0;
  std::int64_t l1_ = 0;
};

}  // namespace

UsageCurve usage_curve(const GraphTrace& trace, std::size_t most_points) {
  UsageCurve curve;
  if (most_points == 0) return curve;
  const std::size_t per_point = std::max<std::size_t>((trace.size() + most_points - 1) / most_points, 1);
  RunningUse use(trace);
  for (std::uint32_t node = 0; node < trace.size(); ++node) {
    use.take(node);
    if (node % per_point == 0) {
      curve.nodes.push_back(node);
      curve.dram_bytes.push_back(use.dram());
      curve.l1_bytes.push_back(use.l1());
    }
    curve.dram_bytes.back() = std::max(curve.dram_bytes.back(), use.dram());
    curve.l1_bytes.back() = std::max(curve.l1_bytes.back(), use.l1());
  }
  return curve;
}

std::vector<ProgramBufferLife> program_buffer_lives(const GraphTrace& trace) {
  std::vector<ProgramBufferLife> lives;
  std::size_t open = 0;  // first of those that are live
  for (std::uint32_t node = 0; node < trace.size(); ++node) {
    if (is_program_buffer(trace.kinds[node])) lives.push_back({node, kNone});
    if (trace.kinds[node] != NodeKind::kDeallocateAll) continue;
    for (; open < lives.size(); ++open) lives[open].released = node;
  }
  return lives;
}

}  // namespace ttscope::graph
