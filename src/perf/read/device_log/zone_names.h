#pragma once

#include <string>
#include <string_view>

#include "perf/model/zone_markers.h"

namespace ttscope::perf {

ZoneKind kind_of_zone(std::string_view name);

/// The name without what tells single programs apart: `CQ-DISPATCH:17:CQ_DISPATCH_CMD_WAIT` is
/// `CQ-DISPATCH:CQ_DISPATCH_CMD_WAIT`. `space` holds the text where it has to be put together.
std::string_view grouped_zone_name(std::string_view name, std::string& space);

/// The name before the runtime put a command behind it, which it does for starts and not always for ends.
std::string_view bare_zone_name(std::string_view name);

}  // namespace ttscope::perf
