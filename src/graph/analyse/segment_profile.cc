#include "graph/analyse/segment_profile.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "graph/analyse/bank_guess.h"
#include "graph/analyse/busiest_core.h"
#include "graph/analyse/per_bank.h"

namespace ttscope::graph {
namespace {

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
  const Result<DramUsage> dram = dram_usage(trace);
  if (!dram) return failure(dram.error());
  const Result<L1Usage> l1 = l1_usage(trace, rules);
  if (!l1) return failure(l1.error());
  profile.dram = *dram;
  profile.l1 = *l1;
  if (rules.differences_told) profile.differences = differences_from_original(trace);
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

}  // namespace ttscope::graph
