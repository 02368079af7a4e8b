#include "chip/build/device_sources.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <filesystem>

#include "base/writer.h"

namespace ttscope::chip {

namespace embedded {  // made by the build from include/tt_metal_compat and device
std::string_view memory_map();
std::string_view profiler_layout();
std::string_view noc();
std::string_view kernel_profiler();
std::string_view profiler_core();
std::string_view profiler_push();
std::string_view noc_event_profiler();
std::string_view dataflow_api();
std::string_view firmware_start();
std::string_view firmware_ld();
std::string_view kernel_ld();
std::string_view firmware_launch();
std::string_view firmware_brisc();
std::string_view firmware_ncrisc();
std::string_view firmware_trisc();
std::string_view firmware_idle_erisc();
std::string_view firmware_kernel();
std::string_view firmware_sync_kernel();
std::string_view op_reader();
std::string_view op_writer();
std::string_view op_compute();
}  // namespace embedded

const std::vector<DeviceSource>& device_sources() {
  static const std::vector<DeviceSource> kSources = {
      {"include/ttscope_device/memory_map.h", embedded::memory_map()},
      {"include/ttscope_device/profiler_layout.h", embedded::profiler_layout()},
      {"include/ttscope_device/noc.h", embedded::noc()},
      {"include/tools/profiler/kernel_profiler.hpp", embedded::kernel_profiler()},
      {"include/tools/profiler/profiler_core.hpp", embedded::profiler_core()},
      {"include/tools/profiler/profiler_push.hpp", embedded::profiler_push()},
      {"include/tools/profiler/noc_event_profiler.hpp", embedded::noc_event_profiler()},
      {"include/dataflow_api.h", embedded::dataflow_api()},
      {"firmware/start.S", embedded::firmware_start()},
      {"firmware/firmware.ld", embedded::firmware_ld()},
      {"firmware/kernel.ld", embedded::kernel_ld()},
      {"firmware/launch.h", embedded::firmware_launch()},
      {"firmware/brisc.cc", embedded::firmware_brisc()},
      {"firmware/ncrisc.cc", embedded::firmware_ncrisc()},
      {"firmware/trisc.cc", embedded::firmware_trisc()},
      {"firmware/idle_erisc.cc", embedded::firmware_idle_erisc()},
      {"firmware/kernel.cc", embedded::firmware_kernel()},
      {"firmware/sync_kernel.cc", embedded::firmware_sync_kernel()},
      {"ops/reader.cpp", embedded::op_reader()},
      {"ops/writer.cpp", embedded::op_writer()},
      {"ops/compute.cpp", embedded::op_compute()},
  };
  return kSources;
}

Result<std::string> unpack_device_sources(const std::string& cache_folder) {
  XXH64_hash_t hash = 0;
  for (const DeviceSource& source : device_sources())
    hash = XXH3_64bits_withSeed(source.text.data(), source.text.size(), hash);
  const std::string folder = fmt::format("{}/device-{:016x}", cache_folder, hash);
  const std::string mark = folder + "/complete";
  std::error_code error;
  if (std::filesystem::exists(mark, error)) return folder;
  for (const DeviceSource& source : device_sources()) {
    const std::filesystem::path path = folder + "/" + std::string(source.path);
    std::filesystem::create_directories(path.parent_path(), error);
    if (error)
      return failure(write_failed(fmt::format("{}: {}", path.parent_path().string(), error.message())));
    if (Result<void> written = write_file(path.string(), [&](Writer& out) { out.write(source.text); });
        !written) {
      return tl::unexpected(written.error());
    }
  }
  if (Result<void> written = write_file(mark, [](Writer& out) { out.write('\n'); }); !written)
    return tl::unexpected(written.error());
  return folder;
}

}  // namespace ttscope::chip
