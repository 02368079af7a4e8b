#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "mem/model/crash.h"

namespace ttscope::mem {

/// What a line that no reader of memory failures knows says about the end of a program; nothing for any other
/// line. Only the beginning of the line is looked at.
std::optional<CrashKind> crash_told_by(std::string_view line);

/// The line as it is shown: without colours and the loggers' prefixes, at most kCrashTextBytes. It is the
/// log's own text, hence hostile.
std::string crash_text(std::string_view line);

}  // namespace ttscope::mem
