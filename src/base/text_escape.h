#pragma once

#include <string>
#include <string_view>

#include "base/utf8.h"

namespace ttscope {

/// Text of a log made fit for a terminal: one line, nothing in it acts on the terminal. Control characters
/// become visible escapes (`\n`, `\x1b`), marks that change writing direction too (`\u{202E}`), invalid UTF-8
/// becomes U+FFFD.
std::string terminal_safe(std::string_view text);

/// The same for a cell of a markdown table: it also stays one cell and makes no HTML, no code span and no
/// link.
std::string markdown_cell(std::string_view text);

/// The same as the content of an HTML or XML element.
std::string markup_text(std::string_view text);

/// A file name made from text that may hold anything: no separators, control characters or leading dots, not
/// empty (`log` then), at most 120 bytes.
std::string file_name_safe(std::string_view text);

}  // namespace ttscope
