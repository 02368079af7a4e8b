#include "perf/analyse/ops/reference_arch.h"

#include <fmt/format.h>

#include <algorithm>

namespace ttscope::perf {
namespace {

constexpr std::string_view kUsualArch = "wormhole";

/// `['wormhole_b0', 'blackhole']`
std::string python_list(const std::vector<std::string>& items) {
  std::string text = "[";
  for (const std::string& item : items) text.append(text.size() > 1 ? ", " : "").append(item);
  return text + "]";
}

void add_distinct(std::vector<std::string>& items, std::string item) {
  if (std::find(items.begin(), items.end(), item) == items.end()) items.push_back(std::move(item));
}

std::string noted_arch(const OpsReport& table, std::vector<OpNote>& notes) {
  if (!table.has_arch_column) {
    notes.push_back({true, "DEVICE ARCH column not found. Defaulting to 'wormhole'."});
    return std::string(kUsualArch);
  }
  std::string first;
  std::vector<std::string> all;
  for (const ReportKind& kind : table.kinds) {
    const std::string_view arch = table.text(kind.arch);
    if (arch.empty()) continue;
    if (first.empty()) first = arch;
    add_distinct(all, fmt::format("'{}'", arch));
  }
  if (first.empty()) {
    notes.push_back({true, "No DEVICE ARCH values found. Defaulting to 'wormhole'."});
    return std::string(kUsualArch);
  }
  if (all.size() > 1) {
    notes.push_back(
        {true, fmt::format("Warning: Multiple DEVICE ARCH values found: {}. Using first value: '{}'.",
                           python_list(all), first)});
  }
  return first == "wormhole_b0" ? std::string(kUsualArch) : first;
}

void note_cores(const OpsReport& table, std::vector<OpNote>& notes) {
  if (!table.has_available_cores_column) {
    notes.push_back({true, "AVAILABLE WORKER CORE COUNT column not found. Defaulting to 64 cores."});
    return;
  }
  // A column with empty cells is one of floats there.
  const bool as_floats = std::any_of(table.kinds.begin(), table.kinds.end(), [](const ReportKind& kind) {
    return !has_number(kind.available_cores);
  });
  double first = 0;
  std::vector<std::string> all;
  for (const ReportKind& kind : table.kinds) {
    if (!has_number(kind.available_cores) || kind.available_cores == 0) continue;
    if (first == 0) first = kind.available_cores;
    add_distinct(all, as_floats ? fmt::format("{:.1f}", kind.available_cores)
                                : fmt::format("{:.0f}", kind.available_cores));
  }
  if (all.empty()) {
    notes.push_back({true, "No non-zero AVAILABLE WORKER CORE COUNT values found. Defaulting to 64 cores."});
  } else if (all.size() > 1) {
    notes.push_back(
        {true, fmt::format("Warning: Multiple AVAILABLE WORKER CORE COUNT values found: {}. Using "
                           "first value: {:.0f}.",
                           python_list(all), first)});
  }
}

}  // namespace

std::string reference_arch(const OpsReport& table, const PeakOptions& options, std::vector<OpNote>& notes) {
  if (table.format != ReportFormat::kV21)
    return options.arch.empty() ? std::string(kUsualArch) : options.arch;
  const std::string arch = noted_arch(table, notes);
  if (options.arch.empty()) {
    notes.push_back({false, "Using architecture from CSV: " + arch});
  } else {
    notes.push_back(
        {true, fmt::format("Warning: Ignoring user-specified architecture: {}, CSV detected {} architecture",
                           options.arch, arch)});
  }
  // It looks twice, and says what it finds both times.
  noted_arch(table, notes);
  note_cores(table, notes);
  return arch;
}

}  // namespace ttscope::perf
