#pragma once

#include <string>

#include "mem/analyse/memory_profile.h"
#include "report/text_layout.h"

namespace ttscope::mem {

/// The memory report for a terminal: the verdict first, then where the memory went, then how far to trust it.
std::string mem_summary_text(const RuntimeTrace& trace, const MemoryProfile& profile,
                             const report::TextOptions& options);

/// Only the verdict, out-of-memory failures and the peaks.
std::string mem_brief_text(const RuntimeTrace& trace, const MemoryProfile& profile,
                           const report::TextOptions& options);

}  // namespace ttscope::mem
