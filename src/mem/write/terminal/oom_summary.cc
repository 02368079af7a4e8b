#include "mem/write/terminal/oom_summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text_escape.h"
#include "mem/write/words/oom_text.h"
#include "report/number_text.h"

namespace ttscope::mem {
namespace {

using Ink = report::Painter::Ink;

constexpr int kNarrowestOom = 60;
constexpr int kWidestOom = 140;

std::string upper_verdict(FailureVerdict verdict) {
  std::string word(name_of(verdict));
  std::transform(word.begin(), word.end(), word.begin(), [](char c) {
    return c == '_' ? ' ' : c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
  return word;
}

void paint_report(const OomLog& log, const FailureReport& report, std::size_t rows, report::Painter& out) {
  out.statement(upper_verdict(report.bank.verdict), Ink::kRed, terminal_safe(oom_headline(log, report)));
  for (const OomItem& item : oom_items(log, report, rows)) {
    if (item.label == "why") continue;  // the headline says it
    out.item(item.label, terminal_safe(item.text));
  }
}

/// The same failure in several places.
void paint_groups(const std::vector<OomLog>& logs, const std::vector<FailurePrint>& prints,
                  report::Painter& out) {
  bool first = true;
  for (const FailureGroup& group : groups_of(logs, prints)) {
    if (group.prints.size() < 2) continue;
    if (first) out.heading("Same failure", "by what was asked for");
    first = false;
    std::string places;
    for (const std::uint32_t print : group.prints) {
      places += fmt::format("{}{}:{}", places.empty() ? "" : ", ", log_label(logs[prints[print].log]),
                            prints[print].line);
    }
    out.item(fingerprint_text(group.fingerprint).substr(0, 12), terminal_safe(places));
  }
}

}  // namespace

std::string oom_summary_text(const std::vector<OomLog>& logs, const report::TextOptions& options) {
  report::Painter out(options.color,
                      static_cast<std::size_t>(std::clamp(options.width, kNarrowestOom, kWidestOom)));
  const auto rows = static_cast<std::size_t>(std::max(options.top, 0));
  bool first = true;
  for (const OomLog& log : logs) {
    if (logs.size() > 1 && !log.reports().empty()) out.heading(terminal_safe(log_label(log)));
    for (const FailureReport& report : log.reports()) {
      if (!first) out.blank_line();
      first = false;
      paint_report(log, report, rows, out);
    }
    for (const CrashReport& report : log.crashes)
      out.statement(upper_verdict(FailureVerdict::kCrashed), Ink::kYellow,
                    terminal_safe(crash_headline(log, report)));
  }
  paint_groups(logs, prints_of(logs), out);
  return out.take();
}

}  // namespace ttscope::mem
