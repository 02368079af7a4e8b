#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "perf/analyze/shown_ops.h"
#include "perf/model/reference_rules.h"

namespace ttscope::perf {

// The words are those that users of tt-perf-report know; other tools match them.

/// Empty: nothing to say.
std::string_view fidelity_text(FidelityRemark remark);

/// What could make a matmul faster, a sentence each.
std::vector<std::string> matmul_sentences(const OpsReport& table, const ShownOps& ops, const ShownOp& row,
                                          const Rules& rules);

}  // namespace ttscope::perf
