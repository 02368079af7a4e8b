#include "mem/model/log_lines.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstring>

#include "base/json_reader.h"
#include "base/text.h"

namespace ttscope::mem {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// `2026-04-23 17:58:35.093` of loguru, tt-logger and Python loggers.
bool starts_with_date(std::string_view line) {
  return line.size() > 19 && is_digit(line[0]) && line[4] == '-' && line[7] == '-' && line[10] == ' ' &&
         line[13] == ':' && line[16] == ':' && is_digit(line[18]);
}

/// Behind `ESC [ ... m` (or `K`) at the beginning; 0 if there is none.
std::size_t color_end(std::string_view line) {
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

/// What a terminal does not show: colors and the erasing of lines (`ESC[36m`, `ESC[0K` of GitLab), notes of
/// Jenkins (`ESC[8mha:////...ESC[0m`), times of Buildkite (`ESC_bk;t=1700000000000BEL`). The color of the
/// runtime's own line stays.
bool take_escape(std::string_view& line) {
  if (line.starts_with("\x1b[8mha:")) return take_through(line, "\x1b[0m");
  if (line.starts_with("\x1b_")) return take_through(line, "\x07");
  const std::size_t end = color_end(line);
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
    const std::size_t color_end = line.substr(at, 12).find('m');
    if (color_end == kNowhere) return kNowhere;
    at += color_end + 1 + kLevelWidth;
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
  const std::size_t end = color_end(line);
  if (end == 0) return;
  const std::string_view codes = line.substr(2, end - 3);
  if (codes == "39" || codes.find_first_not_of("0;") == std::string_view::npos) line.remove_prefix(end);
}

std::string_view without_trailing_color(std::string_view line) {
  while (!line.empty() && (line.back() == 'm' || line.back() == 'K')) {
    const std::size_t begin = line.substr(line.size() - std::min<std::size_t>(line.size(), 5)).rfind('\x1b');
    if (begin == std::string_view::npos) break;
    const std::size_t at = line.size() - std::min<std::size_t>(line.size(), 5) + begin;
    const std::string_view end = line.substr(at);
    if (color_end(end) != end.size() || end.find_first_of("123456789") != std::string_view::npos) break;
    line = line.substr(0, at);
  }
  return line;
}

std::string_view take_rank_tag(std::string_view& line) {
  constexpr int kMaxPieces = 16;
  std::string_view tag;
  while (take_quotation(line)) {
  }
  const char* tag_piece_end = line.data();
  for (int i = 0; i < kMaxPieces && !line.empty(); ++i) {
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

std::string without_colors(std::string_view text) {
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

bool has_shape(std::string_view line, std::string_view shape) {
  if (line.size() < shape.size()) return false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == '0' ? (line[i] < '0' || line[i] > '9') : line[i] != shape[i]) return false;
  }
  return true;
}

namespace {

constexpr std::size_t kMaxLabelLength = 128;  // names of pods are long
constexpr std::size_t kMaxPathLength = 256;

bool is_number(char c) { return c >= '0' && c <= '9'; }

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

bool is_letter(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }

std::size_t digits_from(std::string_view line, std::size_t at) {
  std::size_t end = at;
  while (end < line.size() && is_number(line[end])) ++end;
  return end;
}

/// Behind `.123456` or `,123` where they follow.
std::size_t fraction_end(std::string_view line, std::size_t at) {
  if (at < line.size() && (line[at] == '.' || line[at] == ',')) return digits_from(line, at + 1);
  return at;
}

/// Behind `2025-10-14T04:33:23.9048735Z` (or `+00:00`); 0 if it is something else.
std::size_t iso_time_end(std::string_view line) {
  constexpr std::string_view kShape = "0000-00-00T00:00:00";
  if (!has_shape(line, kShape)) return 0;
  const std::size_t end = fraction_end(line, kShape.size());
  if (line.substr(end, 1) == "Z") return end + 1;
  if (has_shape(line.substr(end), "+00:00") || has_shape(line.substr(end), "-00:00")) return end + 6;
  return has_shape(line.substr(end), "+0000") ? end + 5 : 0;
}

/// Behind `2026-11-18 00:06:49.123`; 0 if it is something else.
std::size_t date_time_end(std::string_view line) {
  constexpr std::string_view kShape = "0000-00-00 00:00:00";
  return has_shape(line, kShape) ? fraction_end(line, kShape.size()) : 0;
}

std::size_t clock_end(std::string_view line) {
  return has_shape(line, "00:00:00") ? fraction_end(line, 8) : 0;
}

/// Behind `Nov 18 00:06:49`; 0 if it is something else.
std::size_t month_time_end(std::string_view line) {
  constexpr std::string_view kMonths = "JanFebMarAprMayJunJulAugSepOctNovDec";
  if (line.size() < 15 || line[3] != ' ' || line[6] != ' ') return 0;
  const std::size_t month = kMonths.find(line.substr(0, 3));
  if (month == kNoPlace || month % 3 != 0 || !is_number(line[5])) return 0;
  const std::size_t end = clock_end(line.substr(7));
  return end == 0 ? 0 : end + 7;
}

/// `stdout F ` of a container runtime, `00O ` and `01E+` of GitLab.
void take_stream_marker(std::string_view& line) {
  for (const std::string_view stream : {"stdout F ", "stderr F ", "stdout P ", "stderr P "}) {
    if (line.starts_with(stream)) return line.remove_prefix(stream.size());
  }
  const auto is_hex = [](char c) { return is_number(c) || (c >= 'a' && c <= 'f'); };
  const bool is_gitlab = line.size() >= 4 && is_hex(line[0]) && is_hex(line[1]) &&
                         (line[2] == 'O' || line[2] == 'E') && (line[3] == ' ' || line[3] == '+');
  if (is_gitlab) line.remove_prefix(4);
}

/// Takes `end` characters and the blank behind them, which must be there unless the line ends.
bool take_with_blank(std::string_view& line, std::size_t end) {
  if (end == 0 || (end < line.size() && line[end] != ' ')) return false;
  line.remove_prefix(std::min(end + 1, line.size()));
  return true;
}

/// Jenkins writes two blanks behind its clock, ts one. Dumps are indented by pairs of blanks, so that the
/// number of blanks tells; the runtime's columns tell too.
bool take_clock(std::string_view& line) {
  if (!take_with_blank(line, clock_end(line))) return false;
  const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
  if (blanks == 0 || runtime_message_start(line) != kNoPlace) return true;
  if (blanks % 2 == 1 || runtime_message_start(line.substr(1)) != kNoPlace) line.remove_prefix(1);
  return true;
}

/// Behind `2026-11-18, 00:06:49 UTC` of Airflow; 0 if it is something else.
std::size_t zoned_time_end(std::string_view line) {
  constexpr std::string_view kShape = "0000-00-00, 00:00:00 ";
  if (!has_shape(line, kShape)) return 0;
  const std::size_t end = line.substr(0, kShape.size() + 8).find(']');
  return end == kNoPlace ? 0 : end;
}

/// `{subprocess.py:93} INFO - ` of Airflow, behind its time.
void take_task_place(std::string_view& line) {
  if (!line.starts_with('{')) return;
  const std::size_t close = line.substr(0, kMaxLabelLength).find("} ");
  if (close == kNoPlace) return;
  const std::string_view rest = line.substr(close + 2);
  const std::size_t level_end = rest.substr(0, 12).find(" - ");
  if (level_end != kNoPlace) line = rest.substr(level_end + 3);
}

bool take_bracketed_time(std::string_view& line) {
  const std::string_view inner = line.substr(1);
  std::size_t end = 0;
  for (const auto end_of : {iso_time_end, date_time_end, zoned_time_end, clock_end}) {
    end = end_of(inner);
    if (end != 0) break;
  }
  if (end == 0 || inner.substr(end, 1) != "]" || !take_with_blank(line, end + 2)) return false;
  take_task_place(line);
  return true;
}

/// `section_start:1700000000:step_script[collapsed=true]<CR>` of GitLab, which a terminal does not show.
bool take_section_marker(std::string_view& line) {
  if (!line.starts_with("section_start:") && !line.starts_with("section_end:")) return false;
  const std::size_t end = line.substr(0, kMaxPathLength).find('\r');
  if (end == kNoPlace) return false;
  line.remove_prefix(end + 1);
  return true;
}

/// Whether the first blank of a text is that of a label before it. Dumps are indented by pairs of blanks, so
/// that the number of blanks tells, and so do the runtime's columns.
bool has_blank_of_label(std::string_view text) {
  if (!text.starts_with(' ') || runtime_message_start(text) != kNoPlace) return false;
  if (runtime_message_start(text.substr(1)) != kNoPlace) return true;
  const std::size_t blanks = std::min(text.find_first_not_of(' '), text.size());
  // Frames of a backtrace are indented by one blank: ` --- main()`.
  const bool is_frame = text.substr(blanks).starts_with("--- ");
  return (blanks + (is_frame ? 1 : 0)) % 2 == 1;
}

bool is_tagged(std::string_view line) {
  std::string_view tag;
  return take_label_piece(line, tag) && !tag.empty();
}

/// Loggers write such a time too, and theirs is part of the line.
bool take_date_time(std::string_view& line) {
  std::string_view rest = line;
  if (!take_with_blank(rest, date_time_end(line))) return false;
  if (!begins_like_log_line(rest) && !is_tagged(rest)) return false;
  line = rest;
  return true;
}

/// `]: ` or `] `; a blank that belongs to the line of the runtime stays.
bool take_closing(std::string_view& line, std::size_t close) {
  if (line.substr(close + 1, 1) == ":") {
    line.remove_prefix(close + 2);
    if (line.starts_with(' ') && runtime_message_start(line) == kNoPlace) line.remove_prefix(1);
    return true;
  }
  return take_with_blank(line, close + 1);
}

/// mpirun --tag-output: `[1,0]<stdout>: `.
bool take_mpirun_label(std::string_view& line, std::string_view& tag) {
  std::size_t at = 1;
  while (at < line.size() && (is_number(line[at]) || line[at] == ',')) ++at;
  if (at < 4 || line.substr(at, 5) != "]<std") return false;
  const std::size_t end = line.substr(0, at + 16).find(">:", at);
  if (end == kNoPlace) return false;
  tag = line.substr(1, at - 1);
  return take_closing(line, end);
}

/// Numbers of ranks, names with a number (`rank0`, `gw1`, `shard-2`), pods and hosts tell processes apart;
/// `SERVER`, `info` and `core.py:64` do not.
std::string_view tag_of_label(std::string_view label) {
  constexpr std::string_view kHost = "host=";
  if (label.starts_with(kHost)) return label.substr(kHost.size());
  if (label.starts_with("pod/")) return label;
  if (label.empty() || label.find_first_of(" :=") != kNoPlace) return {};
  if (digits_from(label, 0) == label.size() && label.size() <= 4) return label;
  if (!is_letter(label[0]) || std::none_of(label.begin(), label.end(), is_number)) return {};
  const std::size_t dot = label.rfind('.');
  return dot == kNoPlace || is_number(label.back()) ? label : std::string_view();
}

bool take_bracket_label(std::string_view& line, std::string_view& tag) {
  constexpr std::string_view kOther = " _-./:+=,#|@";
  std::size_t close = 1;
  while (close < line.size() && close < kMaxLabelLength &&
         (is_letter(line[close]) || is_number(line[close]) || contains(kOther, line.substr(close, 1)))) {
    ++close;
  }
  if (close == 1 || line.substr(close, 1) != "]") return false;
  const std::string_view label = line.substr(1, close - 1);
  if (!take_closing(line, close)) return false;
  tag = tag_of_label(label);
  return true;
}

/// `(RayTrainWorker pid=12, ip=10.0.0.1) ` of Ray, `(Worker_TP0 pid=12) ` of vLLM. A worker has many names:
/// the one that tells its rank is kept.
bool take_process_label(std::string_view& line, std::string_view& tag) {
  const std::size_t close = line.substr(0, kMaxLabelLength).find(')');
  if (close == kNoPlace) return false;
  const std::size_t pid = line.substr(0, close).find("pid=");
  if (pid == kNoPlace || !is_number(line.substr(pid + 4)[0])) return false;
  const std::string_view found = line.substr(pid, close - pid);
  std::string_view rest = line.substr(close + 1);
  take_reset(rest);
  if (!rest.empty() && rest[0] != ' ') return false;
  rest.remove_prefix(rest.empty() ? 0 : 1);
  const std::string_view label = line.substr(1, close - 1);
  tag = process_of(label) != label && !ranks_in_label(label).empty() ? label : found;
  line = rest;
  return true;
}

/// `trainer-1  | ` of docker compose. Names of loggers and levels begin with a capital letter.
bool take_service_label(std::string_view& line, std::string_view& tag) {
  std::size_t end = 0;
  while (end < line.size() && end < kMaxLabelLength &&
         (is_letter(line[end]) || is_number(line[end]) || contains("_.-", line.substr(end, 1)))) {
    ++end;
  }
  const std::size_t bar = line.find_first_not_of(' ', end);
  if (end < 2 || bar == kNoPlace || bar == end || line[bar] != '|') return false;
  std::string_view rest = line.substr(bar + 1);
  take_reset(rest);
  if (!rest.empty() && rest[0] != ' ') return false;
  rest.remove_prefix(rest.empty() ? 0 : 1);
  tag = line.substr(0, end);
  line = rest;
  return true;
}

/// The end of `word` of letters, digits and a few others, at most kMaxNameLength long.
std::size_t name_end(std::string_view line, std::size_t at, std::string_view others) {
  constexpr std::size_t kMaxNameLength = 64;
  std::size_t end = at;
  while (end < line.size() && end < at + kMaxNameLength &&
         (is_letter(line[end]) || is_number(line[end]) || contains(others, line.substr(end, 1)))) {
    ++end;
  }
  return end;
}

/// `host1 python3[4711]: ` of syslog and the journal, behind their time.
bool take_journal_label(std::string_view& line, std::string_view& tag) {
  const std::size_t host_end = name_end(line, 0, ".-_");
  if (host_end == 0 || line.substr(host_end, 1) != " ") return false;
  const std::size_t program_end = name_end(line, host_end + 1, ".-_/@");
  if (program_end == host_end + 1 || line.substr(program_end, 1) != "[") return false;
  const std::size_t close = digits_from(line, program_end + 1);
  if (close == program_end + 1 || line.substr(close, 2) != "]:") return false;
  tag = line.substr(0, close + 1);
  line.remove_prefix(close + 2);
  if (line.starts_with(' ')) line.remove_prefix(1);
  return true;
}

/// `0: ` of srun --label. grep -n writes a number and a colon too, but no blank.
bool take_task_label(std::string_view& line, std::string_view& tag) {
  constexpr std::size_t kMaxTaskLength = 5;
  const std::size_t end = digits_from(line, 0);
  if (end == 0 || end > kMaxTaskLength || line.substr(end, 2) != ": ") return false;
  const std::string_view rest = line.substr(end + 1);
  if (!has_blank_of_label(rest)) return false;
  tag = line.substr(0, end);
  line = rest.substr(1);
  return true;
}

/// The end of `:12:` or `-12-` that begins at `at`; 0 if it is something else.
std::size_t line_number_end(std::string_view line, std::size_t at) {
  const std::size_t end = digits_from(line, at + 1);
  return end > at + 1 && end < line.size() && line[end] == line[at] ? end + 1 : 0;
}

bool take_before_log_line(std::string_view& line, std::size_t end) {
  std::string_view rest = line.substr(end);
  // `b.cpp:12:4: error` is a place of a compiler, not a task behind a place.
  const bool may_be_tagged = !rest.empty() && !is_number(rest[0]);
  if (!begins_like_log_line(rest) && !take_time_piece(rest) && !(may_be_tagged && is_tagged(rest)))
    return false;
  line.remove_prefix(end);
  return true;
}

/// `run.log:12:`
bool take_file_and_number(std::string_view& line) {
  const std::string_view head = line.substr(0, kMaxPathLength);
  for (std::size_t at = head.find_first_of(":-"); at != kNoPlace; at = head.find_first_of(":-", at + 1)) {
    const std::size_t end = line_number_end(line, at);
    if (end != 0 && take_before_log_line(line, end)) return true;
  }
  return false;
}

/// `INFO 10-23 04:15:50 `
std::size_t level_end(std::string_view line) {
  constexpr std::array<std::string_view, 5> kLevels = {"DEBUG ", "INFO ", "WARNING ", "ERROR ", "CRITICAL "};
  for (const std::string_view level : kLevels) {
    if (line.starts_with(level) && has_shape(line.substr(level.size()), "00-00 00:00:00 ")) {
      return level.size() + 14;
    }
  }
  return 0;
}

}  // namespace

bool take_time_piece(std::string_view& line) {
  if (line.empty()) return false;
  if (line[0] == '[') return take_bracketed_time(line);
  if (line[0] == 's') return take_section_marker(line);
  if (take_with_blank(line, iso_time_end(line))) {
    take_stream_marker(line);
    return true;
  }
  if (!is_number(line[0])) return take_with_blank(line, month_time_end(line));
  if (take_clock(line)) return true;
  constexpr std::string_view kSeconds = "0000000000.000";
  if (has_shape(line, kSeconds)) return take_with_blank(line, digits_from(line, kSeconds.size()));
  return take_date_time(line);
}

bool take_label_piece(std::string_view& line, std::string_view& tag) {
  if (line.empty()) return false;
  if (line[0] == '(') return take_process_label(line, tag);
  if (is_number(line[0]) && take_task_label(line, tag)) return true;
  if (is_lower(line[0]) && take_service_label(line, tag)) return true;
  if (is_letter(line[0]) || is_number(line[0])) return take_journal_label(line, tag);
  return line[0] == '[' && (take_mpirun_label(line, tag) || take_bracket_label(line, tag));
}

bool take_number_piece(std::string_view& line) {
  if (line.empty()) return false;
  constexpr std::size_t kMaxWidth = 16;
  const std::size_t begin = line.substr(0, kMaxWidth).find_first_not_of(' ');
  if (begin == kNoPlace) return false;
  const std::size_t end = digits_from(line, begin);
  if (end > begin && line.substr(end, 1) == "\t") {
    line.remove_prefix(end + 1);
    return true;
  }
  if (begin > 0) return false;
  if (end > 0) {
    return (line.substr(end, 1) == ":" || line.substr(end, 1) == "-") && take_before_log_line(line, end + 1);
  }
  return (is_letter(line[0]) || line[0] == '/' || line[0] == '.') && take_file_and_number(line);
}

bool take_report_piece(std::string_view& line) {
  if (line.starts_with("E   ")) {
    const std::size_t text = line.substr(0, 8).find_first_not_of(' ', 1);
    line.remove_prefix(text == kNoPlace ? std::min<std::size_t>(line.size(), 8) : text);
    return true;
  }
  if (take_with_blank(line, level_end(line))) return true;
  const std::size_t job = line.substr(0, kMaxPathLength).find('\t');
  if (job == kNoPlace) return false;
  const std::size_t step = line.substr(0, 2 * kMaxPathLength).find('\t', job + 1);
  if (step == kNoPlace) return false;
  // The log of a job is several files put together: marks stand in the middle of it.
  const std::string_view rest = without_byte_order_mark(line.substr(step + 1));
  if (iso_time_end(rest) == 0) return false;
  line = rest;
  return true;
}

bool take_quotation(std::string_view& line) {
  if (!line.starts_with('>')) return false;
  line.remove_prefix(1);
  if (has_blank_of_label(line)) line.remove_prefix(1);
  return true;
}

bool begins_like_log_line(std::string_view line) {
  if (line.empty() || line[0] == '\x1b' || line[0] == '\r') return true;
  if (line[0] == ' ') return line.substr(1, 1) == " ";
  return line.starts_with("module") || line.starts_with("---") || line.starts_with("sdy.") ||
         contains("#!}{\"^/%", line.substr(0, 1)) || date_time_end(line) != 0;
}

namespace {

constexpr std::string_view kPid = "pid=";

bool is_name_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '=';
}

/// The number that a word ends with; -1 where it does not, or there is more of it than any cluster has.
int number_at_end(std::string_view word, std::size_t letters) {
  constexpr std::size_t kMaxDigits = 6;
  int number = -1;
  const char* const end = word.data() + word.size();
  if (word.size() <= letters || word.size() - letters > kMaxDigits) return -1;
  const auto [stop, error] = std::from_chars(word.data() + letters, end, number);
  return error == std::errc() && stop == end ? number : -1;
}

/// `TP0`, `rank=3`, and the plain number of a worker: `EngineCore_0`.
int rank_in_word(std::string_view word, std::string_view first_word) {
  // EP repeats what the others say.
  constexpr std::array<std::string_view, 8> kDimensions = {"DP", "PP",  "TP",  "CP",
                                                           "SP", "PCP", "DCP", "rank"};
  for (const std::string_view dimension : kDimensions) {
    if (!word.starts_with(dimension)) continue;
    const bool has_sign = word.substr(dimension.size(), 1) == "=";
    const int number = number_at_end(word, dimension.size() + (has_sign ? 1 : 0));
    if (number >= 0) return number;
  }
  const bool is_worker = first_word.ends_with("Worker") || first_word == "EngineCore";
  return is_worker ? number_at_end(word, 0) : -1;
}

/// Where ` pid=` of a plain label begins; kNoPlace for other tags.
std::size_t pid_place(std::string_view tag) {
  const std::size_t pid = tag.find(kPid);
  if (pid == kNoPlace || pid < 2 || tag[pid - 1] != ' ') return kNoPlace;
  for (const char c : tag.substr(0, pid)) {
    if (!is_name_letter(c) && c != ' ') return kNoPlace;
  }
  return pid;
}

}  // namespace

std::vector<int> ranks_in_label(std::string_view label) {
  std::vector<int> ranks;
  const std::string_view name = label.substr(0, label.find(kPid));
  const std::string_view first_word = name.substr(0, name.find_first_of("_ "));
  for (std::size_t at = 0; at < name.size();) {
    const std::size_t end = std::min(name.find_first_of("_ ", at), name.size());
    const int rank = rank_in_word(name.substr(at, end - at), first_word);
    if (rank >= 0) ranks.push_back(rank);
    at = end + 1;
  }
  return ranks;
}

std::string_view process_of(std::string_view tag) {
  const std::size_t pid = pid_place(tag);
  return pid == kNoPlace ? tag : tag.substr(pid);
}

std::string_view name_of_tag(std::string_view tag) {
  const std::size_t pid = pid_place(tag);
  return pid == kNoPlace || ranks_in_label(tag).empty() ? tag : tag.substr(0, pid - 1);
}

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
