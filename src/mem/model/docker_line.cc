#include "mem/model/docker_line.h"

#include <algorithm>

#include "base/json_cursor.h"

namespace ttscope::mem {
namespace {

constexpr std::string_view kHead = "{\"log\":\"";

/// The inside of a JSON string, up to its closing quote; all that is there where the file was cut inside.
std::string_view inside_of(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') return text.substr(0, at);
    if (text[at] == '\\') ++at;
  }
  return text;
}

}  // namespace

bool is_docker_line(std::string_view line) { return line.starts_with(kHead); }

bool is_docker_error(std::string_view line) {
  constexpr std::size_t kTailBytes = 96;  // `","stream":"stderr","time":"2026-..."}`
  if (line.size() > kTailBytes) line.remove_prefix(line.size() - kTailBytes);
  return line.find("\"stream\":\"stderr\"") != std::string_view::npos;
}

bool append_docker_text(std::string_view line, std::string& text) {
  if (!is_docker_line(line)) {
    text += line;
    return true;
  }
  const std::string_view escaped = inside_of(line.substr(kHead.size()));
  std::string plain = json_unescaped(escaped).value_or(std::string(escaped));
  const bool ends_line = plain.ends_with('\n');
  if (ends_line) plain.pop_back();
  std::replace(plain.begin(), plain.end(), '\n', ' ');  // a record is one line, whatever it holds
  text += plain;
  return ends_line;
}

}  // namespace ttscope::mem
