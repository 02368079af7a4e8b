#pragma once

#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "serve/library.h"

namespace ttscope::cli {

/// Lists what would be deleted and asks, unless `is_sure`; where nobody can be asked, that is wrong usage.
/// Only files of reports are deleted, and their folders when nothing else is left in them.
int delete_reports(const std::string& library, const std::vector<serve::Report>& reports, bool is_sure);

}  // namespace ttscope::cli
