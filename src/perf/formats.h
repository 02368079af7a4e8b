#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "io/format.h"
#include "perf/find_files.h"
#include "perf/model/ops_report.h"
#include "perf/read/files/report_source.h"

namespace ttscope::perf {

/// How a kind of input is told, and where it goes. A new one is a line in formats.cc.
struct Format {
  io::Format told;
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
