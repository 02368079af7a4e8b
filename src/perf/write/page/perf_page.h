#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/writer.h"
#include "perf/analyse/ops/op_reading.h"
#include "perf/write/zones/zone_report.h"

namespace ttscope::perf {

/// How long a core was busy over the whole run; only where the device log is there.
struct CoreLoad {
  std::uint32_t device = 0;
  std::uint16_t x = 0;
  std::uint16_t y = 0;
  std::uint64_t busy_cycles = 0;
  std::uint64_t runs = 0;
};

struct PerfPageOptions {
  std::string name;
  std::string tool_version;
  std::vector<CoreLoad> cores;
  unsigned threads = 2;
  std::vector<const ZoneReport*> zones{};
};

/// The report page (docs/formats/perf_page.md): one HTML file with the built front end and all data inside.
/// The caller finishes the writer.
void write_perf_page(const OpsReport& table, const OpReading& reading, const PerfPageOptions& options,
                     Writer& out);

/// The built front end, with its marks.
std::string_view perf_page_template();

}  // namespace ttscope::perf
