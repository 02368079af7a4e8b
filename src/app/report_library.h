#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "mem/analyse/profile.h"
#include "mem/write/page/mem_page.h"

namespace ttscope::app {

/// Where a report was put.
struct ReportFolder {
  std::string path;
  std::string name;  ///< of the folder, and how its files begin
  std::string page;  ///< path of the report page
  std::vector<std::string> files;
};

/// Where a report goes, and whose it is.
struct ReportPlace {
  std::string base;         ///< the library
  std::string log_path;     ///< as typed; `-`: standard input
  bool is_private = false;  ///< the base is the library: what is made there is for its user alone
};

/// The file of a report folder that says whose report it is.
inline constexpr std::string_view kSourceFile = "source.json";

/// The folder of all reports: $TTMEM_HOME/reports, else ~/.ttmem/reports, which is closed to other users.
Result<std::string> library_folder(const std::vector<std::string>& environment);

/// Writes the files of a report called `name` into a folder that exists, and gives their paths.
using FillReport =
    std::function<Result<std::vector<std::string>>(const std::string& folder, const std::string& name)>;

/// Puts a report folder into `base`, which is made when missing. It appears as a whole or not at all. A
/// report of the same log is replaced; where another log has taken the name, NAME-2, NAME-3 ... is used.
/// `log_path` tells the logs apart.
Result<ReportFolder> write_report_folder(const ReportPlace& place, const FillReport& fill);

/// The same for a memory profile: the four files, the markdown report and the report page. `page` is how the
/// page is written; its name is that of the folder.
Result<ReportFolder> write_report_folder(const mem::Profile& log, const ReportPlace& place,
                                         const mem::MemPageOptions& page);

}  // namespace ttscope::app
