#include "graph/write/page/page_segment.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/string_pool.h"
#include "graph/analyse/call_ranking.h"
#include "graph/analyse/names.h"
#include "graph/analyse/per_bank.h"
#include "graph/analyse/usage_curve.h"
#include "graph/write/terminal/graph_words.h"

namespace ttscope::graph {
namespace {

constexpr std::size_t kCurvePoints = 2000;

/// A rectangle of the address map: what lies at [address, address + size) from one node to another.
struct Block {
  enum Memory : int { kDram = 0, kL1 = 1 };

  Memory memory = kDram;
  std::int64_t address = 0;
  std::int64_t size = 0;   ///< of a bank: what the address range is
  std::int64_t whole = 0;  ///< of the buffer
  std::int64_t from = 0;
  std::int64_t to = 0;  ///< behind its last node
  std::int64_t device = 0;
  std::int64_t call = -1;
  std::uint32_t title = 0;
  std::uint32_t part = 0;   ///< in LiveSet::parts
  bool is_program = false;  ///< a circular buffer or the like
  bool is_binary = false;
  bool is_older = false;  ///< than this capture
};

class SegmentWriter {
 public:
  SegmentWriter(const Profile& all, std::size_t number, const GraphPageOptions& options, JsonWriter& json)
      : all_(all),
        number_(static_cast<std::uint32_t>(number)),
        segment_(all.segments[number]),
        trace_(*segment_.trace),
        profile_(segment_.profile),
        options_(options),
        json_(json) {}

  void write() {
    collect_buffers();
    collect_earlier();
    collect_programs();
    const std::size_t all = blocks_.size();
    keep_largest();
    json_.begin_object();
    json_.field("name", std::string_view(segment_.name));
    json_.field("file", segment_.file);
    json_.field("nodes", trace_.size());
    json_.field("mode", run_mode_text(profile_));
    write_figures();
    write_joined();
    write_curve();
    json_.field("all_blocks", all);
    write_blocks();
    write_calls();
    write_groups();
    json_.key("texts");
    json_.begin_array();
    for (std::uint32_t i = 0; i < texts_.size(); ++i) json_.value(texts_[i]);
    json_.end_array();
    json_.end_object();
  }

 private:
  std::int64_t end_of(std::uint32_t node) const { return node == kNone ? trace_.size() : node; }

  /// The rectangle of a buffer, but for its nodes.
  Block block_of(const ProfiledSegment& segment, const BufferLife& life, const JoinedBuffer& joined) {
    Block block;
    block.memory = life.in_dram ? Block::kDram : Block::kL1;
    block.address = std::max<std::int64_t>(life.address, 0);
    block.size = life.per_bank_bytes;
    block.whole = life.size_bytes;
    block.device = segment.trace->buffer_facts[life.facts].device_id;
    block.title = texts_.intern(buffer_title(*segment.trace, life));
    block.part = joined.part;
    block.is_binary = joined.kind == "binary";
    return block;
  }

  void collect_buffers() {
    for (std::size_t i = 0; i < profile_.buffers.size(); ++i) {
      const BufferLife& life = profile_.buffers[i];
      const JoinedBuffer& joined = all_.live.buffers[all_.live.joined[number_][i]];
      if (joined.segment != number_ && joined.allocated.is_known()) continue;  // see collect_earlier
      Block block = block_of(segment_, life, joined);
      block.is_older = life.allocated == kNone;
      block.from = life.allocated == kNone ? 0 : life.allocated;
      block.to = end_of(life.freed);
      block.call = life.call == kNone ? -1 : static_cast<std::int64_t>(life.call);
      blocks_.push_back(block);
    }
  }

  /// What earlier segments have left. The operations of a database are thousands of segments: there the page
  /// has each alone.
  void collect_earlier() {
    if (all_.segments.size() > options_.most_joined_segments) return;
    for (const JoinedBuffer& joined : all_.live.buffers) {
      if (!joined.allocated.is_known() || joined.allocated.segment >= number_) continue;
      if (joined.freed.is_known() && joined.freed.segment < number_) continue;
      const ProfiledSegment& segment = all_.segments[joined.segment];
      Block block = block_of(segment, segment.profile.buffers[joined.buffer], joined);
      block.is_older = true;
      block.from = 0;
      block.to = end_of(joined.freed.segment == number_ ? joined.freed.node : kNone);
      blocks_.push_back(block);
    }
  }

  void collect_programs() {
    for (const ProgramBufferLife& life : program_buffer_lives(trace_)) {
      const ProgramBufferFacts& facts = trace_.program_buffer_of(life.allocated);
      if (facts.borrowed.value_or(false)) continue;
      const std::string_view what = program_buffer_text(trace_.kinds[life.allocated]);
      Block block;
      block.memory = Block::kL1;
      block.is_program = true;
      block.address = std::max<std::int64_t>(trace_.program_addresses[trace_.details[life.allocated]], 0);
      block.size = block.whole = std::max<std::int64_t>(facts.size_bytes, 0);
      block.from = life.allocated;
      block.to = end_of(life.released);
      block.device = facts.device_id;
      block.title = texts_.intern(fmt::format("{} {}", what, trace_.text(facts.core_ranges)));
      blocks_.push_back(block);
    }
  }

  /// The page would not be smooth with all buffers of a long capture; small ones are no wider than a line
  /// anyway.
  void keep_largest() {
    if (blocks_.size() <= options_.most_buffers) return;
    const auto area = [](const Block& block) {
      return static_cast<double>(block.size) * static_cast<double>(block.to - block.from);
    };
    std::nth_element(blocks_.begin(), blocks_.begin() + static_cast<std::ptrdiff_t>(options_.most_buffers),
                     blocks_.end(),
                     [&](const Block& left, const Block& right) { return area(left) > area(right); });
    blocks_.resize(options_.most_buffers);
    std::sort(blocks_.begin(), blocks_.end(),
              [](const Block& left, const Block& right) { return left.from < right.from; });
  }

  void write_figures() {
    json_.key("dram");
    json_.begin_object();
    json_.field("peak", profile_.dram.peak);
    json_.field("allocations", profile_.dram.total_allocations);
    json_.field("deallocations", profile_.dram.total_deallocations);
    write_moment(profile_.dram_peak);
    json_.end_object();
    json_.key("l1");
    json_.begin_object();
    json_.field("peak", profile_.l1.peak_total);
    json_.field("cb", profile_.l1.peak_cb);
    json_.field("buffers", profile_.l1.peak_l1);
    write_moment(profile_.l1_peak);
    json_.end_object();
    json_.key("notes");
    json_.begin_array();
    for (const Difference& difference : profile_.differences) json_.value(difference_words(difference));
    json_.end_array();
    json_.key("devices");
    json_.begin_array();
    for (const GraphDeviceUse& use : profile_.devices) {
      json_.begin_object();
      json_.field("id", use.device_id);
      json_.field("dram", use.dram_peak_bytes);
      json_.field("l1", use.l1_peak_per_core_bytes);
      json_.field("cb", use.cb_peak_per_core_bytes);
      json_.end_object();
    }
    json_.end_array();
  }

  /// The peak with what earlier segments left, and its parts.
  void write_joined() {
    const JoinedPeak& dram = all_.live.segment_dram[number_];
    const JoinedPeak& l1 = all_.live.segment_l1[number_];
    json_.key("joined");
    json_.begin_object();
    json_.field("dram", dram.bytes);
    json_.field("dram_before", sum_of(dram.bytes, -profile_.dram_peak.bytes));
    json_.field("l1_before", sum_of(l1.bytes, -profile_.l1_peak.bytes));
    column("part", dram.parts, [](const PartBytes& part) { return part.part; });
    column("bytes", dram.parts, [](const PartBytes& part) { return part.bytes; });
    column("buffers", dram.parts, [](const PartBytes& part) { return part.buffers; });
    json_.end_object();
  }

  void write_moment(const GraphPeak& peak) {
    json_.field("node", peak.node == kNone ? std::int64_t{-1} : std::int64_t{peak.node});
    json_.field("call", std::string_view(call_path(trace_, profile_, peak.call)));
  }

  template <typename Values, typename Get>
  void column(std::string_view key, const Values& values, Get get) {
    json_.key(key);
    json_.begin_array();
    for (const auto& value : values) json_.value(get(value));
    json_.end_array();
  }

  void write_curve() {
    const UsageCurve curve = usage_curve(trace_, kCurvePoints);
    const auto same = [](auto value) { return value; };
    json_.key("curve");
    json_.begin_object();
    column("nodes", curve.nodes, same);
    column("dram", curve.dram_bytes, same);
    column("l1", curve.l1_bytes, same);
    json_.end_object();
  }

  void write_blocks() {
    json_.key("blocks");
    json_.begin_object();
    column("memory", blocks_, [](const Block& block) { return static_cast<int>(block.memory); });
    column("program", blocks_, [](const Block& block) { return block.is_program ? 1 : 0; });
    column("address", blocks_, [](const Block& block) { return block.address; });
    column("size", blocks_, [](const Block& block) { return block.size; });
    column("whole", blocks_, [](const Block& block) { return block.whole; });
    column("from", blocks_, [](const Block& block) { return block.from; });
    column("to", blocks_, [](const Block& block) { return block.to; });
    column("device", blocks_, [](const Block& block) { return block.device; });
    column("part", blocks_, [](const Block& block) { return block.part; });
    column("binary", blocks_, [](const Block& block) { return block.is_binary ? 1 : 0; });
    column("older", blocks_, [](const Block& block) { return block.is_older ? 1 : 0; });
    column("title", blocks_, [](const Block& block) { return block.title; });
    column("call", blocks_, [&](const Block& block) {
      if (block.call < 0) return std::int64_t{-1};
      const std::string path = call_path(trace_, profile_, static_cast<std::uint32_t>(block.call));
      return static_cast<std::int64_t>(texts_.intern(path));
    });
    json_.end_object();
  }

  void write_calls() {
    const std::vector<std::uint32_t> calls = ranked_calls(profile_, options_.most_calls);
    const auto of = [&](std::uint32_t index) -> const GraphCall& { return profile_.calls[index]; };
    json_.field("all_calls", profile_.calls.size());
    json_.key("calls");
    json_.begin_object();
    column("name", calls, [&](auto index) { return texts_.intern(trace_.text(of(index).name)); });
    column("level", calls, [&](auto index) { return of(index).level; });
    column("start", calls, [&](auto index) { return of(index).start; });
    column("end", calls, [&](auto index) { return end_of(of(index).end); });
    column("allocated", calls, [&](auto index) { return of(index).dram_allocated_bytes; });
    column("freed", calls, [&](auto index) { return of(index).dram_freed_bytes; });
    column("l1", calls, [&](auto index) { return of(index).l1_peak_per_core_bytes; });
    column("cb", calls, [&](auto index) { return of(index).cb_peak_per_core_bytes; });
    column("ns", calls, [&](auto index) { return of(index).duration_ns; });
    json_.end_object();
  }

  void write_groups() {
    const std::vector<CallGroup> groups = call_groups(profile_);
    json_.key("groups");
    json_.begin_object();
    column("name", groups, [&](const CallGroup& group) { return texts_.intern(trace_.text(group.name)); });
    column("calls", groups, [](const CallGroup& group) { return group.calls; });
    column("allocated", groups, [](const CallGroup& group) { return group.dram_allocated_bytes; });
    column("freed", groups, [](const CallGroup& group) { return group.dram_freed_bytes; });
    column("l1", groups, [](const CallGroup& group) { return group.l1_peak_per_core_bytes; });
    column("cb", groups, [](const CallGroup& group) { return group.cb_peak_per_core_bytes; });
    column("ns", groups, [](const CallGroup& group) { return group.duration_ns; });
    json_.end_object();
  }

  const Profile& all_;
  std::uint32_t number_;
  const ProfiledSegment& segment_;
  const GraphTrace& trace_;
  const SegmentProfile& profile_;
  const GraphPageOptions& options_;
  JsonWriter& json_;
  std::vector<Block> blocks_;
  StringPool texts_;
};

}  // namespace

void write_page_segment(const Profile& profile, std::size_t number, const GraphPageOptions& options,
                        JsonWriter& json) {
  SegmentWriter(profile, number, options, json).write();
}

}  // namespace ttscope::graph
