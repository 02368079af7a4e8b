#pragma once

#include <string_view>

namespace ttscope::phases {

/// Whether a part of a log holds the beginning of a tracker's summary or figures of a phase. They come at the
/// end of a training step, far behind the beginning of the log.
bool has_summary_lines(std::string_view text);

}  // namespace ttscope::phases
