#pragma once

#include <string>
#include <vector>

#include "app/timeline/device_tracks.h"
#include "app/timeline/shared_ops.h"
#include "base/result.h"
#include "perf/analyse/profile.h"
#include "timeline/model/timeline.h"

namespace ttscope::app {

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
std::vector<ToldOps> join_hosts(std::vector<HostSide>& hosts, timeline::Timeline& into);
/// Hosts of several captures are told apart by name.
void name_host(const std::string& name, HostSide& host);

}  // namespace ttscope::app
