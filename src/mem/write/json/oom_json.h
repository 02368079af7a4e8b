#pragma once

#include <string_view>
#include <vector>

#include "base/writer.h"
#include "mem/analyse/oom_log.h"

namespace ttscope::mem {

/// Writes the document `ttscope.oom/1` (docs/formats/oom_json.md). The caller finishes the writer.
void write_oom_json(const std::vector<OomLog>& logs, Writer& out, std::string_view tool_version);

}  // namespace ttscope::mem
