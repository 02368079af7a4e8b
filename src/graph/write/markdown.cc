#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "fit/outputs.h"
#include "graph/analyze/segment_profile.h"
#include "graph/write/outputs.h"
#include "ui/json_text.h"
#include "ui/text.h"

namespace ttscope::graph {
namespace {

constexpr std::size_t kMaxCalls = 40;
constexpr std::size_t kMaxLive = 20;

constexpr std::string_view kLegend =
    "Sizes are bytes. DRAM: whole buffers of one device, summed from the start of the capture (no padding, "
    "no "
    "fragmentation). L1: bytes per core. Peaks are measured from recorded events; where events lack sizes, "
    "derived.\n";

class MarkdownText {
 public:
  MarkdownText(const Profile& profile, Writer& out) : profile_(profile), out_(out) {}

  void run() {
    line("# Graph capture memory report\n");
    for (const std::string& file : profile_.files) line(fmt::format("- file: {}", markdown_code(file)));
    line(fmt::format("- accounting: {}\n", profile_.rules.title));
    line(kLegend);
    line(fmt::format("{}\n", ui::kDataNotice));
    for (const Finding& finding : profile_.findings) write_finding(finding);
    write_table();
    write_overall();
    for (const ProfiledSegment& segment : profile_.segments) write_segment(segment);
  }

 private:
  void line(std::string_view text) {
    out_.write(text);
    out_.write('\n');
  }
  static std::string title_of(const ProfiledSegment& segment) {
    return segment.name.empty() ? "capture" : markdown_code(segment.name);
  }

  void write_table() {
    const std::vector<SegmentFigures> figures = profile_.figures();
    const std::vector<CumulativeDram> cumulative = cumulative_dram(figures);
    line(
        "| segment | DRAM peak | DRAM allocated | DRAM freed | cumulative peak | cumulative current | L1 "
        "peak CB | "
        "L1 peak buffers | L1 peak total |");
    line("|---|---|---|---|---|---|---|---|---|");
    for (std::size_t i = 0; i < profile_.segments.size(); ++i) {
      const SegmentProfile& profile = profile_.segments[i].profile;
      line(fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} | {} |", title_of(profile_.segments[i]),
                       profile.dram.peak, profile.dram.total_allocations, profile.dram.total_deallocations,
                       cumulative[i].peak, cumulative[i].current, profile.l1.peak_cb, profile.l1.peak_l1,
                       profile.l1.peak_total));
    }
  }

  void write_finding(const Finding& finding) {
    const std::string where =
        finding.segment == kNone ? "" : title_of(profile_.segments[finding.segment]) + ": ";
    std::vector<std::string> names;
    if (finding.segment != kNone && finding.call != kNone) {
      const ProfiledSegment& segment = profile_.segments[finding.segment];
      names.push_back(call_path(*segment.trace, segment.profile, finding.call));
    }
    line(fmt::format("- warning: {}{}", where,
                     markdown_cell(with_marked_names(finding_text(profile_, finding), std::move(names)))));
    if (&finding == &profile_.findings.back()) line("");
  }

  void write_overall() {
    if (profile_.segments.size() < 2) return;
    write_overall_peak(profile_.live.dram, profile_.live.live_at_dram_peak, true);
    write_overall_peak(profile_.live.l1, profile_.live.live_at_l1_peak, false);
  }

  void write_overall_peak(const JoinedPeak& peak, const std::vector<std::uint32_t>& live, bool in_dram) {
    if (!peak.at.is_known()) return;
    const ProfiledSegment& segment = profile_.segments[peak.at.segment];
    line(fmt::format("\n## Overall {} peak\n", in_dram ? "DRAM" : "L1"));
    line(fmt::format("{} bytes{} in {} at node {}, in `{}`; {} buffers are live, of all segments.\n",
                     peak.bytes, in_dram ? "" : " per core", title_of(segment), peak.at.node,
                     markdown_code(call_path(*segment.trace, segment.profile, peak.call)), live.size()));
    line("| part | bytes | buffers |\n|---|---|---|");
    for (const PartBytes& part : peak.parts) {
      line(fmt::format("| {} | {} | {} |", markdown_cell(profile_.live.parts[part.part]), part.bytes,
                       part.buffers));
    }
    if (peak.programs_bytes > 0)
      line(fmt::format("| circular buffers and the like | {} | |", peak.programs_bytes));
    if (peak.older_freed_bytes > 0)
      line(fmt::format("| freed, of unknown allocation | -{} | |", peak.older_freed_bytes));
    const std::vector<OwnerGroup> groups = owner_groups(profile_.live, profile_.views(), live);
    line(fmt::format("\nLargest groups ({} of {}; numbers in names are `*`):\n",
                     std::min(groups.size(), kMaxLive), groups.size()));
    line("| kind | owner or tensor | buffers | bytes |\n|---|---|---|---|");
    for (std::size_t i = 0; i < std::min(groups.size(), kMaxLive); ++i) {
      line(fmt::format("| {} | {} | {} | {} |", markdown_cell(groups[i].kind), markdown_code(groups[i].owner),
                       groups[i].buffers, groups[i].bytes));
    }
  }

  void write_groups(const ProfiledSegment& segment) {
    const std::vector<CallGroup> groups = call_groups(segment.profile);
    if (groups.empty()) return;
    line(fmt::format("\n### Calls by name ({} of {}, by use)\n", std::min(groups.size(), kMaxCalls),
                     groups.size()));
    line("| call | calls | DRAM allocated | DRAM freed | L1 peak per core | CB peak per core | host ns |");
    line("|---|---|---|---|---|---|---|");
    for (std::size_t i = 0; i < std::min(groups.size(), kMaxCalls); ++i) {
      const CallGroup& group = groups[i];
      line(fmt::format("| {} | {} | {} | {} | {} | {} | {} |", markdown_code(segment.trace->text(group.name)),
                       group.calls, group.dram_allocated_bytes, group.dram_freed_bytes,
                       group.l1_peak_per_core_bytes, group.cb_peak_per_core_bytes, group.duration_ns));
    }
  }

  void write_segment(const ProfiledSegment& segment) {
    line(fmt::format("\n## {}\n", title_of(segment)));
    for (const Difference& difference : segment.profile.differences)
      line(fmt::format("- note: {}", difference_text(difference)));
    const BusiestCore& core = segment.profile.busiest_core;
    if (core.known && core.peak_total_bytes > 0) {
      line(fmt::format("- busiest core ({}, {}): {} bytes; circular buffers of one core at most {} bytes",
                       core.x, core.y, core.peak_total_bytes, core.peak_cb_bytes));
    }
    for (const GraphDeviceUse& use : segment.profile.devices) {
      line(fmt::format("- device {}: DRAM peak {}, L1 buffers {} per core, circular buffers {} per core",
                       use.device_id, use.dram_peak_bytes, use.l1_peak_per_core_bytes,
                       use.cb_peak_per_core_bytes));
    }
    write_groups(segment);
    write_calls(segment);
    write_live(segment, true);
    write_live(segment, false);
    write_outputs(segment);
  }

  void write_calls(const ProfiledSegment& segment) {
    const std::vector<std::uint32_t> calls = ranked_calls(segment.profile, kMaxCalls);
    if (calls.empty()) return;
    line(fmt::format("\n### Calls ({} of {}, by use, in order of execution)\n", calls.size(),
                     segment.profile.calls.size()));
    line(
        "| node | level | call | DRAM allocated | DRAM freed | L1 peak per core | CB peak per core | host ns "
        "|");
    line("|---|---|---|---|---|---|---|---|");
    for (const std::uint32_t index : calls) {
      const GraphCall& call = segment.profile.calls[index];
      line(fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |", call.start, call.level,
                       markdown_code(segment.trace->text(call.name)), call.dram_allocated_bytes,
                       call.dram_freed_bytes, call.l1_peak_per_core_bytes, call.cb_peak_per_core_bytes,
                       call.duration_ns));
    }
  }

  void write_live(const ProfiledSegment& segment, bool in_dram) {
    const GraphPeak& peak = in_dram ? segment.profile.dram_peak : segment.profile.l1_peak;
    if (peak.node == kNone) return;
    line(fmt::format("\n### Live at the {} peak: {} bytes{} at node {} in {}\n", in_dram ? "DRAM" : "L1",
                     peak.bytes, in_dram ? "" : " per core", peak.node,
                     markdown_code(call_path(*segment.trace, segment.profile, peak.call))));
    line("| buffer | bytes | address | allocated at node | by |");
    line("|---|---|---|---|---|");
    for (std::size_t i = 0; i < std::min(kMaxLive, peak.live.size()); ++i) {
      const BufferLife& life = segment.profile.buffers[peak.live[i]];
      line(fmt::format("| {} | {} | {} | {} | {} |", markdown_code(buffer_title(*segment.trace, life)),
                       in_dram ? life.size_bytes : life.per_bank_bytes, life.address, life.allocated,
                       markdown_code(call_path(*segment.trace, segment.profile, life.call))));
    }
    if (peak.live.size() > kMaxLive) line(fmt::format("\n{} more buffers.", peak.live.size() - kMaxLive));
    if (peak.programs_bytes > 0)
      line(fmt::format("\nCircular buffers and the like: {} bytes.", peak.programs_bytes));
    if (peak.older_freed_bytes > 0) {
      line(fmt::format("\nOlder buffers freed before (subtracted): {} bytes.", peak.older_freed_bytes));
    }
  }

  void write_outputs(const ProfiledSegment& segment) {
    if (segment.profile.outputs.empty()) return;
    line("\n### Output tensors\n");
    for (const std::uint32_t tensor : segment.profile.outputs) {
      const TensorFacts& facts = segment.trace->tensor_facts_of(tensor);
      line(fmt::format("- node {}: {} {} {}", tensor, markdown_code(segment.trace->text(facts.shape)),
                       markdown_code(segment.trace->text(facts.dtype)),
                       markdown_code(segment.trace->text(facts.layout))));
    }
  }

  const Profile& profile_;
  Writer& out_;
};

}  // namespace

void write_graph_markdown(const Profile& profile, Writer& out, const fit::Report* fit) {
  MarkdownText(profile, out).run();
  if (fit == nullptr) return;
  out.write("\n");
  fit::write_fit_markdown(*fit, out);
}

}  // namespace ttscope::graph
