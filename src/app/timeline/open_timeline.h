#pragma once

#include <string>
#include <vector>

#include "app/timeline/device_tracks.h"
#include "app/timeline/memory_curves.h"
#include "base/result.h"
#include "perf/analyze/profile.h"
#include "perf/load.h"
#include "timeline/analyze/edits.h"
#include "timeline/analyze/profile.h"
#include "timeline/model/timeline.h"

namespace ttscope::app {

/// The host's files that csvexport would make of a capture of Tracy, for perf::CaptureOptions.
Result<perf::HostTables> host_tables_of(const std::string& path);

/// What the host of one capture did, on its own clock.
struct HostSide {
  timeline::Timeline timeline;
  HostClock clock;
  HostOpZones zones;  ///< of ops
};

/// Whether a path is a recording or a folder of them; those of one run have one clock.
bool is_recording(const std::string& path);
/// A capture of Tracy, or the recordings of a run.
Result<HostSide> host_of_capture(const std::vector<std::string>& paths);
/// The host's files of a profiler run: the capture of Tracy, given or beside them, else the tables of
/// csvexport; empty where there are none. The name of the host is told where there are several.
Result<HostSide> host_of_run(const perf::Capture& capture, const std::string& given);

/// Puts hosts behind each other on the axis of the first one, as their clocks say; the numbers of their zones
/// are those of `into` then. What each told of its ops is given back, on that axis.
std::vector<HostOps> join_hosts(std::vector<HostSide>& hosts, timeline::Timeline& into);
/// Hosts of several captures are told apart by name.
void name_host(const std::string& name, HostSide& host);

/// The runs that folders stand for, and which of several was chosen.
struct RunFolders {
  std::vector<std::string> paths;
  std::vector<std::string> remarks;
};

/// A folder of hosts or ranks stands for the runs in it, by name: `rank0`, `rank1/generated/profiler`. Copies
/// of one run (`reports/DATE`) and earlier runs (`earlier_logs/DATE`) are no hosts: the newest stands for
/// all, where the last run left nothing. Other paths stay as they are.
RunFolders runs_of_folders(const std::vector<std::string>& paths);

struct TimelineOptions {
  unsigned threads = 1;
  timeline::CutOptions cut{};
};

/// Brings files of one run onto one axis: a capture of Tracy, and folders or files of the device profiler.
/// The host's zones are those of the capture, where there is one (also beside the profiler's files), else
/// those of tracy_ops_times.csv. Which sources are on the axis and by what is in Timeline::alignments.
Result<timeline::Profile> open_timeline(const std::vector<std::string>& paths,
                                        const TimelineOptions& options);

}  // namespace ttscope::app
