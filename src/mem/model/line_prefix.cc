#include "mem/model/line_prefix.h"

#include <algorithm>
#include <cstring>

#include "mem/model/prefix_pieces.h"

namespace ttscope::mem {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// `2026-04-23 17:58:35.093` of loguru, tt-logger and Python loggers.
bool starts_with_date(std::string_view line) {
  return line.size() > 19 && is_digit(line[0]) && line[4] == '-' && line[7] == '-' && line[10] == ' ' &&
         line[13] == ':' && line[16] == ':' && is_digit(line[18]);
}

/// Behind `ESC [ ... m` (or `K`) at the beginning; 0 if there is none.
std::size_t colour_end(std::string_view line) {
  if (!line.starts_with("\x1b[")) return 0;
  std::size_t end = 2;
  while (end < line.size() && (is_digit(line[end]) || line[end] == ';')) ++end;
  return end < line.size() && (line[end] == 'm' || line[end] == 'K') ? end + 1 : 0;
}

/// Takes what lies before `end` and the end itself; false if it does not come.
bool take_through(std::string_view& line, std::string_view end) {
  const std::size_t at = line.find(end);
  if (at == std::string_view::npos) return false;
  line.remove_prefix(at + end.size());
  return true;
}

/// What a terminal does not show: colours and the erasing of lines (`ESC[36m`, `ESC[0K` of GitLab), notes of
/// Jenkins (`ESC[8mha:////...ESC[0m`), times of Buildkite (`ESC_bk;t=1700000000000BEL`). The colour of the
/// runtime's own line stays.
bool take_escape(std::string_view& line) {
  if (line.starts_with("\x1b[8mha:")) return take_through(line, "\x1b[0m");
  if (line.starts_with("\x1b_")) return take_through(line, "\x07");
  const std::size_t end = colour_end(line);
  if (end == 0 || line.starts_with("\x1b[32m ")) return false;
  line.remove_prefix(end);
  return true;
}

bool take_piece(std::string_view& line, std::string_view& tag) {
  if (line[0] == '\x1b') return take_escape(line);
  return take_time_piece(line) || take_label_piece(line, tag) || take_number_piece(line) ||
         take_report_piece(line);
}

/// Two tags side by side (`[pod/a/b] [rank0]: `) are one.
std::string_view joined(std::string_view first, std::string_view second, std::size_t distance) {
  if (first.empty()) return second;
  if (second.empty()) return first;
  const auto length = static_cast<std::size_t>(second.data() - first.data()) + second.size();
  return distance == 0 ? std::string_view(first.data(), length) : second;
}

}  // namespace

std::size_t runtime_message_start(std::string_view line) {
  constexpr std::size_t kNowhere = std::string_view::npos;
  constexpr std::size_t kTypeWidth = 23;
  constexpr std::size_t kLevelWidth = 8;
  if (line.starts_with("\x1b[32m")) {
    std::size_t at = 5 + kTypeWidth;
    if (line.size() < at + 40 || std::memcmp(line.data() + at, "\x1b[0m | \x1b[1m\x1b[", 13) != 0)
      return kNowhere;
    at += 13;
    const std::size_t colour_end = line.substr(at, 12).find('m');
    if (colour_end == kNowhere) return kNowhere;
    at += colour_end + 1 + kLevelWidth;
    if (line.size() < at + 7 || std::memcmp(line.data() + at, "\x1b[0m | ", 7) != 0) return kNowhere;
    return at + 7;
  }
  constexpr std::size_t kPlain = kTypeWidth + 3 + kLevelWidth + 3;
  // The types of interest are shorter than the column; a time stamp of another logger is just as wide.
  if (line.size() < kPlain || line[0] != ' ' || std::memcmp(line.data() + kTypeWidth, " | ", 3) != 0 ||
      std::memcmp(line.data() + kTypeWidth + 3 + kLevelWidth, " | ", 3) != 0) {
    return kNowhere;
  }
  return kPlain;
}

void take_reset(std::string_view& line) {
  const std::size_t end = colour_end(line);
  if (end == 0) return;
  const std::string_view codes = line.substr(2, end - 3);
  if (codes == "39" || codes.find_first_not_of("0;") == std::string_view::npos) line.remove_prefix(end);
}

std::string_view without_trailing_colour(std::string_view line) {
  while (!line.empty() && (line.back() == 'm' || line.back() == 'K')) {
    const std::size_t begin = line.substr(line.size() - std::min<std::size_t>(line.size(), 5)).rfind('\x1b');
    if (begin == std::string_view::npos) break;
    const std::size_t at = line.size() - std::min<std::size_t>(line.size(), 5) + begin;
    const std::string_view end = line.substr(at);
    if (colour_end(end) != end.size() || end.find_first_of("123456789") != std::string_view::npos) break;
    line = line.substr(0, at);
  }
  return line;
}

std::string_view take_rank_tag(std::string_view& line) {
  constexpr int kMostPieces = 16;
  std::string_view tag;
  while (take_quotation(line)) {
  }
  const char* tag_piece_end = line.data();
  for (int i = 0; i < kMostPieces && !line.empty(); ++i) {
    std::string_view rest = line;
    std::string_view found;
    if (!take_piece(rest, found)) break;
    take_reset(rest);
    tag = joined(tag, found, static_cast<std::size_t>(line.data() - tag_piece_end));
    line = rest;
    if (!found.empty()) tag_piece_end = line.data();
    if (runtime_message_start(line) != std::string_view::npos) break;
  }
  return tag;
}

bool has_logger_prefix(std::string_view line) {
  if (starts_with_date(line)) return true;
  const std::size_t bar = line.substr(0, 64).find(" | ");
  if (bar == std::string_view::npos) return false;
  const std::string_view head = line.substr(0, bar);
  return head.find("Always") != std::string_view::npos || head.find("Runtime") != std::string_view::npos;
}

std::string without_colours(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '\x1b' || text.substr(at + 1, 1) != "[") {
      plain += text[at++];
      continue;
    }
    std::size_t end = at + 2;
    while (end < text.size() && (is_digit(text[end]) || text[end] == ';')) ++end;
    at = end < text.size() && (text[end] == 'm' || text[end] == 'K') ? end + 1 : end;
  }
  return plain;
}

}  // namespace ttscope::mem
