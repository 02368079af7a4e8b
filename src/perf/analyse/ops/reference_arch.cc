#include "perf/analyse/ops/reference_arch.h"

#include <algorithm>

namespace ttscope::perf {
namespace {

constexpr std::string_view kUsualArch = "wormhole";

template <typename Item>
void add_distinct(std::vector<Item>& items, const Item& item) {
  if (std::find(items.begin(), items.end(), item) == items.end()) items.push_back(item);
}

std::string noted_arch(const OpsReport& table, std::vector<OpNote>& notes) {
  if (!table.has_arch_column) {
    notes.push_back({NoteKind::kArchColumnLacks});
    return std::string(kUsualArch);
  }
  std::string first;
  std::vector<std::string> all;
  for (const ReportKind& kind : table.kinds) {
    const std::string_view arch = table.text(kind.arch);
    if (arch.empty()) continue;
    if (first.empty()) first = arch;
    add_distinct(all, std::string(arch));
  }
  if (first.empty()) {
    notes.push_back({NoteKind::kArchValuesLack});
    return std::string(kUsualArch);
  }
  if (all.size() > 1) {
    all.insert(all.begin(), first);
    notes.push_back({NoteKind::kArchsListed, all});
  }
  return first == "wormhole_b0" ? std::string(kUsualArch) : first;
}

void note_cores(const OpsReport& table, std::vector<OpNote>& notes) {
  if (!table.has_available_cores_column) {
    notes.push_back({NoteKind::kCoresColumnLacks});
    return;
  }
  // A column with empty cells is one of floats there.
  const bool as_floats = std::any_of(table.kinds.begin(), table.kinds.end(), [](const ReportKind& kind) {
    return !has_number(kind.available_cores);
  });
  std::vector<double> all;
  for (const ReportKind& kind : table.kinds) {
    if (has_number(kind.available_cores) && kind.available_cores != 0)
      add_distinct(all, kind.available_cores);
  }
  if (all.empty()) {
    notes.push_back({NoteKind::kCoreValuesLack});
  } else if (all.size() > 1) {
    std::vector<double> figures = {all.front(), as_floats ? 1.0 : 0.0};
    figures.insert(figures.end(), all.begin(), all.end());
    notes.push_back({NoteKind::kCoresListed, {}, std::move(figures)});
  }
}

}  // namespace

std::string reference_arch(const OpsReport& table, const PeakOptions& options, std::vector<OpNote>& notes) {
  if (table.format != ReportFormat::kV21)
    return options.arch.empty() ? std::string(kUsualArch) : options.arch;
  std::string arch = noted_arch(table, notes);
  if (options.arch.empty()) {
    notes.push_back({NoteKind::kArchOfReport, {arch}});
  } else {
    notes.push_back({NoteKind::kArchIgnored, {options.arch, arch}});
  }
  // It looks twice, and says what it finds both times.
  noted_arch(table, notes);
  note_cores(table, notes);
  return arch;
}

}  // namespace ttscope::perf
