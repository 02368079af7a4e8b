#include "sim/device/capture_stack.h"

#include <algorithm>
#include <atomic>

namespace ttscope::sim {

CaptureStack& CaptureStack::current() {
  static thread_local CaptureStack stack;
  return stack;
}

std::uint64_t CaptureStack::begin(RunMode mode) {
  static std::atomic<std::uint64_t> last_number{0};
  captures_.push_back({++last_number, mode, std::make_unique<Recorder>()});
  return captures_.back().number;
}

graph::GraphTrace CaptureStack::end(std::uint64_t capture) {
  const auto found = std::find_if(captures_.begin(), captures_.end(),
                                  [capture](const Capture& each) { return each.number == capture; });
  if (found == captures_.end()) return Recorder().finish();
  const std::unique_ptr<Recorder> recorder = std::move(found->recorder);
  captures_.erase(found);
  return recorder->finish();
}

void CaptureStack::for_each(const std::function<void(Recorder&)>& tell) {
  for (Capture& each : captures_) tell(*each.recorder);
}

}  // namespace ttscope::sim
