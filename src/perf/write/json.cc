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

double known_or_null(double number) { return number > 0 ? number : kNoNumber; }

void write_one_advice(const OpsReport& table, const OpReading& reading, const OpAdvice& advice,
                      JsonWriter& json) {
  const bool has_op = advice.kind != kNone;
  const bool has_limit = advice.limit != OpLimit::kUnknown;
  json.begin_object();
  json.field("key", key_of(advice.cause));
  json.field("severity", name_of(advice.severity));
  json.field("title", advice_title(table, reading, advice));
  json.field("detail", advice_detail(table, reading, advice));
  json.field("gain_us", advice.gain_us);
  json.field("gain_percent", advice.gain_us / reading.ops.counted_us() * 100);
  json.field("once", false);
  json.field("basis", key_of(advice.basis));
  json.field("device", advice.device < 0 ? std::optional<std::int32_t>() : std::optional(advice.device));
  json.key("devices");
  json.begin_array();
  if (advice.device >= 0) json.value(advice.device);
  for (const std::int32_t device : advice.more_devices) json.value(device);
  json.end_array();
  json.field("after_others", advice.is_after_others);
  json.field("op", has_op ? std::optional(distinct_name(table, reading.ops.facts[advice.kind],
                                                        table.kinds[advice.kind]))
                          : std::nullopt);
  json.field("measured_us", advice.measured_us);
  json.field("target_us", advice.target_us);
  json.field("bound", has_limit ? std::optional(key_of(advice.limit)) : std::nullopt);
  json.field("model", has_limit ? std::optional(key_of(advice.model)) : std::nullopt);
  json.field("ideal_us", known_or_null(advice.ideal_us));
  json.field("latency_us", known_or_null(advice.latency_us));
  json.field("latency_from", advice.latency_basis == LatencyBasis::kNone
                                 ? std::nullopt
                                 : std::optional(key_of(advice.latency_basis)));
  json.field("all_cores_us", known_or_null(advice.all_cores_us));
  json.field("cores", has_op ? reading.ops.facts[advice.kind].cores : kNoNumber);
  json.field("bytes", known_or_null(advice.bytes / static_cast<double>(advice.row_count)));
  json.field("rows", advice.row_count);
  json.key("first_rows");
  json.begin_array();
  for (const std::uint32_t row : advice.rows) json.value(table.rows[reading.ops.rows[row].row].id);
  json.end_array();
  json.end_object();
}

/// `advice[]`: each as figures and as words.
void write_advice_json(const OpsReport& table, const OpReading& reading, JsonWriter& json) {
  json.key("advice");
  json.begin_array();
  for (const OpAdvice& advice : reading.advice) write_one_advice(table, reading, advice, json);
  json.end_array();
}

/// `movement`: what computes and what only moves data, and the costliest conversions.
void write_movement_json(const OpsReport& table, const OpReading& reading, JsonWriter& json) {
  const double counted_us = reading.ops.counted_us();
  json.key("movement");
  json.begin_object();
  json.key("classes");
  json.begin_array();
  for (std::size_t i = 0; i < kMovementClassCount; ++i) {
    json.begin_object();
    json.field("class", key_of(static_cast<MovementClass>(i)));
    json.field("device_us", reading.movement.device_us[i]);
    json.field("percent", counted_us > 0 ? reading.movement.device_us[i] / counted_us * 100 : kNoNumber);
    json.end_object();
  }
  json.end_array();
  json.key("conversions");
  json.begin_array();
  for (const Conversion& one : reading.movement.conversions) {
    json.begin_object();
    json.field("op", distinct_name(table, reading.ops.facts[one.kind], table.kinds[one.kind]));
    json.field("class", key_of(one.movement));
    json.field("ops", one.ops);
    json.field("device_us", one.device_us);
    json.field("bytes", known_or_null(one.bytes_of_one()));
    json.field("gb_s", known_or_null(one.gb_s()));
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

std::optional<std::int32_t> device_or_null(std::int32_t device) {
  return device < 0 ? std::optional<std::int32_t>() : std::optional(device);
}

void write_times(JsonWriter& json, double wall_ns, double busy_ns) {
  json.field("wall_ns", wall_ns);
  json.field("busy_ns", busy_ns);
  json.field("idle_ns", wall_ns - busy_ns);
}

/// `devices[]`: wall, busy and idle time of each device of the window; null where the rows have no cycles.
void write_devices_json(const OpsReport& table, const OpReading& reading, JsonWriter& json) {
  std::map<std::int32_t, const DeviceLane*> devices;
  const ShownOps& ops = reading.ops;
  const auto add = [&](std::uint32_t row) {
    if (table.rows[row].type == OpRowType::kDevice) devices.try_emplace(table.rows[row].device, nullptr);
  };
  for (const ShownOp& row : ops.rows) add(row.row);
  for (const std::uint32_t row : ops.members) add(row);
  for (const DeviceLane& lane : ops.clock.lanes) devices[lane.device] = &lane;
  json.key("devices");
  json.begin_array();
  for (const auto& [device, lane] : devices) {
    json.begin_object();
    json.field("device", device_or_null(device));
    write_times(json, lane == nullptr ? kNoNumber : lane->wall_ns,
                lane == nullptr ? kNoNumber : lane->busy_ns);
    json.field("compile_ns", lane == nullptr ? kNoNumber : lane->compile_ns);
    json.field("ops", lane == nullptr ? std::optional<std::size_t>() : std::optional(lane->ops.size()));
    json.field("clock_mhz", lane == nullptr ? kNoNumber : lane->cycles_per_ns * 1000);
    json.end_object();
  }
  json.end_array();
}

/// The rows of the declared tables: a series, and in it each time.
void write_iterations_json(const std::shared_ptr<const TableSource>& source, JsonWriter& json) {
  const Iterations& iterations = source->reading.iterations;
  table::JsonRows rows(table::make_table(iteration_series_spec(), source, iterations.series.size()),
                       table::AllBut{});
  table::JsonRows times(table::make_table(iterations_spec(), source, iterations.times.size()),
                        table::AllBut{{"kind", "name"}});
  json.key("iterations");
  json.begin_array();
  for (std::uint32_t i = 0; i < iterations.series.size(); ++i) {
    const auto count = std::count_if(iterations.times.begin(), iterations.times.end(),
                                     [&](const IterationTime& time) { return time.series == i; });
    json.begin_object();
    rows.write_next(json);
    times.write_array(json, "times", static_cast<std::size_t>(count));
    json.end_object();
  }
  json.end_array();
}

}  // namespace

/// Who meets in collectives where not all devices do.
void write_mesh_json(const OpsReport& table, const RunClock& clock, JsonWriter& json) {
  json.key("mesh");
  json.begin_array();
  for (const MeshAxis& axis : clock.mesh) {
    const bool is_named = axis.cluster_axis >= 0;
    json.begin_object();
    json.field("cluster_axis", is_named ? std::optional(axis.cluster_axis) : std::nullopt);
    json.field("op", is_named ? std::optional<std::string_view>() : table.text(axis.op_code));
    json.key("groups");
    json.begin_array();
    for (const std::vector<std::int32_t>& group : groups_of_devices(clock, axis)) {
      json.begin_array();
      for (const std::int32_t device : group) json.value(device);
      json.end_array();
    }
    json.end_array();
    json.end_object();
  }
  json.end_array();
}

namespace {

/// `critical_path`: the parts that decide the wall time, which are listed only where asked for; null without
/// cycles.
void write_path_json(const std::shared_ptr<const TableSource>& source, bool lists_parts, JsonWriter& json) {
  const RunClock& clock = source->reading.ops.clock;
  const CriticalPath& path = source->reading.ops.path;
  json.key("critical_path");
  if (!clock.is_known()) return json.value(nullptr);
  json.begin_object();
  json.field("device", device_or_null(path.device));
  json.field("wall_us", path.wall_us);
  json.field("clocks_aligned_by", key_of(clock.basis));
  write_mesh_json(source->report, clock, json);
  json.field("part_count", path.parts.size());
  table::JsonRows parts(table::make_table(critical_path_spec(), source, path.parts.size()),
                        {{"device"}, {"row", "shown_id"}, {"op"}, {"kind"}, {"us", "duration_us"}});
  parts.write_array(json, "parts", lists_parts ? path.parts.size() : 0);
  json.end_object();
}

class PerfDocument {
 public:
  PerfDocument(const OpsReport& table, const OpReading& reading, Writer& out)
      : table_(table),
        reading_(reading),
        source_(std::make_shared<const TableSource>(table, reading)),
        out_(out),
        json_(out, {.indented = true}) {}

  void write(const PerfJsonOptions& options);

 private:
  /// A number, null where there is none.
  void number(std::string_view name, double value) { json_.field(name, value); }
  void count(std::string_view name, double value) {
    json_.key(name);
    if (has_number(value)) {
      json_.value(static_cast<std::int64_t>(value));
    } else {
      json_.value(nullptr);
    }
  }
  void text_or_null(std::string_view name, std::string_view text) {
    json_.field(name, text.empty() ? std::optional<std::string_view>() : std::optional(text));
  }

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

  const OpsReport& table_;
  const OpReading& reading_;
  std::shared_ptr<const TableSource> source_;  ///< of the declared tables
  Writer& out_;
  JsonWriter json_;
};

void PerfDocument::write_head(const PerfJsonOptions& options) {
  ui::write_document_head(json_, "ttscope.perf/1", options.tool_version);
  json_.key("inputs");
  json_.begin_array();
  for (std::size_t i = 0; i < table_.files.size(); ++i) {
    json_.begin_object();
    json_.field("path", table_.files[i]);
    text_or_null("host", table_.hosts[i]);
    json_.end_object();
  }
  json_.end_array();
}

void PerfDocument::write_trust() {
  json_.key("trust");
  json_.begin_object();
  json_.key("recognised");
  json_.begin_object();
  json_.field("rows", table_.rows.size());
  json_.field("distinct_ops", table_.kinds.size());
  json_.end_object();
  json_.key("lost");
  json_.begin_array();
  for (const std::string& line : lost_lines(table_, reading_.ops)) json_.value(line);
  json_.end_array();
  json_.key("problems");
  json_.begin_object();
  for (std::size_t i = 0; i < kReportProblemCount; ++i) {
    const auto problem = static_cast<ReportProblem>(i);
    if (table_.problems.count(problem) == 0) continue;
    json_.key(info_of(problem).key);
    json_.begin_object();
    json_.field("count", table_.problems.count(problem));
    json_.field("what", info_of(problem).sentence);
    json_.key("first_rows");
    json_.begin_array();
    for (const std::uint32_t id : table_.problems.places(problem)) json_.value(id);
    json_.end_array();
    json_.end_object();
  }
  json_.end_object();
  write_capture_problems();
  json_.key("notes");
  json_.begin_array();
  for (const OpNote& note : reading_.ops.notes) json_.value(note_text(note));
  json_.end_array();
  json_.key("unclassified_ops");
  json_.begin_array();
  for (const std::string& name : reading_.ops.unclassified) json_.value(name);
  json_.end_array();
  json_.end_object();
}

/// What was wrong with the files of the profiler, when the report was just made from them.
void PerfDocument::write_capture_problems() {
  json_.key("capture_problems");
  json_.begin_object();
  for (std::size_t i = 0; i < kPerfProblemCount; ++i) {
    const auto problem = static_cast<PerfProblem>(i);
    if (table_.capture_problems.count(problem) == 0) continue;
    json_.key(info_of(problem).key);
    json_.begin_object();
    json_.field("count", table_.capture_problems.count(problem));
    json_.field("what", info_of(problem).sentence);
    json_.field("harmless", info_of(problem).harmless);
    json_.key("first_places");
    json_.begin_array();
    for (const std::string& place : table_.capture_problems.places(problem)) json_.value(place);
    json_.end_array();
    json_.end_object();
  }
  json_.end_object();
}

void PerfDocument::write_device() {
  const DevicePeaks& peaks = reading_.ops.peaks;
  const auto known = [](double value) { return value > 0 ? value : kNoNumber; };
  json_.key("device");
  json_.begin_object();
  text_or_null("arch", peaks.arch);
  json_.field("arch_is_recorded", peaks.arch_is_recorded);
  json_.field("devices", reading_.ops.device_count);
  number("clock_mhz", known(peaks.clock_mhz));
  number("worker_cores", known(peaks.worker_cores));
  number("peak_dram_gb_s", known(peaks.dram_gb_s));
  number("peak_noc_gb_s_per_core", known(peaks.noc_gb_s_per_core));
  number("peak_link_gb_s", known(peaks.link_gb_s));
  json_.key("peak_tflops_per_core");
  json_.begin_object();
  for (const std::string_view fidelity : {"HiFi4", "HiFi3", "HiFi2", "LoFi"}) {
    number(fidelity, peaks.tflops_per_core(fidelity));
  }
  json_.end_object();
  json_.end_object();
}

void PerfDocument::write_totals() {
  const ShownOps& ops = reading_.ops;
  json_.key("totals");
  json_.begin_object();
  json_.field("device_ops", ops.device_ops);
  json_.field("host_ops", ops.host_ops);
  json_.field("signposts", ops.signposts);
  json_.field("device_us", ops.device_us);
  json_.field("gap_us", ops.gap_us);
  json_.field("compile_gap_us", ops.compile_us);
  json_.field("counted_us", ops.counted_us());
  json_.field("counted_of", key_of(ops.base));
  number("wall_us", ops.path.wall_us);
  json_.field("compile_wall_us", ops.compile_wall_us);
  json_.field("without_times", ops.clock.without_times);
  json_.field("without_duration", ops.without_duration);
  json_.key("warm_up");
  json_.begin_object();
  json_.field("passes", ops.warm_up.passes);
  json_.field("ops", ops.warm_up.ops);
  json_.field("told_by", ops.warm_up.ops == 0             ? std::optional<std::string_view>()
                         : ops.warm_up.is_by_cache_misses ? std::optional<std::string_view>("cache_misses")
                                                          : std::optional<std::string_view>("compile_gaps"));
  json_.end_object();
  json_.end_object();
}

void PerfDocument::write_bounds() {
  json_.key("bounds");
  json_.begin_array();
  for (std::size_t i = 0; i < kOpLimitCount; ++i) {
    const LimitTotal& total = reading_.bounds.totals[i];
    if (total.rows == 0) continue;
    json_.begin_object();
    json_.field("bound", key_of(static_cast<OpLimit>(i)));
    json_.field("ops", total.rows);
    json_.field("device_us", total.device_us);
    number("percent",
           reading_.ops.counted_us() > 0 ? total.device_us / reading_.ops.counted_us() * 100 : kNoNumber);
    number("ideal_us", total.ideal_us > 0 ? total.ideal_us : kNoNumber);
    json_.end_object();
  }
  json_.end_array();
}

void PerfDocument::write_gaps() {
  json_.key("gaps");
  json_.begin_array();
  for (std::size_t i = 0; i < kGapCauseCount; ++i) {
    const GapTotal& total = reading_.gaps.totals[i];
    if (total.rows == 0) continue;
    json_.begin_object();
    json_.field("cause", key_of(static_cast<GapCause>(i)));
    json_.field("what", sentence_of(static_cast<GapCause>(i)));
    json_.field("ops", total.rows);
    json_.field("gap_us", total.gap_us);
    json_.end_object();
  }
  json_.end_array();
}

void PerfDocument::write_categories() {
  json_.key("categories");
  json_.begin_array();
  for (const StackEntry& entry : reading_.categories) {
    json_.begin_object();
    json_.field("category", entry.name);
    json_.field("ops", entry.ops);
    json_.field("device_us", entry.device_us);
    json_.field("percent", entry.percent);
    json_.end_object();
  }
  json_.end_array();
}

/// Parts of the model, where locations, attributes or signposts name any.
void PerfDocument::write_modules() {
  json_.key("modules");
  json_.begin_array();
  for (const StackEntry& entry : stack_modules(table_, reading_.ops)) {
    json_.begin_object();
    json_.field("module", entry.name);
    json_.field("ops", entry.ops);
    json_.field("device_us", entry.device_us);
    json_.field("percent", entry.percent);
    json_.end_object();
  }
  json_.end_array();
}

void PerfDocument::write_skew() {
  const OpSkew& skew = reading_.skew;
  json_.key("skew");
  json_.begin_object();
  json_.field("slowest_over_median_us", skew.compute_lost_us);
  json_.field("collective_wait_us", skew.collective_wait_us);
  number("collective_late_us", skew.collective_late_us);
  json_.key("devices");
  json_.begin_array();
  for (const DeviceSkew& device : skew.devices) {
    json_.begin_object();
    json_.field("device", device.device);
    json_.field("ops", device.ops);
    json_.field("device_us", device.device_us);
    json_.field("collective_us", device.collective_us);
    number("collective_overlap_us", device.overlap_us);
    json_.field("behind_us", device.behind_us);
    json_.field("slowest_ops", device.slowest_ops);
    json_.end_object();
  }
  json_.end_array();
  table::JsonRows groups(
      table::make_table(skewed_ops_spec(), source_, skew.groups.size()),
      {{"id"}, {"op", "label"}, {"fastest_us"}, {"median_us"}, {"slowest_us"}, {"slowest_device"}});
  groups.write_array(json_, "ops", OpSkew::kGroupsListed);
  json_.end_object();
}

void PerfDocument::write_op(std::size_t index, JsonWriter& json) {
  const ShownOp& shown = reading_.ops.rows[index];
  const OpRow& row = table_.rows[shown.row];
  const KindFacts& facts = reading_.ops.facts[row.kind];
  const OpBound& bound = reading_.bounds.rows[index];
  const auto ideal = [&](float value) { return bound.ideal_us > 0 ? static_cast<double>(value) : kNoNumber; };
  json.begin_object();
  json.field("id", row.id);
  if (shown.is_signpost) {
    json.field("signpost", table_.text(table_.kinds[row.kind].op_code));
    json.end_object();
    return;
  }
  json.field("op", facts.label);
  json.field("kind", row.kind);
  json.field("category", name_of(shown.is_host ? OpCategory::kHost : facts.category));
  json.field("device", row.device < 0 ? std::optional<std::int32_t>() : std::optional(row.device));
  json.field("device_us", shown.device_us);
  json.field("gap_us", shown.gap_us);
  json.field("gap_cause",
             has_number(shown.gap_us) ? std::optional(key_of(reading_.gaps.causes[index])) : std::nullopt);
  json.field("total_percent", shown.total_percent);
  json.field("cores", facts.cores);
  json.field("bound", key_of(bound.limit));
  json.field("model", key_of(bound.model));
  json.field("ideal_from", key_of(bound.figure));
  json.field("ideal_us", ideal(bound.ideal_us));
  json.field("at_peak_percent", ideal(bound.percent));
  json.field("all_cores_us", bound.all_cores_us > 0 ? static_cast<double>(bound.all_cores_us) : kNoNumber);
  json.field("dispatch_us", static_cast<double>(bound.dispatch_us));
  json.field("table_bound", name_of(shown.bound));
  json.field("dram_gb_s", shown.dram_gb_s);
  json.field("dram_percent", shown.dram_percent);
  json.field("tflops", shown.tflops);
  json.field("flops_percent", shown.flops_percent);
  json.field("fidelity", facts.fidelity);
  json.field("call_count", row.call_count);
  json.end_object();
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
  std::vector<bool> is_shown(table_.kinds.size());
  for (const ShownOp& row : reading_.ops.rows) is_shown[table_.rows[row.row].kind] = !row.is_signpost;
  json_.key("kinds");
  json_.raw("[");
  std::string_view separator = "\n";
  for (std::size_t i = 0; i < is_shown.size(); ++i) {
    if (!is_shown[i]) continue;
    const ReportKind& kind = table_.kinds[i];
    out_.write(separator);
    separator = ",\n";
    JsonWriter json(out_);
    json.begin_object();
    json.field("kind", i);
    json.field("op", reading_.ops.facts[i].label);
    json.key("tensors");
    json.begin_array();
    std::string tensors = tensors_text(table_, kind);
    for (std::size_t at = 0; at < tensors.size();) {
      const std::size_t end = std::min(tensors.find('\n', at), tensors.size());
      json.value(std::string_view(tensors).substr(at, end - at));
      at = end + 1;
    }
    json.end_array();
    json.field("attributes", table_.text(kind.attributes));
    if (kind.location != 0) json.field("location", table_.text(kind.location));
    json.field("compute_kernels", table_.text(kind.compute_kernels));
    json.field("data_kernels", table_.text(kind.data_kernels));
    json.end_object();
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
  const auto source = std::make_shared<TableSource>(table_, reading_);
  source->add_noc_traces(traces);
  table::JsonRows rows(table::make_table(noc_traces_spec(), source, source->noc_traces.size()),
                       table::AllBut{});
  table::JsonRows types(table::make_table(noc_transfers_spec(), source, source->noc_types.size()),
                        table::AllBut{{"call_count", "device"}});
  json_.key("noc");
  json_.begin_array();
  for (const NocSummary* trace : traces) {
    json_.begin_object();
    rows.write_next(json_);
    types.write_array(json_, "by_type", trace->by_type.size());
    json_.end_object();
  }
  json_.end_array();
}

void PerfDocument::write(const PerfJsonOptions& options) {
  json_.begin_object();
  write_head(options);
  write_trust();
  write_device();
  write_totals();
  write_devices_json(table_, reading_, json_);
  write_iterations_json(source_, json_);
  // A page holds the ops, and which of them are on the path, as columns.
  write_path_json(source_, options.list_ops, json_);
  write_bounds();
  write_gaps();
  write_categories();
  write_modules();
  write_skew();
  write_movement_json(table_, reading_, json_);
  write_advice_json(table_, reading_, json_);
  write_ops(options.list_ops ? reading_.ops.rows.size() : 0);
  if (options.list_ops) write_kinds();
  write_zones(options.zones);
  write_noc(options.noc);
  json_.end_object();
  out_.write('\n');
}

}  // namespace

void write_perf_json(const OpsReport& table, const OpReading& reading, const PerfJsonOptions& options,
                     Writer& out) {
  PerfDocument(table, reading, out).write(options);
}

}  // namespace ttscope::perf
