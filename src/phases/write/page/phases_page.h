#pragma once

#include <string>

#include "base/writer.h"
#include "phases/analyse/profile.h"
#include "phases/write/json/phases_json.h"

namespace ttscope::phases {

/// The page that compares runs: the built front end with the JSON document inside. One file, no requests.
void write_phases_page(const Profile& profile, Writer& out, const PhasesJsonOptions& options);

/// The built front end, with its marks.
std::string_view phases_page_template();

}  // namespace ttscope::phases
