#include "perf/tables/tables.h"

#include "perf/tables/table_source.h"

namespace ttscope::perf {

table::TableSet tables_of(std::shared_ptr<const Profile> profile) {
  table::TableSet set;
  set.kind = profile->raw ? "raw_run" : profile->captures.empty() ? "ops_report" : "device_profile";
  set.warnings = profile->warnings;
  const auto source = std::make_shared<const TableSource>(std::move(profile));
  const OpReading& reading = source->reading;
  const auto add = [&](const table::TableOf<TableSource>& spec, std::size_t rows) {
    set.tables.push_back(table::make_table(spec, source, rows));
  };
  add(ops_spec(), source->op_rows.size());
  add(shown_ops_spec(), reading.ops.rows.size());
  add(op_kinds_spec(), reading.ops.facts.size());
  add(devices_spec(), source->devices.size());
  add(cores_spec(), source->owner->cores.size());
  add(skewed_ops_spec(), reading.skew.groups.size());
  add(zones_spec(), source->zones.size());
  add(markers_spec(), source->markers.size());
  add(noc_traces_spec(), source->noc_traces.size());
  add(noc_transfers_spec(), source->noc_types.size());
  add(iteration_series_spec(), reading.iterations.series.size());
  add(iterations_spec(), reading.iterations.times.size());
  add(critical_path_spec(), reading.ops.path.parts.size());
  add(advice_spec(), reading.advice.size());
  add(bounds_spec(), reading.bounds.totals.size());
  add(gaps_spec(), reading.gaps.totals.size());
  add(categories_spec(), reading.categories.size());
  add(signposts_spec(), source->signpost_rows.size());
  add(problems_spec(), source->problems.size());
  add(inputs_spec(), source->report.files.size());
  add(notes_spec(), reading.ops.notes.size());
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
