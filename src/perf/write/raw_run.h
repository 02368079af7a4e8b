#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/writer.h"
#include "perf/model/raw_run.h"

namespace ttscope::perf {

/// `ttscope.raw/1` (docs/formats/raw_run.md): every marker as it is stored.
void write_raw_json(const RawRun& run, std::string_view tool_version, Writer& out);

/// What a finding says, with its place. That DRAM was full is said in the words of the runtime.
std::string finding_text(const RawRun& run, const RawFinding& finding);

/// What each processor recorded, and what of it is lost or must not be believed.
std::string raw_text(const RawRun& run, bool color, std::size_t width);
/// The same as a markdown document.
std::string raw_markdown(const RawRun& run);
/// The files of the profiler that were made of it, and how `folder` with them is read; empty for none.
std::string raw_files_text(const RawRun& run, const std::vector<std::string>& written,
                           std::string_view folder);

}  // namespace ttscope::perf
