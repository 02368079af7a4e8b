#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text.h"
#include "graph/analyze/segment_profile.h"
#include "graph/write/outputs.h"
#include "ui/text.h"

namespace ttscope::graph {

std::string difference_text(const Difference& difference) {
  switch (difference.kind) {
    case DifferenceKind::kOlderL1Freed:
      return fmt::format(
          "L1 buffers of {} bytes per core that are older than the capture were freed in it; L1 figures are "
          "relative to its start and never below 0, where the original's wrap round at 2^64",
          difference.figure);
    case DifferenceKind::kChipsApart:
      return fmt::format(
          "circular buffers are recorded once for each of {} chips; the fullest chip counts, where the "
          "original adds all chips up",
          difference.figure);
    case DifferenceKind::kBankDerived:
      break;
  }
  return fmt::format(
      "{} L1 events of this old capture do not record the size in a bank; the share of a core (sharded) or "
      "the whole buffer is counted, where the original fails",
      difference.figure);
}

namespace {

std::string_view lack_text(Lack lack) {
  switch (lack) {
    case Lack::kDevice:
      return "a description of its device (the largest core there is was taken)";
    case Lack::kReleases:
      return "circular_buffer_deallocate_all (the circular buffers of all programs add up)";
    case Lack::kCoreRanges:
      return "core ranges that can be read (all circular buffers count as if on one core)";
    case Lack::kBankSizes:
      return "max_size_per_bank (whole buffers count)";
    case Lack::kPlacement:
      break;
  }
  return "addresses (NO_DISPATCH: no allocator was asked, which would have refused)";
}

std::string l1_finding_text(const Finding& finding) {
  const bool only_sum = finding.kind == FindingKind::kL1SumExceedsCore;
  std::string text =
      only_sum ? fmt::format(
                     "the L1 peak of {} bytes per core is a sum over circular buffers on different cores: "
                     "the busiest core holds {} of the {} that a core has",
                     finding.bytes, finding.busiest_bytes, finding.limit_bytes)
               : fmt::format("the L1 peak of {} bytes per core is more than the {} that a core has",
                             finding.bytes, finding.limit_bytes);
  for (std::size_t i = 0; i < finding.lacks.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "; the capture lacks " : ", ", lack_text(finding.lacks[i]));
  return text;
}

}  // namespace

std::string finding_text(const Profile& profile, const Finding& finding) {
  switch (finding.kind) {
    case FindingKind::kStopped: {
      const ProfiledSegment& segment = profile.segments[finding.segment];
      return fmt::format(
          "the capture ends inside of {} ({} never ended): the program failed there, or the capture was cut; "
          "figures are those up to that moment",
          call_path(*segment.trace, segment.profile, finding.call), ui::counted(finding.count, "call"));
    }
    case FindingKind::kL1ExceedsCore:
    case FindingKind::kL1SumExceedsCore:
      return l1_finding_text(finding);
    case FindingKind::kTiedBySize:
      break;
  }
  return fmt::format(
      "{} of earlier segments are known by their size alone (no address, no tensor): which of several equal "
      "buffers was freed cannot be told, totals are right",
      ui::counted(finding.count, "freed buffer"));
}

std::string skipped_file_text(const std::string& path) {
  return fmt::format("{}: skipped, only reports of version 1 can be imported", path);
}

std::string no_database_text(const std::string& database_path) {
  return fmt::format(
      "{}: not written, it would be empty\n"
      "expected a capture with function_start and function_end nodes, or a report of version 1",
      database_path);
}

std::vector<std::string> import_warnings(const VisualizerImport& import) {
  std::vector<std::string> warnings;
  if (import.allocations > 0 && import.placed == 0) {
    warnings.push_back(fmt::format(
        "all {} addresses are 0 (NO_DISPATCH): the buffers of the database have no places, and a free "
        "removes "
        "every one of them, as in the importer of ttnn; capture in NORMAL mode for a view of the memory",
        import.allocations));
  }
  if (import.described_devices == 0) {
    warnings.emplace_back(
        "the capture does not describe its device: the database has no row in `devices`, and ttnn-visualizer "
        "cannot draw the memory; a report of end_graph_capture_to_file has them");
  }
  return warnings;
}

std::string no_input_text(const std::vector<std::string>& files) {
  return fmt::format(
      "{}: a graph capture without nodes\n"
      "expected what ttnn records between begin_graph_capture and end_graph_capture",
      fmt::join(files, ", "));
}

namespace {

constexpr std::size_t kNameColumns = 44;
constexpr std::size_t kSizeColumns = 11;

std::string l1_text(std::uint64_t bytes) {
  // The original's figures may have wrapped round; they are shown as they are.
  return bytes > (std::uint64_t{1} << 62) ? fmt::format("{} B", bytes)
                                          : ui::size_text(static_cast<std::int64_t>(bytes));
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
    if (profile_.segments.size() > 1) paint_overall();
    for (std::size_t i = 0; i < profile_.segments.size(); ++i) {
      const ProfiledSegment& segment = profile_.segments[i];
      paint_title(segment);
      paint_figures(segment, profile_.segments.size() > 1 ? &cumulative[i] : nullptr);
      paint_findings(i);
      paint_devices(segment);
      paint_groups(segment);
      paint_calls(segment);
      paint_live(segment, true);
      paint_live(segment, false);
      paint_outputs(segment);
    }
    return out_.take();
  }

 private:
  std::string title_of(const ProfiledSegment& segment) const {
    return terminal_safe(segment.name.empty() ? profile_.files[segment.file] : segment.name);
  }

  /// What all segments together come to.
  void paint_overall() {
    const LiveSet& set = profile_.live;
    out_.heading("All segments", ui::counted(profile_.segments.size(), "segment"));
    paint_findings(kNone);
    paint_overall_peak(set.dram, set.live_at_dram_peak, true);
    paint_overall_peak(set.l1, set.live_at_l1_peak, false);
    if (set.parts_by == PartsBy::kSegment) return;
    out_.heading("DRAM peaks by part", "each with what earlier segments left");
    for (std::size_t i = 0; i < profile_.segments.size(); ++i) paint_parts(i);
  }

  void paint_overall_peak(const JoinedPeak& peak, const std::vector<std::uint32_t>& live, bool in_dram) {
    if (!peak.at.is_known()) return;
    const ProfiledSegment& segment = profile_.segments[peak.at.segment];
    out_.item(in_dram ? "DRAM" : "L1",
              fmt::format("overall peak {}{} in {} at node {}, {} live", ui::size_text(peak.bytes),
                          in_dram ? "" : " per core", title_of(segment), peak.at.node,
                          ui::counted(live.size(), "buffer")));
    if (peak.call != kNone)
      out_.item("in", terminal_safe(call_path(*segment.trace, segment.profile, peak.call)));
    for (const PartBytes& part : peak.parts) {
      row(profile_.live.parts[part.part],
          {ui::size_text(part.bytes), ui::percent_text(ui::ratio(part.bytes, peak.bytes)),
           buffers_text(part.buffers)});
    }
    paint_rest(peak, in_dram);
    paint_owners(live);
  }

  void paint_rest(const JoinedPeak& peak, bool in_dram) {
    if (!in_dram && peak.programs_bytes > 0)
      row("circular buffers and the like", {ui::size_text(peak.programs_bytes)});
    if (peak.older_freed_bytes > 0)
      row("freed, of unknown allocation", {"-" + ui::size_text(peak.older_freed_bytes)});
  }

  static std::string buffers_text(std::uint64_t count) { return "  " + ui::counted(count, "buffer"); }

  void paint_owners(const std::vector<std::uint32_t>& live) {
    const std::vector<OwnerGroup> groups = owner_groups(profile_.live, profile_.views(), live);
    if (groups.empty() || top_ == 0) return;
    out_.line(fmt::format("  largest of {}:", ui::counted(groups.size(), "group")));
    for (std::size_t i = 0; i < std::min(top_, groups.size()); ++i) {
      const OwnerGroup& group = groups[i];
      row((group.kind.empty() ? "" : group.kind + " ") + group.owner,
          {ui::size_text(group.bytes), buffers_text(group.buffers)});
    }
  }

  void paint_parts(std::size_t segment) {
    const JoinedPeak& peak = profile_.live.segment_dram[segment];
    std::string parts;
    for (const PartBytes& part : peak.parts) {
      parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ",
                           terminal_safe(profile_.live.parts[part.part]), ui::size_text(part.bytes));
    }
    row(title_of(profile_.segments[segment]), {ui::size_text(peak.bytes)});
    if (!parts.empty()) out_.paragraph(4, parts, ui::Painter::Ink::kDim);
  }

  void paint_findings(std::size_t segment) {
    for (const Finding& finding : profile_.findings) {
      if (finding.segment != segment) continue;
      out_.item("warning", terminal_safe(finding_text(profile_, finding)), ui::Painter::Ink::kYellow);
    }
  }

  void paint_title(const ProfiledSegment& segment) {
    const SegmentProfile& profile = segment.profile;
    const std::string_view mode = profile.buffers.empty() ? "no buffers" : run_mode_text(profile);
    out_.heading(title_of(segment), fmt::format("{}, {}, {}", ui::counted(segment.trace->size(), "node"),
                                                ui::counted(profile.calls.size(), "call"), mode));
  }

  void paint_figures(const ProfiledSegment& segment, const CumulativeDram* cumulative) {
    const SegmentProfile& profile = segment.profile;
    out_.item(
        "DRAM",
        fmt::format(
            "peak {}, allocated {}, freed {} (one device, whole buffers, from the start of the capture)",
            ui::size_text(profile.dram.peak), ui::size_text(profile.dram.total_allocations),
            ui::size_text(profile.dram.total_deallocations)));
    if (cumulative != nullptr) {
      out_.item("", fmt::format("over all segments so far: peak {}, in use {}",
                                ui::size_text(cumulative->peak), ui::signed_size_text(cumulative->current)));
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
                          ui::size_text(core.peak_total_bytes), ui::size_text(core.peak_cb_bytes)));
    }
    for (const Difference& difference : profile.differences)
      out_.item("note", difference_text(difference), ui::Painter::Ink::kYellow);
  }

  void paint_devices(const ProfiledSegment& segment) {
    if (segment.profile.devices.size() < 2) return;
    out_.heading("Devices", "buffers name the mesh, circular buffers the chip");
    for (const GraphDeviceUse& use : segment.profile.devices) {
      out_.line(
          fmt::format("  device {:<4} DRAM peak {}, L1 buffers {} per core, circular buffers {} per core",
                      use.device_id, ui::size_text(use.dram_peak_bytes),
                      ui::size_text(use.l1_peak_per_core_bytes), ui::size_text(use.cb_peak_per_core_bytes)));
    }
  }

  void row(std::string_view name, const std::vector<std::string>& cells) {
    std::string line = "  " + ui::pad_right(ui::fit(terminal_safe(name), kNameColumns), kNameColumns);
    for (const std::string& cell : cells) line += ui::pad_left(cell, kSizeColumns);
    out_.line(line);
  }

  static std::string time_text(std::int64_t duration_ns) {
    return duration_ns == 0 ? "-" : fmt::format("{:.1f} us", static_cast<double>(duration_ns) / 1000);
  }

  void paint_groups(const ProfiledSegment& segment) {
    const std::vector<CallGroup> groups = call_groups(segment.profile);
    if (groups.size() < 2 || groups.size() == segment.profile.calls.size() || top_ == 0) return;
    out_.heading("Calls by name", fmt::format("the {} of {} that use most; inner calls included",
                                              std::min(top_, groups.size()), ui::count_text(groups.size())));
    row("", {"calls", "DRAM +", "DRAM -", "CB/core", "host time"});
    for (std::size_t i = 0; i < std::min(top_, groups.size()); ++i) {
      const CallGroup& group = groups[i];
      row(segment.trace->text(group.name),
          {ui::count_text(group.calls), ui::size_text(group.dram_allocated_bytes),
           ui::size_text(group.dram_freed_bytes), ui::size_text(group.cb_peak_per_core_bytes),
           time_text(group.duration_ns)});
    }
  }

  void paint_calls(const ProfiledSegment& segment) {
    const std::vector<std::uint32_t> calls = ranked_calls(segment.profile, top_);
    if (calls.empty()) return;
    out_.heading("Calls", fmt::format("the {} of {} that use most; inner calls included", calls.size(),
                                      ui::count_text(segment.profile.calls.size())));
    row("", {"DRAM +", "DRAM -", "L1/core", "CB/core", "host time"});
    for (const std::uint32_t index : calls) {
      const GraphCall& call = segment.profile.calls[index];
      const std::string indent(2 * static_cast<std::size_t>(std::max<int>(call.level, 1) - 1), ' ');
      row(indent + std::string(segment.trace->text(call.name)),
          {ui::size_text(call.dram_allocated_bytes), ui::size_text(call.dram_freed_bytes),
           ui::size_text(call.l1_peak_per_core_bytes), ui::size_text(call.cb_peak_per_core_bytes),
           time_text(call.duration_ns)});
    }
  }

  void paint_live(const ProfiledSegment& segment, bool in_dram) {
    const GraphPeak& peak = in_dram ? segment.profile.dram_peak : segment.profile.l1_peak;
    if (peak.node == kNone) return;
    out_.heading(in_dram ? "Live at the DRAM peak" : "Live at the L1 peak",
                 fmt::format("{}{} at node {}, {}", ui::size_text(peak.bytes), in_dram ? "" : " per core",
                             peak.node, ui::counted(peak.live.size(), "buffer")));
    if (peak.call != kNone) {
      out_.item("in", terminal_safe(call_path(*segment.trace, segment.profile, peak.call)));
    }
    for (std::size_t i = 0; i < std::min(top_, peak.live.size()); ++i) {
      const BufferLife& life = segment.profile.buffers[peak.live[i]];
      row(buffer_title(*segment.trace, life),
          {ui::size_text(in_dram ? life.size_bytes : life.per_bank_bytes), fmt::format("@{}", life.address)});
    }
    if (peak.live.size() > top_) out_.line(fmt::format("  and {} more", peak.live.size() - top_));
    if (!in_dram && peak.programs_bytes > 0)
      row("circular buffers and the like", {ui::size_text(peak.programs_bytes)});
    if (peak.older_freed_bytes > 0)
      row("older buffers freed before", {"-" + ui::size_text(peak.older_freed_bytes)});
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
                            facts.size_bytes == kNotRecorded ? "" : ui::size_text(facts.size_bytes)));
    }
  }

  const Profile& profile_;
  std::size_t top_;
  ui::Painter out_;
};

}  // namespace

std::string graph_summary_text(const Profile& profile, const GraphTextOptions& options) {
  return SummaryText(profile, options).run();
}

namespace {

constexpr double kMb = 1024.0 * 1024.0;

template <typename Bytes>
double mb(Bytes bytes) {
  return static_cast<double>(bytes) / kMb;
}

}  // namespace

std::string memory_usage_summary(std::span<const SegmentFigures> segments) {
  if (segments.empty()) return "WARNING: No traces captured\n";
  const std::vector<CumulativeDram> cumulative = cumulative_dram(segments);
  std::string text = "=== Memory Usage Summary ===\n\n";
  const auto out = std::back_inserter(text);
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const DramUsage& dram = segments[i].dram;
    const L1Usage& l1 = segments[i].l1;
    text += "--- " + terminal_safe(segments[i].name) + " ---\n";
    fmt::format_to(out,
                   "  DRAM: Segment Peak {:.2f} MB, Allocations {:.2f} MB, Deallocations {:.2f} MB, "
                   "Segment Change {:+.2f} MB\n",
                   mb(dram.peak), mb(dram.total_allocations), mb(dram.total_deallocations),
                   mb(dram.total_allocations) - mb(dram.total_deallocations));
    fmt::format_to(out, "  DRAM: Cumulative Peak {:.2f} MB, Cumulative Current {:.2f} MB\n",
                   mb(cumulative[i].peak), mb(cumulative[i].current));
    fmt::format_to(out, "  L1: Peak CB {:.2f} MB, Peak Buffer {:.2f} MB, Peak Total {:.2f} MB\n",
                   mb(l1.peak_cb), mb(l1.peak_l1), mb(l1.peak_total));
  }
  fmt::format_to(out, "\n=== Final Totals ===\nOverall DRAM Peak: {:.2f} MB, Final DRAM Usage: {:.2f} MB\n\n",
                 mb(cumulative.back().peak), mb(cumulative.back().current));
  return text;
}

}  // namespace ttscope::graph
