#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/exit_code.h"
#include "serve/library.h"

namespace ttscope::cli {

/// The library of reports as a folder on this machine.
struct LibraryReports {
  std::string path;
  std::vector<serve::Report> reports;  ///< newest first
};
Result<LibraryReports> read_library_reports();

/// Its folder, which is how the library calls it; addresses call it by an id that has no blanks and accents.
std::string label_of(const serve::Report& report);

/// Lists what would be deleted and asks, unless `is_sure`; where nobody can be asked, that is wrong usage.
/// Only files of reports are deleted, and their folders when nothing else is left in them.
int delete_reports(const std::string& library, const std::vector<serve::Report>& reports, bool is_sure);

}  // namespace ttscope::cli
