#pragma once

// The names of tt-train's tracker, for programs that are written for it and built where tt-metal is not. Link
// ttscope::ttml_names to have this folder in the include path; where the real header is, leave it out.

#include <ttscope/memory_usage_tracker.h>

#if __has_include(<ttnn/graph/graph_processor.hpp>)
#error "tt-metal is here: use its own ttml/utils/memory_utils.hpp, and do not link ttscope::ttml_names"
#endif

namespace ttnn {
using ScopeGuard = ttscope::ScopeGuard;
}  // namespace ttnn

namespace tt::tt_metal {
using IGraphProcessor = ttscope::IGraphProcessor;
}  // namespace tt::tt_metal

namespace ttml::utils {
namespace MemoryUsageTracker = ttscope::MemoryUsageTracker;
using DRAMUsage = ttscope::DRAMUsage;
}  // namespace ttml::utils
