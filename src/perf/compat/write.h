#pragma once

#include "base/writer.h"
#include "perf/analyze/profile.h"
#include "perf/write/terminal.h"

// What tt-perf-report 1.2.4 prints and writes of its table (compat/shown_ops.h).

namespace ttscope::perf::compat {

/// What it says on the terminal, in its order.
void write_perf_report(const Profile& profile, const PerfReportOptions& options, const WrittenFiles& written,
                       Writer& out);

void write_perf_csv(const OpsReport& table, const ShownOps& ops, const PerfTableOptions& options,
                    Writer& out);

/// `Total %`, `Op Code`, `Device Time Sum`, ...: one line an entry.
void write_stack_text(const std::vector<StackEntry>& entries, const StackOptions& options, bool color,
                      Writer& out);
void write_stack_csv(const std::vector<StackEntry>& entries, const StackOptions& options, Writer& out);

/// What could make a matmul faster, a sentence each. Empty: nothing to say.
std::vector<std::string> matmul_sentences(const OpsReport& table, const ShownOps& ops, const ShownOp& row);

}  // namespace ttscope::perf::compat
