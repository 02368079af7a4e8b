#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ttscope::chip {

/// A header for kernels, a source of firmware or a kernel of ops, as this program brings it.
struct DeviceSource {
  std::string_view path;  ///< `include/...`, `firmware/...` or `ops/...`
  std::string_view text;
};

const std::vector<DeviceSource>& device_sources();

/// Writes them below a folder, unless they are there already, and gives the folder.
Result<std::string> unpack_device_sources(const std::string& cache_folder);

}  // namespace ttscope::chip
