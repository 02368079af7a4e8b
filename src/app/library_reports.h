#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "serve/folder_scan.h"
#include "serve/library.h"

namespace ttscope::app {

/// The library of reports as a folder on this machine.
struct LibraryReports {
  std::string path;
  std::vector<serve::Report> reports;  ///< newest first
};

/// The library as a place that can be served; it is made when missing.
Result<serve::ServedPlace> library_place(const std::vector<std::string>& environment);
Result<LibraryReports> read_library_reports(const std::vector<std::string>& environment);

/// Its folder, which is how the library calls it; addresses call it by an id that has no blanks and accents.
std::string label_of(const serve::Report& report);
/// Whether a user may mean it by that name.
bool is_called(const serve::Report& report, const std::string& name);

/// The reports of these names, each once, or why there is none of one of them.
Result<std::vector<serve::Report>> reports_named(const std::vector<std::string>& names,
                                                 const LibraryReports& library);

}  // namespace ttscope::app
