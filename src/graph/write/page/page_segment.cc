#include "graph/write/page/page_segment.h"

#include <string>

#include "graph/analyse/call_ranking.h"
#include "graph/analyse/names.h"
#include "graph/analyse/per_bank.h"
#include "graph/analyse/usage_curve.h"
#include "graph/write/terminal/graph_words.h"

namespace ttscope::graph {
namespace {

constexpr std::size_t kCurvePoints = 2000;

class SegmentWriter {
 public:
  SegmentWriter(const Profile& all, std::size_t number, JsonWriter& json)
      : all_(all),
        number_(static_cast<std::uint32_t>(number)),
        segment_(all.segments[number]),
        trace_(*segment_.trace),
        profile_(segment_.profile),
        json_(json) {}

  void write(const PageCounts& counts) {
    json_.begin_object();
    json_.field("name", std::string_view(segment_.name));
    json_.field("file", segment_.file);
    json_.field("nodes", trace_.size());
    json_.field("mode", run_mode_text(profile_));
    write_figures();
    write_joined();
    write_curve();
    json_.field("all_blocks", counts.all_blocks);
    json_.field("buffers", counts.buffers);
    json_.field("programs", counts.programs);
    json_.field("all_calls", profile_.calls.size());
    json_.field("calls", counts.calls);
    write_groups();
    json_.end_object();
  }

 private:
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

  /// Sums over calls of a name, of which there is no table.
  void write_groups() {
    const std::vector<CallGroup> groups = call_groups(profile_);
    json_.key("groups");
    json_.begin_object();
    column("name", groups, [&](const CallGroup& group) { return trace_.text(group.name); });
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
  JsonWriter& json_;
};

}  // namespace

void write_page_segment(const Profile& profile, std::size_t number, const PageCounts& counts,
                        JsonWriter& json) {
  SegmentWriter(profile, number, json).write(counts);
}

}  // namespace ttscope::graph
