#include "app/captured_run.h"

#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): POSIX, beyond <csignal>
#include <sys/statvfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "app/report_library.h"
#include "base/files.h"
#include "base/text.h"
#include "launch/child.h"
#include "launch/live_log.h"
#include "launch/log_capture.h"
#include "launch/runtime_logging.h"
#include "mem/write/terminal.h"
#include "ui/text.h"

namespace ttscope::app {

void GroupSignals::begin(const launch::Child& child) {
  const std::lock_guard lock(mutex_);
  child_ = &child;
  if (last_ != 0) child.signal_group(last_);
}

void GroupSignals::end() {
  const std::lock_guard lock(mutex_);
  child_ = nullptr;
}

void GroupSignals::pass(int signal_number) {
  const std::lock_guard lock(mutex_);
  last_ = signal_number;
  if (child_ != nullptr) child_->signal_group(signal_number);
}

namespace {

namespace fs = std::filesystem;

constexpr int kMaxRunFolders = 10000;
constexpr mode_t kPrivateFolder = 0700;

std::string stem_of(const std::string& argument) {
  return file_name_safe(fs::path(argument.substr(0, argument.find("::"))).stem().string());
}

}  // namespace

bool is_python_file(const std::string& argument) {
  const std::string path = argument.substr(0, argument.find("::"));
  return path.size() > 3 && path[0] != '-' && path.compare(path.size() - 3, 3, ".py") == 0;
}

std::string name_of_command(const std::vector<std::string>& command) {
  for (const std::string& argument : command) {
    if (is_python_file(argument)) return stem_of(argument);
  }
  return command.empty() ? file_name_safe("") : stem_of(command.front());
}

std::string run_folder_name(const std::string& name, std::time_t now) {
  std::tm parts{};
  localtime_r(&now, &parts);
  std::array<char, 32> text{};
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y%m%d_%H%M%S", &parts);
  return fmt::format("{}_{}", name, std::string_view(text.data(), size));
}

Result<TemporaryFolder> make_run_folder(const std::string& base, const std::string& name) {
  const std::string first = (fs::path(base) / run_folder_name(name, std::time(nullptr))).string();
  for (int number = 1; number < kMaxRunFolders; ++number) {
    auto folder =
        TemporaryFolder::make(number == 1 ? first : fmt::format("{}-{}", first, number), kPrivateFolder);
    if (folder) return std::move(*folder);
    if (errno != EEXIST) break;
  }
  return failure(write_failed(fmt::format("{}: cannot make the folder: {}", first, std::strerror(errno))));
}

long long free_bytes_at(const std::string& folder) {
  std::error_code ignored;
  fs::path place = fs::absolute(folder, ignored).lexically_normal();
  while (!place.empty() && !fs::exists(place, ignored) && place != place.parent_path()) {
    place = place.parent_path();
  }
  struct statvfs facts {};
  if (statvfs(place.c_str(), &facts) != 0) return -1;
  return static_cast<long long>(facts.f_bavail) * static_cast<long long>(facts.f_frsize);
}

namespace {

std::string python_interpreter(const std::vector<std::string>& environment) {
  std::string virtual_environment;
  if (launch::find_variable(environment, "VIRTUAL_ENV", virtual_environment) &&
      !virtual_environment.empty()) {
    std::string python = virtual_environment + "/bin/python";
    if (access(python.c_str(), X_OK) == 0) return python;
  }
  std::string path;
  const bool has_path = launch::find_variable(environment, "PATH", path);
  for (const char* name : {"python", "python3"}) {
    if (has_path && launch::find_program(name, path)) return name;
  }
  return "python3";
}

}  // namespace

std::vector<std::string> script_command(const ScriptRun& run) {
  std::vector<std::string> command;
  if (!is_python_file(run.script) && access(run.script.c_str(), X_OK) == 0) {
    // Without a slash it would be searched in PATH.
    command = {run.script.find('/') == std::string::npos ? "./" + run.script : run.script};
  } else {
    command = {python_interpreter(run.environment), "-u", run.script};
  }
  command.insert(command.end(), run.arguments.begin(), run.arguments.end());
  return command;
}

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
  for (const launch::LogVariable& variable : start.plan.variables) {
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

std::string program_end_text(const std::vector<std::string>& command, const launch::ChildEnd& end) {
  const std::string& name = command.front();
  if (end.signal_number == 0) return fmt::format("{} exited with code {}", name, end.exit_code);
  std::string text = fmt::format("{} was killed by {}{}", name, signal_text(end.signal_number),
                                 end.core_dumped ? ", core dumped" : "");
  if (end.signal_number == SIGKILL) {
    text += "; if nobody did that, the host ran out of memory (see dmesg)";
  }
  return text;
}

std::string capture_trouble_text(const launch::LiveState& state, const std::string& log_path,
                                 const RunScreen& screen) {
  if (state.troubles.empty()) return {};
  return fmt::format("{}: {} in {}\n", screen.program, ui::counted(state.trouble_count, "failure"),
                     terminal_safe(log_path)) +
         launch::troubles_text(state, static_cast<std::size_t>(screen.text.width));
}

std::string next_commands_text(const std::string& log_path, const launch::CaptureResult& result,
                               const RunScreen& screen) {
  const std::string path = terminal_safe(shell_word(log_path));
  std::string text =
      fmt::format("{}: captured {} in {:.1f} s: {}, {}\n", screen.program,
                  ui::size_text(static_cast<std::int64_t>(result.output_bytes)), result.seconds,
                  ui::counted(result.state.lines, "line"), ui::counted(result.state.ops, "op"));
  if (result.state.ops == 0 && result.state.blocks == 0) {
    text += "  neither op lines nor memory lines: `ttscope doctor` says what prints them\n";
  }
  return text + fmt::format("  log  {}\n  next tt-memory-profiler --analyze {}\n       ttscope mem {}\n",
                            terminal_safe(log_path), path, path);
}

std::string capture_report_text(const mem::Profile& profile, const CapturedReport& report,
                                const RunScreen& screen) {
  std::string text = "\n" + mem::mem_summary_text(profile.log, profile.memory, screen.text);
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
  return fmt::format("warning: only {} are free where the log goes ({})", ui::size_text(free_bytes), folder);
}

namespace {

constexpr const char* kDefaultBase = "logs";

/// One run of a command, step by step.
class CapturedRun {
 public:
  CapturedRun(const CaptureRequest& request, RunObserver& observer)
      : request_(request), observer_(observer) {}

  CaptureOutcome run() {
    if (!prepare_folder() || !capture_output()) return outcome_;
    const bool is_complete = report_end();
    outcome_.exit_code = result_.end.exit_code;
    const bool is_reported = request_.log_only ? suggest_commands() : write_report();
    if (!is_complete || !is_reported) outcome_.exit_code = launch::kLauncherFailure;
    return outcome_;
  }

 private:
  bool fail(int exit_code, const std::string& message) {
    observer_.complain(message);
    outcome_.exit_code = exit_code;
    return false;
  }

  bool prepare_folder() {
    std::string search_path = "/usr/local/bin:/usr/bin:/bin";
    launch::find_variable(request_.environment, "PATH", search_path);
    const auto path = launch::find_program(request_.command.front(), search_path);
    if (!path) return fail(path.error().exit_code, path.error().message);
    program_ = *path;
    const std::string base = request_.base.empty() ? kDefaultBase : request_.base;
    auto made = CreatedFolders::make(base);
    if (!made) return fail(launch::kLauncherFailure, made.error().message);
    made_.emplace(std::move(*made));
    auto folder = make_run_folder(base, request_.name);
    if (!folder) return fail(launch::kLauncherFailure, folder.error().message);
    folder_.emplace(std::move(*folder));
    outcome_.folder = folder_->path();
    outcome_.log_path =
        fmt::format("{}/{}_profile.log{}", outcome_.folder, request_.name, request_.compress ? ".zst" : "");
    return true;
  }

  bool capture_output() {
    launch::LogSink::Options sink;
    sink.compress = request_.compress;
    sink.is_private = true;
    auto log = launch::LogSink::create(outcome_.log_path, sink);
    if (!log) return fail(launch::kLauncherFailure, log.error().message);
    const launch::LogEnvironment plan = launch::plan_environment(request_.environment);
    launch::ChildSpec spec;
    spec.path = program_;
    spec.arguments = request_.command;
    spec.environment = plan.environment;
    launch::CaptureConsole console = observer_.connect(spec);
    GroupSignals signals(observer_);
    console.passed_signal = [&signals] { return signals.last(); };
    auto child = launch::Child::start(spec);
    if (!child) return fail(child.error().exit_code, child.error().message);
    folder_->release();  // from here on it stays
    outcome_.started = true;
    report_start(plan);
    signals.begin(*child);
    result_ = launch::run_capture(*child, **log, console);
    signals.end();
    passed_signal_ = signals.last();
    return true;
  }

  void report_start(const launch::LogEnvironment& plan) const {
    if (!request_.quiet)
      observer_.say(capture_start_text({request_.command, plan, outcome_.log_path}, observer_.screen()));
    for (const std::string& obstacle : plan.obstacles) observer_.complain("warning: " + obstacle);
    const std::string low = low_disk_text(outcome_.folder, free_bytes_at(outcome_.folder));
    if (!low.empty()) observer_.complain(low);
  }

  /// What the user must know of the run; false when our part of it failed.
  bool report_end() const {
    if (result_.end.exit_code != 0) observer_.complain(program_end_text(request_.command, result_.end));
    if (result_.left_open) {
      observer_.complain(
          "a process that it left behind still holds the output; what that prints from now on is lost");
    }
    if (passed_signal_ != 0 && !result_.left_behind.empty())
      observer_.complain(left_behind_text(passed_signal_, result_.left_behind));
    observer_.say(capture_trouble_text(result_.state, outcome_.log_path, observer_.screen()));
    if (!result_.log_problem.empty()) observer_.complain(result_.log_problem);
    if (!result_.echo_problem.empty()) {
      observer_.complain("the output could not be shown completely: " + result_.echo_problem);
    }
    return result_.log_problem.empty() && result_.echo_problem.empty();
  }

  bool suggest_commands() const {
    if (!request_.quiet) observer_.say(next_commands_text(outcome_.log_path, result_, observer_.screen()));
    return true;
  }

  bool write_report() {
    if (result_.output_bytes == 0) {
      observer_.complain(
          fmt::format("{} printed nothing, so there is no report; `ttscope doctor` says what a log needs",
                      request_.command.front()));
      return true;
    }
    const Result<mem::Profile> log = request_.read_log(outcome_.log_path);
    if (!log) {
      observer_.complain(log.error().message);
      observer_.complain("no report; the log is kept: " + outcome_.log_path);
      return result_.state.ops == 0 && result_.state.blocks == 0;
    }
    const PrivateFiles keeps_private;
    auto files = write_run_report(*log, outcome_.folder, request_.page_options(request_.name));
    if (!files) {
      observer_.complain(files.error().message);
      observer_.complain("the log is kept: " + outcome_.log_path);
      return false;
    }
    outcome_.report_files = std::move(*files);
    if (request_.keep_in_library) outcome_.library_folder = keep_in_library(*log);
    if (!request_.quiet) {
      const CapturedReport report{outcome_.folder, outcome_.report_files, outcome_.library_folder};
      observer_.say(capture_report_text(*log, report, observer_.screen()));
    }
    return true;
  }

  /// A copy among the reports that `ttmem` lists. The run has its own, so that a failure is no failure of the
  /// run.
  std::string keep_in_library(const mem::Profile& log) const {
    const Result<std::string> library = library_folder(request_.environment);
    if (!library) return {};
    const Result<ReportFolder> kept =
        write_report_folder(log, {*library, outcome_.log_path, true}, request_.page_options({}));
    if (kept) return kept->path;
    observer_.complain("not kept in the library of reports: " + kept.error().message);
    return {};
  }

  const CaptureRequest& request_;
  RunObserver& observer_;
  CaptureOutcome outcome_;
  std::string program_;
  std::optional<CreatedFolders> made_;
  std::optional<TemporaryFolder> folder_;
  launch::CaptureResult result_;
  int passed_signal_ = 0;  ///< to the child; 0: none
};

}  // namespace

CaptureOutcome capture_command(const CaptureRequest& request, RunObserver& observer) {
  return CapturedRun(request, observer).run();
}

}  // namespace ttscope::app
