#include "perf/write/device_stats/device_stats_text.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <set>

namespace ttscope::perf {
namespace {

/// `498,514,035`
std::string grouped(double number) {
  const std::string digits = fmt::format("{:.0f}", std::nearbyint(std::abs(number)));
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return number < 0 && digits != "0" ? "-" + text : text;
}

template <typename Number>
std::string stat_line(std::string_view name, Number value) {
  return fmt::format("{:>12} {:<8} = {:>10}\n", name, name == "Count" ? "" : "[cycles]",
                     grouped(static_cast<double>(value)));
}

std::string entry_text(const StatsEntry& entry) {
  const CycleStats& stats = entry.stats;
  std::string text =
      fmt::format("\n=================== {} ===================\n", timer_analyses()[entry.analysis].name);
  if (stats.count == 1) return text + stat_line("Duration", stats.sum) + "\n";
  text += stat_line("Count", stats.count) + stat_line("Average", stats.average()) +
          stat_line("Max", stats.max) + stat_line("Median", stats.median) + stat_line("Min", stats.min) +
          stat_line("Sum", stats.sum) + stat_line("Range", stats.range());
  return text + "\n";
}

}  // namespace

std::string device_stats_text(const std::vector<DeviceStats>& stats, const Rules& rules) {
  std::string text;
  for (const DeviceStats& device : stats) {
    if (stats.size() > 1 && rules.heads_devices)
      text += fmt::format("\n################### device {} ###################\n", device.device);
    for (const StatsEntry& entry : device.entries) text += entry_text(entry);
  }
  return text;
}

void write_core_gaps(const DeviceProfile& log, const DeviceClocks& clocks, const Rules& rules, Writer& out) {
  std::set<std::pair<std::uint16_t, std::uint16_t>> cores;
  for (const CoreRun& run : log.runs) cores.emplace(run.x, run.y);
  out.write("device ID,op2op ID");
  for (const auto& [x, y] : cores) out.write(fmt::format(",{}; {} [ns]", x, y));
  out.write("\r\n");
  constexpr std::int64_t kSubtractedByReference = 1500;
  for (const GapRow& row : tabulate_gaps(log)) {
    std::map<std::pair<std::uint16_t, std::uint16_t>, std::int64_t> cells;
    const auto clock = clocks.find(row.device);
    for (const CoreGap& gap : row.cores) {
      const auto cycles = static_cast<std::int64_t>(gap.cycles);
      if (!rules.measures_core_gaps_in_ns) {
        cells[{gap.x, gap.y}] = cycles - kSubtractedByReference;
      } else if (clock != clocks.end() && clock->second > 0) {
        cells[{gap.x, gap.y}] = to_ns(cycles, clock->second);
      }
    }
    std::string line = fmt::format("{},{} -> {}", row.device, row.from_op, row.to_op);
    for (const auto& core : cores) {
      const auto cell = cells.find(core);
      line += cell == cells.end() ? "," : fmt::format(",{}", cell->second);
    }
    out.write(line + "\r\n");
  }
}

}  // namespace ttscope::perf
