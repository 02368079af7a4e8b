#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <ttscope/run_mode.h>
#include "sim/device/recorder.h"

namespace ttscope::sim {

/// The captures that are under way on a thread. All of them see every event of that thread, and none of
/// another one. The outermost decides whether anything is placed on the device.
class CaptureStack {
 public:
  /// That of the calling thread.
  static CaptureStack& current();

  /// A number that names the capture.
  std::uint64_t begin(RunMode mode);
  /// Ends a capture of this thread and gives what it saw; an empty capture when there is none of that number.
  graph::GraphTrace end(std::uint64_t capture);

  bool is_active() const { return !captures_.empty(); }
  /// Nothing is to be placed on the device.
  bool is_blocking() const { return is_active() && captures_.front().mode == RunMode::NO_DISPATCH; }
  void for_each(const std::function<void(Recorder&)>& tell);

 private:
  struct Capture {
    std::uint64_t number = 0;
    RunMode mode = RunMode::NORMAL;
    std::unique_ptr<Recorder> recorder;
  };
  std::vector<Capture> captures_;
};

}  // namespace ttscope::sim
