#pragma once

#include <cstddef>
#include <string>

#include "capture/live_scan.h"

namespace ttscope::capture {

/// One line on a running program, at most `width` columns: op count, DRAM and L1 against capacity, growth,
/// the current program. Parts that do not fit are left out from the end; safe for a terminal.
std::string status_text(const LiveState& state, std::size_t width);

/// `out of memory`, `fatal error`, `exception`, `crash`.
std::string_view name_of(TroubleKind kind);

/// The failures that a log tells of with their line numbers, newline at the end; empty when there are none.
/// Safe for a terminal.
std::string troubles_text(const LiveState& state, std::size_t width);

}  // namespace ttscope::capture
