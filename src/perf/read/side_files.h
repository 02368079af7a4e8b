#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "perf/model/capture_files.h"
#include "perf/model/device_profile.h"
#include "perf/model/notes.h"

namespace ttscope::perf {

/// Reads the text of cpp_device_perf_report.csv, the runtime's own figures, one execution a row, in the order
/// of the file. Of rows with the same key the last one counts, at the place of the first.
std::vector<Execution> read_cpp_report(std::string_view text, PerfProblems& problems);

/// Looks for zones of zone_src_locations.log whose 16-bit marker ids are equal: their markers cannot be told
/// apart.
void find_zone_collisions(std::string_view text, PerfProblems& problems);

/// The marker id of `NAME,FILE,LINE,KERNEL_PROFILER`.
std::uint16_t zone_marker_id(std::string_view zone);

/// Reads the text of sync_device_info.csv: rows of exchanges, and how the clocks of other devices become that
/// of the one before them. Rows that cannot be read are left out.
SyncInfo read_sync_info(std::string_view text, PerfProblems& problems);

/// A line of a NoC trace: a transfer, or the start of a zone that tells where its clock stands.
struct NocEvent {
  std::uint64_t cycle = 0;
  std::uint64_t bytes = 0;
  std::uint64_t op = 0;
  std::uint16_t x = 0;  ///< of the core that began it
  std::uint16_t y = 0;
  std::string_view risc;
  std::string_view type;  ///< `READ`; empty: the start of a zone
  std::string_view noc;   ///< `NOC_0`
  std::string_view zone;  ///< name of the zone that starts
  std::string to;         ///< `3,4`, `1,1 to 8,8`; empty: not said
};

/// Gives the events of a NoC trace file in their order; their texts
/// live as long as the call of `take`. False if the text is no list of events.
bool read_noc_events(std::string_view text, const std::function<void(const NocEvent&)>& take);

/// The execution that the name of a NoC trace tells: `noc_trace_dev0_Matmul_ID1024_traceID30064771073.json`.
ExecutionKey key_of_noc_file(std::string_view file_name);

/// Sums up a NoC trace file. The execution is told by the file's name
/// (`noc_trace_dev0_Matmul_ID1024_traceID30064771073.json`) and, failing that, by its events. Nothing if the
/// text is no list of events.
std::optional<NocSummary> read_noc_trace(std::string_view file_name, std::string_view text);

/// The summary of a result file of tt-npe (`Matmul_ID1.npeviz`), from the beginning of its text.
std::optional<NpeResult> read_npe_result(std::string_view text);

/// The files of npe_viz/manifest.json: call count and name.
std::vector<std::pair<std::uint64_t, std::string>> read_npe_manifest(std::string_view text);

}  // namespace ttscope::perf
