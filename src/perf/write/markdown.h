#pragma once

#include <string>

#include "base/writer.h"
#include "perf/analyze/profile.h"

namespace ttscope::perf {

/// The report for a language model, or a person in a hurry: short, most important first, with row ids.
void write_perf_markdown(const OpsReport& table, const OpAnalysis& analysis, const std::string& name,
                         Writer& out);

}  // namespace ttscope::perf
