#pragma once

#include <string>

#include "fit/report.h"
#include "report/text_layout.h"

namespace ttscope::fit {

/// The report for a terminal: how far the replay can be trusted first, then the verdict of each device.
std::string fit_summary_text(const Report& report, const report::TextOptions& options);

}  // namespace ttscope::fit
