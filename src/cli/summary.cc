#include "cli/summary.h"

#include "cli/terminal.h"
#include "mem/write/terminal/mem_summary.h"

namespace ttscope::cli {

std::string summary_text(const mem::Profile& log, std::string_view color, int top, bool verbose) {
  return mem::mem_summary_text(
      log.trace, log.memory,
      {.color = use_color(color, Stream::kOut), .width = terminal_width(Stream::kOut), .top = top},
      verbose ? mem::MemDetail::kAll : mem::MemDetail::kUsual);
}

std::string closing_text(const mem::Profile& log, std::string_view color) {
  return mem::mem_closing_text(
      log.trace, log.memory,
      {.color = use_color(color, Stream::kOut), .width = terminal_width(Stream::kOut)});
}

std::string brief_text(const mem::Profile& log) {
  return mem::mem_brief_text(
      log.trace, log.memory,
      {.color = use_color("auto", Stream::kOut), .width = terminal_width(Stream::kOut)});
}

}  // namespace ttscope::cli
