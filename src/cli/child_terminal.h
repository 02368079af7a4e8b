#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "capture/capture_run.h"
#include "capture/child.h"
#include "cli/signals.h"

namespace ttscope::cli {

/// How child and terminal are connected: a pseudo-terminal where the output is seen on a terminal; what is
/// typed reaches the child, which cannot read our terminal itself from a group of its own.
capture::ChildSpec connect_child(std::string path, std::vector<std::string> arguments,
                                 capture::CaptureOptions& options);

/// Whoever closed a standard descriptor must not get the log under its number.
void fill_standard_descriptors();

/// Hands signals to the child's group; one that comes while the child is being started waits for it.
class GroupSignals {
 public:
  GroupSignals() : relay_([this](int signal_number) { pass(signal_number); }) {}

  void begin(const capture::Child& child);
  void end();

 private:
  void pass(int signal_number);

  std::mutex mutex_;
  const capture::Child* child_ = nullptr;
  int early_ = 0;
  SignalRelay relay_;  ///< last: it ends before what it calls
};

}  // namespace ttscope::cli
