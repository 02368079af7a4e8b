#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "mem/analyze/logs.h"
#include "mem/analyze/memory_profile.h"
#include "ui/text.h"

namespace ttscope::mem {

/// Usual: a screenful. All: also what is the same for every log, the waste, and the tensors behind each
/// advice.
enum class MemDetail : std::uint8_t { kUsual, kAll };

/// The memory report for a terminal: the verdict first, then what to do, where the memory went, how far to
/// trust it.
std::string mem_summary_text(const RuntimeLog& log, const MemoryProfile& profile,
                             const ui::TextOptions& options, MemDetail detail = MemDetail::kUsual);

/// The line that a report ends with: the verdict again, so that nobody has to scroll up.
std::string mem_closing_text(const RuntimeLog& log, const MemoryProfile& profile,
                             const ui::TextOptions& options);

/// Only the verdict, out-of-memory failures and the peaks.
std::string mem_brief_text(const RuntimeLog& log, const MemoryProfile& profile,
                           const ui::TextOptions& options);

/// The failures of some logs for a terminal: each once, with its evidence and what would help.
std::string oom_summary_text(const std::vector<OomLog>& logs, const ui::TextOptions& options);

}  // namespace ttscope::mem
