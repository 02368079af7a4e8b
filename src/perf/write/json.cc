#include "perf/write/json.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>

#include "base/json_writer.h"
#include "perf/analyze/op_groups.h"
#include "perf/analyze/profile.h"
#include "perf/tables/tables.h"
#include "perf/write/advice_text.h"
#include "perf/write/notes_text.h"
#include "table/write.h"
#include "ui/json_text.h"

namespace ttscope::perf {
namespace {

void write_one_advice(const OpsReport& table, const OpAnalysis& analysis, const OpAdvice& advice,
                      JsonWriter& json) {
  const bool has_op = advice.kind != kNone;
  const bool has_limit = advice.limit != OpLimit::kUnknown;
  json.object([&] {
    json.field("key", key_of(advice.cause));
    json.field("severity", name_of(advice.severity));
    json.field("title", advice_title(table, analysis, advice));
    json.field("detail", advice_detail(table, analysis, advice));
    json.field("gain_us", advice.gain_us);
    json.field("gain_percent", advice.gain_us / analysis.ops.counted_us() * 100);
    json.field("once", false);
    json.field("basis", key_of(advice.basis));
    json.field("device", known_or_null(advice.device));
    json.array("devices", [&] {
      if (advice.device >= 0) json.value(advice.device);
      for (const std::int32_t device : advice.more_devices) json.value(device);
    });
    json.field("after_others", advice.is_after_others);
    json.field("op", has_op ? std::optional(distinct_name(table, analysis.ops.facts[advice.kind],
                                                          table.kinds[advice.kind]))
                            : std::nullopt);
    json.field("measured_us", advice.measured_us);
    json.field("target_us", advice.target_us);
    json.field("bound", has_limit ? std::optional(key_of(advice.limit)) : std::nullopt);
    json.field("model", has_limit ? std::optional(key_of(advice.model)) : std::nullopt);
    json.field("ideal_us", positive_or_null(advice.ideal_us));
    json.field("latency_us", positive_or_null(advice.latency_us));
    json.field("latency_from", advice.latency_basis == LatencyBasis::kNone
                                   ? std::nullopt
                                   : std::optional(key_of(advice.latency_basis)));
    json.field("all_cores_us", positive_or_null(advice.all_cores_us));
    json.field("cores", has_op ? analysis.ops.facts[advice.kind].cores : kNoNumber);
    json.field("bytes", positive_or_null(advice.bytes / static_cast<double>(advice.row_count)));
    json.field("rows", advice.row_count);
    json.list("first_rows", advice.rows,
              [&](const std::uint32_t row) { json.value(table.rows[analysis.ops.rows[row].row].id); });
  });
}

/// `advice[]`: each as figures and as words.
void write_advice_json(const OpsReport& table, const OpAnalysis& analysis, JsonWriter& json) {
  json.list("advice", analysis.advice,
            [&](const OpAdvice& advice) { write_one_advice(table, analysis, advice, json); });
}

/// `movement`: what computes and what only moves data, and the costliest conversions.
void write_movement_json(const OpsReport& table, const OpAnalysis& analysis, JsonWriter& json) {
  const double counted_us = analysis.ops.counted_us();
  json.object("movement", [&] {
    json.array("classes", [&] {
      for (std::size_t i = 0; i < kMovementClassCount; ++i)
        json.object([&] {
          json.field("class", key_of(static_cast<MovementClass>(i)));
          json.field("device_us", analysis.movement.device_us[i]);
          json.field("percent",
                     counted_us > 0 ? analysis.movement.device_us[i] / counted_us * 100 : kNoNumber);
        });
    });
    json.objects("conversions", analysis.movement.conversions, [&](const Conversion& one) {
      json.field("op", distinct_name(table, analysis.ops.facts[one.kind], table.kinds[one.kind]));
      json.field("class", key_of(one.movement));
      json.field("ops", one.ops);
      json.field("device_us", one.device_us);
      json.field("bytes", positive_or_null(one.bytes_of_one()));
      json.field("gb_s", positive_or_null(one.gb_s()));
    });
  });
}

void write_times(JsonWriter& json, double wall_ns, double busy_ns) {
  json.field("wall_ns", wall_ns);
  json.field("busy_ns", busy_ns);
  json.field("idle_ns", wall_ns - busy_ns);
}

/// `devices[]`: wall, busy and idle time of each device of the window; null where the rows have no cycles.
void write_devices_json(const OpsReport& table, const OpAnalysis& analysis, JsonWriter& json) {
  std::map<std::int32_t, const DeviceLane*> devices;
  const ShownOps& ops = analysis.ops;
  const auto add = [&](std::uint32_t row) {
    if (table.rows[row].type == OpRowType::kDevice) devices.try_emplace(table.rows[row].device, nullptr);
  };
  for (const ShownOp& row : ops.rows) add(row.row);
  for (const std::uint32_t row : ops.members) add(row);
  for (const DeviceLane& lane : ops.clock.lanes) devices[lane.device] = &lane;
  json.objects("devices", devices, [&](const auto& one) {
    const auto& [device, lane] = one;
    json.field("device", known_or_null(device));
    write_times(json, lane == nullptr ? kNoNumber : lane->wall_ns,
                lane == nullptr ? kNoNumber : lane->busy_ns);
    json.field("compile_ns", lane == nullptr ? kNoNumber : lane->compile_ns);
    json.field("ops", lane == nullptr ? std::optional<std::size_t>() : std::optional(lane->ops.size()));
    json.field("clock_mhz", lane == nullptr ? kNoNumber : lane->cycles_per_ns * 1000);
  });
}

/// The rows of the declared tables: a series, and in it each time.
void write_iterations_json(const std::shared_ptr<const TableSource>& source, JsonWriter& json) {
  const Iterations& iterations = source->analysis.iterations;
  table::JsonRows rows(table::make_table(iteration_series_spec(), source, iterations.series.size()),
                       table::AllExcept{});
  table::JsonRows times(table::make_table(iterations_spec(), source, iterations.times.size()),
                        table::AllExcept{{"kind", "name"}});
  json.array("iterations", [&] {
    for (std::uint32_t i = 0; i < iterations.series.size(); ++i) {
      const auto count = std::count_if(iterations.times.begin(), iterations.times.end(),
                                       [&](const IterationTime& time) { return time.series == i; });
      json.object([&] {
        rows.write_next(json);
        times.write_array(json, "times", static_cast<std::size_t>(count));
      });
    }
  });
}

}  // namespace

/// Who meets in collectives where not all devices do.
void write_mesh_json(const OpsReport& table, const RunClock& clock, JsonWriter& json) {
  json.objects("mesh", clock.mesh, [&](const MeshAxis& axis) {
    const bool is_named = axis.cluster_axis >= 0;
    json.field("cluster_axis", known_or_null(axis.cluster_axis));
    json.field("op", is_named ? std::optional<std::string_view>() : table.text(axis.op_code));
    json.list("groups", groups_of_devices(clock, axis), [&](const std::vector<std::int32_t>& group) {
      json.array([&] {
        for (const std::int32_t device : group) json.value(device);
      });
    });
  });
}

namespace {

/// `critical_path`: the parts that decide the wall time, which are listed only where asked for; null without
/// cycles.
void write_path_json(const std::shared_ptr<const TableSource>& source, bool lists_parts, JsonWriter& json) {
  const RunClock& clock = source->analysis.ops.clock;
  const CriticalPath& path = source->analysis.ops.path;
  if (!clock.is_known()) return json.field("critical_path", nullptr);
  json.object("critical_path", [&] {
    json.field("device", known_or_null(path.device));
    json.field("wall_us", path.wall_us);
    json.field("clocks_aligned_by", key_of(clock.basis));
    write_mesh_json(source->report, clock, json);
    json.field("part_count", path.parts.size());
    table::JsonRows parts(table::make_table(critical_path_spec(), source, path.parts.size()),
                          {{"device"}, {"row", "shown_id"}, {"op"}, {"kind"}, {"us", "duration_us"}});
    parts.write_array(json, "parts", lists_parts ? path.parts.size() : 0);
  });
}

class PerfDocument {
 public:
  PerfDocument(const OpsReport& table, const OpAnalysis& analysis, Writer& out)
      : report_(table),
        analysis_(analysis),
        source_(std::make_shared<const TableSource>(table, analysis)),
        out_(out),
        json_(out, {.indented = true}) {}

  void write(const PerfJsonOptions& options);

 private:
  void write_head(const PerfJsonOptions& options);
  void write_trust();
  void write_capture_problems();
  void write_device();
  void write_totals();
  void write_bounds();
  void write_gaps();
  void write_categories();
  void write_modules();
  void write_skew();
  void write_ops(std::size_t listed);
  void write_op(std::size_t index, JsonWriter& json);
  void write_kinds();
  void write_zones(const std::vector<const CaptureZones*>& reports);
  void write_noc(const std::vector<const NocSummary*>& traces);

  const OpsReport& report_;
  const OpAnalysis& analysis_;
  std::shared_ptr<const TableSource> source_;  ///< of the declared tables
  Writer& out_;
  JsonWriter json_;
};

void PerfDocument::write_head(const PerfJsonOptions& options) {
  ui::write_document_head(json_, "ttscope.perf/1", options.tool_version);
  json_.array("inputs", [&] {
    for (std::size_t i = 0; i < report_.files.size(); ++i)
      json_.object([&] {
        json_.field("path", report_.files[i]);
        json_.field("host", text_or_null(report_.hosts[i]));
      });
  });
}

void PerfDocument::write_trust() {
  json_.object("trust", [&] {
    json_.object("recognised", [&] {
      json_.field("rows", report_.rows.size());
      json_.field("distinct_ops", report_.kinds.size());
    });
    json_.list("lost", lost_lines(report_, analysis_.ops));
    json_.object("problems", [&] {
      for (std::size_t i = 0; i < kReportProblemCount; ++i) {
        const auto problem = static_cast<ReportProblem>(i);
        if (report_.problems.count(problem) == 0) continue;
        json_.object(info_of(problem).key, [&] {
          json_.field("count", report_.problems.count(problem));
          json_.field("what", info_of(problem).sentence);
          json_.list("first_rows", report_.problems.places(problem));
        });
      }
    });
    write_capture_problems();
    json_.list("notes", analysis_.ops.notes, [&](const OpNote& note) { json_.value(note_text(note)); });
    json_.list("unclassified_ops", analysis_.ops.unclassified);
  });
}

/// What was wrong with the files of the profiler, when the report was just made from them.
void PerfDocument::write_capture_problems() {
  json_.object("capture_problems", [&] {
    for (std::size_t i = 0; i < kPerfProblemCount; ++i) {
      const auto problem = static_cast<PerfProblem>(i);
      if (report_.capture_problems.count(problem) == 0) continue;
      json_.object(info_of(problem).key, [&] {
        json_.field("count", report_.capture_problems.count(problem));
        json_.field("what", info_of(problem).sentence);
        json_.field("harmless", info_of(problem).harmless);
        json_.list("first_places", report_.capture_problems.places(problem));
      });
    }
  });
}

void PerfDocument::write_device() {
  const DevicePeaks& peaks = analysis_.ops.peaks;
  const auto known = [](double value) { return value > 0 ? value : kNoNumber; };
  json_.object("device", [&] {
    json_.field("arch", text_or_null(peaks.arch));
    json_.field("arch_is_recorded", peaks.arch_is_recorded);
    json_.field("devices", analysis_.ops.device_count);
    json_.field("clock_mhz", known(peaks.clock_mhz));
    json_.field("worker_cores", known(peaks.worker_cores));
    json_.field("peak_dram_gb_s", known(peaks.dram_gb_s));
    json_.field("peak_noc_gb_s_per_core", known(peaks.noc_gb_s_per_core));
    json_.field("peak_link_gb_s", known(peaks.link_gb_s));
    json_.object("peak_tflops_per_core", [&] {
      for (const std::string_view fidelity : {"HiFi4", "HiFi3", "HiFi2", "LoFi"}) {
        json_.field(fidelity, peaks.tflops_per_core(fidelity));
      }
    });
  });
}

void PerfDocument::write_totals() {
  const ShownOps& ops = analysis_.ops;
  json_.object("totals", [&] {
    json_.field("device_ops", ops.device_ops);
    json_.field("host_ops", ops.host_ops);
    json_.field("signposts", ops.signposts);
    json_.field("device_us", ops.device_us);
    json_.field("gap_us", ops.gap_us);
    json_.field("compile_gap_us", ops.compile_us);
    json_.field("counted_us", ops.counted_us());
    json_.field("counted_of", key_of(ops.base));
    json_.field("wall_us", ops.path.wall_us);
    json_.field("compile_wall_us", ops.compile_wall_us);
    json_.field("without_times", ops.clock.without_times);
    json_.field("without_duration", ops.without_duration);
    json_.object("warm_up", [&] {
      json_.field("passes", ops.warm_up.passes);
      json_.field("ops", ops.warm_up.ops);
      json_.field("told_by", ops.warm_up.ops == 0 ? std::optional<std::string_view>()
                             : ops.warm_up.is_by_cache_misses
                                 ? std::optional<std::string_view>("cache_misses")
                                 : std::optional<std::string_view>("compile_gaps"));
    });
  });
}

void PerfDocument::write_bounds() {
  json_.array("bounds", [&] {
    for (std::size_t i = 0; i < kOpLimitCount; ++i) {
      const LimitTotal& total = analysis_.bounds.totals[i];
      if (total.rows == 0) continue;
      json_.object([&] {
        json_.field("bound", key_of(static_cast<OpLimit>(i)));
        json_.field("ops", total.rows);
        json_.field("device_us", total.device_us);
        json_.field("percent", analysis_.ops.counted_us() > 0
                                   ? total.device_us / analysis_.ops.counted_us() * 100
                                   : kNoNumber);
        json_.field("ideal_us", positive_or_null(total.ideal_us));
      });
    }
  });
}

void PerfDocument::write_gaps() {
  json_.array("gaps", [&] {
    for (std::size_t i = 0; i < kGapCauseCount; ++i) {
      const GapTotal& total = analysis_.gaps.totals[i];
      if (total.rows == 0) continue;
      json_.object([&] {
        json_.field("cause", key_of(static_cast<GapCause>(i)));
        json_.field("what", sentence_of(static_cast<GapCause>(i)));
        json_.field("ops", total.rows);
        json_.field("gap_us", total.gap_us);
      });
    }
  });
}

void PerfDocument::write_categories() {
  json_.objects("categories", analysis_.categories, [&](const StackEntry& entry) {
    json_.field("category", entry.name);
    json_.field("ops", entry.ops);
    json_.field("device_us", entry.device_us);
    json_.field("percent", entry.percent);
  });
}

/// Parts of the model, where locations, attributes or signposts name any.
void PerfDocument::write_modules() {
  json_.objects("modules", stack_modules(report_, analysis_.ops), [&](const StackEntry& entry) {
    json_.field("module", entry.name);
    json_.field("ops", entry.ops);
    json_.field("device_us", entry.device_us);
    json_.field("percent", entry.percent);
  });
}

void PerfDocument::write_skew() {
  const OpSkew& skew = analysis_.skew;
  json_.object("skew", [&] {
    json_.field("slowest_over_median_us", skew.compute_lost_us);
    json_.field("collective_wait_us", skew.collective_wait_us);
    json_.field("collective_late_us", skew.collective_late_us);
    json_.objects("devices", skew.devices, [&](const DeviceSkew& device) {
      json_.field("device", device.device);
      json_.field("ops", device.ops);
      json_.field("device_us", device.device_us);
      json_.field("collective_us", device.collective_us);
      json_.field("collective_overlap_us", device.overlap_us);
      json_.field("behind_us", device.behind_us);
      json_.field("slowest_ops", device.slowest_ops);
    });
    table::JsonRows groups(
        table::make_table(skewed_ops_spec(), source_, skew.groups.size()),
        {{"id"}, {"op", "label"}, {"fastest_us"}, {"median_us"}, {"slowest_us"}, {"slowest_device"}});
    groups.write_array(json_, "ops", OpSkew::kGroupsListed);
  });
}

void PerfDocument::write_op(std::size_t index, JsonWriter& json) {
  const ShownOp& shown = analysis_.ops.rows[index];
  const OpRow& row = report_.rows[shown.row];
  const KindFacts& facts = analysis_.ops.facts[row.kind];
  const OpBound& bound = analysis_.bounds.rows[index];
  const auto ideal = [&](float value) { return bound.ideal_us > 0 ? static_cast<double>(value) : kNoNumber; };
  json.object([&] {
    json.field("id", row.id);
    if (shown.is_signpost) return json.field("signpost", report_.text(report_.kinds[row.kind].op_code));
    json.field("op", facts.label);
    json.field("kind", row.kind);
    json.field("category", name_of(shown.is_host ? OpCategory::kHost : facts.category));
    json.field("device", known_or_null(row.device));
    json.field("device_us", shown.device_us);
    json.field("gap_us", shown.gap_us);
    json.field("gap_cause",
               has_number(shown.gap_us) ? std::optional(key_of(analysis_.gaps.causes[index])) : std::nullopt);
    json.field("total_percent", shown.total_percent);
    json.field("cores", facts.cores);
    json.field("bound", key_of(bound.limit));
    json.field("model", key_of(bound.model));
    json.field("ideal_from", key_of(bound.figure));
    json.field("ideal_us", ideal(bound.ideal_us));
    json.field("at_peak_percent", ideal(bound.percent));
    json.field("all_cores_us", positive_or_null(static_cast<double>(bound.all_cores_us)));
    json.field("dispatch_us", static_cast<double>(bound.dispatch_us));
    json.field("table_bound", name_of(shown.bound));
    json.field("dram_gb_s", shown.dram_gb_s);
    json.field("dram_percent", shown.dram_percent);
    json.field("tflops", shown.tflops);
    json.field("flops_percent", shown.flops_percent);
    json.field("fidelity", facts.fidelity);
    json.field("call_count", row.call_count);
  });
}

/// One compact record a line: line tools work on it, and a million ops stay readable.
void PerfDocument::write_ops(std::size_t listed) {
  json_.key("ops");
  json_.raw("[");
  for (std::size_t i = 0; i < listed; ++i) {
    out_.write(i == 0 ? "\n" : ",\n");
    JsonWriter record(out_);
    write_op(i, record);
  }
  out_.write("\n]");
}

/// What ops have in common that `ops[].kind` names; only those that are shown.
void PerfDocument::write_kinds() {
  std::vector<bool> is_shown(report_.kinds.size());
  for (const ShownOp& row : analysis_.ops.rows) is_shown[report_.rows[row.row].kind] = !row.is_signpost;
  json_.key("kinds");
  json_.raw("[");
  std::string_view separator = "\n";
  for (std::size_t i = 0; i < is_shown.size(); ++i) {
    if (!is_shown[i]) continue;
    const OpKind& kind = report_.kinds[i];
    out_.write(separator);
    separator = ",\n";
    JsonWriter json(out_);
    json.object([&] {
      json.field("kind", i);
      json.field("op", analysis_.ops.facts[i].label);
      json.array("tensors", [&] {
        std::string tensors = tensors_text(report_, kind);
        for (std::size_t at = 0; at < tensors.size();) {
          const std::size_t end = std::min(tensors.find('\n', at), tensors.size());
          json.value(std::string_view(tensors).substr(at, end - at));
          at = end + 1;
        }
      });
      json.field("attributes", report_.text(kind.attributes));
      if (kind.location != 0) json.field("location", report_.text(kind.location));
      json.field("compute_kernels", report_.text(kind.compute_kernels));
      json.field("data_kernels", report_.text(kind.data_kernels));
    });
  }
  out_.write("\n]");
}

void PerfDocument::write_zones(const std::vector<const CaptureZones*>& reports) {
  if (reports.empty()) return;
  json_.key("zones");
  json_.raw("[");
  std::string_view separator = "\n";
  for (const CaptureZones* report : reports) {
    for (const ZoneFigures& zone : report->stats.zones) {
      out_.write(separator);
      JsonWriter record(out_);
      write_zone_record(*report, zone, record);
      separator = ",\n";
    }
  }
  out_.write("\n]");
}

/// The rows of the declared tables: a trace, and in it its transfers by type.
void PerfDocument::write_noc(const std::vector<const NocSummary*>& traces) {
  if (traces.empty()) return;
  const auto source = std::make_shared<TableSource>(report_, analysis_);
  source->add_noc_traces(traces);
  table::JsonRows rows(table::make_table(noc_traces_spec(), source, source->noc_traces.size()),
                       table::AllExcept{});
  table::JsonRows types(table::make_table(noc_transfers_spec(), source, source->noc_types.size()),
                        table::AllExcept{{"call_count", "device"}});
  json_.objects("noc", traces, [&](const NocSummary* trace) {
    rows.write_next(json_);
    types.write_array(json_, "by_type", trace->by_type.size());
  });
}

void PerfDocument::write(const PerfJsonOptions& options) {
  json_.object([&] {
    write_head(options);
    write_trust();
    write_device();
    write_totals();
    write_devices_json(report_, analysis_, json_);
    write_iterations_json(source_, json_);
    // A page holds the ops, and which of them are on the path, as columns.
    write_path_json(source_, options.list_ops, json_);
    write_bounds();
    write_gaps();
    write_categories();
    write_modules();
    write_skew();
    write_movement_json(report_, analysis_, json_);
    write_advice_json(report_, analysis_, json_);
    write_ops(options.list_ops ? analysis_.ops.rows.size() : 0);
    if (options.list_ops) write_kinds();
    write_zones(options.zones);
    write_noc(options.noc);
  });
  out_.write('\n');
}

}  // namespace

void write_perf_json(const OpsReport& table, const OpAnalysis& analysis, const PerfJsonOptions& options,
                     Writer& out) {
  PerfDocument(table, analysis, out).write(options);
}

}  // namespace ttscope::perf
