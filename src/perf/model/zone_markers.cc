#include "perf/model/zone_markers.h"

namespace ttscope::perf {

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
