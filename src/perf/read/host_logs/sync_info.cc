#include "perf/read/host_logs/sync_info.h"

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

}  // namespace

SyncInfo read_sync_info(std::string_view text) {
  SyncInfo info;
  CsvScanner scanner(text);
  if (!scanner.next()) return info;
  const SyncColumns columns{CsvHeader(scanner.cells())};
  while (scanner.next()) {
    const auto id = parse_unsigned(scanner.cell(columns.device));
    if (!id || *id > UINT32_MAX) continue;
    const auto number = static_cast<std::uint32_t>(*id);
    const auto ghz = parse_number(scanner.cell(columns.frequency));
    const auto ratio = parse_number(scanner.cell(columns.ratio));
    if (ghz && *ghz > 0) {
      DeviceSyncRows& rows = info.devices[number];
      rows.cycles_per_ns = *ghz;
      const auto cycles = parse_number(scanner.cell(columns.cycles));
      const auto host = parse_number(scanner.cell(columns.host));
      const std::uint64_t start = parse_unsigned(scanner.cell(columns.host_start)).value_or(0);
      const std::uint64_t base = parse_unsigned(scanner.cell(columns.base)).value_or(0);
      const double ns = parse_number(scanner.cell(columns.ns_per_tick)).value_or(1);
      // Ticks count from the first exchange, the host's zones from the base time. Both are larger than a
      // double tells apart, their difference is not.
      const auto first = static_cast<double>(static_cast<std::int64_t>(start - base));
      if (cycles && host && *cycles >= 0) rows.samples.push_back({(first + *host) * ns, *cycles});
    } else if (ratio && *ratio > 0) {
      info.devices[number].to_root = {*ratio, parse_number(scanner.cell(columns.shift)).value_or(0)};
    }
  }
  // A device may have both: then it is not the one that others are related to.
  for (const auto& [number, rows] : info.devices) {
    if (rows.cycles_per_ns > 0 && !rows.to_root) info.root = number;
  }
  return info;
}

}  // namespace ttscope::perf
