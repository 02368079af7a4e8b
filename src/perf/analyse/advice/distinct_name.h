#pragma once

#include <string>

#include "perf/analyse/ops/shown_ops.h"

namespace ttscope::perf {

/// `LayerNorm 1x32x3072 BF16 L1`: tells ops of one name apart by what they work on.
std::string distinct_name(const OpsReport& table, const KindFacts& facts, const ReportKind& kind);

}  // namespace ttscope::perf
