#include "output/device_stats/analysis_setup_json.h"

namespace ttscope::output {
namespace {

std::string_view scope_text(analysis::AnalysisScope scope) {
  switch (scope) {
    case analysis::AnalysisScope::kCore:
      return "core";
    case analysis::AnalysisScope::kDevice:
      return "device";
    case analysis::AnalysisScope::kOps:
      return "ops";
    case analysis::AnalysisScope::kDispatchOps:
      return "dispatch_ops";
  }
  return {};
}

std::string_view kind_text(analysis::AnalysisKind kind) {
  switch (kind) {
    case analysis::AnalysisKind::kAdjacent:
      return "adjacent";
    case analysis::AnalysisKind::kOpFirstLast:
      return "op_first_last";
    case analysis::AnalysisKind::kOpCoreFirstLast:
      return "op_core_first_last";
    case analysis::AnalysisKind::kSum:
      return "sum";
    case analysis::AnalysisKind::kEvent:
      return "event";
  }
  return {};
}

void write_texts(JsonWriter& json, const std::vector<std::string>& texts) {
  json.begin_array();
  for (const std::string& text : texts) json.value(std::string_view(text));
  json.end_array();
}

void write_zones(JsonWriter& json, const analysis::MarkerRule& rule) {
  if (rule.zones.empty()) return;
  json.key("zone_name");
  if (rule.zones.size() == 1) {
    json.value(std::string_view(rule.zones.front()));
  } else {
    write_texts(json, rule.zones);
  }
}

void write_border(JsonWriter& json, const analysis::MarkerRule& rule) {
  json.begin_object();
  json.field("core", "ANY");
  json.field("risc", rule.risc);
  write_zones(json, rule);
  if (!rule.phase.empty()) json.field("zone_phase", rule.phase);
  json.end_object();
}

}  // namespace

void write_marker_rule(JsonWriter& json, const analysis::MarkerRule& rule) {
  json.begin_object();
  json.field("risc", rule.risc);
  write_zones(json, rule);
  json.end_object();
}

void write_definition(JsonWriter& json, const analysis::TimerAnalysis& analysis) {
  json.begin_object();
  json.field("across", scope_text(analysis.scope));
  if (analysis.kind == analysis::AnalysisKind::kSum || analysis.kind == analysis::AnalysisKind::kEvent) {
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
  if (setup.compat) json.field("deviceTarball", "device_perf_results.tgz");
  json.key("displayStats");
  write_texts(json, {"Count", "Average", "Max", "Median", "Min", "Sum", "Range"});
  json.field("outputFolder", std::string_view(setup.output_folder));
  json.key("riscTypes");
  write_texts(json, analysis::setup_risc_types());
  json.key("riscs");
  write_texts(json, analysis::setup_riscs());
  json.key("timerAnalysis");
  json.begin_object();
  for (const std::size_t index : analysis::analyses_by_name()) {
    const analysis::TimerAnalysis& analysis = analysis::timer_analyses()[index];
    json.key(analysis.name);
    write_definition(json, analysis);
  }
  json.end_object();
  json.end_object();
}

}  // namespace ttscope::output
