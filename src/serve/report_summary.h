#pragma once

#include <string>

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

/// Reads NAME_memory.json (docs/formats/ttmem_files.md), also as the Python tool writes it, in pieces.
ReportSummary read_memory_file(const FileDescriptor& file);

/// The log that `source.json` of a report folder names; empty when it names none.
std::string read_source_log(const FileDescriptor& file);

}  // namespace ttscope::serve
