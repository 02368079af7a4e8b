#pragma once

#include <string_view>

#include "base/result.h"
#include "perf/model/device_profile.h"

namespace ttscope::perf {

struct DeviceLogOptions {
  unsigned threads = 1;
  unsigned parts = 0;       ///< that the log is cut into; 0: one for each thread, of a megabyte at least
  bool substrings = false;  ///< tell zones by parts of their names, as the runtime's own report does
  bool unwrap = true;       ///< continue 44-bit times that start again from zero
};

/// Reads the text of profile_log_device.csv, of any version, in one pass. Rows that cannot be read are
/// counted; an error is a text that is no device log at all.
Result<DeviceProfile> read_device_log(std::string_view text, const DeviceLogOptions& options);

/// The fields of the first line and the names of the columns.
struct DeviceLogHeader {
  std::string arch;
  double clock_mhz = 0;
  std::int64_t max_compute_cores = kNoFigure;
  std::size_t rows_at = 0;       ///< where the rows begin
  std::size_t header_lines = 0;  ///< before them
  bool current_columns = false;  ///< the fifteen of today, in their order
  std::vector<std::string> columns;
};

/// False if the text does not begin like a device log.
bool read_device_log_header(std::string_view text, DeviceLogHeader& header);

}  // namespace ttscope::perf
