#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/writer.h"
#include "perf/analyse/executions/report_rows.h"
#include "perf/model/host_ops.h"

namespace ttscope::perf {

/// Columns that other files give, by execution: hardware counters, NoC figures. A value that is not there is
/// an empty text.
struct ExtraColumns {
  std::vector<std::string> names;
  /// Texts of an execution (index into ReportRows::executions), as many as names.
  std::map<std::uint32_t, std::vector<std::string>> cells;

  bool empty() const { return names.empty(); }
};

struct OpsCsvOptions {
  bool compat = false;       ///< byte for byte as the reference writes it
  bool device_only = false;  ///< the columns of a report without host data
  bool quasar = false;
};

/// One capture of a report: several when hosts are put together.
struct OpsCsvPart {
  const ReportRows* report = nullptr;
  const HostCapture* host = nullptr;
  const ExtraColumns* counters = nullptr;
  const ExtraColumns* network = nullptr;
  std::string host_name;           ///< in the column HOST; empty: no such column
  std::int64_t device_offset = 0;  ///< added to device ids, which then are those of all hosts
};

/// Writes ops_perf_results.csv: the columns of the reference in its order, lines that end in CRLF, `;` for
/// `,` in cells.
void write_ops_csv(const std::vector<OpsCsvPart>& parts, const OpsCsvOptions& options, Writer& out);

}  // namespace ttscope::perf
