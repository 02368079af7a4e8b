#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/none.h"

namespace ttscope::mem {

/// How a program came to its end, by the line that says so.
enum class CrashKind : std::uint8_t {
  kFatal,   ///< TT_FATAL, a message of level FATAL or critical
  kThrow,   ///< TT_THROW
  kAssert,  ///< TT_ASSERT, LOG_ASSERT, DEBUG_ASSERT
  kSegmentationFault,
  kAborted,      ///< abort, an uncaught C++ exception, a fatal error of Python
  kKilled,       ///< by a signal from outside, as the kernel does when the host's memory ends
  kHostMemory,   ///< std::bad_alloc, MemoryError
  kTimeout,      ///< the device did not answer
  kPythonError,  ///< a traceback and its last line
  kBusError,
  kTerminated,       ///< by SIGTERM: somebody, or a limit of time, ended it
  kReportedFailure,  ///< pytest or whoever started the program says that it failed, not of what
};
inline constexpr std::size_t kCrashKindCount = 12;
/// `fatal`, `segmentation_fault`, ...: as in ttscope.mem/1.
std::string_view name_of(CrashKind kind);

inline constexpr std::size_t kCrashTextBytes = 240;

/// A line that tells of the end of a program and of no failed allocation.
struct Crash {
  CrashKind kind = CrashKind::kFatal;
  std::uint32_t line = 0;
  std::uint32_t last_op = kNone;  ///< that had started before it
  std::string text;               ///< at most kCrashTextBytes
};

}  // namespace ttscope::mem
