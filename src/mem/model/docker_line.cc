#include "mem/model/docker_line.h"

#include <algorithm>
#include <array>

#include "base/json_cursor.h"

namespace ttscope::mem {
namespace {

// As docker writes it, and as tools do that write its records again.
constexpr std::array<std::string_view, 2> kHeads = {"{\"log\":\"", "{\"log\": \""};

/// The head of a record; empty: the line is none.
std::string_view head_of(std::string_view line) {
  const auto* const found = std::find_if(kHeads.begin(), kHeads.end(),
                                         [&](std::string_view head) { return line.starts_with(head); });
  return found == kHeads.end() ? std::string_view() : *found;
}

/// The inside of a JSON string, up to its closing quote; all that is there where the file was cut inside.
std::string_view inside_of(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') return text.substr(0, at);
    if (text[at] == '\\') ++at;
  }
  return text;
}

}  // namespace

bool is_docker_line(std::string_view line) { return !head_of(line).empty(); }

bool is_docker_error(std::string_view line) {
  constexpr std::size_t kTailBytes = 96;  // `","stream":"stderr","time":"2026-..."}`
  if (line.size() > kTailBytes) line.remove_prefix(line.size() - kTailBytes);
  return line.find("\"stream\":\"stderr\"") != std::string_view::npos ||
         line.find("\"stream\": \"stderr\"") != std::string_view::npos;
}

bool append_docker_text(std::string_view line, std::string& text) {
  if (!is_docker_line(line)) {
    text += line;
    return true;
  }
  const std::string_view escaped = inside_of(line.substr(head_of(line).size()));
  std::string plain = json_unescaped(escaped).value_or(std::string(escaped));
  const bool ends_line = plain.ends_with('\n');
  if (ends_line) plain.pop_back();
  std::replace(plain.begin(), plain.end(), '\n', ' ');  // a record is one line, whatever it holds
  text += plain;
  return ends_line;
}

}  // namespace ttscope::mem
