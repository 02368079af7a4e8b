#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ttscope {

inline constexpr std::size_t kNoPlace = std::string_view::npos;

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != kNoPlace; }

/// White space of JSON.
inline bool is_blank_or_break(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r'; }

/// Without blanks and line ends on both sides.
inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == kNoPlace) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

/// With the letters A to Z as a to z, whatever the locale.
inline std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return result;
}

inline constexpr char32_t kReplacementCharacter = 0xFFFD;
inline constexpr std::string_view kReplacementUtf8 = "\xEF\xBF\xBD";
inline constexpr std::string_view kByteOrderMarkUtf8 = "\xEF\xBB\xBF";

/// What stands behind the byte order mark that some editors and shells put in front of UTF-8.
constexpr std::string_view without_byte_order_mark(std::string_view text) {
  return text.substr(text.starts_with(kByteOrderMarkUtf8) ? kByteOrderMarkUtf8.size() : 0);
}

/// One step of decoding.
struct DecodedCharacter {
  char32_t code_point = kReplacementCharacter;
  std::uint32_t size_bytes = 1;  ///< how much of the text it takes, at least 1
  bool valid = false;            ///< false: the bytes are no UTF-8 and stand for one U+FFFD
};

/// The character at the start of `text`, which must not be empty. Of invalid bytes it takes the longest start
/// of a valid sequence, so that a cut character becomes one U+FFFD (the practice that Unicode recommends).
DecodedCharacter decode_utf8(std::string_view text);

void append_utf8(std::string& to, char32_t code_point);

bool is_valid_utf8(std::string_view text);

/// At most so many bytes of the start of `text`; a character is not cut in two.
std::string_view utf8_prefix(std::string_view text, std::size_t most_bytes);

/// The text with invalid bytes replaced by U+FFFD; a plain copy when there are none.
std::string utf8_repaired(std::string_view text);

/// Characters that act on a terminal or on the order of the text around them instead of being shown: C0, DEL,
/// C1, the line separators U+2028 and U+2029, and the marks that change writing direction.
bool is_control_character(char32_t code_point);

/// How many leading bytes are printable ASCII (space to `~`). Eight bytes a step.
std::size_t printable_ascii_prefix(std::string_view text);

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

/// Between single quotes: a shell takes it as one word, whatever is in it.
std::string shell_quoted(std::string_view word);

/// A word as a person types it into a shell: quoted only where it must be.
std::string shell_word(std::string_view word);

/// A command as it could be typed into a shell, fit for a terminal.
std::string shell_command(const std::vector<std::string>& command);

/// Insertions, deletions, replacements and swaps of neighbors that turn one text into the other. Its cost is
/// the product of the lengths.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate that differs from `given` by few enough edits to be what was meant, or begins with it; empty
/// if none is near.
std::string_view nearest_name(std::string_view given, const std::vector<std::string_view>& candidates);

}  // namespace ttscope
