#pragma once

#include <string>

#include "base/result.h"
#include "tables/table.h"

namespace ttscope::tables {

/// Reads any profile, told by its content: a runtime log, a folder of report files, a graph capture (JSON or
/// db.sqlite), or a log with the tracker's summaries. docs/tracker.md lists the tables of each.
Result<ProfileTables> load_profile(const std::string& path);

}  // namespace ttscope::tables
