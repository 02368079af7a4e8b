#include "base/json_shape.h"

#include <string>

#include "base/text_search.h"

namespace ttscope {
namespace {

std::string_view without_blanks(std::string_view text) {
  while (!text.empty() && is_blank_or_break(text.front())) text.remove_prefix(1);
  return text;
}

bool has_key(std::string_view text, std::string_view key, bool of_list) {
  std::string quoted = "\"";
  quoted += key;
  quoted += '"';
  for (std::size_t at = text.find(quoted); at != kNoPlace; at = text.find(quoted, at + 1)) {
    const std::string_view behind = without_blanks(text.substr(at + quoted.size()));
    if (!behind.starts_with(':')) continue;
    if (!of_list || without_blanks(behind.substr(1)).starts_with('[')) return true;
  }
  return false;
}

}  // namespace

bool looks_like_json(std::string_view text) {
  text = without_blanks(text);
  if (text.empty() || (text.front() != '{' && text.front() != '[')) return false;
  const bool is_object = text.front() == '{';
  text = without_blanks(text.substr(1));
  if (text.empty()) return false;
  return is_object ? text.front() == '"' || text.front() == '}'
                   : text.front() == '{' || text.front() == '[' || text.front() == ']';
}

bool has_json_key(std::string_view text, std::string_view key) { return has_key(text, key, false); }

bool has_json_list(std::string_view text, std::string_view key) { return has_key(text, key, true); }

}  // namespace ttscope
