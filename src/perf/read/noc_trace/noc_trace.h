#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "perf/model/noc_summary.h"

namespace ttscope::perf {

/// Sums up a NoC trace file. The execution is told by the file's name
/// (`noc_trace_dev0_Matmul_ID1024_traceID30064771073.json`) and, failing that, by its events. Nothing if the
/// text is no list of events.
std::optional<NocSummary> read_noc_trace(std::string_view file_name, std::string_view text);

/// The summary of a result file of tt-npe (`Matmul_ID1.npeviz`), from the beginning of its text.
std::optional<NpeResult> read_npe_result(std::string_view text);

/// The files of npe_viz/manifest.json: call count and name.
std::vector<std::pair<std::uint64_t, std::string>> read_npe_manifest(std::string_view text);

}  // namespace ttscope::perf
