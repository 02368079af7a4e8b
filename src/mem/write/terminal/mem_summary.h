#pragma once

#include <cstdint>
#include <string>

#include "mem/analyse/memory_profile.h"
#include "report/text_layout.h"

namespace ttscope::mem {

/// Usual: a screenful. All: also what is the same for every log, the waste, and the tensors behind each
/// advice.
enum class MemDetail : std::uint8_t { kUsual, kAll };

/// The memory report for a terminal: the verdict first, then what to do, where the memory went, how far to
/// trust it.
std::string mem_summary_text(const RuntimeTrace& trace, const MemoryProfile& profile,
                             const report::TextOptions& options, MemDetail detail = MemDetail::kUsual);

/// The line that a report ends with: the verdict again, so that nobody has to scroll up.
std::string mem_closing_text(const RuntimeTrace& trace, const MemoryProfile& profile,
                             const report::TextOptions& options);

/// Only the verdict, out-of-memory failures and the peaks.
std::string mem_brief_text(const RuntimeTrace& trace, const MemoryProfile& profile,
                           const report::TextOptions& options);

}  // namespace ttscope::mem
