#pragma once

#include <string_view>

#include "base/writer.h"
#include "fit/report.h"

namespace ttscope::fit {

/// `ttscope.fit/1`, see docs/formats/fit_json.md.
void write_fit_json(const Report& report, Writer& out, std::string_view tool_version);

}  // namespace ttscope::fit
