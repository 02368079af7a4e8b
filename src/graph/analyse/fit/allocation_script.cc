#include "graph/analyse/fit/allocation_script.h"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "graph/analyse/bank_guess.h"
#include "graph/analyse/core_ranges.h"

namespace ttscope::graph {
namespace {

constexpr std::int64_t kL1Small = 3;
constexpr std::int64_t kTrace = 4;

std::int64_t round_up(std::int64_t value, std::int64_t step) {
  return step <= 1 ? value : (value + step - 1) / step * step;
}

fit::Memory memory_of(const BufferLife& life, const BufferFacts& facts) {
  if (facts.buffer_type == kTrace) return fit::Memory::kTrace;
  if (facts.buffer_type == kL1Small) return fit::Memory::kL1Small;
  return life.in_dram ? fit::Memory::kDram : fit::Memory::kL1;
}

/// The circular buffers of a program on its busiest core.
class ProgramRoom {
 public:
  explicit ProgramRoom(const GraphTrace& trace) : trace_(trace) {}

  void add(std::uint32_t node) {
    const ProgramBufferFacts& facts = trace_.program_buffer_of(node);
    if (facts.borrowed.value_or(false) || facts.size_bytes <= 0 || facts.size_bytes > kLargestMemoryBytes)
      return;
    const std::vector<CoreRange>& ranges = ranges_of(facts.core_ranges);
    for (const CoreRange& range : ranges) {
      for (std::int64_t y = range.y0; y <= range.y1; ++y) {
        for (std::int64_t x = range.x0; x <= range.x1; ++x) raise({facts.device_id, y, x}, facts.size_bytes);
      }
    }
    if (ranges.empty()) raise({facts.device_id, -1, -1}, facts.size_bytes);
  }
  std::int64_t take() {
    const std::int64_t bytes = fullest_;
    cores_.clear();
    fullest_ = 0;
    return bytes;
  }

 private:
  using Core = std::array<std::int64_t, 3>;  ///< device, y, x

  void raise(const Core& core, std::int64_t bytes) {
    std::int64_t& sum = cores_[core];
    sum = std::min(sum + bytes, kLargestMemoryBytes);
    fullest_ = std::max(fullest_, sum);
  }
  const std::vector<CoreRange>& ranges_of(std::uint32_t text) {
    constexpr std::int64_t kMostCores = 1 << 14;  // more is damage, not a chip
    const auto [place, is_new] = ranges_.try_emplace(text);
    if (!is_new) return place->second;
    place->second = parse_core_ranges(trace_.text(text)).value_or(std::vector<CoreRange>());
    std::int64_t cores = 0;
    for (const CoreRange& range : place->second)
      cores += (range.x1 - range.x0 + 1) * (range.y1 - range.y0 + 1);
    if (cores > kMostCores) place->second.clear();
    return place->second;
  }

  const GraphTrace& trace_;
  std::map<Core, std::int64_t> cores_;
  std::int64_t fullest_ = 0;
  std::unordered_map<std::uint32_t, std::vector<CoreRange>> ranges_;
};

class ScriptMaker {
 public:
  explicit ScriptMaker(const Profile& profile) : profile_(profile) {
    fit::Tick start = 1;  // 0: older than all captures
    for (const ProfiledSegment& segment : profile.segments) {
      starts_.push_back(start);
      start += segment.trace->size();
      for (const std::uint32_t facts : segment.trace->event_facts)
        banks_.learn(segment.trace->buffer_facts[facts]);
    }
  }

  AllocationScript run() {
    for (std::uint32_t i = 0; i < profile_.live.buffers.size(); ++i) add_buffer(i);
    for (std::uint32_t i = 0; i < profile_.segments.size(); ++i) add_programs(i);
    std::stable_sort(script_.requests.begin(), script_.requests.end(),
                     [](const ScriptRequest& left, const ScriptRequest& right) {
                       return left.demand.born < right.demand.born;
                     });
    script_.dram_banks = banks_.banks(true);
    script_.l1_banks = banks_.banks(false);
    for (const auto& capture : profile_.captures) {
      for (const GraphDevice& device : capture->devices) {
        if (device.num_dram_channels > 0) script_.dram_banks = device.num_dram_channels;
        if (device.l1_num_banks > 0) script_.l1_banks = device.l1_num_banks;
      }
    }
    return std::move(script_);
  }

 private:
  fit::Tick tick_of(const Moment& moment) const { return starts_[moment.segment] + moment.node; }

  void add_buffer(std::uint32_t number) {
    const JoinedBuffer& joined = profile_.live.buffers[number];
    const ProfiledSegment& segment = profile_.segments[joined.segment];
    const BufferLife& life = segment.profile.buffers[joined.buffer];
    const BufferFacts& facts = segment.trace->buffer_facts[life.facts];
    if (life.per_bank_bytes > kLargestMemoryBytes || life.size_bytes > kLargestMemoryBytes) return;
    if (life.per_bank_bytes <= 0) {
      script_.has_unknown_older = script_.has_unknown_older || life.size_bytes > 0;
      return;
    }
    ScriptRequest request;
    request.buffer = number;
    request.at = joined.allocated;
    request.size_bytes = life.size_bytes;
    request.cores = std::max<std::int64_t>(facts.num_cores, 0);
    request.page_bytes = std::clamp<std::int64_t>(facts.page_size_bytes, 0, kLargestMemoryBytes);
    if (request.page_bytes == 0 && life.tensor != kNone)
      request.page_bytes = page_bytes_of(*segment.trace, segment.trace->tensor_facts_of(life.tensor));
    request.demand.memory = memory_of(life, facts);
    request.demand.born = joined.allocated.is_known() ? tick_of(joined.allocated) : 0;
    if (joined.freed.is_known()) request.demand.died = tick_of(joined.freed);
    request.demand.bytes_per_bank = life.per_bank_bytes;
    if (joined.kind == "binary") {
      request.demand.direction = fit::Direction::kTopDown;
      script_.has_binaries = true;
    }
    script_.has_small_l1 = script_.has_small_l1 || request.demand.memory == fit::Memory::kL1Small;
    script_.requests.push_back(request);
  }

  /// What a program needs below the lowest L1 buffer, from its last circular buffer to the next program.
  void add_programs(std::uint32_t number) {
    const GraphTrace& trace = *profile_.segments[number].trace;
    ProgramRoom room(trace);
    std::uint32_t last = kNone;
    const auto close = [&](std::uint32_t node) {
      const std::int64_t bytes = room.take();
      if (bytes > 0 && last != kNone) {
        ScriptRequest request;
        request.at = {number, last};
        request.demand.memory = fit::Memory::kL1;
        request.demand.kind = fit::DemandKind::kRoomAtBottom;
        request.demand.born = tick_of({number, last});
        request.demand.died = tick_of({number, node});
        request.demand.bytes_per_bank = bytes;
        request.size_bytes = bytes;
        script_.requests.push_back(request);
        script_.has_circular_buffers = true;
      }
      last = kNone;
    };
    for (std::uint32_t node = 0; node < trace.size(); ++node) {
      const NodeKind kind = trace.kinds[node];
      if (kind == NodeKind::kDeallocateAll) close(node);
      if (kind != NodeKind::kCircularBufferAllocate && kind != NodeKind::kDataflowBufferAllocate &&
          kind != NodeKind::kScratchpadAllocate)
        continue;
      room.add(node);
      last = node;
    }
    close(trace.size());
  }

  const Profile& profile_;
  std::vector<fit::Tick> starts_;
  BankGuess banks_;
  AllocationScript script_;
};

}  // namespace

AllocationScript allocation_script(const Profile& profile) { return ScriptMaker(profile).run(); }

std::vector<fit::Demand> demands_on(const AllocationScript& script, const fit::Device& device) {
  std::vector<fit::Demand> demands;
  demands.reserve(script.requests.size());
  for (const ScriptRequest& request : script.requests) {
    fit::Demand demand = request.demand;
    const bool in_dram = demand.memory == fit::Memory::kDram || demand.memory == fit::Memory::kTrace;
    const std::int64_t banks = device.region(in_dram ? fit::Memory::kDram : fit::Memory::kL1).banks;
    if (demand.kind == fit::DemandKind::kBuffer && request.cores == 0 && request.page_bytes > 0 &&
        banks > 0) {
      const std::int64_t pages = (request.size_bytes + request.page_bytes - 1) / request.page_bytes;
      const std::int64_t page =
          round_up(request.page_bytes, in_dram ? device.alignment_bytes : device.l1_alignment_bytes);
      demand.bytes_per_bank = (pages + banks - 1) / banks * page;
    }
    demands.push_back(demand);
  }
  return demands;
}

}  // namespace ttscope::graph
