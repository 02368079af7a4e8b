#include "perf/model/capture_files.h"

namespace ttscope::perf {

std::vector<std::string> CaptureFiles::all() const {
  std::vector<std::string> paths;
  for (const std::string* path : {&device_log, &cpp_report, &host_times, &host_messages, &host_capture,
                                  &sync_info, &zone_locations, &npe_results}) {
    if (!path->empty()) paths.push_back(*path);
  }
  paths.insert(paths.end(), noc_traces.begin(), noc_traces.end());
  return paths;
}

std::string_view key_of(ZoneKind kind) {
  switch (kind) {
    case ZoneKind::kFirmware:
      return "firmware";
    case ZoneKind::kKernel:
      return "kernel";
    case ZoneKind::kUser:
      return "user";
    case ZoneKind::kDispatch:
      return "dispatch";
    case ZoneKind::kSync:
      return "sync";
    case ZoneKind::kProfiler:
      return "profiler";
    case ZoneKind::kSum:
      return "sum";
    case ZoneKind::kData:
      return "data";
    case ZoneKind::kEvent:
      return "event";
  }
  return "user";
}

}  // namespace ttscope::perf
