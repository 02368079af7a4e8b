#include "perf/model/ops_report.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>
#include <unordered_map>

#include "base/text.h"
#include "perf/model/device_profile.h"

namespace ttscope::perf {

const ProblemInfo& info_of(ReportProblem problem) {
  static constexpr std::array<ProblemInfo, kReportProblemCount> kInfos = {{
      {"short_row", "rows with fewer cells than the header; the missing ones count as empty"},
      {"long_row", "rows with more cells than the header; the extra ones are left out"},
      {"cut_row", "the file ends inside a row (is it cut off?)"},
      {"bad_number", "cells that should be numbers; they count as empty"},
      {"unclosed_quote", "quotes that are never closed, read as ordinary characters"},
      {"no_duration", "device ops without a kernel duration; their time is missing in all sums"},
      {"negative_time", "durations below zero; they count as empty"},
      {"no_device", "device ops without a device id"},
      {"long_text", "rows with a text over 64 KiB; the rest of it is left out"},
      {"long_kernel",
       "kernels that took longer than the firmware around them: one of the two times is wrong; sums of ops "
       "have the kernels', walls the firmware's"},
      {"repeated_row", "rows that stand twice (same op, device and cycles): each counts once"},
  }};
  return kInfos[static_cast<std::size_t>(problem)];
}

namespace {

/// Waits that are 0 in every row were not recorded: a build without them writes the columns all the same.
void drop_unrecorded_waits(OpsReport& report) {
  const bool is_recorded = std::any_of(report.rows.begin(), report.rows.end(), [](const OpRow& row) {
    return row.cb_wait_us > 0 || row.cb_reserve_us > 0;
  });
  if (is_recorded) return;
  for (OpRow& row : report.rows) row.cb_wait_us = row.cb_reserve_us = std::numeric_limits<float>::quiet_NaN();
}

/// The timer of a device begins again from zero: times that fall by more than half a turn from one row of a
/// device to the next go on behind it.
void continue_timers(OpsReport& report) {
  constexpr auto kSpan = static_cast<double>(kTimerSpan);
  struct Timer {
    double last = kNoNumber;
    double offset = 0;
  };
  std::map<std::int32_t, Timer> timers;
  for (OpRow& row : report.rows) {
    if (!has_number(row.fw_start_cycle) || !has_number(row.fw_end_cycle)) continue;
    if (row.fw_start_cycle >= kSpan || row.fw_end_cycle >= kSpan) continue;  // no timer of this width
    Timer& timer = timers[row.device];
    if (row.fw_start_cycle < timer.last - kSpan / 2) timer.offset += kSpan;
    if (row.fw_start_cycle > timer.last + kSpan / 2) timer.offset -= kSpan;
    timer.last = row.fw_start_cycle;
    if (row.fw_end_cycle < row.fw_start_cycle - kSpan / 2) row.fw_end_cycle += kSpan;
    row.fw_start_cycle += std::max(timer.offset, 0.0);
    row.fw_end_cycle += std::max(timer.offset, 0.0);
  }
}

/// Whether ids of device ops go up on each device, as profilers write them: then no row stands twice.
bool ids_go_up(const OpsReport& report) {
  std::unordered_map<std::int32_t, double> last;
  return std::all_of(report.rows.begin(), report.rows.end(), [&](const OpRow& row) {
    if (row.type != OpRowType::kDevice || !has_number(row.call_count)) return true;
    const auto [before, is_first] = last.emplace(row.device, row.call_count);
    const bool goes_up = is_first || before->second < row.call_count;
    before->second = row.call_count;
    return goes_up;
  });
}

/// A device runs one program at a time: two rows of the same op in the same cycles are one execution, as
/// where a report was appended to itself.
void find_repeated_rows(OpsReport& report) {
  if (ids_go_up(report)) return;
  const auto place = [](const OpRow& row) {
    return std::tie(row.device, row.fw_start_cycle, row.fw_end_cycle, row.kind, row.call_count);
  };
  std::vector<std::uint32_t> rows;
  for (std::uint32_t i = 0; i < report.rows.size(); ++i) {
    const OpRow& row = report.rows[i];
    const bool is_told = row.type == OpRowType::kDevice && row.fw_end_cycle > row.fw_start_cycle;
    if (is_told && has_number(row.call_count)) rows.push_back(i);
  }
  std::stable_sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
    return place(report.rows[a]) < place(report.rows[b]);
  });
  for (std::size_t i = 1; i < rows.size(); ++i) {
    OpRow& row = report.rows[rows[i]];
    row.is_repeated = place(report.rows[rows[i - 1]]) == place(row);
  }
  for (const OpRow& row : report.rows) {
    if (row.is_repeated) report.problems.add(ReportProblem::kRepeatedRow, row.id);
  }
}

/// Both are rounded to whole nanoseconds.
void find_long_kernels(OpsReport& report) {
  constexpr double kRoundingNs = 2;
  for (const OpRow& row : report.rows) {
    const bool is_long = row.kernel_duration_ns > row.fw_duration_ns + kRoundingNs;
    if (is_long && row.type == OpRowType::kDevice) report.problems.add(ReportProblem::kLongKernel, row.id);
  }
}

}  // namespace

void finish_ops_report(OpsReport& report) {
  drop_unrecorded_waits(report);
  find_repeated_rows(report);
  find_long_kernels(report);
  continue_timers(report);
  constexpr std::size_t kEnough = 4096;
  std::vector<double> cycles_per_ns;
  for (const OpRow& row : report.rows) {
    const double cycles = row.fw_end_cycle - row.fw_start_cycle;
    if (!(cycles > 0) || !(row.fw_duration_ns > 0)) continue;
    cycles_per_ns.push_back(cycles / row.fw_duration_ns);
    if (cycles_per_ns.size() == kEnough) break;
  }
  if (cycles_per_ns.empty()) return;
  const auto middle = cycles_per_ns.begin() + static_cast<std::ptrdiff_t>(cycles_per_ns.size() / 2);
  std::nth_element(cycles_per_ns.begin(), middle, cycles_per_ns.end());
  const double mhz = std::round(*middle * 1000);
  if (mhz >= 1 && mhz < 1e5) report.clock_mhz = mhz;
}

void set_size(OpTensor& tensor, std::size_t dimension, std::string_view cell) {
  const CellSize size = cell_size(cell);
  tensor.padded[dimension] = size.padded;
  tensor.logical[dimension] = size.logical;
}

void TensorList::add(const OpTensor& tensor) {
  tensors_.push_back(tensor);
  if (tensor.is_present() || tensor.has_shape()) end_ = tensors_.size();
}

std::uint16_t TensorList::finish() {
  tensors_.resize(end_);
  return static_cast<std::uint16_t>(end_ - first_);
}

namespace {

constexpr double kLargest = 1e18;
constexpr double kLargestSize = 2147483647;  ///< products of two must fit in 63 bits
constexpr std::size_t kFastDigits = 15;      ///< so many are exact in a double

bool is_nothing(std::string_view text) {
  return text.empty() || text == "nan" || text == "NaN" || text == "-" || text == "None" || text == "NULL";
}

}  // namespace

std::optional<double> cell_number(std::string_view cell) {
  if (!cell.empty() && cell.size() <= kFastDigits) {
    std::uint64_t value = 0;
    std::size_t i = 0;
    for (; i < cell.size() && cell[i] >= '0' && cell[i] <= '9'; ++i) {
      value = value * 10 + static_cast<std::uint64_t>(cell[i] - '0');
    }
    if (i == cell.size()) return static_cast<double>(value);
  }
  cell = trimmed(cell);
  if (is_nothing(cell)) return kNoNumber;
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc() || end != cell.data() + cell.size()) return std::nullopt;
  return report_number(value);
}

std::optional<double> report_number(double number) {
  if (!std::isfinite(number) || std::abs(number) > kLargest) return std::nullopt;
  return number;
}

CellSize cell_size(std::string_view cell) {
  const auto whole = [](std::string_view text) -> std::int64_t {
    const std::optional<double> number = cell_number(text);
    if (!number || !has_number(*number) || *number < 0 || *number > kLargestSize) return -1;
    return static_cast<std::int64_t>(*number);
  };
  const std::size_t open = cell.find('[');
  if (open == std::string_view::npos) {
    const std::int64_t size = whole(cell);
    return {size, size};
  }
  const std::size_t close = cell.find(']', open);
  if (close == std::string_view::npos) return {whole(cell.substr(0, open)), -1};
  return {whole(cell.substr(0, open)), whole(cell.substr(open + 1, close - open - 1))};
}

}  // namespace ttscope::perf
