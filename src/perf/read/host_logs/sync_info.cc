#include "perf/read/host_logs/sync_info.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "base/csv_scanner.h"
#include "base/number_text.h"

namespace ttscope::perf {
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

bool is_time(double value) { return std::abs(value) <= static_cast<double>(kMostTicks); }

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
  constexpr double kMostRatio = 1e3;
  const auto ratio = parse_number(scanner.cell(columns.ratio));
  const double shift = parse_number(scanner.cell(columns.shift)).value_or(0);
  if (!ratio || *ratio < 1 / kMostRatio || *ratio > kMostRatio || !is_time(shift)) return std::nullopt;
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

}  // namespace ttscope::perf
