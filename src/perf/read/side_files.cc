#include "perf/read/side_files.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>

#include "base/csv.h"
#include "base/number_text.h"
#include "perf/model/device_profile.h"
#include "perf/model/report_columns.h"

namespace ttscope::perf {
namespace {

/// Which cell holds what.
struct Columns {
  explicit Columns(const CsvHeader& header)
      : id(header.find(name_of(ReportColumn::kCallCount))),
        trace(header.find(name_of(ReportColumn::kTraceId))),
        replay(header.find(name_of(ReportColumn::kReplaySession))),
        device(header.find(name_of(ReportColumn::kDeviceId))),
        arch(header.find(name_of(ReportColumn::kDeviceArch))) {
    for (std::size_t i = 0; i < header.names().size(); ++i) {
      const Figure figure = figure_of(header.names()[i]);
      if (figure != Figure::kCount) figures.emplace_back(i, figure);
    }
  }

  std::size_t id, trace, replay, device, arch;
  std::vector<std::pair<std::size_t, Figure>> figures;
};

bool read_row(const CsvScanner& row, const Columns& columns, Execution& execution) {
  const auto id = parse_whole_or_cut(row.cell(columns.id));
  const auto device = parse_whole_or_cut(row.cell(columns.device));
  constexpr std::int64_t kMaxDevices = 0xffffffff;
  if (!id || *id < 0 || !device || *device < 0 || *device > kMaxDevices) return false;
  execution.key.op_id = static_cast<std::uint64_t>(*id);
  execution.key.device = static_cast<std::uint32_t>(*device);
  execution.key.trace = parse_whole_or_cut(row.cell(columns.trace)).value_or(-1);
  execution.key.replay = parse_whole_or_cut(row.cell(columns.replay)).value_or(-1);
  execution.arch = trimmed(row.cell(columns.arch));
  for (const auto& [cell, figure] : columns.figures) {
    execution.figures[figure] = parse_ticks(row.cell(cell)).value_or(kNoFigure);
  }
  const std::int64_t start = execution.figures[Figure::kFwStartCycle];
  execution.first_cycle = start > 0 ? static_cast<std::uint64_t>(start) : 0;
  return true;
}

}  // namespace

std::vector<Execution> read_cpp_report(std::string_view text, PerfProblems& problems) {
  std::vector<Execution> executions;
  CsvScanner scanner(text);
  if (!scanner.next()) return executions;
  const Columns columns{CsvHeader(scanner.cells())};
  std::map<ExecutionKey, std::size_t> places;
  while (scanner.next()) {
    Execution execution;
    if (!read_row(scanner, columns, execution)) {
      problems.add(PerfProblem::kRowUnreadable,
                   "cpp_device_perf_report.csv:" + std::to_string(scanner.line()));
      continue;
    }
    const auto [place, is_new] = places.try_emplace(execution.key, executions.size());
    if (is_new) {
      executions.push_back(std::move(execution));
    } else {
      problems.add(PerfProblem::kDuplicateKey,
                   "cpp_device_perf_report.csv:" + std::to_string(scanner.line()));
      executions[place->second] = std::move(execution);
    }
  }
  problems.add(PerfProblem::kQuoteUnclosed, scanner.unclosed_quotes(), "cpp_device_perf_report.csv");
  return executions;
}

std::uint16_t zone_marker_id(std::string_view zone) {
  std::uint32_t hash = 2166136261u;
  for (const char c : zone) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return static_cast<std::uint16_t>((hash >> 16) ^ (hash & 0xffff));
}

/// `...note: '#pragma message: BRISC-FW,/opt/brisc.cc,412,KERNEL_PROFILER'`
void find_zone_collisions(std::string_view text, PerfProblems& problems) {
  constexpr std::string_view kMark = "#pragma message: ";
  constexpr std::string_view kEnd = ",KERNEL_PROFILER";
  std::map<std::uint16_t, std::string> zones;
  while (!text.empty()) {
    const std::size_t line_end = text.find('\n');
    std::string_view line = text.substr(0, line_end);
    text = line_end == std::string_view::npos ? std::string_view{} : text.substr(line_end + 1);
    if (const std::size_t mark = line.find(kMark); mark != std::string_view::npos)
      line.remove_prefix(mark + kMark.size());
    const std::size_t end = line.find(kEnd);
    if (end == std::string_view::npos) continue;
    const std::string zone(line.substr(0, end + kEnd.size()));
    const auto [known, is_new] = zones.try_emplace(zone_marker_id(zone), zone);
    if (!is_new && known->second != zone) {
      problems.add(PerfProblem::kZoneHashCollision, known->second.substr(0, known->second.find(',')) +
                                                        " and " + zone.substr(0, zone.find(',')));
    }
  }
}

namespace {

/// Which cell holds what.
struct SyncColumns {
  explicit SyncColumns(const CsvHeader& header)
      : device(header.find("device id")),
        cycles(header.find("device")),
        host(header.find("host_tracy")),
        host_start(header.find("host_start")),
        frequency(header.find("frequency")),
        ns_per_tick(header.find("tracy_ratio")),
        base(header.find("tracy_base_time")),
        ratio(header.find("device_frequency_ratio")),
        shift(header.find("device_shift")) {}

  std::size_t device, cycles, host, host_start, frequency, ns_per_tick, base, ratio, shift;
};

/// Tracy's clock has counted since the machine started when its axis begins. One that began at 0 is that of a
/// simulated host: the zones of the real one have another axis.
bool is_simulated_host(const CsvScanner& scanner, const SyncColumns& columns) {
  return columns.base != CsvHeader::kNoColumn &&
         parse_unsigned(scanner.cell(columns.base)) == std::uint64_t{0};
}

bool is_time(double value) { return std::abs(value) <= static_cast<double>(kMaxTicks); }

/// A row of exchanges; none: a cell of it is no number, or missing because the file is cut there, or beyond
/// any time. Older files lack whole columns.
std::optional<DeviceSyncRows::Sample> exchange_of(const CsvScanner& scanner, const SyncColumns& columns) {
  const auto cell = [&](std::size_t column, auto parse, auto otherwise) {
    return column == CsvHeader::kNoColumn ? std::optional(otherwise) : parse(scanner.cell(column));
  };
  const auto cycles = parse_number(scanner.cell(columns.cycles));
  const auto host = parse_number(scanner.cell(columns.host));
  const auto start = cell(columns.host_start, parse_unsigned, std::uint64_t{0});
  const auto base = cell(columns.base, parse_unsigned, std::uint64_t{0});
  const auto ns_per_tick = cell(columns.ns_per_tick, parse_number, 1.);
  if (!cycles || *cycles < 0 || !host || !start || !base || !ns_per_tick) return std::nullopt;
  // Ticks count from the first exchange, the host's zones from the base time. Both are larger than a double
  // tells apart, their difference is not.
  const auto first = static_cast<double>(static_cast<std::int64_t>(*start - *base));
  const DeviceSyncRows::Sample sample = {(first + *host) * *ns_per_tick, *cycles};
  if (!is_time(sample.host_ns) || !is_time(sample.cycles)) return std::nullopt;
  return sample;
}

/// How the cycles of a device become those of the root: their clocks are of a kind.
std::optional<DeviceSyncRows::Shift> shift_of(const CsvScanner& scanner, const SyncColumns& columns) {
  constexpr double kMaxRatio = 1e3;
  const auto ratio = parse_number(scanner.cell(columns.ratio));
  const double shift = parse_number(scanner.cell(columns.shift)).value_or(0);
  if (!ratio || *ratio < 1 / kMaxRatio || *ratio > kMaxRatio || !is_time(shift)) return std::nullopt;
  return DeviceSyncRows::Shift{*ratio, shift};
}

}  // namespace

SyncInfo read_sync_info(std::string_view text, PerfProblems& problems) {
  SyncInfo info;
  CsvScanner scanner(text);
  if (!scanner.next()) return info;
  const SyncColumns columns{CsvHeader(scanner.cells())};
  while (scanner.next()) {
    const auto id = parse_unsigned(scanner.cell(columns.device));
    const auto ghz = parse_number(scanner.cell(columns.frequency));
    const bool is_exchange = ghz && *ghz > 0;
    const auto sample =
        is_exchange && is_clock_frequency(*ghz) ? exchange_of(scanner, columns) : std::nullopt;
    const auto shift = is_exchange ? std::nullopt : shift_of(scanner, columns);
    if (!id || *id > UINT32_MAX || (!sample && !shift)) {
      problems.add(PerfProblem::kRowUnreadable, fmt::format("sync_device_info.csv:{}", scanner.line()));
      continue;
    }
    DeviceSyncRows& rows = info.devices[static_cast<std::uint32_t>(*id)];
    if (sample) {
      rows.cycles_per_ns = *ghz;
      rows.samples.push_back(*sample);
      rows.is_on_host_axis = rows.is_on_host_axis && !is_simulated_host(scanner, columns);
    } else {
      rows.to_root = shift;
    }
  }
  // A device may have both: then it is not the one that others are related to.
  for (const auto& [number, rows] : info.devices) {
    if (rows.cycles_per_ns > 0 && !rows.to_root) info.root = number;
  }
  return info;
}

namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

std::optional<std::uint64_t> event_number(object map, const char* key) {
  std::uint64_t value = 0;
  return map[key].get(value) == simdjson::SUCCESS ? std::optional(value) : std::nullopt;
}

std::string_view event_text(object map, const char* key) {
  std::string_view value;
  return map[key].get(value) == simdjson::SUCCESS ? value : std::string_view{};
}

std::string pair_of(object map, const char* x_key, const char* y_key) {
  const auto x = event_number(map, x_key);
  const auto y = event_number(map, y_key);
  return x && y ? fmt::format("{},{}", *x, *y) : std::string();
}

/// A fabric event lists its destinations; the first is told, and all bytes.
void read_destinations(object map, NocEvent& event) {
  event.to = pair_of(map, "dx", "dy");
  if (event.to.empty()) {
    const std::string from = pair_of(map, "mcast_start_x", "mcast_start_y");
    if (!from.empty()) event.to = from + " to " + pair_of(map, "mcast_end_x", "mcast_end_y");
  }
  event.bytes = event_number(map, "num_bytes").value_or(0);
  array destinations;
  if (map["dst"].get(destinations) != simdjson::SUCCESS) return;
  event.bytes = 0;
  for (const element item : destinations) {
    object destination;
    if (item.get(destination) != simdjson::SUCCESS) continue;
    if (event.to.empty()) event.to = pair_of(destination, "dx", "dy");
    event.bytes += event_number(destination, "num_bytes").value_or(0);
  }
}

bool read_event(object map, NocEvent& event) {
  const auto cycle = event_number(map, "timestamp");
  const auto x = event_number(map, "sx");
  const auto y = event_number(map, "sy");
  if (!cycle || !x || !y || *x > UINT16_MAX || *y > UINT16_MAX) return false;
  event.cycle = *cycle;
  event.x = static_cast<std::uint16_t>(*x);
  event.y = static_cast<std::uint16_t>(*y);
  event.op = event_number(map, "run_host_id").value_or(0);
  event.risc = event_text(map, "proc");
  event.type = event_text(map, "type");
  event.noc = event_text(map, "noc");
  if (event.type.empty()) {
    event.zone = event_text(map, "zone");
    return !event.zone.empty() && event_text(map, "zone_phase") == "ZONE_START";
  }
  read_destinations(map, event);
  return true;
}

}  // namespace

bool read_noc_events(std::string_view text, const std::function<void(const NocEvent&)>& take) {
  simdjson::dom::parser parser;
  array events;
  if (parser.parse(text.data(), text.size()).get(events) != simdjson::SUCCESS) return false;
  for (const element item : events) {
    object map;
    NocEvent event;
    if (item.get(map) == simdjson::SUCCESS && read_event(map, event)) take(event);
  }
  return true;
}

namespace {

constexpr std::uint64_t kMaxEventBytes = 8160;
constexpr std::string_view kNameStart = "noc_trace_";

/// The number behind `mark` in a file name.
std::optional<std::uint64_t> number_after(std::string_view name, std::string_view mark) {
  const std::size_t at = name.find(mark);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = name.substr(at + mark.size());
  return parse_unsigned(rest.substr(0, rest.find_first_not_of("0123456789")));
}

std::uint64_t whole(object map, const char* key) {
  std::uint64_t value = 0;
  return map[key].get(value) == simdjson::SUCCESS ? value : 0;
}

std::string_view text_of(object map, const char* key) {
  std::string_view value;
  return map[key].get(value) == simdjson::SUCCESS ? value : std::string_view{};
}

/// A fabric event lists its destinations, each with its bytes.
std::uint64_t bytes_of(object event) {
  array destinations;
  if (event["dst"].get(destinations) != simdjson::SUCCESS) return whole(event, "num_bytes");
  std::uint64_t bytes = 0;
  for (const element item : destinations) {
    object destination;
    if (item.get(destination) == simdjson::SUCCESS) bytes += whole(destination, "num_bytes");
  }
  return bytes;
}

void take_event(object event, NocSummary& summary) {
  if (summary.op_name.empty()) summary.op_name = text_of(event, "op_name");
  if (summary.key.op_id == 0) summary.key.op_id = whole(event, "run_host_id");
  const std::string_view type = text_of(event, "type");
  if (type.empty()) return;
  constexpr std::uint64_t kSane = std::uint64_t{1} << 40;
  const std::uint64_t bytes = std::min(bytes_of(event), kSane);
  summary.all.add(bytes);
  summary.by_type[std::string(type)].add(bytes);
  const auto x = static_cast<std::int64_t>(whole(event, "sx"));
  const auto y = static_cast<std::int64_t>(whole(event, "sy"));
  summary.by_core[{x, y}].add(bytes);
  // What a core reads comes in, all else goes out.
  summary.by_port[{x, y, std::string(text_of(event, "noc")), type.starts_with("READ")}] += bytes;
  if (bytes == kMaxEventBytes) ++summary.saturated;
}

double number(object map, const char* key) {
  double value = 0;
  return map[key].get(value) == simdjson::SUCCESS ? value : std::numeric_limits<double>::quiet_NaN();
}

/// `{...}` behind the key, complete or nothing.
std::string_view object_after(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  const std::size_t open = at == std::string_view::npos ? at : text.find('{', at);
  if (open == std::string_view::npos) return {};
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return text.substr(open, i - open + 1);
  }
  return {};
}

}  // namespace

ExecutionKey key_of_noc_file(std::string_view file_name) {
  ExecutionKey key;
  if (const auto device = number_after(file_name, "_dev")) key.device = static_cast<std::uint32_t>(*device);
  if (const auto id = number_after(file_name, "_ID")) key.op_id = *id;
  if (const auto trace = number_after(file_name, "_traceID")) {
    key.trace = static_cast<std::int64_t>(*trace >> 32);
    key.replay = static_cast<std::int64_t>(*trace & 0xffffffff);
  }
  return key;
}

std::optional<NocSummary> read_noc_trace(std::string_view file_name, std::string_view text) {
  simdjson::dom::parser parser;
  array events;
  if (parser.parse(text.data(), text.size()).get(events) != simdjson::SUCCESS) return std::nullopt;
  NocSummary summary;
  summary.key = key_of_noc_file(file_name);
  for (const element item : events) {
    object event;
    if (item.get(event) == simdjson::SUCCESS) take_event(event, summary);
  }
  // A file that was renamed, of events that name no op.
  if (summary.op_name.empty() && !file_name.starts_with(kNameStart))
    summary.op_name = file_name.substr(0, file_name.find('.'));
  return summary;
}

std::optional<NpeResult> read_npe_result(std::string_view text) {
  const std::string_view info = object_after(text, "\"common_info\"");
  simdjson::dom::parser parser;
  object map;
  if (info.empty() || parser.parse(info.data(), info.size()).get(map) != simdjson::SUCCESS)
    return std::nullopt;
  NpeResult result;
  result.link_util = number(map, "link_util");
  result.multicast_util = number(map, "mcast_write_link_util");
  result.dram_util = number(map, "dram_bw_util");
  result.congestion_impact = number(map, "congestion_impact");
  return result;
}

std::vector<std::pair<std::uint64_t, std::string>> read_npe_manifest(std::string_view text) {
  std::vector<std::pair<std::uint64_t, std::string>> files;
  simdjson::dom::parser parser;
  array list;
  if (parser.parse(text.data(), text.size()).get(list) != simdjson::SUCCESS) return files;
  for (const element item : list) {
    object entry;
    if (item.get(entry) == simdjson::SUCCESS) {
      files.emplace_back(whole(entry, "global_call_count"), std::string(text_of(entry, "file")));
    }
  }
  return files;
}

}  // namespace ttscope::perf
