#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/input_files.h"
#include "io/open_input.h"
#include "perf/model/capture_files.h"
#include "perf/model/ops_report.h"
#include "perf/read/ops_report.h"

namespace ttscope::perf {

/// noc_trace_dev*.json: a list of events of the NoC.
bool is_noc_trace(const io::Beginning& beginning);

/// The table of ops that tt-perf-report writes with --csv, and `ttscope perf --csv` in the same form.
bool is_table_csv(const io::Beginning& beginning);
/// Its stacked report: sums of ops, which cannot be read again.
bool is_stacked_csv(const io::Beginning& beginning);

/// The texts of the files that a command works on. Each is opened once: a pipe cannot be read again, and
/// compressed files are unpacked. Not thread safe.
class OpenedTexts {
 public:
  /// An empty path has an empty text.
  Result<io::WholeText> open(const std::string& path);

 private:
  std::map<std::string, io::WholeText> texts_;
};

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

/// How a kind of input is told, and where it goes. A new one is a line in formats.cc.
struct Format {
  io::Format detector;
  /// As the profiler calls it, with a `*` for what varies; empty where it is told by content alone.
  std::string_view file_name{};
  /// Puts a file among those of a capture, or beside the captures; null for folders.
  void (*put)(const std::string& path, CaptureFiles& capture, FoundFiles& found) = nullptr;
  /// Of finished reports: adds their rows.
  Result<void> (*read_report)(const ReportSource& source, OpsReport& report) = nullptr;
};

/// All formats; of several that fit, the first counts.
const std::vector<Format>& formats();
/// The format of a file by its name, plain or packed; null: none.
const Format* format_by_name(const std::string& path);
/// The format of a file by what it says; null: none.
const Format* format_by_content(const io::Beginning& beginning);

}  // namespace ttscope::perf
