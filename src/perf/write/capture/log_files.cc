#include "perf/write/capture/log_files.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/output_path.h"
#include "base/profiler_names.h"
#include "base/writer.h"
#include "perf/write/capture/capture_files.h"

namespace ttscope::perf {

Result<std::vector<std::string>> write_log_files(const ReadOut& read,
                                                 const std::map<std::uint16_t, RawZone>& zones,
                                                 const std::string& folder) {
  namespace fs = std::filesystem;
  if (const Result<void> checked = check_output_path(folder); !checked) return failure(checked.error());
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return failure(write_failed(fmt::format("{}: {}", folder, error.message())));
  const std::string log_path = (fs::path(folder) / profiler_names::kDeviceLog).string();
  const std::string zones_path = (fs::path(folder) / profiler_names::kZones).string();
  for (const std::string& path : {log_path, zones_path}) {
    if (fs::exists(path, error)) {
      return failure(write_failed(fmt::format("{}: lies there already; give another folder with -o", path)));
    }
  }
  Result<void> done = write_file(log_path, [&](Writer& out) {
    write_device_log_header(read, out);
    write_device_log_rows(read, out);
  });
  if (done) done = write_file(zones_path, [&](Writer& out) { write_zone_locations(zones, out); });
  if (!done) return failure(done.error());
  return std::vector<std::string>{log_path, zones_path};
}

}  // namespace ttscope::perf
