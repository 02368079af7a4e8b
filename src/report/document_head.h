#pragma once

#include <string_view>

#include "base/json_writer.h"

namespace ttscope::report {

/// What every document begins with: its schema, and the program that wrote it (an empty version is null).
void write_document_head(JsonWriter& json, std::string_view schema, std::string_view tool_version);

}  // namespace ttscope::report
