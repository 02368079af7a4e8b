#pragma once

#include <functional>
#include <memory>
#include <string>

#include "capture/capture_run.h"
#include "capture/child.h"
#include "report/text_layout.h"

namespace ttscope::app {

/// What text for the user of a run is made for.
struct RunScreen {
  std::string program;  ///< that speaks; the name before a line
  report::TextOptions text;
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
  virtual capture::CaptureConsole connect(capture::ChildSpec& spec) = 0;
  /// A descriptor where programs that help a run show what they print; -1: nowhere.
  virtual int shown_output() const = 0;
  /// As long as what is returned lives, `take` gets the signals that would end this process, on a thread of
  /// its own. One at a time.
  virtual std::shared_ptr<void> take_signals(std::function<void(int)> take) = 0;
};

}  // namespace ttscope::app
