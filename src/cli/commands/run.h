#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/captured_run.h"
#include "app/trace/trace_session.h"
#include "base/result.h"
#include "cli/command_line.h"
#include "cli/terminal.h"
#include "launch/profiler_variables.h"

namespace ttscope::cli {

/// app::capture_command() on our terminal, with our environment.
app::CaptureOutcome capture_command(app::CaptureRequest request);

/// Whoever closed a standard descriptor must not get the log under its number.
void fill_standard_descriptors();

/// A run on our terminal: what happens is said on standard error.
class RunTerminal final : public app::RunObserver {
 public:
  /// `shows_status`: a line with what the log has told until now, where standard error is a terminal.
  explicit RunTerminal(bool shows_status) : status_(shows_status) {}

  void say(const std::string& text) override;
  void complain(const std::string& message) override;
  app::RunScreen screen() const override;
  /// A pseudo-terminal where the output is seen on a terminal; what is typed reaches the child, which cannot
  /// read our terminal itself from a group of its own.
  launch::CaptureConsole connect(launch::ChildSpec& spec) override;
  int shown_output() const override;
  std::shared_ptr<void> take_signals(std::function<void(int)> take) override;

 private:
  StatusLine status_;
};

/// What the arguments of `ttscope trace` ask for.
struct TraceOptions {
  app::TraceRequest request;
  std::string folder;  ///< of logs and reports; empty: the usual one
  std::optional<std::string> page_port;
  bool shows_live = false;
  bool only_logs = false;  ///< nothing is run: the report of the logs that are there
  bool prints_environment = false;
  launch::TraceOptions given;
};

CommandSpec describe_trace(TraceOptions& options);

/// What is wrong with options that were read; empty when they go together.
std::string trace_problem(const TraceOptions& options);

/// The port of the live page, 0 for the next free one; by hand it is given as Tracy's web server is told.
Result<std::uint16_t> live_port(const std::optional<std::string>& typed,
                                const std::vector<std::string>& environment);

}  // namespace ttscope::cli
