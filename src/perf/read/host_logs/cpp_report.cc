#include "perf/read/host_logs/cpp_report.h"

#include <map>

#include "base/csv_scanner.h"
#include "base/number_text.h"
#include "perf/model/figure_columns.h"

namespace ttscope::perf {
namespace {

/// Which cell holds what.
struct Columns {
  explicit Columns(const CsvHeader& header)
      : id(header.find("GLOBAL CALL COUNT")),
        trace(header.find("METAL TRACE ID")),
        replay(header.find("METAL TRACE REPLAY SESSION ID")),
        device(header.find("DEVICE ID")),
        arch(header.find("DEVICE ARCH")) {
    for (std::size_t i = 0; i < header.names().size(); ++i) {
      const Figure figure = figure_of(header.names()[i]);
      if (figure != Figure::kCount) figures.emplace_back(i, figure);
    }
  }

  std::size_t id, trace, replay, device, arch;
  std::vector<std::pair<std::size_t, Figure>> figures;
};

bool read_row(const CsvScanner& row, const Columns& columns, Execution& execution) {
  const auto id = parse_whole_or_cut(row.cell(columns.id));
  const auto device = parse_whole_or_cut(row.cell(columns.device));
  constexpr std::int64_t kMostDevices = 0xffffffff;
  if (!id || *id < 0 || !device || *device < 0 || *device > kMostDevices) return false;
  execution.key.op_id = static_cast<std::uint64_t>(*id);
  execution.key.device = static_cast<std::uint32_t>(*device);
  execution.key.trace = parse_whole_or_cut(row.cell(columns.trace)).value_or(-1);
  execution.key.replay = parse_whole_or_cut(row.cell(columns.replay)).value_or(-1);
  execution.arch = trimmed(row.cell(columns.arch));
  for (const auto& [cell, figure] : columns.figures) {
    execution.figures[figure] = parse_ticks(row.cell(cell)).value_or(kNoFigure);
  }
  const std::int64_t start = execution.figures[Figure::kFwStartCycle];
  execution.first_cycle = start > 0 ? static_cast<std::uint64_t>(start) : 0;
  return true;
}

}  // namespace

std::vector<Execution> read_cpp_report(std::string_view text, PerfProblems& problems) {
  std::vector<Execution> executions;
  CsvScanner scanner(text);
  if (!scanner.next()) return executions;
  const Columns columns{CsvHeader(scanner.cells())};
  std::map<ExecutionKey, std::size_t> places;
  while (scanner.next()) {
    Execution execution;
    if (!read_row(scanner, columns, execution)) {
      problems.add(PerfProblem::kRowUnreadable,
                   "cpp_device_perf_report.csv:" + std::to_string(scanner.line()));
      continue;
    }
    const auto [place, is_new] = places.try_emplace(execution.key, executions.size());
    if (is_new) {
      executions.push_back(std::move(execution));
    } else {
      problems.add(PerfProblem::kDuplicateKey,
                   "cpp_device_perf_report.csv:" + std::to_string(scanner.line()));
      executions[place->second] = std::move(execution);
    }
  }
  problems.add(PerfProblem::kQuoteUnclosed, scanner.unclosed_quotes(), "cpp_device_perf_report.csv");
  return executions;
}

}  // namespace ttscope::perf
