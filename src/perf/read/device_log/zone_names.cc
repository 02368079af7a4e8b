#include "perf/read/device_log/zone_names.h"

#include "perf/read/device_log/log_row.h"

namespace ttscope::perf {
namespace {

bool begins_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

bool is_dispatch_zone(std::string_view name) { return begins_with(name, "CQ-"); }

}  // namespace

ZoneKind kind_of_zone(std::string_view name) {
  const ZoneRole role = zone_role(name, false);
  if (role == ZoneRole::kFw) return ZoneKind::kFirmware;
  if (role == ZoneRole::kKernel) return ZoneKind::kKernel;
  if (is_dispatch_zone(name)) return ZoneKind::kDispatch;
  if (begins_with(name, "PROFILER-")) return ZoneKind::kProfiler;
  if (begins_with(name, "SYNC-ZONE-")) return ZoneKind::kSync;
  return ZoneKind::kUser;
}

std::string_view grouped_zone_name(std::string_view name, std::string& space) {
  if (!is_dispatch_zone(name)) return name;
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) return name;
  const std::string_view bare = name.substr(0, colon);
  std::string_view rest = name.substr(colon + 1);
  const std::string_view id = rest.substr(0, rest.find(':'));
  if (id.empty() || id.find_first_not_of("0123456789") != std::string_view::npos) return name;
  rest.remove_prefix(id.size());  // keeps the colon before the command
  space.assign(bare);
  space += rest;
  return space;
}

std::string_view bare_zone_name(std::string_view name) {
  return is_dispatch_zone(name) ? name.substr(0, name.find(':')) : name;
}

}  // namespace ttscope::perf
