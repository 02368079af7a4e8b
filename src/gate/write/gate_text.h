#pragma once

#include <string>
#include <string_view>

#include "base/writer.h"
#include "gate/report.h"

namespace ttscope::gate {

struct GateTextOptions {
  bool color = false;
  int width = 80;
};

/// A line for each check, for a terminal.
std::string gate_text(const GateReport& report, const GateTextOptions& options);
/// The same as a markdown document: the summary of a job.
std::string gate_markdown(const GateReport& report);
/// JUnit's XML: a test case for each check, and one for each run, which fails where the run failed.
std::string gate_junit(const GateReport& report);
/// `ttscope.gate/1` (docs/formats/gate_json.md).
void write_gate_json(const GateReport& report, std::string_view tool_version, Writer& out);

}  // namespace ttscope::gate
