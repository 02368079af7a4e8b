#pragma once

#include <string>
#include <vector>

#include "mem/analyse/oom_log.h"
#include "report/text_layout.h"

namespace ttscope::mem {

/// The failures of some logs for a terminal: each once, with its evidence and what would help.
std::string oom_summary_text(const std::vector<OomLog>& logs, const report::TextOptions& options);

}  // namespace ttscope::mem
