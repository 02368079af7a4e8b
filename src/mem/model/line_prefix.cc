#include "mem/model/line_prefix.h"

namespace ttscope::mem {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// `2025-10-14T04:33:23.9048735Z ` of GitHub Actions; 0 if absent.
std::size_t ci_timestamp_length(std::string_view line) {
  if (line.size() < 22 || !is_digit(line[0]) || line[4] != '-' || line[10] != 'T') return 0;
  const std::size_t end = line.substr(0, 40).find("Z ");
  return end == std::string_view::npos ? 0 : end + 2;
}

/// `2026-04-23 17:58:35.093` of loguru, tt-logger and Python loggers.
bool starts_with_date(std::string_view line) {
  return line.size() > 19 && is_digit(line[0]) && line[4] == '-' && line[7] == '-' && line[10] == ' ' &&
         line[13] == ':' && line[16] == ':' && is_digit(line[18]);
}

/// mpirun --tag-output: `[1,0]<stdout>: `; empty if it is something else.
std::string_view take_mpirun_tag(std::string_view& line) {
  std::size_t at = 1;
  while (at < line.size() && (is_digit(line[at]) || line[at] == ',')) ++at;
  if (at < 4 || line.substr(at, 5) != "]<std") return {};
  const std::size_t end = line.substr(0, at + 16).find(">:", at);
  if (end == std::string_view::npos) return {};
  const std::string_view tag = line.substr(1, at - 1);
  const bool has_blank = line.substr(end + 2, 1) == " ";
  line.remove_prefix(end + 2 + (has_blank ? 1 : 0));
  return tag;
}

/// `[2026-05-29 17:55:46.647] [host=bh-glx-110-c01u02] ` of a developer build.
std::string_view take_host_tag(std::string_view& line) {
  constexpr std::string_view kMark = "[host=";
  const std::size_t begin = line.substr(0, 48).find(kMark);
  if (begin == std::string_view::npos) return {};
  const std::size_t end = line.substr(0, begin + 128).find("] ", begin);
  if (end == std::string_view::npos) return {};
  const std::string_view tag = line.substr(begin + kMark.size(), end - begin - kMark.size());
  line.remove_prefix(end + 2);
  return tag;
}

}  // namespace

std::string_view take_rank_tag(std::string_view& line) {
  if (line.empty() || (line[0] != '[' && !is_digit(line[0]))) return {};
  line.remove_prefix(ci_timestamp_length(line));
  if (line.empty() || line[0] != '[') return {};
  const std::string_view tag = take_mpirun_tag(line);
  return tag.empty() ? take_host_tag(line) : tag;
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
    at = end < text.size() && text[end] == 'm' ? end + 1 : end;
  }
  return plain;
}

}  // namespace ttscope::mem
