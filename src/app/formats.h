#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "app/subject.h"
#include "io/beginning.h"

namespace ttscope::app {

/// A kind of file or folder that can be told by its content. A new one is a line in formats.cc.
struct Format {
  std::string_view key;            ///< `ops_report`; for tests and JSON
  std::string_view what;           ///< in plain words, with its article: `an ops report of the profiler`
  std::optional<Subject> subject;  ///< what reads it; none: known only to be named
  /// What to do with one that no command of its own reads; `{}` stands for the path. Empty: the command of
  /// its subject reads it.
  std::string_view advice{};
  /// Tells it by its beginning; null for logs, whose telling lines may come late.
  bool (*is_beginning)(const io::Beginning& beginning) = nullptr;
  /// Tells a log by any part of it; null for the others.
  bool (*is_part)(std::string_view text) = nullptr;
};

/// All formats; of several that fit, the first counts.
const std::vector<Format>& formats();
/// Null where there is none.
const Format* find_format(std::string_view key);

/// The format that a beginning tells; null: it may be a log, or nothing of ours.
const Format* format_of(const io::Beginning& beginning);
/// The log format of a part of a text that stands before `than` in the list; null: none does.
const Format* better_log_format(std::string_view text, const Format* than);

}  // namespace ttscope::app
