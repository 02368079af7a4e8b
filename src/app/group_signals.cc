#include "app/group_signals.h"

namespace ttscope::app {

void GroupSignals::begin(const capture::Child& child) {
  const std::lock_guard lock(mutex_);
  child_ = &child;
  if (last_ != 0) child.signal_group(last_);
}

void GroupSignals::end() {
  const std::lock_guard lock(mutex_);
  child_ = nullptr;
}

void GroupSignals::pass(int signal_number) {
  const std::lock_guard lock(mutex_);
  last_ = signal_number;
  if (child_ != nullptr) child_->signal_group(signal_number);
}

}  // namespace ttscope::app
