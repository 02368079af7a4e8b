#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/run_observer.h"
#include "cli/status_line.h"

namespace ttscope::cli {

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
  capture::CaptureConsole connect(capture::ChildSpec& spec) override;
  int shown_output() const override;
  std::shared_ptr<void> take_signals(std::function<void(int)> take) override;

 private:
  StatusLine status_;
};

}  // namespace ttscope::cli
