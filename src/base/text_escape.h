#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/utf8.h"

namespace ttscope {

/// Text of a log made fit for a terminal: one line, nothing in it acts on the terminal. Control characters
/// become visible escapes (`\n`, `\x1b`), marks that change writing direction too (`\u{202E}`), invalid UTF-8
/// becomes U+FFFD.
std::string terminal_safe(std::string_view text);

/// A name from a log as a code span of markdown, also in a cell of a table: nothing in it is read as
/// markdown, a link or a mention. Empty for an empty name.
std::string markdown_code(std::string_view name);

/// A sentence for markdown, also in a cell of a table: it stays one cell and makes no HTML; names
/// that were marked, and words that a reader of markdown would make links or mentions of, become code
/// spans.
std::string markdown_cell(std::string_view text);

/// A name inside of a sentence that markdown_cell() will write: it becomes a code span there.
std::string marked_name(std::string_view name);

/// A sentence in which these names are marked wherever they stand as whole words; of names that lie in each
/// other the longest.
std::string with_marked_names(std::string_view sentence, std::vector<std::string> names);

/// The same as the content of an HTML or XML element.
std::string markup_text(std::string_view text);

/// A file name made from text that may hold anything: no separators, control characters or leading dots, not
/// empty (`log` then), at most 120 bytes.
std::string file_name_safe(std::string_view text);

}  // namespace ttscope
