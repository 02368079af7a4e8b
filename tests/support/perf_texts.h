#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/csv.h"
#include "base/writer.h"
#include "perf/analyze/executions.h"
#include "perf/analyze/made_report.h"
#include "perf/analyze/perf_counters.h"
#include "perf/analyze/report_rows.h"
#include "perf/read/device_log.h"
#include "perf/read/host_logs.h"
#include "perf/read/side_files.h"
#include "perf/write/ops_csv.h"
#include "support/perf_lines.h"
#include "support/report_difference.h"

namespace ttscope::testing {

/// The files of a capture as texts; empty: not there.
struct PerfTexts {
  std::string log, cpp, times, messages;
};

/// A report as it was made of texts.
struct MadeReport {
  perf::HostCapture host;
  perf::ReportRows report;
  perf::PerfProblems problems;
  std::string csv;
  std::string difference;  ///< between the rows as made directly and those of the CSV
};

inline MadeReport make_report(const PerfTexts& texts, bool compat = false) {
  MadeReport made;
  if (!texts.messages.empty()) perf::read_host_messages(texts.messages, made.host, perf::rules_for(compat));
  if (!texts.times.empty()) perf::read_host_zones(texts.times, made.host);
  made.problems.merge(made.host.problems);
  std::vector<perf::Execution> rows = perf::read_cpp_report(texts.cpp, made.problems);
  Result<perf::DeviceProfile> log = perf::DeviceProfile();
  if (!texts.log.empty()) log = perf::read_device_log(texts.log, {.threads = 2, .unwrap = !compat});
  const bool has_log = !texts.log.empty() && log.has_value();
  const perf::DeviceClocks clocks = perf::find_clocks(has_log ? &*log : nullptr, rows, {});
  perf::ReportRowsOptions options;
  options.rules = &perf::rules_for(compat);
  options.cpp_rows = !rows.empty();
  options.device_only = made.host.ops.empty();
  options.clocks = clocks;
  perf::ExtraColumns counters;
  if (has_log) {
    options.clock_mhz = log->clock_mhz;
    made.problems.merge(log->problems);
    std::vector<perf::Execution> measured = perf::measure_executions(*log, clocks, !compat, made.problems);
    perf::add_dispatch_times(*log, clocks, measured, made.problems);
    perf::find_skewed_timers(*log, made.problems);
    const perf::CounterFigures figures =
        perf::compute_counter_metrics(*log, measured, {options.rules, options.device_only});
    rows = compat && !rows.empty() ? rows : perf::join_device_files(std::move(rows), measured, made.problems);
    made.report = perf::build_report_rows(made.host, std::move(rows), options);
    counters = perf::counter_columns(figures, *log, made.report, *options.rules);
  } else {
    made.report = perf::build_report_rows(made.host, std::move(rows), options);
  }
  made.problems.merge(made.report.problems);
  const std::vector<perf::CaptureRows> parts = {{&made.report, &made.host, &counters, nullptr, {}, 0}};
  const perf::ReportForm form = {options.rules, options.device_only, has_log && log->quasar};
  StringWriter out;
  perf::write_ops_csv(parts, form, out);
  static_cast<void>(out.finish());
  made.csv = out.text();
  made.difference = difference_from_csv(perf::make_ops_report(parts, form, "made"), made.csv);
  return made;
}

/// Cells of a report by row and column name.
class Cells {
 public:
  explicit Cells(std::string_view csv) : scanner_(csv) {
    if (!scanner_.next()) return;
    for (const std::string_view name : scanner_.cells()) names_.emplace_back(name);
    while (scanner_.next()) rows_.emplace_back(scanner_.cells().begin(), scanner_.cells().end());
  }
  std::size_t rows() const { return rows_.size(); }
  bool has(std::string_view column) const { return place(column) < names_.size(); }
  std::string at(std::size_t row, std::string_view column) const {
    const std::size_t index = place(column);
    if (row >= rows_.size() || index >= rows_[row].size()) return "(no such cell)";
    return rows_[row][index];
  }

 private:
  std::size_t place(std::string_view column) const {
    std::size_t index = 0;
    while (index < names_.size() && names_[index] != column) ++index;
    return index;
  }
  CsvScanner scanner_;
  std::vector<std::string> names_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace ttscope::testing
