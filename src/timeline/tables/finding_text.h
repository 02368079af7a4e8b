#pragma once

#include <string>
#include <vector>

#include "timeline/model/timeline.h"

/// The sentences of findings. They stand here and not with the writers, since the warnings of a table set,
/// which Python shows, are these sentences, and `tables` does not know `write`.
namespace ttscope::timeline {

std::string finding_text(const Finding& finding);

/// Those of all findings, in their order.
std::vector<std::string> warning_texts(const Timeline& timeline);

}  // namespace ttscope::timeline
