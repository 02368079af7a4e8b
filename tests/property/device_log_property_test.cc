// The device log reader against a slow one that keeps every row and looks at them again and again.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "perf/analyze/executions.h"
#include "perf/read/device_log.h"
#include "perf/read/log_rows.h"
#include "support/perf_lines.h"
#include "support/sanitized.h"

namespace ttscope::testing {
namespace {

/// What is known of an execution, computed without any cleverness.
struct Plain {
  std::uint64_t fw_start = perf::kNoCycle, fw_end = 0, kernel_start = perf::kNoCycle, kernel_end = 0;
  std::set<std::string> cores;
};

std::map<perf::ExecutionKey, Plain> plainly(const std::string& rows) {
  std::map<perf::ExecutionKey, Plain> found;
  for (std::size_t at = 0; at < rows.size();) {
    const std::size_t end = rows.find('\n', at);
    std::vector<std::string> cells;
    std::string line = rows.substr(at, end - at) + ",";
    for (std::size_t comma; (comma = line.find(',')) != std::string::npos; line = line.substr(comma + 1)) {
      cells.push_back(line.substr(0, comma));
    }
    at = end + 1;
    const auto number = [&](std::size_t i) { return cells[i].empty() ? -1 : std::stoll(cells[i]); };
    Plain& plain = found[{static_cast<std::uint32_t>(number(0)), static_cast<std::uint64_t>(number(7)),
                          number(8), number(9)}];
    const auto time = static_cast<std::uint64_t>(number(5));
    const bool fw = cells[10].find("-FW") != std::string::npos;
    const bool start = cells[11] == "ZONE_START";
    if (start) {
      std::uint64_t& first = fw ? plain.fw_start : plain.kernel_start;
      first = std::min(first, time);
    } else {
      std::uint64_t& last = fw ? plain.fw_end : plain.kernel_end;
      last = std::max(last, time);
    }
    if (fw) plain.cores.insert(cells[1] + "-" + cells[2]);
  }
  return found;
}

/// Whole executions on random cores, in core or op order.
std::string random_rows(bool op_major) {
  const auto ops = *rc::gen::inRange<std::uint64_t>(1, 6);
  const auto cores = *rc::gen::inRange(1, 5);
  const auto devices = *rc::gen::inRange(1, 3);
  const bool traced = *rc::gen::arbitrary<bool>();
  std::map<std::tuple<std::uint64_t, int, int>, std::string> blocks;
  for (int device = 0; device < devices; ++device) {
    for (int core = 0; core < cores; ++core) {
      for (std::uint64_t op = 1; op <= ops; ++op) {
        const auto start = *rc::gen::inRange<std::uint64_t>(1000, 100000);
        const auto length = *rc::gen::inRange<std::uint64_t>(200, 5000);
        const std::string place = std::to_string(device) + "," + std::to_string(core + 1) + ",3";
        const std::string id =
            std::to_string(op * 1024 + static_cast<std::uint64_t>(device)) + (traced ? ",7,2" : ",,");
        std::string& block = op_major
                                 ? blocks[{op, device, core}]
                                 : blocks[{static_cast<std::uint64_t>(device), core, static_cast<int>(op)}];
        for (const char* risc : {"BRISC", "NCRISC", "TRISC_1"})
          block += risc_lines(place, risc, id, start, start + length);
      }
    }
  }
  std::string rows;
  for (const auto& [order, block] : blocks) rows += block;
  return rows;
}

RC_GTEST_PROP(DeviceLogProperty, AgreesWithTheSlowReader, (bool op_major)) {
  const std::string rows = random_rows(op_major);
  const auto log = perf::read_device_log(kLogHead + rows, {});
  RC_ASSERT(log.has_value());
  perf::PerfProblems problems;
  const auto measured =
      perf::measure_executions(*log, {{0, 1000.0}, {1, 1000.0}, {2, 1000.0}}, true, problems);
  const auto expected = plainly(rows);
  RC_ASSERT(measured.size() == expected.size());
  for (const perf::Execution& execution : measured) {
    const Plain& plain = expected.at(execution.key);
    RC_ASSERT(execution.figures[perf::Figure::kFwNs] ==
              static_cast<std::int64_t>(plain.fw_end - plain.fw_start));
    RC_ASSERT(execution.figures[perf::Figure::kKernelNs] ==
              static_cast<std::int64_t>(plain.kernel_end - plain.kernel_start));
    RC_ASSERT(execution.figures[perf::Figure::kCoreCount] == static_cast<std::int64_t>(plain.cores.size()));
  }
}

/// Fast and named readers on lines of all kinds, whole and damaged.
RC_GTEST_PROP(DeviceLogProperty, BothRowReadersReadTheSame, (bool damaged)) {
  const std::string rows = random_rows(true);
  const std::vector<std::string> columns = {"PCIe slot",   "core_x",
                                            "core_y",      "RISC processor type",
                                            "timer_id",    "time[cycles since reset]",
                                            "data",        "run host ID",
                                            "trace id",    "trace id counter",
                                            "zone name",   "type",
                                            "source line", "source file",
                                            "meta data"};
  perf::NamedRowReader named(columns);
  perf::RowReader fast;
  for (std::size_t at = 0; at < rows.size();) {
    const std::size_t end = rows.find('\n', at);
    std::string_view line = std::string_view(rows).substr(at, end - at);
    if (damaged) line = line.substr(0, *rc::gen::inRange<std::size_t>(0, line.size() + 1));
    at = end + 1;
    perf::LogRow a;
    perf::LogRow b;
    if (!fast.parse(line, a)) continue;
    RC_ASSERT(named.parse(line, b));
    RC_ASSERT(a.time == b.time && a.zone == b.zone && a.type == b.type);
  }
}

/// However the log is cut into parts, the result is one.
RC_GTEST_PROP(DeviceLogProperty, PartsGiveTheSameAsTheWhole, (bool op_major)) {
  std::string rows;
  const std::string some = random_rows(op_major);
  // The reader cuts only large logs: the same executions again and again, as replays without numbers are.
  while (rows.size() < (std::size_t{3} << 20)) rows += some;
  const auto one = perf::read_device_log(kLogHead + rows, {.threads = 1});
  const auto three = perf::read_device_log(kLogHead + rows, {.threads = 3});
  RC_ASSERT(one.has_value() && three.has_value());
  RC_ASSERT(one->executions.size() == three->executions.size());
  RC_ASSERT(one->runs.size() == three->runs.size());
  for (std::size_t i = 0; i < one->runs.size(); ++i) {
    RC_ASSERT(one->runs[i].fw.start == three->runs[i].fw.start &&
              one->runs[i].fw.end == three->runs[i].fw.end);
    RC_ASSERT(one->runs[i].kernels().start == three->runs[i].kernels().start);
    RC_ASSERT(one->runs[i].damaged == three->runs[i].damaged);
  }
}

}  // namespace
}  // namespace ttscope::testing
