#pragma once

#include <string>

#include "base/json_writer.h"
#include "perf/analyse/device_stats/timer_analyses.h"
#include "perf/model/rules.h"

namespace ttscope::perf {

/// What the analysis was made of and with.
struct AnalysisSetup {
  std::string log_path;       ///< as it was asked for
  std::string output_folder;  ///< likewise
  std::string json_name;
  std::string stats_name;
  const Rules* rules = &own_rules();
};

/// The definition of an analysis: `{"across": "ops", "end": {...}, "start": {...}, "type": ...}`.
void write_definition(JsonWriter& json, const TimerAnalysis& analysis);
/// The rule of a sum or of events: `{"risc": "TRISC_0", "zone_name": "CB-COMPUTE-WAIT-FRONT"}`.
void write_marker_rule(JsonWriter& json, const MarkerRule& rule);
void write_setup(JsonWriter& json, const AnalysisSetup& setup);

}  // namespace ttscope::perf
