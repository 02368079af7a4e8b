#pragma once

#include <string_view>
#include <vector>

#include "base/writer.h"
#include "diff/report.h"

namespace ttscope::diff {

/// `ttscope.diff/1` (docs/formats/diff_json.md). The first report is the document; further ones, of other
/// subjects of the same runs, stand in it under `also`. There is at least one.
void write_diff_json(const std::vector<DiffReport>& reports, std::string_view tool_version, Writer& out);

}  // namespace ttscope::diff
