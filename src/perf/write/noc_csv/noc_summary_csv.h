#pragma once

#include <vector>

#include "base/writer.h"
#include "perf/model/noc_summary.h"

namespace ttscope::perf {

/// noc_summary.csv: a row for each execution, in it for all, for each type of transfer and for each sender.
void write_noc_summary(const std::vector<NocSummary>& summaries, Writer& out);

}  // namespace ttscope::perf
