#include "mem/write/markdown/oom_markdown.h"

#include <fmt/format.h>

#include "base/text_escape.h"
#include "mem/write/words/oom_text.h"
#include "report/document_head.h"

namespace ttscope::mem {
namespace {

constexpr std::size_t kPacketRows = 5;
constexpr std::size_t kAllRows = 200;

void write_report(const OomLog& log, const FailureReport& report, std::size_t rows, Writer& out) {
  out.write(fmt::format("\n## {}\n\n{}\n\n", name_of(report.bank.verdict),
                        markdown_cell(oom_headline(log, report, Names::kMarked))));
  for (const OomItem& item : oom_items(log, report, rows, Names::kMarked)) {
    if (item.label.empty()) {
      out.write(fmt::format("  - {}\n", markdown_cell(item.text)));
    } else {
      out.write(fmt::format("- {}: {}\n", item.label, markdown_cell(item.text)));
    }
  }
}

void write_groups(const std::vector<OomLog>& logs, Writer& out) {
  const std::vector<FailurePrint> prints = prints_of(logs);
  std::string text;
  for (const FailureGroup& group : groups_of(logs, prints)) {
    if (group.prints.size() < 2) continue;
    text += fmt::format("- {}:", fingerprint_text(group.fingerprint));
    for (const std::uint32_t print : group.prints) {
      text += fmt::format(" {}:{}", markdown_code(log_label(logs[prints[print].log])), prints[print].line);
    }
    text += '\n';
  }
  if (!text.empty()) out.write("\n## Same failure\n\n" + text);
}

}  // namespace

void write_oom_markdown(const std::vector<OomLog>& logs, Writer& out, const OomMarkdownOptions& options) {
  out.write(
      "# Out-of-memory report\n\nMB is 1,048,576 bytes; figures are per bank of one device where they say "
      "so. ");
  out.write(report::kDataNotice);
  out.write('\n');
  bool any = false;
  for (const OomLog& log : logs) {
    for (const FailureReport& report : log.reports()) {
      write_report(log, report, options.everything ? kAllRows : kPacketRows, out);
      any = true;
    }
    for (const CrashReport& report : log.crashes)
      out.write(fmt::format("\n## {}\n\n{}\n", name_of(FailureVerdict::kCrashed),
                            markdown_cell(crash_headline(log, report, Names::kMarked))));
  }
  if (!any) out.write(fmt::format("\n{}\n", markdown_cell(no_failure_text(logs))));
  write_groups(logs, out);
}

}  // namespace ttscope::mem
