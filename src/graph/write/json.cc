#include <memory>

#include "base/json_writer.h"
#include "fit/outputs.h"
#include "graph/analyze/segment_profile.h"
#include "graph/tables/tables.h"
#include "graph/write/outputs.h"
#include "table/write.h"
#include "ui/json_text.h"

namespace ttscope::graph {
namespace {

using table::WhereNull;

/// The rows of declared tables, each list in the order in which the document has them.
struct DeclaredRows {
  explicit DeclaredRows(const table::TableSet& set)
      : described_devices(*set.find("described_devices"), {{"device_id"},
                                                           {"arch", {}, WhereNull::kEmptyText},
                                                           {"worker_l1_size_bytes"},
                                                           {"l1_num_banks"},
                                                           {"l1_bank_size_bytes"},
                                                           {"num_dram_channels"},
                                                           {"dram_size_per_channel_bytes"}}),
        devices(*set.find("devices"), {{"device_id"},
                                       {"dram_peak", "dram_peak_bytes"},
                                       {"dram_total_allocations", "dram_allocations_bytes"},
                                       {"dram_total_deallocations", "dram_deallocations_bytes"},
                                       {"l1_peak_per_core", "l1_peak_bytes_per_core"},
                                       {"cb_peak_per_core", "cb_peak_bytes_per_core"}}),
        call_places(*set.find("ops"), {{"name"}, {"level"}, {"start", "start_node"}, {"end", "end_node"}}),
        call_uses(*set.find("ops"), {{"duration_ns", {}, WhereNull::kZero},
                                     {"dram_allocated", "dram_allocated_bytes"},
                                     {"dram_freed", "dram_freed_bytes"},
                                     {"dram_peak", "dram_peak_bytes"},
                                     {"l1_allocated_per_core", "l1_allocated_bytes_per_core"},
                                     {"l1_freed_per_core", "l1_freed_bytes_per_core"},
                                     {"l1_peak_per_core", "l1_peak_bytes_per_core"},
                                     {"cb_peak_per_core", "cb_peak_bytes_per_core"}}),
        output_tensors(*set.find("output_tensors"), {{"node"},
                                                     {"tensor_id"},
                                                     {"shape", {}, WhereNull::kEmptyText},
                                                     {"dtype", {}, WhereNull::kEmptyText},
                                                     {"layout", {}, WhereNull::kEmptyText},
                                                     {"size", "size_bytes"},
                                                     {"address"},
                                                     {"device_id"}}) {}

  table::JsonRows described_devices;
  table::JsonRows devices;
  table::JsonRows call_places;
  table::JsonRows call_uses;
  table::JsonRows output_tensors;
};

class GraphDocument {
 public:
  GraphDocument(const Profile& profile, Writer& out)
      : profile_(profile),
        rows_(tables_of(std::shared_ptr<const Profile>(std::shared_ptr<const void>(), &profile))),
        json_(out, {.indented = true}) {}

  void write(const std::string& tool_version, const fit::Report* fit) {
    json_.object([&] {
      ui::write_document_head(json_, "ttscope.graph/1", tool_version);
      json_.field("accounting", profile_.rules.name);
      write_files();
      write_described_devices();
      write_findings();
      write_overall();
      write_segments();
      if (fit == nullptr) return json_.field("fit", nullptr);
      json_.key("fit");
      fit::write_fit_object(json_, *fit, tool_version);
    });
  }

 private:
  void write_files() {
    json_.array("files", [&] {
      for (std::size_t i = 0; i < profile_.files.size(); ++i)
        json_.object([&] {
          json_.field("path", std::string_view(profile_.files[i]));
          json_.field("format", format_text(profile_.captures[i]->format));
        });
    });
  }

  void write_described_devices() {
    std::size_t count = 0;
    for (const auto& capture : profile_.captures) count += capture->devices.size();
    rows_.described_devices.write_array(json_, "described_devices", count);
  }

  void write_findings() {
    json_.objects("findings", profile_.findings, [&](const Finding& finding) {
      json_.field("kind", name_of(finding.kind));
      json_.field("severity", "warning");
      json_.field("segment", id_or_null(finding.segment));
      json_.field("text", std::string_view(finding_text(profile_, finding)));
      json_.field("l1_per_core", positive_or_null(finding.bytes));
      json_.field("limit_per_core", positive_or_null(finding.limit_bytes));
      json_.field("count", positive_or_null(finding.count));
      json_.list("lacks", finding.lacks, [&](const Lack lack) { json_.value(name_of(lack)); });
    });
  }

  void write_overall() {
    json_.object("overall", [&] {
      json_.field("parts_by", profile_.live.parts_by == PartsBy::kKind ? "kind" : "segment");
      write_overall_peak("dram", profile_.live.dram, profile_.live.live_at_dram_peak);
      write_overall_peak("l1_per_core", profile_.live.l1, profile_.live.live_at_l1_peak);
    });
  }

  void write_overall_peak(std::string_view key, const JoinedPeak& peak,
                          const std::vector<std::uint32_t>& live) {
    json_.object(key, [&] {
      json_.field("bytes", peak.bytes);
      json_.field("segment", id_or_null(peak.at.segment));
      json_.field("node", id_or_null(peak.at.node));
      const std::vector<SegmentView> views = profile_.views();
      std::string call;
      if (peak.at.is_known())
        call = call_path(*views[peak.at.segment].trace, *views[peak.at.segment].profile, peak.call);
      json_.field("call", std::string_view(call));
      json_.field("older_freed_bytes", peak.older_freed_bytes);
      json_.field("programs_bytes", peak.programs_bytes);
      write_parts(peak.parts);
      json_.list("live", live,
                 [&](const std::uint32_t buffer) { write_joined(profile_.live.buffers[buffer], views); });
    });
  }

  void write_parts(const std::vector<PartBytes>& parts) {
    json_.objects("parts", parts, [&](const PartBytes& part) {
      json_.field("part", std::string_view(profile_.live.parts[part.part]));
      json_.field("bytes", part.bytes);
      json_.field("buffers", part.buffers);
    });
  }

  void write_joined(const JoinedBuffer& buffer, const std::vector<SegmentView>& views) {
    const GraphTrace& trace = *views[buffer.segment].trace;
    const SegmentProfile& profile = *views[buffer.segment].profile;
    const BufferLife& life = profile.buffers[buffer.buffer];
    json_.object([&] {
      json_.field("title", std::string_view(buffer_title(trace, life)));
      json_.field("kind", text_or_null(buffer.kind));
      json_.field("owner", text_or_null(buffer.owner));
      json_.field("bytes", buffer.bytes);
      json_.field("segment", buffer.segment);
      json_.field("allocated_at", id_or_null(life.allocated));
      json_.field("freed_in_segment", id_or_null(buffer.freed.segment));
      json_.field("freed_at", id_or_null(buffer.freed.node));
      json_.field("address", known_or_null(life.address));
      json_.field("call", std::string_view(call_path(trace, profile, life.call)));
    });
  }

  void write_segments() {
    const std::vector<SegmentFigures> figures = profile_.figures();
    const std::vector<CumulativeDram> cumulative = cumulative_dram(figures);
    json_.array("segments", [&] {
      for (std::size_t i = 0; i < profile_.segments.size(); ++i) write_segment(i, cumulative[i]);
    });
  }

  void write_segment(std::size_t number, const CumulativeDram& cumulative) {
    const ProfiledSegment& segment = profile_.segments[number];
    const SegmentProfile& profile = segment.profile;
    json_.object([&] {
      json_.field("name", std::string_view(segment.name));
      json_.field("file", segment.file);
      json_.field("nodes", segment.trace->size());
      json_.field("run_mode", run_mode_text(profile));
      write_figures(profile, cumulative);
      json_.list("notes", profile.differences,
                 [&](const Difference& difference) { json_.value(difference_text(difference)); });
      json_.list("calltrace", profile.calls,
                 [&](const GraphCall& call) { json_.value(segment.trace->text(call.name)); });
      rows_.devices.write_array(json_, "devices", profile.devices.size());
      write_parts(profile_.live.segment_dram[number].parts);
      write_peaks(segment);
      write_live(segment);
      write_calls(segment);
      rows_.output_tensors.write_array(json_, "output_tensors", profile.outputs.size());
    });
  }

  void write_figures(const SegmentProfile& profile, const CumulativeDram& cumulative) {
    json_.object("dram", [&] {
      json_.field("peak", profile.dram.peak);
      json_.field("total_allocations", profile.dram.total_allocations);
      json_.field("total_deallocations", profile.dram.total_deallocations);
      json_.field("cumulative_peak", cumulative.peak);
      json_.field("cumulative_current", cumulative.current);
    });
    json_.object("l1", [&] {
      json_.field("peak_cb", profile.l1.peak_cb);
      json_.field("peak_l1", profile.l1.peak_l1);
      json_.field("peak_dataflow_buffer", profile.l1.peak_dataflow_buffer);
      json_.field("peak_scratchpad", profile.l1.peak_scratchpad);
      json_.field("peak_total", profile.l1.peak_total);
    });
    if (!profile.busiest_core.known) return json_.field("busiest_core", nullptr);
    json_.object("busiest_core", [&] {
      json_.field("x", profile.busiest_core.x);
      json_.field("y", profile.busiest_core.y);
      json_.field("peak_cb", profile.busiest_core.peak_cb_bytes);
      json_.field("peak_total", profile.busiest_core.peak_total_bytes);
    });
  }

  void write_peaks(const ProfiledSegment& segment) {
    json_.object("peaks", [&] {
      for (const bool in_dram : {true, false}) {
        const GraphPeak& peak = in_dram ? segment.profile.dram_peak : segment.profile.l1_peak;
        json_.object(in_dram ? "dram" : "l1_per_core", [&] {
          json_.field("bytes", peak.bytes);
          json_.field("node", id_or_null(peak.node));
          json_.field("call", std::string_view(call_path(*segment.trace, segment.profile, peak.call)));
          json_.field("older_freed_bytes", peak.older_freed_bytes);
          if (!in_dram) json_.field("programs_bytes", peak.programs_bytes);
        });
      }
    });
  }

  void write_live(const ProfiledSegment& segment) {
    json_.array("live_at_peak", [&] {
      for (const bool in_dram : {true, false}) {
        const GraphPeak& peak = in_dram ? segment.profile.dram_peak : segment.profile.l1_peak;
        for (const std::uint32_t buffer : peak.live)
          write_life(segment, segment.profile.buffers[buffer], in_dram);
      }
    });
  }

  void write_life(const ProfiledSegment& segment, const BufferLife& life, bool in_dram) {
    const GraphTrace& trace = *segment.trace;
    json_.object([&] {
      json_.field("peak", in_dram ? "dram" : "l1");
      json_.field("memory", buffer_type_text(trace, trace.buffer_facts[life.facts]));
      json_.field("title", std::string_view(buffer_title(trace, life)));
      json_.field("kind", text_or_null(buffer_kind(trace, segment.profile, life)));
      json_.field("owner", text_or_null(buffer_owner(trace, life)));
      json_.field("tensor_id", known_or_null(life.tensor == kNone ? kNotRecorded
                                                                  : trace.tensor_of(life.tensor).tensor_id));
      json_.field("device_id", known_or_null(trace.buffer_facts[life.facts].device_id));
      json_.field("address", known_or_null(life.address));
      json_.field("size", life.size_bytes);
      json_.field("per_bank", life.per_bank_bytes);
      json_.field("allocated_at", id_or_null(life.allocated));
      json_.field("freed_at", id_or_null(life.freed));
      json_.field("call", std::string_view(call_path(trace, segment.profile, life.call)));
    });
  }

  void write_calls(const ProfiledSegment& segment) {
    json_.objects("calls", segment.profile.calls, [&](const GraphCall& call) {
      rows_.call_places.write_next(json_);
      json_.field("parent", id_or_null(call.parent));  // within the segment
      rows_.call_uses.write_next(json_);
    });
  }

  const Profile& profile_;
  DeclaredRows rows_;
  JsonWriter json_;
};

}  // namespace

void write_graph_json(const Profile& profile, const std::string& tool_version, Writer& out,
                      const fit::Report* fit) {
  GraphDocument(profile, out).write(tool_version, fit);
  out.write('\n');
}

}  // namespace ttscope::graph
