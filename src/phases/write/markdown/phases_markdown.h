#pragma once

#include <string>

#include "base/writer.h"
#include "phases/analyse/profile.h"

namespace ttscope::phases {

/// The report on training phases as markdown, for language models and for issues.
void write_phases_markdown(const Profile& profile, const std::string& title, Writer& out);

}  // namespace ttscope::phases
