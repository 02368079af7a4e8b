#pragma once

#include <string>

#include "mem/analyse/several_logs.h"

namespace ttscope::mem {

/// `2 logs are taken as ranks of one run: a.log is rank 0, b.log is rank 1; ...`, and what speaks against it.
/// Empty for one log.
std::string several_logs_text(const SeveralLogs& logs);

}  // namespace ttscope::mem
