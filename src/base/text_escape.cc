#include "base/text_escape.h"

namespace ttscope {
namespace {

constexpr std::size_t kFileNameBytes = 120;

void append_visible(std::string& to, char32_t control) {
  switch (control) {
    case '\n':
      to += "\\n";
      return;
    case '\r':
      to += "\\r";
      return;
    case '\t':
      to += "\\t";
      return;
    default:
      break;
  }
  constexpr char kLowerDigits[] = "0123456789abcdef";
  constexpr char kUpperDigits[] = "0123456789ABCDEF";
  if (control < 0x100) {
    to += "\\x";
    to += kLowerDigits[control >> 4];
    to += kLowerDigits[control & 0xF];
  } else {  // all of them have four digits, which are written as in the names of the Unicode tables
    to += "\\u{";
    for (int shift = 12; shift >= 0; shift -= 4) to += kUpperDigits[control >> shift & 0xF];
    to += '}';
  }
}

/// Appends the first character of `text`, which is not printable ASCII, and removes it from there.
void append_unprintable(std::string& to, std::string_view& text) {
  const DecodedCharacter character = decode_utf8(text);
  if (!character.valid) {
    to += kReplacementUtf8;
  } else if (is_control_character(character.code_point)) {
    append_visible(to, character.code_point);
  } else {
    to += text.substr(0, character.size_bytes);
  }
  text.remove_prefix(character.size_bytes);
}

/// Calls `append_printable(run, rest)` for each run of printable ASCII; what lies between is made visible.
template <typename AppendPrintable>
std::string escaped(std::string_view text, AppendPrintable append_printable) {
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    const std::string_view run = text.substr(0, printable_ascii_prefix(text));
    text.remove_prefix(run.size());
    append_printable(safe, run);
    if (!text.empty()) append_unprintable(safe, text);
  }
  return safe;
}

/// What HTML reads as a tag or an entity, as text; false: `c` is neither.
bool append_entity(std::string& to, char c) {
  if (c == '<') {
    to += "&lt;";
  } else if (c == '>') {
    to += "&gt;";
  } else if (c == '&') {
    to += "&amp;";
  } else {
    return false;
  }
  return true;
}

void append_markdown(std::string& to, std::string_view run) {
  for (std::size_t at = 0; at < run.size(); ++at) {
    const char c = run[at];
    const bool makes_link = c == ']' && at + 1 < run.size() && run[at + 1] == '(';
    if (append_entity(to, c)) continue;
    if (c == '|' || c == '`' || c == '\\' || makes_link) to += '\\';
    to += c;
  }
}

void append_markup(std::string& to, std::string_view run) {
  for (const char c : run) {
    if (!append_entity(to, c)) to += c;
  }
}

/// Characters that separate folders or have a meaning to a shell or another file system.
bool fits_file_name(const DecodedCharacter& character) {
  constexpr std::string_view kUnfit = "/\\:*?\"<>|";
  if (!character.valid || is_control_character(character.code_point)) return false;
  return character.code_point >= 0x80 ||
         kUnfit.find(static_cast<char>(character.code_point)) == std::string_view::npos;
}

}  // namespace

std::string terminal_safe(std::string_view text) {
  return escaped(text, [](std::string& to, std::string_view run) { to += run; });
}

std::string markdown_cell(std::string_view text) { return escaped(text, append_markdown); }

std::string markup_text(std::string_view text) { return escaped(text, append_markup); }

std::string file_name_safe(std::string_view text) {
  std::string name;
  const std::size_t start = text.find_first_not_of(". ");
  text.remove_prefix(start == std::string_view::npos ? text.size() : start);
  while (!text.empty()) {
    const DecodedCharacter character = decode_utf8(text);
    const std::string_view piece = fits_file_name(character) ? text.substr(0, character.size_bytes) : "_";
    if (name.size() + piece.size() > kFileNameBytes) break;
    name += piece;
    text.remove_prefix(character.size_bytes);
  }
  name.erase(name.find_last_not_of(". ") + 1);
  if (name.empty()) return "log";
  if (name[0] == '-') name[0] = '_';  // a command would take it for an option
  return name;
}

}  // namespace ttscope
