#pragma once

#include <string>
#include <string_view>

#include "base/writer.h"
#include "phases/analyse/profile.h"

namespace ttscope::phases {

struct PhasesJsonOptions {
  std::string_view tool_version{};
  std::string title{};
};

/// Writes the document `ttscope.phases/1` (docs/formats/phases_json.md).
void write_phases_json(const Profile& profile, Writer& out, const PhasesJsonOptions& options);

}  // namespace ttscope::phases
