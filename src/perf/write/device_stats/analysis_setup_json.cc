#include "perf/write/device_stats/analysis_setup_json.h"

namespace ttscope::perf {
namespace {

std::string_view scope_text(AnalysisScope scope) {
  switch (scope) {
    case AnalysisScope::kCore:
      return "core";
    case AnalysisScope::kDevice:
      return "device";
    case AnalysisScope::kOps:
      return "ops";
    case AnalysisScope::kDispatchOps:
      return "dispatch_ops";
  }
  return {};
}

std::string_view kind_text(AnalysisKind kind) {
  switch (kind) {
    case AnalysisKind::kAdjacent:
      return "adjacent";
    case AnalysisKind::kOpFirstLast:
      return "op_first_last";
    case AnalysisKind::kOpCoreFirstLast:
      return "op_core_first_last";
    case AnalysisKind::kSum:
      return "sum";
    case AnalysisKind::kEvent:
      return "event";
  }
  return {};
}

void write_texts(JsonWriter& json, const std::vector<std::string>& texts) {
  json.begin_array();
  for (const std::string& text : texts) json.value(std::string_view(text));
  json.end_array();
}

void write_zones(JsonWriter& json, const MarkerRule& rule) {
  if (rule.zones.empty()) return;
  json.key("zone_name");
  if (rule.zones.size() == 1) {
    json.value(std::string_view(rule.zones.front()));
  } else {
    write_texts(json, rule.zones);
  }
}

void write_border(JsonWriter& json, const MarkerRule& rule) {
  json.begin_object();
  json.field("core", "ANY");
  json.field("risc", rule.risc);
  write_zones(json, rule);
  if (!rule.phase.empty()) json.field("zone_phase", rule.phase);
  json.end_object();
}

}  // namespace

void write_marker_rule(JsonWriter& json, const MarkerRule& rule) {
  json.begin_object();
  json.field("risc", rule.risc);
  write_zones(json, rule);
  json.end_object();
}

void write_definition(JsonWriter& json, const TimerAnalysis& analysis) {
  json.begin_object();
  json.field("across", scope_text(analysis.scope));
  if (analysis.kind == AnalysisKind::kSum || analysis.kind == AnalysisKind::kEvent) {
    json.key("marker");
    write_marker_rule(json, analysis.start);
  } else {
    json.key("end");
    write_border(json, analysis.end);
    json.key("start");
    write_border(json, analysis.start);
  }
  json.field("type", kind_text(analysis.kind));
  json.end_object();
}

void write_setup(JsonWriter& json, const AnalysisSetup& setup) {
  json.begin_object();
  json.field("detectOps", true);
  json.field("deviceAnalysisData", std::string_view(setup.json_name));
  json.field("deviceInputLog", std::string_view(setup.log_path));
  json.field("deviceStatsTXT", std::string_view(setup.stats_name));
  // Only the reference packs its files.
  if (setup.rules->names_tarball) json.field("deviceTarball", "device_perf_results.tgz");
  json.key("displayStats");
  write_texts(json, {"Count", "Average", "Max", "Median", "Min", "Sum", "Range"});
  json.field("outputFolder", std::string_view(setup.output_folder));
  json.key("riscTypes");
  write_texts(json, setup_risc_types());
  json.key("riscs");
  write_texts(json, setup_riscs());
  json.key("timerAnalysis");
  json.begin_object();
  for (const std::size_t index : analyses_by_name()) {
    const TimerAnalysis& analysis = timer_analyses()[index];
    json.key(analysis.name);
    write_definition(json, analysis);
  }
  json.end_object();
  json.end_object();
}

}  // namespace ttscope::perf
