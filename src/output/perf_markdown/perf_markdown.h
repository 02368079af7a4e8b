#pragma once

#include <string>

#include "analysis/op_reading/op_reading.h"
#include "base/writer.h"

namespace ttscope::output {

/// The report for a language model, or a person in a hurry: short, most important first, with row ids.
void write_perf_markdown(const OpsTable& table, const analysis::OpReading& reading, const std::string& name,
                         Writer& out);

}  // namespace ttscope::output
