#include "cli/report_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>

namespace ttscope::cli {
namespace {

/// With one decimal, and no larger unit than GB: sizes stand below each other in a list, where those of
/// report::size_text() would be of different lengths.
std::string list_size_text(double bytes) {
  constexpr double kStep = 1024;
  for (const std::string_view unit : {"B", "KB", "MB", "GB"}) {
    if (bytes < kStep || unit == "GB") return fmt::format("{:.{}f} {}", bytes, unit == "B" ? 0 : 1, unit);
    bytes /= kStep;
  }
  return {};
}

}  // namespace

std::string report_size_text(const serve::Report& report) {
  return list_size_text(static_cast<double>(report.size_bytes));
}

std::string report_date_text(const serve::Report& report) {
  const auto time = static_cast<std::time_t>(report.time_s);
  std::tm parts{};
  if (localtime_r(&time, &parts) == nullptr) return "-";
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                     parts.tm_hour, parts.tm_min);
}

std::string report_outcome_text(const serve::Report& report) {
  std::string text = report.summary.outcome.empty() ? "-" : report.summary.outcome;
  std::replace(text.begin(), text.end(), '_', ' ');
  return text;
}

std::string report_fit_text(const serve::Report& report) {
  return report.summary.fit.empty() ? "-" : report.summary.fit;
}

std::string report_peak_text(const serve::Report& report) {
  const serve::MemoryPeak& peak = report.summary.dram;
  if (peak.peak_bytes_per_bank < 0) return "-";
  const auto bytes = static_cast<double>(peak.peak_bytes_per_bank);
  std::string text = list_size_text(bytes);
  if (peak.capacity_bytes_per_bank > 0) {
    text += fmt::format(" {:>3.0f}%", 100 * bytes / static_cast<double>(peak.capacity_bytes_per_bank));
  }
  return text;
}

}  // namespace ttscope::cli
