#pragma once

#include <string>
#include <vector>

#include "timeline/model/timeline.h"

/// The sentences of findings. They stand here since tables say them as well as writers.
namespace ttscope::timeline {

std::string finding_text(const Finding& finding);

/// Those of all findings, in their order.
std::vector<std::string> warning_texts(const Timeline& timeline);

}  // namespace ttscope::timeline
