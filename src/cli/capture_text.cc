#include "cli/capture_text.h"

#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX, beyond <csignal>

#include <cstring>

#include "app/run_folder.h"
#include "base/text_escape.h"
#include "capture/status_text.h"
#include "cli/summary.h"
#include "cli/terminal.h"
#include "mem/write/terminal/mem_summary.h"
#include "report/number_text.h"

namespace ttscope::cli {
namespace {

constexpr long long kLowDiskBytes = 1LL << 30;

bool is_plain_word(const std::string& word) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-";
  return !word.empty() && word.find_first_not_of(kPlain) == std::string::npos;
}

std::string quoted(const std::string& word) {
  if (is_plain_word(word)) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string signal_text(int number) {
  const char* name = sigabbrev_np(number);
  return name == nullptr ? fmt::format("signal {}", number) : fmt::format("signal {} (SIG{})", number, name);
}

}  // namespace

std::string command_text(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& word : command) text += (text.empty() ? "" : " ") + quoted(word);
  return terminal_safe(text);
}

std::string start_text(const std::vector<std::string>& command, const capture::LogEnvironment& plan,
                       const std::string& log_path) {
  std::string text = fmt::format("{}: running {}\n", program_name(), command_text(command));
  std::string set;
  std::string kept;
  for (const capture::LogVariable& variable : plan.variables) {
    const std::string assignment = terminal_safe(variable.name + "=" + variable.value);
    if (!variable.is_users) {
      set += " " + assignment;
    } else {
      kept += fmt::format("  kept {} (yours{}{})\n", assignment, variable.remark.empty() ? "" : "; ",
                          variable.remark);
    }
  }
  if (!set.empty()) text += fmt::format("  set {}\n", set);
  return text + kept + fmt::format("  log  {}\n", terminal_safe(log_path));
}

std::string end_text(const std::vector<std::string>& command, const capture::ChildEnd& end) {
  const std::string& name = command.front();
  if (end.signal_number == 0) return fmt::format("{} exited with code {}", name, end.exit_code);
  std::string text = fmt::format("{} was killed by {}{}", name, signal_text(end.signal_number),
                                 end.core_dumped ? ", core dumped" : "");
  if (end.signal_number == SIGKILL) {
    text += "; if nobody did that, the host ran out of memory (see dmesg)";
  }
  return text;
}

std::string trouble_report(const capture::LiveState& state, const std::string& log_path) {
  if (state.troubles.empty()) return {};
  return fmt::format("{}: {} in {}\n", program_name(), report::counted(state.trouble_count, "failure"),
                     terminal_safe(log_path)) +
         capture::troubles_text(state, static_cast<std::size_t>(terminal_width(Stream::kErr)));
}

std::string next_commands_text(const std::string& log_path, const capture::CaptureResult& result) {
  const std::string path = terminal_safe(quoted(log_path));
  std::string text =
      fmt::format("{}: captured {} in {:.1f} s: {}, {}\n", program_name(),
                  report::size_text(static_cast<std::int64_t>(result.output_bytes)), result.seconds,
                  report::counted(result.state.lines, "line"), report::counted(result.state.ops, "op"));
  if (result.state.ops == 0 && result.state.blocks == 0) {
    text += "  neither op lines nor memory lines: `ttscope doctor` says what prints them\n";
  }
  return text + fmt::format("  log  {}\n  next tt-memory-profiler --analyze {}\n       ttscope mem {}\n",
                            terminal_safe(log_path), path, path);
}

std::string report_text(const mem::Profile& log, const std::string& folder,
                        const std::vector<std::string>& files, const std::string& library) {
  std::string text = "\n" + mem::mem_summary_text(log.trace, log.memory,
                                                  {.color = use_color("auto", Stream::kErr),
                                                   .width = terminal_width(Stream::kErr),
                                                   .top = kTopRows});
  text += fmt::format("\nReport folder\n  {}\n", terminal_safe(folder));
  for (const std::string& file : files) {
    text += fmt::format("    {}\n", terminal_safe(file.substr(file.rfind('/') + 1)));
  }
  if (!library.empty())
    text += fmt::format("Also among the reports of ttmem\n  {}\n", terminal_safe(library));
  return text;
}

std::string low_disk_text(const std::string& folder) {
  const long long room = app::free_bytes_at(folder);
  if (room < 0 || room >= kLowDiskBytes) return {};
  return fmt::format("warning: only {} are free where the log goes ({})", report::size_text(room), folder);
}

}  // namespace ttscope::cli
