#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "perf/model/capture_files.h"
#include "perf/read/files/opened_texts.h"

namespace ttscope::perf {

/// What was asked for: captures to make reports of, or finished reports.
struct FoundFiles {
  std::vector<CaptureFiles> captures;
  std::vector<std::string> reports;
  std::vector<std::string> raw_runs;  ///< documents of saved buffers
  std::vector<std::string> remarks;   ///< which of several was chosen
  OpenedTexts texts;                  ///< of the files that were looked into

  /// Every file that will be read.
  std::vector<std::string> all() const;
};

/// Sorts folders and files (`-`: standard input), plain or compressed. A folder is a capture (its files, or
/// those of `.logs` in it); files of one folder belong to one capture. Where there are none, the folder's
/// finished report is read, or the newest of those below it. A folder without any known file is an error that
/// says what is looked for.
Result<FoundFiles> find_files(const std::vector<std::string>& paths);

}  // namespace ttscope::perf
