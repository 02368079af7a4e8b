#pragma once

#include <string_view>

#include "base/json_writer.h"
#include "base/writer.h"
#include "fit/report.h"

namespace ttscope::fit {

/// `ttscope.fit/1`, see docs/formats/fit_json.md.
void write_fit_json(const Report& report, Writer& out, std::string_view tool_version);

/// The same as a value of another document.
void write_fit_object(JsonWriter& json, const Report& report, std::string_view tool_version);

}  // namespace ttscope::fit
