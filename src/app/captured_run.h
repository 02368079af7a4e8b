#pragma once

#include <atomic>
#include <ctime>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/result.h"
#include "launch/child.h"
#include "launch/log_capture.h"
#include "launch/runtime_logging.h"
#include "mem/analyze/memory_profile.h"
#include "mem/write/page.h"
#include "ui/text.h"

namespace ttscope::app {

/// What text for the user of a run is made for.
struct RunScreen {
  std::string program;  ///< that speaks; the name before a line
  ui::TextOptions text;
};

/// The program around a run: prints what happens, and lends its terminal and its signals.
class RunObserver {
 public:
  RunObserver() = default;
  virtual ~RunObserver() = default;
  RunObserver(const RunObserver&) = delete;
  RunObserver& operator=(const RunObserver&) = delete;

  /// Whole lines that are fit for a terminal.
  virtual void say(const std::string& text) = 0;
  /// A problem, as it is: it may hold text from logs and file names.
  virtual void complain(const std::string& message) = 0;
  virtual RunScreen screen() const = 0;
  /// Connects a program that will be started with the terminal, if there is one.
  virtual launch::CaptureConsole connect(launch::ChildSpec& spec) = 0;
  /// A descriptor where programs that help a run show what they print; -1: nowhere.
  virtual int shown_output() const = 0;
  /// As long as what is returned lives, `take` gets the signals that would end this process, on a thread of
  /// its own. One at a time.
  virtual std::shared_ptr<void> take_signals(std::function<void(int)> take) = 0;
};

/// Hands signals to the child's group; one that comes while the child is being started waits for it.
class GroupSignals {
 public:
  explicit GroupSignals(RunObserver& observer)
      : taken_(observer.take_signals([this](int signal_number) { pass(signal_number); })) {}

  void begin(const launch::Child& child);
  void end();
  /// The last signal that was handed on; 0: none.
  int last() const { return last_; }

 private:
  void pass(int signal_number);

  std::mutex mutex_;
  const launch::Child* child_ = nullptr;
  std::atomic<int> last_ = 0;
  std::shared_ptr<void> taken_;  ///< last: it ends before what it calls
};

/// `tests/test_vit.py::test_one` is one too.
bool is_python_file(const std::string& argument);

/// `model` of `python -u path/model.py --steps 3`: the first Python file, else the program itself.
std::string name_of_command(const std::vector<std::string>& command);

/// `model_20260122_143957`, in local time.
std::string run_folder_name(const std::string& name, std::time_t now);

/// Makes BASE/NAME_YYYYMMDD_HHMMSS, with -2, -3 ... behind it when that exists, for its user alone. `base`
/// must exist. The folder is removed again unless it is released.
Result<TemporaryFolder> make_run_folder(const std::string& base, const std::string& name);

/// Bytes that an ordinary user can still write where `folder` is or will be; -1 when nothing tells.
long long free_bytes_at(const std::string& folder);

/// Arguments to run a script with, and where it runs.
struct ScriptRun {
  std::string script;
  std::vector<std::string> arguments{};
  std::vector<std::string> environment{};  ///< `NAME=value`
};

/// The command that runs a script as `tt-memory-profiler` does: Python without buffering, from the active
/// virtual environment or PATH; a program that is no Python file runs itself.
std::vector<std::string> script_command(const ScriptRun& run);

// What `ttscope run` says on standard error. All of it is safe for a terminal, but what is a complaint.

/// What `ttscope run` starts and where its output goes.
struct CaptureStart {
  const std::vector<std::string>& command;
  const launch::LogEnvironment& plan;
  const std::string& log_path;
};

/// Before the run: the command, the variables and the log.
std::string capture_start_text(const CaptureStart& start, const RunScreen& screen);

/// `python exited with code 3`, `python was killed by signal 9 (SIGKILL) ...`; a complaint.
std::string program_end_text(const std::vector<std::string>& command, const launch::ChildEnd& end);

/// What lives on although the program has ended after a signal; a complaint.
std::string left_behind_text(int signal_number, const std::vector<std::string>& processes);

/// The failures that the log tells of; empty when there are none.
std::string capture_trouble_text(const launch::LiveState& state, const std::string& log_path,
                                 const RunScreen& screen);

/// After a capture without report: where the log is and what to do with it.
std::string next_commands_text(const std::string& log_path, const launch::CaptureResult& result,
                               const RunScreen& screen);

/// Where the report of a captured run is.
struct CapturedReport {
  std::string folder;
  std::vector<std::string> files;
  std::string library;  ///< the folder in the library of reports; empty: none
};

/// The summary and where the report is.
std::string capture_report_text(const mem::Profile& log, const CapturedReport& report,
                                const RunScreen& screen);

/// A warning when little room is left where the log goes; else empty. A complaint.
std::string low_disk_text(const std::string& folder, long long free_bytes);

/// A program to run and what to make of its output.
struct CaptureRequest {
  std::vector<std::string> command{};      ///< as typed; [0] is searched in PATH
  std::string name{};                      ///< how the files begin; a plain name
  std::string base{};                      ///< the folder of runs; empty: ./logs
  bool compress = false;                   ///< the log as zstd
  bool quiet = false;                      ///< problems only
  bool log_only = false;                   ///< no report
  bool keep_in_library = true;             ///< the report also goes to the library of reports
  std::vector<std::string> environment{};  ///< `NAME=value`; the program gets it with what makes a log useful
  /// How the log is read, maybe with a sign of progress.
  std::function<Result<mem::Profile>(const std::string& log_path)> read_log{};
  /// How the page of a report of this name is written.
  std::function<mem::MemPageOptions(const std::string& name)> page_options{};
};

/// What came of it.
struct CaptureOutcome {
  int exit_code = 0;     ///< of the program; 125 when our part failed, 126 or 127 when it did not start
  bool started = false;  ///< else there is no folder
  std::string folder;
  std::string log_path;
  std::vector<std::string> report_files;  ///< empty: no report
  std::string library_folder;             ///< its copy in the library of reports; empty: none
};

/// Runs the command in a process group of its own without a shell, shows its output as it comes, keeps it as
/// NAME_profile.log in a new folder and writes the report beside it. The observer hears what it does and what
/// went wrong. Signals go to the group; what was captured until then is kept and analyzed.
CaptureOutcome capture_command(const CaptureRequest& request, RunObserver& observer);

}  // namespace ttscope::app
