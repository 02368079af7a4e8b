#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "app/subject.h"
#include "io/beginning.h"
#include "io/format.h"

namespace ttscope::app {

/// A kind of file or folder, and the subject that reads it; none: known only to be named.
struct Format : io::Format {
  std::optional<Subject> subject;
};

/// All formats: those of the subjects (`src/<subject>/formats.cc`) and those that no command reads; of
/// several that fit, the first counts.
const std::vector<Format>& formats();
/// Null where there is none.
const Format* find_format(std::string_view key);

/// The format that a beginning tells; null, or one that may begin a log: it may be a log.
const Format* format_of(const io::Beginning& beginning);
/// The log format of a part of a text that stands before `than` in the list; null: none does.
const Format* better_log_format(std::string_view text, const Format* than);

}  // namespace ttscope::app
