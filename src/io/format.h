#pragma once

#include <string_view>

#include "io/beginning.h"

namespace ttscope::io {

/// A kind of file or folder that can be told by its content.
struct Format {
  std::string_view key;   ///< `ops_report`; for tests and JSON
  std::string_view what;  ///< in plain words, with its article: `an ops report of the profiler`
  /// What to do with one that no command of its own reads; `{}` stands for the path. Empty: the command of
  /// its subject reads it.
  std::string_view advice{};
  /// Tells it by its beginning; null for logs, whose telling lines may come late.
  bool (*is_beginning)(const Beginning& beginning) = nullptr;
  /// Tells a log by any part of it; null for the others.
  bool (*is_part)(std::string_view text) = nullptr;
  /// A log may begin like this too (with a configuration that its program prints, or in a container's JSON):
  /// it counts only where the text holds no telling line of a log.
  bool may_begin_log = false;
};

}  // namespace ttscope::io
