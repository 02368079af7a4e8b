#include "perf/write/terminal/folded_text.h"

#include <algorithm>

namespace ttscope::perf {
namespace {

constexpr std::size_t kHanging = 4;
constexpr std::size_t kLeastText = 16;

/// Bytes of a character, or of an escape sequence with what it colours nothing of.
struct Glyph {
  std::size_t bytes = 1;
  std::size_t columns = 1;
};

Glyph glyph_at(std::string_view line, std::size_t at) {
  if (line[at] == '\x1b') {
    const std::size_t end = line.find('m', at);
    return {end == std::string_view::npos ? 1 : end - at + 1, 0};
  }
  std::size_t end = at + 1;
  while (end < line.size() && (static_cast<unsigned char>(line[end]) & 0xc0) == 0x80) ++end;
  return {end - at, 1};
}

/// How many bytes of the line stand on one of `width` columns: up to the last blank that fits, all where it
/// fits whole or has no blank.
std::size_t bytes_that_fit(std::string_view line, std::size_t width) {
  std::size_t columns = 0;
  std::size_t last_blank = 0;
  for (std::size_t at = 0; at < line.size();) {
    const Glyph glyph = glyph_at(line, at);
    if (line[at] == ' ') last_blank = at;
    columns += glyph.columns;
    if (columns > width) return last_blank > 0 ? last_blank : line.size();
    at += glyph.bytes;
  }
  return line.size();
}

void fold_line(std::string_view line, std::size_t width, std::string& to) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t hanging = std::min(indent + kHanging, width > kLeastText ? width - kLeastText : 0);
  std::size_t before = 0;
  while (!line.empty()) {
    const std::size_t start = before == 0 ? std::min(indent, line.size()) : 0;
    const std::size_t bytes =
        start + bytes_that_fit(line.substr(start), width - std::min(width, before == 0 ? indent : hanging));
    to.append(before, ' ').append(line.substr(0, bytes)).push_back('\n');
    line.remove_prefix(bytes);
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    before = hanging;
  }
}

}  // namespace

std::string folded_text(std::string_view text, std::size_t width) {
  if (width == 0) return std::string(text);
  std::string folded;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (bytes_that_fit(line, width) == line.size()) {
      folded.append(line).push_back('\n');
    } else {
      fold_line(line, width, folded);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return folded;
}

}  // namespace ttscope::perf
