#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "mem/model/runtime_log.h"

namespace ttscope::mem {

/// What a line that no reader of memory failures knows says about the end of a program; nothing for any other
/// line. Only the beginning of the line is looked at.
std::optional<CrashKind> parse_crash_line(std::string_view line);

/// A line with the reason two lines below it, where it is that of an exception of tt-metal; otherwise the
/// line. `rest` is what follows the line; nothing is returned where it ends before that can be told.
///   RuntimeError: TT_FATAL @ /tt-metal/functions.cpp:25: buffers.size() == 1
///   info:
///   Can't get a single buffer from host storage distributed over mesh shape MeshShape([1, 2])
std::optional<std::string_view> with_reason(std::string_view line, std::string_view rest);

/// What with_reason() gives as it is shown: without colors and the loggers' prefixes, the reason first, at
/// most kCrashTextBytes. It is the log's own text, hence hostile.
std::string crash_text(std::string_view text);

}  // namespace ttscope::mem
