#include "perf/tables/tables.h"

#include <map>

#include "perf/analyze/window.h"

namespace ttscope::perf {
namespace {

void number_rows(TableSource& source) {
  const std::vector<OpRow>& rows = source.report.rows;
  source.place_of.resize(rows.size());
  for (std::uint32_t i = 0; i < rows.size(); ++i) {
    std::vector<std::uint32_t>& list =
        rows[i].type == OpRowType::kSignpost ? source.signpost_rows : source.op_rows;
    source.place_of[i] = static_cast<std::uint32_t>(list.size());
    list.push_back(i);
  }
}

/// A row of several devices is that of each of them.
void find_shown(TableSource& source) {
  const ShownOps& ops = source.analysis.ops;
  source.shown_of.assign(source.report.rows.size(), kNone);
  for (std::uint32_t i = 0; i < ops.rows.size(); ++i) {
    source.shown_of[ops.rows[i].row] = i;
    if (ops.rows[i].group == kNone) continue;
    const OpGroup& group = ops.groups[ops.rows[i].group];
    for (std::uint32_t k = 0; k < group.count; ++k) source.shown_of[ops.members[group.first + k]] = i;
  }
}

void add_up_devices(TableSource& source) {
  std::map<std::int32_t, DeviceTotal> totals;
  for (const std::uint32_t place : source.op_rows) {
    const OpRow& row = source.report.rows[place];
    if (row.device < 0) continue;
    DeviceTotal& total = totals.try_emplace(row.device, DeviceTotal{row.device, place}).first->second;
    ++total.ops;
    if (has_number(row.kernel_duration_ns)) total.kernel_ns += row.kernel_duration_ns;
    if (has_number(row.op_to_op_ns)) total.gap_ns += row.op_to_op_ns;
  }
  for (const DeviceSkew& skew : source.analysis.skew.devices) {
    if (const auto total = totals.find(skew.device); total != totals.end()) total->second.skew = &skew;
  }
  for (const DeviceLane& lane : source.analysis.ops.clock.lanes) {
    if (const auto total = totals.find(lane.device); total != totals.end()) total->second.lane = &lane;
  }
  for (const auto& [device, total] : totals) source.devices.push_back(total);
}

template <typename Places, typename Text>
std::string listed(const Places& places, Text text) {
  std::string list;
  for (const auto& place : places) list += (list.empty() ? "" : "; ") + text(place);
  return list;
}

void list_problems(TableSource& source) {
  for (std::size_t i = 0; i < kReportProblemCount; ++i) {
    const auto problem = static_cast<ReportProblem>(i);
    const ReportProblems& found = source.report.problems;
    if (found.count(problem) == 0) continue;
    const ProblemInfo& info = info_of(problem);
    source.problems.push_back(
        {"report", info.key, info.sentence, false, found.count(problem),
         listed(found.places(problem), [](std::uint32_t id) { return "row " + std::to_string(id); })});
  }
  for (std::size_t i = 0; i < kPerfProblemCount; ++i) {
    const auto problem = static_cast<PerfProblem>(i);
    const PerfProblems& found = source.report.capture_problems;
    if (found.count(problem) == 0) continue;
    source.problems.push_back(
        {"capture", info_of(problem).key, info_of(problem).sentence, info_of(problem).harmless,
         found.count(problem),
         listed(found.places(problem), [](const std::string& place) { return place; })});
  }
}

void list_markers(TableSource& source) {
  if (!source.owner->raw) return;
  for (const RawCore& core : source.owner->raw->cores) {
    for (const RawProcessor& processor : core.processors) {
      for (const RawMarker& marker : processor.dram.markers) {
        source.markers.push_back({&core, &processor, &marker});
      }
    }
  }
}

void list_zones(TableSource& source) {
  for (const CaptureZones* zones : source.owner->zones()) {
    for (const ZoneFigures& figures : zones->stats.zones) source.zones.push_back({zones, &figures});
  }
}

}  // namespace

TableSource::TableSource(const OpsReport& of_report, const OpAnalysis& of_reading)
    : report(of_report), analysis(of_reading), signpost_of(last_signposts(of_report)) {
  number_rows(*this);
  find_shown(*this);
  add_up_devices(*this);
  list_problems(*this);
}

TableSource::TableSource(std::shared_ptr<const Profile> profile)
    : TableSource(profile->report, profile->analysis) {
  owner = std::move(profile);
  list_zones(*this);
  list_markers(*this);
  add_noc_traces(noc_traces_of(*owner));
}

void TableSource::add_noc_traces(const std::vector<const NocSummary*>& traces) {
  for (const NocSummary* trace : traces) {
    noc_traces.push_back(trace);
    for (const auto& [type, count] : trace->by_type) noc_types.push_back({trace, type, count});
  }
}

/// Several finished reports are hosts of one run; several captures made one report, by devices.
std::optional<std::string_view> TableSource::host_of(const OpRow& row) const {
  if (owner != nullptr && owner->captures.size() > 1) {
    for (auto capture = owner->captures.rbegin(); capture != owner->captures.rend(); ++capture) {
      if (row.device >= capture->device_offset) return known(capture->host_name);
    }
    return std::nullopt;
  }
  return row.file < report.hosts.size() ? known(report.hosts[row.file]) : std::nullopt;
}

Columns joined(const std::vector<Columns>& groups) {
  Columns all;
  for (const Columns& group : groups) all.insert(all.end(), group.begin(), group.end());
  return all;
}

std::optional<std::string> shape_of(const OpTensor* tensor) {
  if (tensor == nullptr || !tensor->has_shape()) return std::nullopt;
  std::string text;
  for (const std::int64_t size : tensor->padded) text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

table::TableSet tables_of(std::shared_ptr<const Profile> profile) {
  table::TableSet set;
  set.kind = profile->raw ? "raw_run" : profile->captures.empty() ? "ops_report" : "device_profile";
  set.warnings = profile->warnings;
  const auto source = std::make_shared<const TableSource>(std::move(profile));
  const OpAnalysis& analysis = source->analysis;
  const auto add = [&](const table::TableOf<TableSource>& spec, std::size_t rows) {
    set.tables.push_back(table::make_table(spec, source, rows));
  };
  add(ops_spec(), source->op_rows.size());
  add(shown_ops_spec(), analysis.ops.rows.size());
  add(op_kinds_spec(), analysis.ops.facts.size());
  add(devices_spec(), source->devices.size());
  add(cores_spec(), source->owner->cores.size());
  add(skewed_ops_spec(), analysis.skew.groups.size());
  add(zones_spec(), source->zones.size());
  add(markers_spec(), source->markers.size());
  add(noc_traces_spec(), source->noc_traces.size());
  add(noc_transfers_spec(), source->noc_types.size());
  add(iteration_series_spec(), analysis.iterations.series.size());
  add(iterations_spec(), analysis.iterations.times.size());
  add(critical_path_spec(), analysis.ops.path.parts.size());
  add(advice_spec(), analysis.advice.size());
  add(bounds_spec(), analysis.bounds.totals.size());
  add(gaps_spec(), analysis.gaps.totals.size());
  add(categories_spec(), analysis.categories.size());
  add(signposts_spec(), source->signpost_rows.size());
  add(problems_spec(), source->problems.size());
  add(inputs_spec(), source->report.files.size());
  add(notes_spec(), analysis.ops.notes.size());
  return set;
}

std::vector<const table::TableSpec*> table_specs() {
  return {&ops_spec(),
          &shown_ops_spec(),
          &op_kinds_spec(),
          &devices_spec(),
          &cores_spec(),
          &skewed_ops_spec(),
          &zones_spec(),
          &markers_spec(),
          &noc_traces_spec(),
          &noc_transfers_spec(),
          &iteration_series_spec(),
          &iterations_spec(),
          &critical_path_spec(),
          &advice_spec(),
          &bounds_spec(),
          &gaps_spec(),
          &categories_spec(),
          &signposts_spec(),
          &problems_spec(),
          &inputs_spec(),
          &notes_spec()};
}

std::vector<table::View> views() {
  return {
      {"perf_slowest_ops",
       "Which ops take the most kernel time, by kind of op, over all devices and the whole report",
       "select profile, label, category, bound, count(*) as executions, sum(kernel_duration_ns) as "
       "kernel_duration_ns, "
       "max(kernel_duration_ns) as longest_ns, min(id) as first_id from ops "
       "where kernel_duration_ns is not null group by profile, label, category, bound "
       "order by kernel_duration_ns desc"},
      {"perf_gaps_by_cause", "Why the device waited, longest first",
       "select profile, gap_cause, count(*) as ops, sum(gap_us) as gap_us, max(gap_us) as longest_us from "
       "ops "
       "where gap_us is not null group by profile, gap_cause order by gap_us desc"},
      {"perf_time_by_category", "What the device time of the shown ops goes into, longest first",
       "select profile, category, count(*) as ops, sum(device_us) as device_us from ops where device_us is "
       "not null "
       "group by profile, category order by device_us desc"},
      {"perf_time_by_signpost",
       "Which part of the model takes the kernel time, over all devices and the whole report",
       "select profile, signpost, count(*) as ops, sum(kernel_duration_ns) as kernel_duration_ns from ops "
       "where kernel_duration_ns is not null group by profile, signpost "
       "order by kernel_duration_ns desc"},
      {"perf_time_by_bound", "What limits the ops, and how much time is over the ideal, longest first",
       "select profile, bound, count(*) as ops, sum(device_us) as device_us, sum(ideal_us) as ideal_us from "
       "ops "
       "where device_us is not null group by profile, bound order by device_us desc"},
      {"perf_hot_zones", "Where time goes inside of kernels, longest time of its own first",
       "select profile, risc, zone, kind, sum(count) as count, sum(coalesce(self_us, total_us)) as self_us, "
       "source_file, "
       "source_line from zones group by profile, risc, zone, kind, source_file, source_line "
       "order by self_us desc"},
  };
}

}  // namespace ttscope::perf
