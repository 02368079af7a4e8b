// Declared in raw_report.h. Markers are written by hand: their payloads go beyond the integers of tables.
#include <optional>

#include "base/json_writer.h"
#include "perf/write/raw/raw_report.h"
#include "report/document_head.h"

namespace ttscope::perf {
namespace {

std::optional<std::string_view> or_null(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

class RawJson {
 public:
  RawJson(const RawRun& run, JsonWriter& json) : run_(run), json_(json) {}

  void write_cores() {
    json_.key("cores");
    json_.begin_array();
    for (const RawCore& core : run_.cores) {
      json_.begin_object();
      json_.field("core_x", core.x);
      json_.field("core_y", core.y);
      json_.field("flat_id", core.flat_id);
      json_.field("done", core.is_done);
      json_.key("riscs");
      json_.begin_array();
      for (const RawProcessor& processor : core.processors) write_processor(processor);
      json_.end_array();
      json_.end_object();
    }
    json_.end_array();
  }

  /// Of DRAM, or of the buffers in L1.
  void write_markers(std::string_view key, RawRegion RawProcessor::*place) {
    json_.key(key);
    json_.begin_array();
    for (const RawCore& core : run_.cores) {
      for (const RawProcessor& processor : core.processors) {
        for (const RawMarker& marker : (processor.*place).markers)
          write_marker(core, processor, processor.*place, marker);
      }
    }
    json_.end_array();
  }

  void write_findings() {
    json_.key("findings");
    json_.begin_array();
    for (const RawFinding& finding : run_.findings) {
      const RawCore& core = run_.cores[finding.core];
      json_.begin_object();
      json_.field("kind", info_of(finding.problem).key);
      json_.field("core_x", core.x);
      json_.field("core_y", core.y);
      json_.field("risc", core.processors[finding.processor].name);
      json_.field("count", finding.count);
      json_.field("text", finding_text(run_, finding));
      json_.end_object();
    }
    json_.end_array();
  }

  void write_running() {
    json_.key("running");
    json_.begin_array();
    for (const RunningLaunch& running : run_.running) {
      const RawCore& core = run_.cores[running.core];
      json_.begin_object();
      json_.field("core_x", core.x);
      json_.field("core_y", core.y);
      json_.field("risc", core.processors[running.processor].name);
      json_.field("host_id", running.host_id);
      json_.key("zones");
      json_.begin_array();
      for (const std::uint16_t id : running.zones) {
        json_.begin_object();
        json_.field("id", id);
        json_.field("name", or_null(run_.name_of(id)));
        json_.end_object();
      }
      json_.end_array();
      json_.field("last_time", running.last_time);
      json_.end_object();
    }
    json_.end_array();
  }

 private:
  void write_processor(const RawProcessor& processor) {
    json_.begin_object();
    json_.field("risc", processor.name);
    json_.field("dram_words", processor.dram.end_words);
    json_.field("l1_words", processor.l1.end_words);
    json_.field("launches", launch_count(processor.dram));
    json_.field("markers", processor.dram.markers.size());
    json_.field("dropped", processor.dropped);
    json_.end_object();
  }

  void write_marker(const RawCore& core, const RawProcessor& processor, const RawRegion& region,
                    const RawMarker& marker) {
    const RawLaunch* launch = marker.run == kNone ? nullptr : &region.runs[marker.run];
    json_.begin_object();
    json_.field("core_x", core.x);
    json_.field("core_y", core.y);
    json_.field("risc", processor.name);
    json_.field("host_id", host_id_of(region, marker));
    json_.field("kind", key_of(marker.kind));
    json_.field("id", marker.id);
    json_.field("name", or_null(run_.name_of(marker)));
    json_.field("time", marker.has_time() ? std::optional(marker.time) : std::nullopt);
    if (marker.kind == MarkerKind::kZoneTotal) json_.field("sum", marker.data[0]);
    if (marker.kind == MarkerKind::kData || marker.kind == MarkerKind::kData16)
      json_.field("data", marker.data[0]);
    if (marker.kind == MarkerKind::kData16) json_.field("data_2", marker.data[1]);
    if (launch != nullptr && launch->trace != 0) json_.field("replay", launch->trace);
    json_.field("word", marker.word);
    json_.field("suspect", marker.suspicion != Suspicion::kNone);
    if (marker.suspicion != Suspicion::kNone) json_.field("suspicion", key_of(marker.suspicion));
    if (launch != nullptr && !launch->intact) json_.field("host_id_left_over", launch->host_id);
    json_.end_object();
  }

  const RawRun& run_;
  JsonWriter& json_;
};

}  // namespace

void write_raw_json(const RawRun& run, std::string_view tool_version, Writer& out) {
  JsonWriter json(out, {.indented = false, .ascii = true});
  json.begin_object();
  report::write_document_head(json, "ttscope.raw/1", tool_version);
  json.field("run", or_null(run.name));
  json.field("title", or_null(run.title));
  json.field("arch", or_null(run.arch));
  json.field("snapshot", or_null(run.snapshot));
  RawJson writer(run, json);
  writer.write_cores();
  writer.write_markers("markers", &RawProcessor::dram);
  writer.write_markers("l1_markers", &RawProcessor::l1);
  writer.write_running();
  writer.write_findings();
  json.end_object();
  out.write('\n');
}

}  // namespace ttscope::perf
