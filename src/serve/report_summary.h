#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "base/file_descriptor.h"
#include "serve/library.h"

namespace ttscope::serve {

/// How many values a curve has at most.
inline constexpr std::size_t kCurvePoints = 96;

struct PageFacts {
  ReportSummary summary;
  std::string script_hash;
  bool is_page = false;  ///< it holds the data of a report page
};

/// Reads the start of a report page (docs/formats/report_page.md): its header and the coarse DRAM curve.
PageFacts read_page_facts(const FileDescriptor& page);
/// The same for a text.
PageFacts page_facts(std::string_view page_start);

/// Reads NAME_memory.json (docs/formats/ttmem_files.md), also as the Python tool writes it, in pieces.
ReportSummary read_memory_file(const FileDescriptor& file);
/// The same for pieces of text as `next_piece` gives them; the first empty one is the end.
ReportSummary memory_file_summary(const std::function<std::string_view()>& next_piece);

/// The log that `source.json` of a report folder names; empty when it names none.
std::string read_source_log(const FileDescriptor& file);
std::string source_log(std::string_view json);

}  // namespace ttscope::serve
