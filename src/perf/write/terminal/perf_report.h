#pragma once

#include "base/writer.h"
#include "perf/analyse/profile.h"
#include "perf/write/files/reading_files.h"
#include "perf/write/terminal/perf_table.h"

namespace ttscope::perf {

/// What the terminal shows of a reading.
struct PerfReportOptions {
  PerfTableOptions table;  ///< with the rules of all of it
  StackOptions stack;
  bool summary = true;         ///< the stacked report
  bool all_rows = false;       ///< the table has rows, not the costliest groups
  bool shows_sections = true;  ///< else only zones, and what was written
};

/// The report on the terminal: notes, the table, what it means and how far it can be trusted, the zones, and
/// the files that were written. By the rules of the reference what tt-perf-report prints, in its order.
void write_perf_report(const Profile& profile, const PerfReportOptions& options,
                       const WrittenReading& written, Writer& out);

}  // namespace ttscope::perf
