#pragma once

#include <string>

#include "phases/analyse/profile.h"
#include "report/text_layout.h"

namespace ttscope::phases {

/// The report on training phases for a terminal: verdicts, then each run with its phases, then how far to
/// trust it. report::TextOptions::top limits the rows of phases; 0 shows all.
std::string phases_summary_text(const Profile& profile, const report::TextOptions& options);

}  // namespace ttscope::phases
