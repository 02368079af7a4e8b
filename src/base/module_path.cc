#include "base/module_path.h"

#include <algorithm>
#include <cctype>

namespace ttscope {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_path_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }

/// Where the first part that is a number begins; npos: there is none. `model.layers.3.mlp` has one.
std::size_t numbered_part(std::string_view path) {
  for (std::size_t i = 1; i < path.size(); ++i) {
    if (path[i - 1] != '.' || !is_digit(path[i])) continue;
    std::size_t end = i;
    while (end < path.size() && is_digit(path[end])) ++end;
    if (end == path.size() || path[end] == '.') return i;
  }
  return std::string_view::npos;
}

/// Numbers that are whole parts as `*`: layers of one kind have one name.
std::string without_numbers(std::string_view path) {
  std::string text;
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('.', at), path.size());
    const std::string_view part = path.substr(at, end - at);
    const bool is_number = !part.empty() && part.find_first_not_of("0123456789") == std::string_view::npos;
    text.append(at > 0 ? "." : "").append(is_number ? "*" : part);
    at = end + 1;
  }
  return text;
}

/// The first dotted path with a number in it: `model.layers.3.mlp` of `p7|model.layers.3.mlp|dot`.
std::string_view layer_path(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (!is_path_char(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_path_char(text[end])) ++end;
    const std::string_view path = text.substr(at, end - at);
    // `1.5`, `v2.1` and `dot.7` are no paths of layers: those have something in front and behind.
    const bool has_name = std::isalpha(static_cast<unsigned char>(path.front())) != 0 || path.front() == '_';
    const bool has_parts = std::count(path.begin(), path.end(), '.') >= 2;
    if (has_name && has_parts && numbered_part(path) != std::string_view::npos) return path;
    at = end;
  }
  return {};
}

/// `model.py:59` of `/home/me/model.py:59:id(0)`; empty where no source is named. The place in a compiler's
/// own file is no part of a model.
std::string source_line(std::string_view text) {
  constexpr std::string_view kEnding = ".py";
  for (std::size_t at = text.find(kEnding); at != std::string_view::npos; at = text.find(kEnding, at + 1)) {
    std::size_t end = at + kEnding.size();
    const char next = end < text.size() ? text[end] : '"';
    if (next != ':' && next != '"') continue;  // `.pyenv` is a folder, `.pyx` another language
    const std::size_t begin = text.find_last_of("/\"", at);
    if (next == ':') ++end;
    while (end < text.size() && is_digit(text[end])) ++end;
    const std::size_t first = begin == std::string_view::npos ? 0 : begin + 1;
    return std::string(text.substr(first, end - first));
  }
  return {};
}

}  // namespace

std::string module_of_location(std::string_view location) {
  const std::size_t open = location.find('"');
  if (open == std::string_view::npos) return {};
  std::string_view text = location.substr(open + 1);
  if (const std::string_view path = layer_path(text.substr(0, text.find('"'))); !path.empty())
    return without_numbers(path);
  return source_line(text);
}

std::string module_in_attributes(std::string_view attributes) {
  for (const std::string_view word : {"layers.", "blocks.", "layer.", "encoder.", "decoder."}) {
    const std::size_t at = attributes.find(word);
    if (at == std::string_view::npos) continue;
    std::size_t begin = at;
    while (begin > 0 && is_path_char(attributes[begin - 1])) --begin;
    if (const std::string_view path = layer_path(attributes.substr(begin)); !path.empty()) {
      const bool is_here = path.data() <= attributes.data() + at;
      if (is_here) return without_numbers(path);
    }
  }
  return {};
}

}  // namespace ttscope
