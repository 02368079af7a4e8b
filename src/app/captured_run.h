#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/run_observer.h"
#include "base/result.h"
#include "mem/analyse/profile.h"
#include "mem/write/page/mem_page.h"

namespace ttscope::app {

/// A program to run and what to make of its output.
struct CaptureRequest {
  std::vector<std::string> command{};      ///< as typed; [0] is searched in PATH
  std::string name{};                      ///< how the files begin; a plain name
  std::string base{};                      ///< the folder of runs; empty: ./logs
  bool compress = false;                   ///< the log as zstd
  bool quiet = false;                      ///< problems only
  bool log_only = false;                   ///< no report
  bool keep_in_library = true;             ///< the report also goes to the library of reports
  std::vector<std::string> environment{};  ///< `NAME=value`; the program gets it with what makes a log useful
  /// How the log is read, maybe with a sign of progress.
  std::function<Result<mem::Profile>(const std::string& log_path)> read_log{};
  /// How the page of a report of this name is written.
  std::function<mem::MemPageOptions(const std::string& name)> page_options{};
};

/// What came of it.
struct CaptureOutcome {
  int exit_code = 0;     ///< of the program; 125 when our part failed, 126 or 127 when it did not start
  bool started = false;  ///< else there is no folder
  std::string folder;
  std::string log_path;
  std::vector<std::string> report_files;  ///< empty: no report
  std::string library_folder;             ///< its copy in the library of reports; empty: none
};

/// Runs the command in a process group of its own without a shell, shows its output as it comes, keeps it as
/// NAME_profile.log in a new folder and writes the report beside it. The observer hears what it does and what
/// went wrong. Signals go to the group; what was captured until then is kept and analysed.
CaptureOutcome capture_command(const CaptureRequest& request, RunObserver& observer);

}  // namespace ttscope::app
