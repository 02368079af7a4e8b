// Declared in device_log.h, with the rest of the log.
#include "base/csv_scanner.h"
#include "base/number_text.h"
#include "perf/read/device_log/device_log.h"

namespace ttscope::perf {
namespace {

constexpr std::string_view kCurrentColumns =
    "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, run host ID, "
    "trace id, trace id counter, zone name, type, source line, source file, meta data";

std::string_view take_line(std::string_view text, std::size_t& at) {
  const std::size_t end = text.find('\n', at);
  std::string_view line = text.substr(at, end == std::string_view::npos ? end : end - at);
  at = end == std::string_view::npos ? text.size() : end + 1;
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

/// `ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 64`; the third since November 2025.
void read_device_line(std::string_view line, DeviceLogHeader& header) {
  while (!line.empty()) {
    const std::size_t comma = line.find(',');
    const std::string_view field = line.substr(0, comma);
    line = comma == std::string_view::npos ? std::string_view{} : line.substr(comma + 1);
    const std::size_t colon = field.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view name = trimmed(field.substr(0, colon));
    const std::string_view value = trimmed(field.substr(colon + 1));
    if (name == "ARCH") header.arch = value;
    if (name == "CHIP_FREQ[MHz]") header.clock_mhz = parse_number(value).value_or(0);
    if (name == "Max Compute Cores") header.max_compute_cores = parse_whole(value).value_or(kNoFigure);
  }
  if (header.clock_mhz < 0) header.clock_mhz = 0;
}

}  // namespace

bool read_device_log_header(std::string_view text, DeviceLogHeader& header) {
  header = {};
  std::size_t at = 0;
  const std::string_view first = take_line(text, at);
  const bool old = first.substr(0, 16) == "Chip clock is at";
  if (first.substr(0, 5) != "ARCH:" && !old) return false;
  if (old) {
    constexpr double kGrayskullMhz = 1200;
    header.arch = "grayskull";
    header.clock_mhz = kGrayskullMhz;
  } else {
    read_device_line(first, header);
  }
  header.header_lines = 1;
  header.rows_at = at;
  if (at >= text.size()) return true;
  const std::string_view names = take_line(text, at);
  if (names.substr(0, 4) != "PCIe") return true;
  header.header_lines = 2;
  header.rows_at = at;
  CsvScanner scanner(names);
  scanner.next();
  header.columns = CsvHeader(scanner.cells()).names();
  header.current_columns = names == kCurrentColumns;
  return true;
}

}  // namespace ttscope::perf
