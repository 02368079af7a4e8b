#pragma once

#include <string>

#include "base/file_descriptor.h"
#include "base/result.h"

namespace ttscope::capture {

/// Of the runs that write into one folder there is one at a time: a second one would move the logs of the
/// first away, and both would report half of each. The system takes the lock back from a run that was killed.
class RunLock {
 public:
  RunLock() = default;
  /// The folder is made. An error where another run has it, or it cannot be made.
  static Result<RunLock> take(const std::string& folder);

 private:
  FileDescriptor folder_;
};

}  // namespace ttscope::capture
