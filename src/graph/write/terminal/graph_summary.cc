#include "graph/write/terminal/graph_summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text_escape.h"
#include "graph/analyse/call_ranking.h"
#include "graph/analyse/names.h"
#include "graph/write/terminal/graph_words.h"
#include "report/number_text.h"
#include "report/text_layout.h"

namespace ttscope::graph {
namespace {

constexpr std::size_t kNameColumns = 44;
constexpr std::size_t kSizeColumns = 11;

std::string l1_text(std::uint64_t bytes) {
  // The original's figures may have wrapped round; they are shown as they are.
  return bytes > (std::uint64_t{1} << 62) ? fmt::format("{} B", bytes)
                                          : report::size_text(static_cast<std::int64_t>(bytes));
}

class SummaryText {
 public:
  SummaryText(const Profile& profile, const GraphTextOptions& options)
      : profile_(profile),
        top_(static_cast<std::size_t>(std::max(options.top, 0))),
        out_(options.color, static_cast<std::size_t>(std::clamp(options.width, 72, 140))) {}

  std::string run() {
    const std::vector<SegmentFigures> figures = profile_.figures();
    const std::vector<CumulativeDram> cumulative = cumulative_dram(figures);
    for (std::size_t i = 0; i < profile_.segments.size(); ++i) {
      const ProfiledSegment& segment = profile_.segments[i];
      paint_title(segment);
      paint_figures(segment, profile_.segments.size() > 1 ? &cumulative[i] : nullptr);
      paint_devices(segment);
      paint_calls(segment);
      paint_live(segment, true);
      paint_live(segment, false);
      paint_outputs(segment);
    }
    return out_.take();
  }

 private:
  void paint_title(const ProfiledSegment& segment) {
    const SegmentProfile& profile = segment.profile;
    const std::string name = segment.name.empty() ? profile_.files[segment.file] : segment.name;
    const std::string_view mode = profile.buffers.empty() ? "no buffers" : run_mode_text(profile);
    out_.heading(terminal_safe(name),
                 fmt::format("{}, {}, {}", report::counted(segment.trace->size(), "node"),
                             report::counted(profile.calls.size(), "call"), mode));
  }

  void paint_figures(const ProfiledSegment& segment, const CumulativeDram* cumulative) {
    const SegmentProfile& profile = segment.profile;
    out_.item(
        "DRAM",
        fmt::format(
            "peak {}, allocated {}, freed {} (one device, whole buffers, from the start of the capture)",
            report::size_text(profile.dram.peak), report::size_text(profile.dram.total_allocations),
            report::size_text(profile.dram.total_deallocations)));
    if (cumulative != nullptr) {
      out_.item(
          "", fmt::format("over all segments so far: peak {}, in use {}", report::size_text(cumulative->peak),
                          report::signed_size_text(cumulative->current)));
    }
    std::string l1 =
        fmt::format("peak {} per core: circular buffers {}, buffers {}", l1_text(profile.l1.peak_total),
                    l1_text(profile.l1.peak_cb), l1_text(profile.l1.peak_l1));
    if (profile.l1.peak_dataflow_buffer > 0)
      l1 += ", dataflow buffers " + l1_text(profile.l1.peak_dataflow_buffer);
    if (profile.l1.peak_scratchpad > 0) l1 += ", scratchpads " + l1_text(profile.l1.peak_scratchpad);
    out_.item("L1", l1 + " (each at its own peak)");
    const BusiestCore& core = profile.busiest_core;
    if (core.known && core.peak_total_bytes > 0) {
      out_.item(
          "", fmt::format("busiest core ({}, {}): {}; circular buffers of a core at most {}", core.x, core.y,
                          report::size_text(core.peak_total_bytes), report::size_text(core.peak_cb_bytes)));
    }
    for (const Difference& difference : profile.differences)
      out_.item("note", difference_words(difference), report::Painter::Ink::kYellow);
  }

  void paint_devices(const ProfiledSegment& segment) {
    if (segment.profile.devices.size() < 2) return;
    out_.heading("Devices", "buffers name the mesh, circular buffers the chip");
    for (const GraphDeviceUse& use : segment.profile.devices) {
      out_.line(fmt::format(
          "  device {:<4} DRAM peak {}, L1 buffers {} per core, circular buffers {} per core", use.device_id,
          report::size_text(use.dram_peak_bytes), report::size_text(use.l1_peak_per_core_bytes),
          report::size_text(use.cb_peak_per_core_bytes)));
    }
  }

  void row(std::string_view name, const std::vector<std::string>& cells) {
    std::string line = "  " + report::pad_right(report::fit(terminal_safe(name), kNameColumns), kNameColumns);
    for (const std::string& cell : cells) line += report::pad_left(cell, kSizeColumns);
    out_.line(line);
  }

  void paint_calls(const ProfiledSegment& segment) {
    const std::vector<std::uint32_t> calls = ranked_calls(segment.profile, top_);
    if (calls.empty()) return;
    out_.heading("Calls", fmt::format("the {} of {} that use most; inner calls included", calls.size(),
                                      report::count_text(segment.profile.calls.size())));
    row("", {"DRAM +", "DRAM -", "L1/core", "CB/core", "host time"});
    for (const std::uint32_t index : calls) {
      const GraphCall& call = segment.profile.calls[index];
      const std::string indent(2 * static_cast<std::size_t>(std::max<int>(call.level, 1) - 1), ' ');
      row(indent + std::string(segment.trace->text(call.name)),
          {report::size_text(call.dram_allocated_bytes), report::size_text(call.dram_freed_bytes),
           report::size_text(call.l1_peak_per_core_bytes), report::size_text(call.cb_peak_per_core_bytes),
           call.duration_ns == 0 ? "-"
                                 : fmt::format("{:.1f} us", static_cast<double>(call.duration_ns) / 1000)});
    }
  }

  void paint_live(const ProfiledSegment& segment, bool in_dram) {
    const GraphPeak& peak = in_dram ? segment.profile.dram_peak : segment.profile.l1_peak;
    if (peak.node == kNone) return;
    out_.heading(in_dram ? "Live at the DRAM peak" : "Live at the L1 peak",
                 fmt::format("{}{} at node {}, {}", report::size_text(peak.bytes), in_dram ? "" : " per core",
                             peak.node, report::counted(peak.live.size(), "buffer")));
    if (peak.call != kNone) {
      out_.item("in", terminal_safe(call_path(*segment.trace, segment.profile, peak.call)));
    }
    for (std::size_t i = 0; i < std::min(top_, peak.live.size()); ++i) {
      const BufferLife& life = segment.profile.buffers[peak.live[i]];
      row(buffer_title(*segment.trace, life),
          {report::size_text(in_dram ? life.size_bytes : life.per_bank_bytes),
           fmt::format("@{}", life.address)});
    }
    if (peak.live.size() > top_) out_.line(fmt::format("  and {} more", peak.live.size() - top_));
    if (!in_dram && peak.programs_bytes > 0)
      row("circular buffers and the like", {report::size_text(peak.programs_bytes)});
    if (peak.older_freed_bytes > 0)
      row("older buffers freed before", {"-" + report::size_text(peak.older_freed_bytes)});
  }

  void paint_outputs(const ProfiledSegment& segment) {
    if (segment.profile.outputs.empty()) return;
    out_.heading("Output tensors");
    for (const std::uint32_t tensor : segment.profile.outputs) {
      const TensorFacts& facts = segment.trace->tensor_facts_of(tensor);
      const std::int64_t id = segment.trace->tensor_of(tensor).tensor_id;
      out_.line(fmt::format("  {} {} {} {}", id == kNotRecorded ? "tensor" : fmt::format("tensor {}", id),
                            terminal_safe(segment.trace->text(facts.shape)),
                            terminal_safe(segment.trace->text(facts.dtype)),
                            facts.size_bytes == kNotRecorded ? "" : report::size_text(facts.size_bytes)));
    }
  }

  const Profile& profile_;
  std::size_t top_;
  report::Painter out_;
};

}  // namespace

std::string graph_summary_text(const Profile& profile, const GraphTextOptions& options) {
  return SummaryText(profile, options).run();
}

}  // namespace ttscope::graph
