#include "app/captured_run_text.h"

#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX, beyond <csignal>

#include <cstring>

#include "base/shell_text.h"
#include "base/text_escape.h"
#include "capture/status_text.h"
#include "mem/write/terminal/mem_summary.h"
#include "report/number_text.h"

namespace ttscope::app {
namespace {

constexpr long long kLowDiskBytes = 1LL << 30;

std::string signal_text(int number) {
  const char* name = sigabbrev_np(number);
  return name == nullptr ? fmt::format("signal {}", number) : fmt::format("signal {} (SIG{})", number, name);
}

}  // namespace

std::string capture_start_text(const CaptureStart& start, const RunScreen& screen) {
  std::string text = fmt::format("{}: running {}\n", screen.program, shell_command(start.command));
  std::string set;
  std::string kept;
  for (const capture::LogVariable& variable : start.plan.variables) {
    const std::string assignment = terminal_safe(variable.name + "=" + variable.value);
    if (!variable.is_users) {
      set += " " + assignment;
    } else {
      kept += fmt::format("  kept {} (yours{}{})\n", assignment, variable.remark.empty() ? "" : "; ",
                          variable.remark);
    }
  }
  if (!set.empty()) text += fmt::format("  set {}\n", set);
  return text + kept + fmt::format("  log  {}\n", terminal_safe(start.log_path));
}

std::string program_end_text(const std::vector<std::string>& command, const capture::ChildEnd& end) {
  const std::string& name = command.front();
  if (end.signal_number == 0) return fmt::format("{} exited with code {}", name, end.exit_code);
  std::string text = fmt::format("{} was killed by {}{}", name, signal_text(end.signal_number),
                                 end.core_dumped ? ", core dumped" : "");
  if (end.signal_number == SIGKILL) {
    text += "; if nobody did that, the host ran out of memory (see dmesg)";
  }
  return text;
}

std::string capture_trouble_text(const capture::LiveState& state, const std::string& log_path,
                                 const RunScreen& screen) {
  if (state.troubles.empty()) return {};
  return fmt::format("{}: {} in {}\n", screen.program, report::counted(state.trouble_count, "failure"),
                     terminal_safe(log_path)) +
         capture::troubles_text(state, static_cast<std::size_t>(screen.text.width));
}

std::string next_commands_text(const std::string& log_path, const capture::CaptureResult& result,
                               const RunScreen& screen) {
  const std::string path = terminal_safe(shell_word(log_path));
  std::string text =
      fmt::format("{}: captured {} in {:.1f} s: {}, {}\n", screen.program,
                  report::size_text(static_cast<std::int64_t>(result.output_bytes)), result.seconds,
                  report::counted(result.state.lines, "line"), report::counted(result.state.ops, "op"));
  if (result.state.ops == 0 && result.state.blocks == 0) {
    text += "  neither op lines nor memory lines: `ttscope doctor` says what prints them\n";
  }
  return text + fmt::format("  log  {}\n  next tt-memory-profiler --analyze {}\n       ttscope mem {}\n",
                            terminal_safe(log_path), path, path);
}

std::string capture_report_text(const mem::Profile& log, const CapturedReport& report,
                                const RunScreen& screen) {
  std::string text = "\n" + mem::mem_summary_text(log.trace, log.memory, screen.text);
  text += fmt::format("\nReport folder\n  {}\n", terminal_safe(report.folder));
  for (const std::string& file : report.files)
    text += fmt::format("    {}\n", terminal_safe(file.substr(file.rfind('/') + 1)));
  if (!report.library.empty())
    text += fmt::format("Also among the reports of ttmem\n  {}\n", terminal_safe(report.library));
  return text;
}

std::string left_behind_text(int signal_number, const std::vector<std::string>& processes) {
  return fmt::format("still running after {}: {}", signal_text(signal_number), fmt::join(processes, ", "));
}

std::string low_disk_text(const std::string& folder, long long free_bytes) {
  if (free_bytes < 0 || free_bytes >= kLowDiskBytes) return {};
  return fmt::format("warning: only {} are free where the log goes ({})", report::size_text(free_bytes),
                     folder);
}

}  // namespace ttscope::app
