#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "app/run_observer.h"
#include "capture/child.h"

namespace ttscope::app {

/// Hands signals to the child's group; one that comes while the child is being started waits for it.
class GroupSignals {
 public:
  explicit GroupSignals(RunObserver& observer)
      : taken_(observer.take_signals([this](int signal_number) { pass(signal_number); })) {}

  void begin(const capture::Child& child);
  void end();
  /// The last signal that was handed on; 0: none.
  int last() const { return last_; }

 private:
  void pass(int signal_number);

  std::mutex mutex_;
  const capture::Child* child_ = nullptr;
  std::atomic<int> last_ = 0;
  std::shared_ptr<void> taken_;  ///< last: it ends before what it calls
};

}  // namespace ttscope::app
