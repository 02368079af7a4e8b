#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "mem/analyse/profile.h"
#include "mem/write/page/mem_page.h"

namespace ttscope::app {

/// FOLDER/NAME_report.html
std::string page_path(const std::string& folder, const std::string& name);

/// Writes the files of a report into a folder: NAME_memory.json and its three siblings, the markdown
/// report and the page, where NAME is that of the page's options. Returns their paths; the page is the last.
Result<std::vector<std::string>> write_run_report(const mem::Profile& log, const std::string& folder,
                                                  const mem::MemPageOptions& page);

}  // namespace ttscope::app
