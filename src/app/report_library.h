#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "mem/analyze/memory_profile.h"
#include "mem/write/page.h"
#include "serve/folder_scan.h"
#include "serve/library.h"

namespace ttscope::app {

/// What a log is called in file names: its file name without extension and `_profile`, with `-` for `_`.
/// Never empty, never a path. `my_model_profile.log.gz` gives `my-model`.
std::string report_name(const std::string& log_path);

/// Whether a name given by the user can begin a file name.
bool is_plain_name(const std::string& name);

/// FOLDER/NAME_report.html
std::string page_path(const std::string& folder, const std::string& name);

/// Writes the files of a report into a folder: NAME_memory.json and its three siblings, the markdown
/// report and the page, where NAME is that of the page's options. Returns their paths; the page is the last.
Result<std::vector<std::string>> write_run_report(const mem::Profile& log, const std::string& folder,
                                                  const mem::MemPageOptions& page);

/// Where a report was put.
struct ReportFolder {
  std::string path;
  std::string name;  ///< of the folder, and how its files begin
  std::string page;  ///< path of the report page
  std::vector<std::string> files;
};

/// Where a report goes, and whose it is.
struct ReportTarget {
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
Result<ReportFolder> write_report_folder(const ReportTarget& place, const FillReport& fill);

/// The same for a memory profile: the four files, the markdown report and the report page. `page` is how the
/// page is written; its name is that of the folder.
Result<ReportFolder> write_report_folder(const mem::Profile& log, const ReportTarget& place,
                                         const mem::MemPageOptions& page);

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

struct DeletedReport {
  std::size_t files = 0;
  bool folder_is_left = false;  ///< it holds more than the report
};

/// Deletes the files of a report and its folder, which must lie directly in the library. Nothing else in the
/// folder is touched, and no symbolic link is followed.
Result<DeletedReport> delete_report(const std::string& library, const serve::Report& report);

/// Which reports of a library stay.
struct Retention {
  std::size_t newest = 0;                  ///< so many whatever their age
  std::int64_t oldest_time_s = INT64_MAX;  ///< and all that are not older than that
};

/// What does not stay, newest first. Reports that lie in the library itself, not in a folder of theirs, are
/// none of it.
std::vector<serve::Report> old_reports(std::vector<serve::Report> reports, const Retention& retention);

/// What a command line of `serve` names.
struct ServeTargets {
  std::vector<serve::ServedPlace> places;
  std::vector<std::string> logs;  ///< to be profiled at once
  std::string report_base;        ///< where reports of new logs go; empty: nothing served shows them
  std::string shown_report;       ///< id of the report to open; empty: the list
};

/// Folders, report pages and logs; without any the library of reports, which is made when missing.
Result<ServeTargets> find_places(const std::vector<std::string>& arguments,
                                 const std::vector<std::string>& environment);

/// The same for `ttmem serve [NAME]`: a name of a report in the library, or any of the above.
Result<ServeTargets> find_report_place(const std::vector<std::string>& arguments,
                                       const std::vector<std::string>& environment);

}  // namespace ttscope::app
