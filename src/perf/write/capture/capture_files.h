#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/writer.h"
#include "perf/analyse/programs/program_times.h"
#include "perf/model/read_out.h"

namespace ttscope::perf {

/// The files of a profiler run as tt-metal's runtime writes them.

/// profile_log_device.csv: two lines of header, which speak of the first device, then rows by core, processor
/// and time.
void write_device_log_header(const ReadOut& first, Writer& out);
void write_device_log_rows(const ReadOut& read, Writer& out);

/// zone_src_locations.log: the places that ids stand for.
void write_zone_locations(const std::map<std::uint16_t, RawZone>& zones, Writer& out);

/// cpp_device_perf_report.csv. `previous`: the last program of the device in earlier rows, from which the
/// first latency counts; becomes the last of these.
void write_program_report_header(Writer& out);
void write_program_report(const ReadOut& read, const std::vector<ProgramTimes>& programs,
                          ProgramTimes* previous, Writer& out);

/// Which place a coordinate of a transfer means, and how the device's times become those of the root.
struct NocTraceOptions {
  std::function<std::pair<int, int>(unsigned noc, int x, int y)> physical;
  double time_scale = 1;
  double time_shift = 0;
};
/// noc_trace_dev0_ID1024.json: the transfers and zones of one execution of a program.
struct NocTraceFile {
  std::string name;
  std::string text;
};
std::vector<NocTraceFile> noc_trace_files(const ReadOut& read, const NocTraceOptions& options);

}  // namespace ttscope::perf
