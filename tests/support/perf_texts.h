#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/csv.h"
#include "base/writer.h"
#include "perf/analyze/executions.h"
#include "perf/analyze/perf_counters.h"
#include "perf/analyze/report_builder.h"
#include "perf/analyze/report_rows.h"
#include "perf/compat/captures.h"
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
  perf::Capture capture;
  MadeReport made;
  if (!texts.messages.empty()) {
    const auto read = compat ? perf::read_host_messages_as_cells : perf::read_host_messages;
    read(texts.messages, capture.host);
  }
  if (!texts.times.empty()) perf::read_host_zones(texts.times, capture.host);
  made.problems.merge(capture.host.problems);
  std::vector<perf::Execution> rows = perf::read_cpp_report(texts.cpp, made.problems);
  if (!texts.log.empty()) {
    if (auto log = perf::read_device_log(texts.log, {.threads = 2, .unwrap = !compat}))
      capture.log = std::move(*log);
  }
  if (capture.log) made.problems.merge(capture.log->problems);
  capture.clocks = perf::find_clocks(capture.log ? &*capture.log : nullptr, rows, {});
  if (compat) {
    perf::compat::make_rows(std::move(rows), false, capture);
  } else {
    perf::make_rows(std::move(rows), false, capture);
  }
  made.problems.merge(capture.problems);
  made.problems.merge(capture.report.problems);
  made.host = std::move(capture.host);
  made.report = std::move(capture.report);
  const std::vector<perf::CaptureRows> parts = {
      {&made.report, &made.host, &capture.counters, nullptr, {}, 0}};
  const perf::ColumnOptions form = {capture.device_only, capture.log && capture.log->quasar};
  StringWriter out;
  if (compat) {
    perf::compat::write_ops_csv(parts, form, out);
  } else {
    perf::write_ops_csv(parts, form, out);
  }
  static_cast<void>(out.finish());
  made.csv = out.text();
  if (!compat) made.difference = difference_from_csv(perf::make_ops_report(parts, form, "made"), made.csv);
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
