#include "base/shell_text.h"

#include "base/text_escape.h"

namespace ttscope {
namespace {

bool is_plain_word(std::string_view word) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-";
  return !word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos;
}

}  // namespace

std::string shell_quoted(std::string_view word) {
  std::string text = "'";
  for (const char c : word) {
    if (c == '\'') {
      text += "'\\''";
    } else {
      text += c;
    }
  }
  return text + "'";
}

std::string shell_word(std::string_view word) {
  return is_plain_word(word) ? std::string(word) : shell_quoted(word);
}

std::string shell_command(const std::vector<std::string>& command) {
  std::string text;
  for (const std::string& word : command) {
    if (!text.empty()) text += ' ';
    text += shell_word(word);
  }
  return terminal_safe(text);
}

}  // namespace ttscope
