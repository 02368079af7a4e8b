#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "launch/child.h"

namespace ttscope::launch {

/// Tracy's programs of a tt-metal build.
struct TracyTools {
  std::string capture;      ///< tracy-capture, or capture-release of older builds
  std::string csvexport;    ///< tracy-csvexport, csvexport-release
  std::string parent_flag;  ///< how this csvexport is told what zones of ops are called
};

/// Where tools are looked for: `given` (--tracy-tools-folder), else build/tools/profiler/bin below
/// TT_METAL_HOME. Empty: nowhere.
std::string tools_folder(const std::string& given, const std::vector<std::string>& environment);
/// Nothing where the folder does not hold both.
std::optional<TracyTools> find_tracy_tools(const std::string& folder);

/// A port of this machine that nobody listens at and that no other ttscope has taken, from 8086 on.
class ReservedPort {
 public:
  static Result<ReservedPort> take();
  /// This one, whether free or not.
  static ReservedPort of(int number);
  int number() const { return number_; }

 private:
  int number_ = 0;
  FileDescriptor lock_;  ///< held as long as the run lasts
};

struct CaptureToolSpec {
  std::string tool;
  std::string output;  ///< the .tracy file
  int port = 0;
  std::vector<std::string> environment;
  std::string log;                                 ///< what the tool prints is kept there
  int echo = -1;                                   ///< and shown there; -1: nowhere
  std::chrono::milliseconds stall_timeout{30000};  ///< without any progress, before it is asked to end
};

/// How the capture tool ended.
struct CaptureToolEnd {
  bool has_file = false;
  bool was_asked = false;   ///< it made no progress and was asked to save and end
  bool was_killed = false;  ///< nor did it then
  int exit_code = 0;
};

/// Tracy's capture tool at work.
class CaptureTool {
 public:
  static tl::expected<std::unique_ptr<CaptureTool>, StartFailure> start(const CaptureToolSpec& spec);
  ~CaptureTool();
  CaptureTool(const CaptureTool&) = delete;
  CaptureTool& operator=(const CaptureTool&) = delete;

  /// The command, for those who want to see it.
  const std::vector<std::string>& command() const { return command_; }
  /// Waits for its end as long as it makes progress: its file or output grows, or it computes. Saving a large
  /// capture takes as long as it takes.
  CaptureToolEnd finish();
  /// Asks it to save and end, from any thread.
  void request_stop() { stop_requested_ = true; }

 private:
  CaptureTool(Child child, CaptureToolSpec spec, std::vector<std::string> command);
  void copy_output();
  /// Grows while the tool writes something.
  std::uint64_t work_done() const;

  Child child_;
  CaptureToolSpec spec_;
  std::vector<std::string> command_;
  std::atomic<bool> stop_requested_ = false;
  std::atomic<std::uint64_t> output_bytes_ = 0;
  bool is_waited_for_ = false;
  std::thread copier_;
};

/// One run of csvexport and the file that takes its output.
struct TableExport {
  std::vector<std::string> command;
  std::string output;
};

/// The tables of a capture, beside it in `logs`, as tt-metal's own runner makes them: zones of ops with the
/// time in their `child_functions` (beside those that are always told), and messages.
std::vector<TableExport> table_exports(const TracyTools& tools, const std::string& logs,
                                       const std::vector<std::string>& child_functions);
/// No file is left where it fails.
Result<void> run_export(const TableExport& table, const std::vector<std::string>& environment);

}  // namespace ttscope::launch
