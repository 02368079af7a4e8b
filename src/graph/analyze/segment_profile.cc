#include "graph/analyze/segment_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "graph/analyze/figures.h"
#include "graph/model/graph_trace.h"

namespace ttscope::graph {
namespace {

constexpr std::int64_t kMaxCoresOfRange = 1 << 14;

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
      if (cores > kMaxCoresOfRange) ranges.reset();
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

/// Follows circular buffers, dataflow buffers and scratchpads core by core, of each device for itself.
BusiestCore find_busiest_core(const GraphTrace& trace) { return CoreWalk(trace).run(); }

/// Running sums of one device id.
struct DeviceSums {
  GraphDeviceUse use;
  std::int64_t dram = 0;
  std::int64_t l1 = 0;
  std::int64_t cb = 0;
  std::int64_t programs = 0;  ///< circular buffers, dataflow buffers, scratchpads
};

/// One pass over the nodes that keeps all sums, calls and lives.
class ProfileWalk {
 public:
  ProfileWalk(const GraphTrace& trace, SegmentProfile& profile)
      : trace_(trace), profile_(profile), has_event_(trace.size()) {}

  void run() {
    profile_.no_dispatch = !trace_.event_addresses.empty();
    for (std::uint32_t node = 0; node < trace_.size(); ++node) take(node);
    profile_.unfinished = open_;
    while (!open_.empty()) close_innermost();  // what never ended still counts for what called it
    for (auto& [id, sums] : devices_) profile_.devices.push_back(sums.use);
    finish_peak(profile_.dram_peak, true);
    finish_peak(profile_.l1_peak, false);
    add_used_buffers();
  }

 private:
  void take(std::uint32_t node) {
    switch (trace_.kinds[node]) {
      case NodeKind::kFunctionStart:
        return enter(node);
      case NodeKind::kFunctionEnd:
        return leave(node);
      case NodeKind::kBufferAllocate:
        return allocate(node);
      case NodeKind::kBufferDeallocate:
        return deallocate(node);
      case NodeKind::kCircularBufferAllocate:
      case NodeKind::kDataflowBufferAllocate:
      case NodeKind::kScratchpadAllocate:
        return add_program_buffer(node);
      case NodeKind::kDeallocateAll:
        return drop_programs();
      default:
        return;
    }
  }

  std::uint32_t innermost() const { return open_.empty() ? kNone : open_.back(); }

  void enter(std::uint32_t node) {
    GraphCall call;
    call.start = node;
    call.parent = innermost();
    call.name = trace_.function_of(node).name;
    call.level = trace_.levels[node];
    call.dram_peak_bytes = dram_;
    call.l1_peak_per_core_bytes = l1_total();
    call.cb_peak_per_core_bytes = 0;
    open_.push_back(static_cast<std::uint32_t>(profile_.calls.size()));
    profile_.calls.push_back(call);
  }

  void leave(std::uint32_t node) {
    if (open_.empty()) return;
    GraphCall& call = profile_.calls[open_.back()];
    call.end = node;
    call.duration_ns = trace_.function_ends[trace_.details[node]].duration_ns;
    close_innermost();
  }

  void close_innermost() {
    const GraphCall& call = profile_.calls[open_.back()];
    open_.pop_back();
    if (call.parent == kNone) return;
    GraphCall& outer = profile_.calls[call.parent];
    outer.dram_allocated_bytes = sum_of(outer.dram_allocated_bytes, call.dram_allocated_bytes);
    outer.dram_freed_bytes = sum_of(outer.dram_freed_bytes, call.dram_freed_bytes);
    outer.dram_peak_bytes = std::max(outer.dram_peak_bytes, call.dram_peak_bytes);
    outer.l1_allocated_per_core_bytes =
        sum_of(outer.l1_allocated_per_core_bytes, call.l1_allocated_per_core_bytes);
    outer.l1_freed_per_core_bytes = sum_of(outer.l1_freed_per_core_bytes, call.l1_freed_per_core_bytes);
    outer.l1_peak_per_core_bytes = std::max(outer.l1_peak_per_core_bytes, call.l1_peak_per_core_bytes);
    outer.cb_peak_per_core_bytes = std::max(outer.cb_peak_per_core_bytes, call.cb_peak_per_core_bytes);
  }

  DeviceSums& device(std::int64_t id) {
    DeviceSums& sums = devices_[id];
    sums.use.device_id = id;
    return sums;
  }

  std::int64_t l1_total() const { return sum_of(l1_, fullest_programs_); }

  /// Raises the peak of a memory to a sum that has just grown.
  void note(GraphPeak& peak, std::int64_t bytes, std::uint32_t node) {
    if (bytes <= peak.bytes) return;
    peak.bytes = bytes;
    peak.node = node;
    peak.call = innermost();
  }

  void allocate(std::uint32_t node) {
    BufferLife life = new_life(node);
    life.allocated = node;
    life.call = innermost();
    if (life.address > 0) profile_.no_dispatch = false;
    live_[live_key(node)].push_back(static_cast<std::uint32_t>(profile_.buffers.size()));
    profile_.buffers.push_back(life);
    DeviceSums& sums = device(trace_.buffer_of(node).device_id);
    GraphCall* call = open_.empty() ? nullptr : &profile_.calls[open_.back()];
    if (life.in_dram) {
      dram_ = sum_of(dram_, life.size_bytes);
      sums.dram = sum_of(sums.dram, life.size_bytes);
      sums.use.dram_allocated_bytes = sum_of(sums.use.dram_allocated_bytes, life.size_bytes);
      sums.use.dram_peak_bytes = std::max(sums.use.dram_peak_bytes, sums.dram);
      note(profile_.dram_peak, dram_, node);
      if (call != nullptr) {
        call->dram_allocated_bytes = sum_of(call->dram_allocated_bytes, life.size_bytes);
        call->dram_peak_bytes = std::max(call->dram_peak_bytes, dram_);
      }
      return;
    }
    l1_ = sum_of(l1_, life.per_bank_bytes);
    sums.l1 = sum_of(sums.l1, life.per_bank_bytes);
    sums.use.l1_peak_per_core_bytes = std::max(sums.use.l1_peak_per_core_bytes, sums.l1);
    if (call != nullptr) {
      call->l1_allocated_per_core_bytes = sum_of(call->l1_allocated_per_core_bytes, life.per_bank_bytes);
    }
    note_l1(node);
  }

  void note_l1(std::uint32_t node) {
    note(profile_.l1_peak, l1_total(), node);
    if (profile_.l1_peak.node == node) profile_.l1_peak.programs_bytes = fullest_programs_;
    if (open_.empty()) return;
    GraphCall& call = profile_.calls[open_.back()];
    call.l1_peak_per_core_bytes = std::max(call.l1_peak_per_core_bytes, l1_total());
  }

  BufferLife new_life(std::uint32_t node) {
    BufferLife life;
    const std::uint32_t buffer = buffer_node_of(trace_, node);
    if (buffer != node) {
      life.buffer = buffer;
      life.tensor = first_tensor(buffer);
      has_event_[buffer] = true;
    }
    banks_.learn(trace_.buffer_of(node));
    const bool frees = trace_.kinds[node] == NodeKind::kBufferDeallocate;
    const BufferFacts& bank = frees ? facts_of_freed(trace_, node) : trace_.buffer_of(node);
    const BufferFacts& whole = frees ? whole_of_freed(trace_, node) : bank;
    life.facts = trace_.event_facts[trace_.details[node]];
    life.address = trace_.buffer_address(node);
    life.size_bytes = std::max<std::int64_t>(whole.size_bytes, 0);
    life.per_bank_bytes = per_bank_bytes(bank);
    life.in_dram = whole.in_dram;
    return life;
  }

  std::uint32_t first_tensor(std::uint32_t buffer) const {
    for (const std::uint32_t counter : trace_.connections_of(buffer)) {
      const std::uint32_t node = trace_.node_at(counter);
      if (node != kNone && trace_.kinds[node] == NodeKind::kTensor) return node;
    }
    return kNone;
  }

  /// Buffers that the capture neither allocates nor frees: older ones that its functions read and write. They
  /// count in no sum, but they take their place.
  void add_used_buffers() {
    for (std::uint32_t node = 0; node < trace_.size(); ++node) {
      if (trace_.kinds[node] != NodeKind::kBuffer || has_event_[node]) continue;
      const std::uint32_t tensor = first_tensor(node);
      const BufferFacts& facts = trace_.buffer_of(node);
      if (tensor == kNone || facts.size_bytes <= 0) continue;
      BufferLife life;
      life.buffer = node;
      life.tensor = tensor;
      life.facts = trace_.details[node];
      life.address = trace_.tensor_of(tensor).address;
      life.size_bytes = facts.size_bytes;
      life.in_dram = facts.in_dram;
      if (trace_.text(facts.layout) == "INTERLEAVED")
        life.per_bank_bytes =
            banks_.per_bank_bytes(facts, page_bytes_of(trace_, trace_.tensor_facts_of(tensor)));
      profile_.buffers.push_back(life);
    }
  }

  /// What ties a free to its allocation: the buffer node. Old captures without one: the address.
  std::uint64_t live_key(std::uint32_t node) const {
    const std::uint32_t buffer = buffer_node_of(trace_, node);
    constexpr std::uint64_t kByAddress = std::uint64_t{1} << 63;
    return buffer != node ? buffer : kByAddress | static_cast<std::uint64_t>(trace_.buffer_address(node));
  }

  void deallocate(std::uint32_t node) {
    BufferLife life = new_life(node);
    std::vector<std::uint32_t>& open = live_[live_key(node)];
    if (open.empty()) {  // older than the capture
      life.freed = node;
      profile_.buffers.push_back(life);
    } else {
      profile_.buffers[open.back()].freed = node;
      open.pop_back();
    }
    DeviceSums& sums = device(trace_.buffer_of(node).device_id);
    GraphCall* call = open_.empty() ? nullptr : &profile_.calls[open_.back()];
    if (life.in_dram) {
      dram_ = sum_of(dram_, -life.size_bytes);
      sums.dram = sum_of(sums.dram, -life.size_bytes);
      sums.use.dram_freed_bytes = sum_of(sums.use.dram_freed_bytes, life.size_bytes);
      if (call != nullptr) call->dram_freed_bytes = sum_of(call->dram_freed_bytes, life.size_bytes);
      return;
    }
    l1_ = sum_of(l1_, -life.per_bank_bytes);
    sums.l1 = sum_of(sums.l1, -life.per_bank_bytes);
    if (call != nullptr)
      call->l1_freed_per_core_bytes = sum_of(call->l1_freed_per_core_bytes, life.per_bank_bytes);
  }

  void add_program_buffer(std::uint32_t node) {
    const ProgramBufferFacts& facts = trace_.program_buffer_of(node);
    if (facts.borrowed.value_or(false)) return;
    const std::int64_t size = std::max<std::int64_t>(facts.size_bytes, 0);
    DeviceSums& sums = device(facts.device_id);
    sums.programs = sum_of(sums.programs, size);
    fullest_programs_ = std::max(fullest_programs_, sums.programs);
    if (trace_.kinds[node] == NodeKind::kCircularBufferAllocate) {
      sums.cb = sum_of(sums.cb, size);
      sums.use.cb_peak_per_core_bytes = std::max(sums.use.cb_peak_per_core_bytes, sums.cb);
      if (!open_.empty()) {
        GraphCall& call = profile_.calls[open_.back()];
        call.cb_peak_per_core_bytes = std::max(call.cb_peak_per_core_bytes, sums.cb);
      }
    }
    note_l1(node);
  }

  void drop_programs() {
    for (auto& [id, sums] : devices_) sums.cb = sums.programs = 0;
    fullest_programs_ = 0;
  }

  void finish_peak(GraphPeak& peak, bool in_dram) const {
    if (peak.node == kNone) return;
    const auto size = [&](const BufferLife& life) { return in_dram ? life.size_bytes : life.per_bank_bytes; };
    for (std::uint32_t i = 0; i < profile_.buffers.size(); ++i) {
      const BufferLife& life = profile_.buffers[i];
      if (life.in_dram != in_dram) continue;
      const bool freed_before = life.freed != kNone && life.freed < peak.node;
      if (life.allocated == kNone && freed_before)
        peak.older_freed_bytes = sum_of(peak.older_freed_bytes, size(life));
      if (life.allocated != kNone && life.allocated <= peak.node && !freed_before) peak.live.push_back(i);
    }
    std::stable_sort(peak.live.begin(), peak.live.end(), [&](std::uint32_t left, std::uint32_t right) {
      return size(profile_.buffers[left]) > size(profile_.buffers[right]);
    });
  }

  const GraphTrace& trace_;
  SegmentProfile& profile_;
  std::vector<std::uint32_t> open_;  ///< calls that have not ended
  std::map<std::int64_t, DeviceSums> devices_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> live_;  ///< buffers by live_key()
  std::vector<bool> has_event_;  ///< of buffer nodes: it is allocated or freed
  BankGuess banks_;
  std::int64_t dram_ = 0;
  std::int64_t l1_ = 0;
  std::int64_t fullest_programs_ = 0;
};

}  // namespace

Result<SegmentProfile> figures_of_segment(const GraphTrace& trace, const Rules& rules) {
  SegmentProfile profile;
  ASSIGN_OR_RETURN(const DramUsage dram, dram_usage(trace));
  ASSIGN_OR_RETURN(const L1Usage l1, l1_usage(trace, rules));
  profile.dram = dram;
  profile.l1 = l1;
  if (rules.reports_differences) profile.differences = differences_from_original(trace);
  return profile;
}

Result<SegmentProfile> profile_segment(const GraphTrace& trace, const Rules& rules) {
  Result<SegmentProfile> profile = figures_of_segment(trace, rules);
  if (!profile) return profile;
  ProfileWalk(trace, *profile).run();
  profile->busiest_core = find_busiest_core(trace);
  if (const auto outputs = extract_output_tensors(trace)) profile->outputs = *outputs;
  return profile;
}

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

UsageCurve usage_curve(const GraphTrace& trace, std::size_t max_points) {
  UsageCurve curve;
  if (max_points == 0) return curve;
  const std::size_t per_point = std::max<std::size_t>((trace.size() + max_points - 1) / max_points, 1);
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

namespace {

/// What a call weighs when calls are ranked. L1 is small: a byte of it weighs as much as a thousand of DRAM,
/// about the ratio of the sizes.
std::int64_t use_of(std::int64_t dram_bytes, std::int64_t l1_bytes) {
  constexpr std::int64_t kL1Weight = 1024;
  return std::max(dram_bytes, std::clamp<std::int64_t>(l1_bytes, 0, std::int64_t{1} << 40) * kL1Weight);
}

/// For each call, taken in their order, whether one of the same name is around it. Calls come before those
/// inside of them, so that the calls around are a stack, and how often each name is on it is counted: calls
/// that never end make it as deep as the capture is long.
class NamesAround {
 public:
  explicit NamesAround(const SegmentProfile& profile) : calls_(profile.calls) {}

  bool holds_name_of(std::uint32_t call) {
    while (!around_.empty() && around_.back() != calls_[call].parent) {
      --counts_[calls_[around_.back()].name];
      around_.pop_back();
    }
    std::uint32_t& count = counts_[calls_[call].name];
    around_.push_back(call);
    return count++ > 0;
  }

 private:
  const std::vector<GraphCall>& calls_;
  std::vector<std::uint32_t> around_;  ///< outermost first
  std::unordered_map<std::uint32_t, std::uint32_t> counts_;
};

}  // namespace

std::vector<std::uint32_t> ranked_calls(const SegmentProfile& profile, std::size_t most) {
  std::vector<std::uint32_t> calls(profile.calls.size());
  std::iota(calls.begin(), calls.end(), std::uint32_t{0});
  const auto use = [&](std::uint32_t index) {
    const GraphCall& call = profile.calls[index];
    return use_of(std::max(call.dram_allocated_bytes, call.dram_freed_bytes),
                  std::max(call.l1_allocated_per_core_bytes, call.cb_peak_per_core_bytes));
  };
  if (calls.size() > most) {
    std::stable_sort(calls.begin(), calls.end(),
                     [&](auto left, auto right) { return use(left) > use(right); });
    calls.resize(most);
    std::sort(calls.begin(), calls.end());
  }
  return calls;
}

std::vector<CallGroup> call_groups(const SegmentProfile& profile) {
  std::vector<CallGroup> groups;
  std::unordered_map<std::uint32_t, std::size_t> places;
  NamesAround around(profile);
  for (std::uint32_t index = 0; index < profile.calls.size(); ++index) {
    const GraphCall& call = profile.calls[index];
    if (around.holds_name_of(index)) continue;
    const auto [place, is_new] = places.emplace(call.name, groups.size());
    if (is_new) groups.push_back({call.name, call.level, 0, 0, 0, 0, 0, 0});
    CallGroup& group = groups[place->second];
    ++group.calls;
    group.level = std::min(group.level, call.level);
    group.duration_ns = sum_of(group.duration_ns, call.duration_ns);
    group.dram_allocated_bytes = sum_of(group.dram_allocated_bytes, call.dram_allocated_bytes);
    group.dram_freed_bytes = sum_of(group.dram_freed_bytes, call.dram_freed_bytes);
    group.l1_peak_per_core_bytes = std::max(group.l1_peak_per_core_bytes, call.l1_peak_per_core_bytes);
    group.cb_peak_per_core_bytes = std::max(group.cb_peak_per_core_bytes, call.cb_peak_per_core_bytes);
  }
  std::stable_sort(groups.begin(), groups.end(), [](const CallGroup& left, const CallGroup& right) {
    const auto use = [](const CallGroup& group) {
      return use_of(std::max(group.dram_allocated_bytes, group.dram_freed_bytes),
                    group.cb_peak_per_core_bytes);
    };
    return use(left) > use(right);
  });
  return groups;
}

std::string_view format_text(GraphCapture::Format format) {
  switch (format) {
    case GraphCapture::Format::kNodes:
      return "nodes";
    case GraphCapture::Format::kReport:
      return "report";
    case GraphCapture::Format::kSegments:
      return "segments";
    case GraphCapture::Format::kDatabase:
      return "database";
  }
  return "";
}

std::string_view run_mode_text(const SegmentProfile& profile) {
  if (profile.buffers.empty()) return "unknown";
  return profile.no_dispatch ? "NO_DISPATCH" : "NORMAL";
}

std::string_view buffer_type_text(const GraphTrace& trace, const BufferFacts& facts) {
  constexpr std::array<std::string_view, 5> kTypes = {"DRAM", "L1", "SYSTEM_MEMORY", "L1_SMALL", "TRACE"};
  if (facts.buffer_type >= 0 && facts.buffer_type < static_cast<std::int64_t>(kTypes.size())) {
    return kTypes[static_cast<std::size_t>(facts.buffer_type)];
  }
  return trace.text(facts.type);
}

std::string_view buffer_kind(const GraphTrace& trace, const SegmentProfile& profile, const BufferLife& life) {
  const BufferLabel* const label = life.buffer == kNone ? nullptr : trace.label_of(life.buffer);
  if (label != nullptr) return trace.text(label->kind);
  constexpr std::int64_t kMaxBinary = std::int64_t{1} << 20;
  constexpr std::int64_t kBinaryPage = 2048;
  const bool is_binary = life.in_dram && life.buffer != kNone && life.allocated != kNone &&
                         life.tensor == kNone && !profile.no_dispatch && trace.tensors.size() > 0 &&
                         life.size_bytes <= kMaxBinary &&
                         trace.buffer_facts[life.facts].page_size_bytes == kBinaryPage;
  return is_binary ? "binary" : "";
}

std::string_view buffer_owner(const GraphTrace& trace, const BufferLife& life) {
  const BufferLabel* const label = life.buffer == kNone ? nullptr : trace.label_of(life.buffer);
  return label == nullptr ? std::string_view() : trace.text(label->name);
}

std::string buffer_form(const GraphTrace& trace, const BufferLife& life) {
  if (life.tensor == kNone) {
    return fmt::format("{} buffer without a tensor", buffer_type_text(trace, trace.buffer_facts[life.facts]));
  }
  const TensorFacts& facts = trace.tensor_facts_of(life.tensor);
  const std::string_view shape = trace.text(facts.shape);
  const std::size_t open = shape.find('[');
  const std::size_t close = shape.find(']');
  std::string form;
  if (open != std::string_view::npos && close != std::string_view::npos && open < close)
    form = shape.substr(open, close - open + 1);
  const std::string_view dtype = trace.text(facts.dtype);
  if (!dtype.empty())
    form += fmt::format("{}{}", form.empty() ? "" : " ", dtype.substr(dtype.rfind(':') + 1));
  return form;
}

std::string buffer_title(const GraphTrace& trace, const BufferLife& life) {
  const std::string_view owner = buffer_owner(trace, life);
  if (life.tensor == kNone) return owner.empty() ? buffer_form(trace, life) : std::string(owner);
  const std::int64_t id = trace.tensor_of(life.tensor).tensor_id;
  std::string title = owner.empty() ? "tensor" : std::string(owner);
  if (owner.empty() && id != kNotRecorded) title += fmt::format(" {}", id);
  const std::string form = buffer_form(trace, life);
  return form.empty() ? title : fmt::format("{} {}", title, form);
}

std::string_view program_buffer_text(NodeKind kind) {
  if (kind == NodeKind::kCircularBufferAllocate) return "circular buffer";
  return kind == NodeKind::kDataflowBufferAllocate ? "dataflow buffer" : "scratchpad";
}

std::string call_path(const GraphTrace& trace, const SegmentProfile& profile, std::uint32_t call) {
  // Calls that never end make captures as deep as they are long.
  constexpr std::size_t kMostCalls = 64;
  std::vector<std::uint32_t> around;
  for (; call != kNone && around.size() < kMostCalls; call = profile.calls[call].parent)
    around.push_back(call);
  std::string path = call == kNone ? "" : "...";
  for (auto at = around.rbegin(); at != around.rend(); ++at) {
    if (!path.empty()) path += " > ";
    path += trace.text(profile.calls[*at].name);
  }
  return path;
}

}  // namespace ttscope::graph
