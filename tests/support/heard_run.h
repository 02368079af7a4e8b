#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/run_observer.h"

namespace ttscope::testing {

/// Hears what a run tells, without a terminal.
class HeardRun final : public app::RunObserver {
 public:
  void say(const std::string& text) override { said += text; }
  void complain(const std::string& message) override { complaints += message + "\n"; }
  app::RunScreen screen() const override { return {"ttscope", {}}; }
  capture::CaptureConsole connect(capture::ChildSpec& spec) override {
    spec.input = capture::ChildInput::kPipe;
    capture::CaptureConsole console;
    console.warn = [this](const std::string& message) { complain(message); };
    return console;
  }
  int shown_output() const override { return -1; }
  std::shared_ptr<void> take_signals(std::function<void(int)> take) override {
    if (early_signal != 0) take(early_signal);
    return std::make_shared<std::function<void(int)>>(std::move(take));
  }

  std::string said;
  std::string complaints;
  int early_signal = 0;  ///< comes as soon as somebody takes signals
};

}  // namespace ttscope::testing
