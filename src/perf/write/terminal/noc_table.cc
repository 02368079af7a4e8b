#include "perf/write/terminal/noc_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text_escape.h"
#include "perf/write/terminal/fitted_table.h"
#include "perf/write/words/op_names.h"
#include "report/number_text.h"

namespace ttscope::perf {
namespace {

constexpr std::size_t kTypesShown = 3;

/// `READ 1,024 B, WRITE_ 512 B`: the types with the most bytes.
std::string types_text(const NocSummary& trace) {
  std::vector<std::pair<std::string_view, std::uint64_t>> types;
  types.reserve(trace.by_type.size());
  for (const auto& [name, count] : trace.by_type) types.emplace_back(name, count.bytes);
  std::stable_sort(types.begin(), types.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (std::size_t i = 0; i < std::min(types.size(), kTypesShown); ++i) {
    text += fmt::format("{}{} {} B", i > 0 ? ", " : "", types[i].first, report::count_text(types[i].second));
  }
  return types.size() > kTypesShown ? text + ", ..." : text;
}

}  // namespace

void write_noc_table(const std::vector<const NocSummary*>& traces, std::string_view tag,
                     const PerfTableOptions& options, Writer& out) {
  if (traces.empty()) return;
  out.write("\n" + inked("NoC", CellInk::kWhite, options.color) +
            inked(fmt::format("  transfers over the network on chip, as recorded ({})", tag), CellInk::kGrey,
                  options.color) +
            "\n");
  constexpr std::size_t kUsualTop = 20;
  const std::size_t shown =
      std::min(traces.size(), options.top == PerfTableOptions::kAllRows ? kUsualTop : options.top);
  FittedTable fitted({{"Bytes"},
                      {"Transfers"},
                      {"Cores", 1},
                      {"Device", 2},
                      {"Id", 3},
                      {"By type", 4, true},
                      {"Op", 0, true}},
                     options.width, options.color);
  NocCount rest;
  for (std::size_t i = 0; i < traces.size(); ++i) {
    const NocSummary& trace = *traces[i];
    if (i >= shown) {
      rest.transfers += trace.all.transfers;
      rest.bytes += trace.all.bytes;
      continue;
    }
    const std::string name = trace.op_name.empty() ? "(unnamed)" : readable_label(trace.op_name);
    fitted.add({{report::count_text(trace.all.bytes), report::count_text(trace.all.transfers),
                 report::count_text(trace.by_core.size()), std::to_string(trace.key.device),
                 std::to_string(trace.key.op_id), terminal_safe(types_text(trace)), terminal_safe(name)}});
  }
  if (traces.size() > shown) {
    fitted.add_foot({{report::count_text(rest.bytes), report::count_text(rest.transfers), "", "", "", "",
                      report::counted(traces.size() - shown, "other op")}});
  }
  fitted.write(out);
}

}  // namespace ttscope::perf
