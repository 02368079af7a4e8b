#include "perf/read/device_log/device_log.h"

#include <algorithm>
#include <memory>

#include "base/parallel.h"
#include "perf/read/device_log/log_lines.h"
#include "perf/read/device_log/log_part.h"
#include "perf/read/device_log/old_log_row.h"
#include "perf/read/device_log/profile_builder.h"

namespace ttscope::perf {
namespace {

constexpr std::size_t kLeastPartBytes = std::size_t{1} << 20;

/// A place at or after `at` where a line of another processor begins. The markers of one processor stay
/// together there, so that the executions of an op can be counted by its firmware zones.
std::size_t cut_after(std::string_view text, std::size_t at) {
  next_line(text, at);
  if (at >= text.size()) return text.size();
  std::size_t next = at;
  const std::string_view processor = processor_of(next_line(text, next));
  constexpr std::size_t kMostLines = 100000;
  for (std::size_t i = 0; i < kMostLines && next < text.size(); ++i) {
    at = next;
    if (processor_of(next_line(text, next)) != processor) return at;
  }
  return at;
}

std::vector<std::size_t> cut_into_parts(std::string_view text, std::size_t from,
                                        const DeviceLogOptions& options) {
  std::vector<std::size_t> cuts = {from};
  const std::size_t size = text.size() - from;
  const std::size_t for_threads = std::min<std::size_t>(options.threads, size / kLeastPartBytes);
  const std::size_t parts = std::max<std::size_t>(1, options.parts > 0 ? options.parts : for_threads);
  for (std::size_t i = 1; i < parts; ++i) {
    const std::size_t cut = cut_after(text, from + size / parts * i);
    if (cut > cuts.back() && cut < text.size()) cuts.push_back(cut);
  }
  cuts.push_back(text.size());
  return cuts;
}

/// Headers stand again in logs that were put together from several.
bool is_header_line(std::string_view line) {
  return line.substr(0, 4) == "PCIe" || line.substr(0, 5) == "ARCH:";
}

/// `text` ends where the part does.
template <typename Parse>
void read_part(std::string_view text, std::size_t from, LogPart& part, Parse parse) {
  LogRow row;
  for (std::size_t at = from; at < text.size();) {
    const std::size_t start = at;
    const std::string_view line = next_line(text, at);
    if (line.empty()) continue;
    if (line.size() <= kMostLineBytes && parse(line, row)) {
      part.take(row);
    } else if (!is_header_line(line)) {
      part.reject(start);
    }
  }
}

LogPart read_parts(std::string_view text, const DeviceLogHeader& header, const DeviceLogOptions& options,
                   TimerOrder order) {
  const std::vector<std::size_t> cuts = cut_into_parts(text, header.rows_at, options);
  std::vector<std::unique_ptr<LogPart>> parts(cuts.size() - 1);
  run_parallel(parts.size(), options.threads, [&](std::size_t i) {
    parts[i] = std::make_unique<LogPart>(order, options.substrings);
    parts[i]->expect(cuts[i + 1] - cuts[i]);
    if (header.current_columns) {
      RowReader reader;
      read_part(text.substr(0, cuts[i + 1]), cuts[i], *parts[i],
                [&reader](std::string_view line, LogRow& row) { return reader.parse(line, row); });
    } else {
      NamedRowReader reader(header.columns);
      read_part(text.substr(0, cuts[i + 1]), cuts[i], *parts[i],
                [&reader](std::string_view line, LogRow& row) { return reader.parse(line, row); });
    }
  });
  for (std::size_t i = 1; i < parts.size(); ++i) {
    parts[0]->join(*parts[i]);
    parts[i] = nullptr;
  }
  return std::move(*parts[0]);
}

std::string place_of_line(std::ptrdiff_t line) { return "profile_log_device.csv:" + std::to_string(line); }

void report_rejected(std::string_view text, const LogPart& part, PerfProblems& problems) {
  if (part.rejected == 0) return;
  problems.add(PerfProblem::kRowUnreadable, part.rejected, {});
  for (const std::size_t offset : part.rejected_offsets) {
    const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n') + 1;
    problems.add_place(PerfProblem::kRowUnreadable, place_of_line(line));
  }
}

}  // namespace

Result<DeviceProfile> read_device_log(std::string_view text, const DeviceLogOptions& options) {
  DeviceLogHeader header;
  if (!read_device_log_header(text, header)) {
    return failure(bad_input("not a device log: the first line must begin with \"ARCH:\""));
  }
  DeviceProfile profile;
  profile.arch = header.arch;
  profile.clock_mhz = header.clock_mhz;
  profile.max_compute_cores = header.max_compute_cores;
  profile.quasar = header.arch.find("quasar") != std::string::npos;
  if (header.clock_mhz <= 0 || header.max_compute_cores == kNoFigure) {
    profile.problems.add(PerfProblem::kHeaderIncomplete, place_of_line(1));
  }
  const bool has_rows = header.rows_at < text.size();
  if (has_rows && !header.current_columns && !NamedRowReader(header.columns).is_usable()) {
    return failure(
        bad_input("not a device log: the second line must name core_x, core_y, zone name and type"));
  }
  TimerOrder order(options.unwrap);
  LogPart part = read_parts(text, header, options, order);
  if (part.wide && order.wraps()) {
    order = TimerOrder(false);
    part = read_parts(text, header, options, order);
  }
  report_rejected(text, part, profile.problems);
  build_profile(part, order, options.threads, profile);
  return profile;
}

}  // namespace ttscope::perf
