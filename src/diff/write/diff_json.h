#pragma once

#include <string_view>

#include "base/writer.h"
#include "diff/report.h"

namespace ttscope::diff {

/// `ttscope.diff/1` (docs/formats/diff_json.md).
void write_diff_json(const DiffReport& report, std::string_view tool_version, Writer& out);

}  // namespace ttscope::diff
