#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/captured_run.h"
#include "app/trace/trace_session.h"
#include "base/result.h"
#include "cli/command_line.h"
#include "cli/terminal.h"
#include "launch/profiler_variables.h"

namespace ttscope::cli {

/// What the options of `ttscope run`, which `tt-memory-profiler MODEL.py` has too, ask for; the files are
/// called `usual_name` unless they are given a name.
app::CaptureRequest capture_request(const ParsedArgs& args, std::vector<std::string> command,
                                    const std::string& usual_name);

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

/// What the arguments of `ttscope trace` ask for, but for the live page; `plan` is made of the same ones.
app::TraceRequest trace_request(const ParsedArgs& args, launch::TracePlan plan);

/// The port of the live page, 0 for the next free one; by hand it is given as Tracy's web server is told.
Result<std::uint16_t> live_port(const ParsedArgs& args, const std::vector<std::string>& environment);

/// Runs what the arguments of `ttscope trace` say; the exit code.
int trace_program(const ParsedArgs& args);

/// Prints the commands that opt a shell in.
int print_trace_environment();

}  // namespace ttscope::cli
