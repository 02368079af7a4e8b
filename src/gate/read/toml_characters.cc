#include "gate/read/toml_characters.h"

#include <algorithm>

#include "base/utf8.h"

namespace ttscope::gate {
namespace {

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/// Goes over the tokens of a text as far as their ends are concerned.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : rest_(text) {}

  std::optional<std::uint32_t> find() {
    while (!rest_.empty() && !found_) {
      const char c = rest_.front();
      if (c == '#') {
        skip(rest_.find('\n'));
      } else if (c == '"' || c == '\'') {
        skip_string(c);
      } else {
        note_if_not_ascii();
        skip(1);
      }
    }
    return found_;
  }

 private:
  void skip(std::size_t bytes) {
    for (const char c : rest_.substr(0, bytes)) line_ += c == '\n' ? 1 : 0;
    rest_.remove_prefix(std::min(bytes, rest_.size()));
  }
  void note_if_not_ascii() {
    if (!found_ && !rest_.empty() && !is_ascii(rest_.front())) found_ = line_;
  }

  /// Strings of one line end with it, as TOML's do.
  void skip_string(char quote) {
    const std::string_view triple = quote == '"' ? "\"\"\"" : "'''";
    const bool is_long = rest_.starts_with(triple);
    skip(is_long ? 3 : 1);
    while (!rest_.empty() && !found_) {
      const char c = rest_.front();
      if (quote == '"' && c == '\\') {
        skip_escape();
      } else if (!is_long && (c == quote || c == '\n')) {
        return skip(1);
      } else if (is_long && rest_.starts_with(triple)) {
        skip(3);
        // One or two more belong to the text.
        for (int more = 0; more < 2 && rest_.starts_with(quote); ++more) skip(1);
        return;
      } else {
        skip(1);
      }
    }
  }

  void skip_escape() {
    skip(1);
    note_if_not_ascii();
    if (rest_.empty() || !is_blank(rest_.front())) return skip(1);
    while (!rest_.empty() && is_blank(rest_.front())) skip(1);
    note_if_not_ascii();
  }

  std::string_view rest_;
  std::uint32_t line_ = 1;
  std::optional<std::uint32_t> found_;
};

}  // namespace

std::optional<std::uint32_t> line_of_unquoted_character(std::string_view text) {
  return Scanner(without_byte_order_mark(text)).find();
}

}  // namespace ttscope::gate
