#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/captured_run.h"

namespace ttscope::testing {

/// Hears what a run tells, without a terminal.
class HeardRun final : public app::RunObserver {
 public:
  void say(const std::string& text) override { said += text; }
  void complain(const std::string& message) override { complaints += message + "\n"; }
  app::RunScreen screen() const override { return {"ttscope", {}}; }
  launch::CaptureConsole connect(launch::ChildSpec& spec) override {
    spec.input = launch::ChildInput::kPipe;
    launch::CaptureConsole console;
    console.warn = [this](const std::string& message) { complain(message); };
    console.show_status = [this](const launch::LiveState& state, bool) {
      const auto taken = taken_.lock();
      if (taken && late_signal != 0 && state.lines > 0) (*taken)(std::exchange(late_signal, 0));
    };
    return console;
  }
  int shown_output() const override { return -1; }
  std::shared_ptr<void> take_signals(std::function<void(int)> take) override {
    if (early_signal != 0) take(early_signal);
    auto taken = std::make_shared<std::function<void(int)>>(std::move(take));
    taken_ = taken;
    return taken;
  }

  std::string said;
  std::string complaints;
  int early_signal = 0;  ///< comes as soon as somebody takes signals
  int late_signal = 0;   ///< comes when the program has printed a line

 private:
  std::weak_ptr<std::function<void(int)>> taken_;
};

}  // namespace ttscope::testing
