#pragma once

#include <string>
#include <string_view>

#include "base/writer.h"
#include "gate/judge.h"

namespace ttscope::gate {

struct GateTextOptions {
  bool color = false;
  int width = 80;
};

/// A line for each check, for a terminal.
std::string gate_text(const GateResult& report, const GateTextOptions& options);
/// The same as a markdown document: the summary of a job.
std::string gate_markdown(const GateResult& report);
/// JUnit's XML: a test case for each check, and one for each run, which fails where the run failed.
std::string gate_junit(const GateResult& report);
/// `ttscope.gate/1` (docs/formats/gate_json.md).
void write_gate_json(const GateResult& report, std::string_view tool_version, Writer& out);

// Words that all output forms share. They may hold text of inputs: each form escapes them.

/// `passed: 5 checks`, `failed: 2 of 5 checks`.
std::string verdict_text(const GateResult& report);
/// `10.2 GB (84.0%); at most 10.8 GB (90% of the device's DRAM)`.
std::string check_text(const Check& check);
/// `at most 3.65 ms (baseline 3.54 ms, +3%)`.
std::string bound_text(const Check& check);
/// `memory.dram_peak`, and of which input where several tell it.
std::string check_name(const Check& check);
/// A value of the figure: `3.52 ms`, `10.20 GB`, `yes`.
std::string value_text(const Check& check, double value);

}  // namespace ttscope::gate
