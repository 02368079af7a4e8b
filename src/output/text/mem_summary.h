#pragma once

#include <string>

#include "analysis/memory/memory_profile.h"

namespace ttscope::output {

struct TextOptions {
  bool color = false;
  int width = 80;  ///< columns; 72 to 140 are made use of
  int top = 5;     ///< rows of each "largest" list
};

/// The memory report for a terminal: the verdict first, then where the memory went, then how far to trust it.
std::string mem_summary_text(const RuntimeTrace& trace, const analysis::MemoryProfile& profile,
                             const TextOptions& options);

/// Only the verdict, out-of-memory failures and the peaks.
std::string mem_brief_text(const RuntimeTrace& trace, const analysis::MemoryProfile& profile,
                           const TextOptions& options);

}  // namespace ttscope::output
