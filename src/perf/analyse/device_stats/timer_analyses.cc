#include "perf/analyse/device_stats/timer_analyses.h"

#include <algorithm>

#include "base/text_search.h"

namespace ttscope::perf {
namespace {

constexpr std::string_view kAnyRisc = "ANY";
constexpr std::string_view kZoneStart = "ZONE_START";
constexpr std::string_view kZoneEnd = "ZONE_END";

std::vector<std::string> zones_of(const std::vector<std::string>& riscs, const std::string& ending) {
  std::vector<std::string> zones;
  zones.reserve(riscs.size());
  for (const std::string& risc : riscs) zones.push_back(risc + ending);
  return zones;
}

/// First to last marker of a zone on a processor.
TimerAnalysis risc_duration(std::string_view name, std::string_view risc, const std::string& zone) {
  const MarkerRule rule{risc, {}, {zone}};
  return {name, AnalysisScope::kOps, AnalysisKind::kOpFirstLast, rule, rule};
}

TimerAnalysis op_duration(std::string_view name, const MarkerRule& rule) {
  return {name, AnalysisScope::kOps, AnalysisKind::kOpFirstLast, rule, rule};
}

/// From the end of a zone to its next start.
TimerAnalysis trace_gap(std::string_view name, const std::string& zone) {
  return {name,
          AnalysisScope::kDevice,
          AnalysisKind::kAdjacent,
          {kAnyRisc, kZoneEnd, {zone}},
          {kAnyRisc, kZoneStart, {zone}}};
}

TimerAnalysis dispatch_duration(std::string_view name, std::string_view risc, const std::string& zone) {
  TimerAnalysis analysis = risc_duration(name, risc, zone);
  analysis.scope = AnalysisScope::kDispatchOps;
  return analysis;
}

TimerAnalysis summed(std::string_view name, std::string_view risc, const std::string& zone) {
  return {name, AnalysisScope::kOps, AnalysisKind::kSum, {risc, {}, {zone}}, {}};
}

std::vector<TimerAnalysis> make_analyses() {
  const MarkerRule kernels{kAnyRisc, {}, zones_of(setup_risc_types(), "-KERNEL")};
  const MarkerRule firmware{kAnyRisc, {}, zones_of(setup_risc_types(), "-FW")};
  const MarkerRule kernel_starts{kAnyRisc, kZoneStart, kernels.zones};
  return {
      risc_duration("trace_fw_duration", "TENSIX_RISC_AGG", "TRACE-FW"),
      risc_duration("trace_kernel_duration", "TENSIX_RISC_AGG", "TRACE-KERNEL"),
      trace_gap("trace2trace - FW", "TRACE-FW"),
      trace_gap("trace2trace - kernel", "TRACE-KERNEL"),
      {"op2op",
       AnalysisScope::kCore,
       AnalysisKind::kAdjacent,
       {kAnyRisc, kZoneEnd, kernels.zones},
       {kAnyRisc, kZoneStart, zones_of({"BRISC", "NCRISC"}, "-KERNEL")}},
      op_duration("device_kernel_first_to_last_start", kernel_starts),
      {"device_kernel_duration_per_core", AnalysisScope::kOps, AnalysisKind::kOpCoreFirstLast, kernels,
       kernels},
      op_duration("device_fw_duration", firmware),
      op_duration("device_kernel_duration", kernels),
      {"device_kernel_duration_dm_start",
       AnalysisScope::kOps,
       AnalysisKind::kOpFirstLast,
       {kAnyRisc, {}, zones_of({"BRISC", "NCRISC", "ERISC"}, "-KERNEL")},
       kernels},
      risc_duration("device_brisc_kernel_duration", "BRISC", "BRISC-KERNEL"),
      risc_duration("device_ncrisc_kernel_duration", "NCRISC", "NCRISC-KERNEL"),
      risc_duration("device_trisc0_kernel_duration", "TRISC_0", "TRISC-KERNEL"),
      risc_duration("device_trisc1_kernel_duration", "TRISC_1", "TRISC-KERNEL"),
      risc_duration("device_trisc2_kernel_duration", "TRISC_2", "TRISC-KERNEL"),
      risc_duration("device_erisc_kernel_duration", "ERISC", "ERISC-KERNEL"),
      summed("device_compute_cb_wait_front", "TRISC_0", "CB-COMPUTE-WAIT-FRONT"),
      summed("device_compute_cb_reserve_back", "TRISC_2", "CB-COMPUTE-RESERVE-BACK"),
      dispatch_duration("dispatch_total_cq_cmd_op_time", "BRISC", "CQ_DISPATCH_*"),
      dispatch_duration("dispatch_go_send_wait_time", "NCRISC", "CQ_DISPATCH_CMD_SEND_GO_SIGNAL"),
      {"perf_counter_data", AnalysisScope::kDevice, AnalysisKind::kEvent, {"BRISC", {}, {}}, {}},
  };
}

bool rule_matches(const MarkerRule& rule, std::string_view zone, std::string_view type,
                  std::string_view risc) {
  if (rule.risc != kAnyRisc && rule.risc != risc) return false;
  if (!rule.phase.empty() && rule.phase != type) return false;
  return std::any_of(rule.zones.begin(), rule.zones.end(), [&](const std::string& name) {
    if (name == zone) return true;
    return name.back() == '*' && contains(zone, std::string_view(name).substr(0, name.size() - 1));
  });
}

}  // namespace

const std::vector<std::string>& setup_risc_types() {
  static const std::vector<std::string> kTypes = {"BRISC", "NCRISC",          "TRISC",
                                                  "ERISC", "TENSIX_RISC_AGG", "DM"};
  return kTypes;
}

const std::vector<std::string>& setup_riscs() {
  static const std::vector<std::string> kRiscs = [] {
    std::vector<std::string> names = {"BRISC", "NCRISC", "TRISC_0", "TRISC_1", "TRISC_2", "ERISC"};
    for (int i = 0; i < 8; ++i) names.push_back("QUASAR_DM" + std::to_string(i));
    for (int neo = 0; neo < 4; ++neo) {
      for (int trisc = 0; trisc < 4; ++trisc)
        names.push_back("QUASAR_NEO" + std::to_string(neo) + "_TRISC" + std::to_string(trisc));
    }
    return names;
  }();
  return kRiscs;
}

const std::vector<TimerAnalysis>& timer_analyses() {
  static const std::vector<TimerAnalysis> kAnalyses = make_analyses();
  return kAnalyses;
}

const std::vector<std::size_t>& analyses_by_name() {
  static const std::vector<std::size_t> kOrder = [] {
    std::vector<std::size_t> indices(timer_analyses().size());
    for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = i;
    std::sort(indices.begin(), indices.end(), [](std::size_t a, std::size_t b) {
      return timer_analyses()[a].name < timer_analyses()[b].name;
    });
    return indices;
  }();
  return kOrder;
}

AnalysisMarks AnalysisMatcher::marks_of(std::string_view zone, std::string_view type, std::string_view risc) {
  const auto found = known_.find({zone, type, risc});
  if (found != known_.end()) return found->second;
  AnalysisMarks marks;
  const std::vector<TimerAnalysis>& analyses = timer_analyses();
  for (std::size_t i = 0; i < analyses.size(); ++i) {
    if (rule_matches(analyses[i].start, zone, type, risc)) marks.start |= 1u << i;
    if (rule_matches(analyses[i].end, zone, type, risc)) marks.end |= 1u << i;
  }
  // A hostile log has as many names as rows; they are looked at again each time.
  constexpr std::size_t kMostKnown = 4096;
  if (known_.size() < kMostKnown) known_.emplace(std::tuple{zone, type, risc}, marks);
  return marks;
}

}  // namespace ttscope::perf
