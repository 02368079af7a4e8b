#include "phases/read/phase_log/phase_line.h"

#include <charconv>

#include "base/text_search.h"
#include "phases/read/phase_log/log_number.h"

namespace ttscope::phases {
namespace {

constexpr std::size_t kLongestName = 400;
constexpr std::size_t kLongestLine = 4096;  // all that we read is far shorter

using Kind = PhaseLineKind;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

/// Removes what stands before `mark` and the mark itself; false if it is not there.
bool skip_past(std::string_view& text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return false;
  text.remove_prefix(at + mark.size());
  return true;
}

/// The line without `ESC [ ... m` and its like.
std::string_view without_colours(std::string_view line, std::string& clean) {
  if (line.find('\x1b') == std::string_view::npos) return line;
  clean.clear();
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\x1b') {
      clean += line[i];
      continue;
    }
    if (i + 1 >= line.size() || line[i + 1] != '[') continue;
    i += 2;
    while (i < line.size() && (line[i] < '@' || line[i] > '~')) ++i;
  }
  return clean;
}

/// `[Rank 3] text` (tt-run), `[rank3]: text` (torchrun) and `[1,3]<stdout>:text` (mpirun --tag-output).
std::optional<std::uint32_t> take_rank(std::string_view& line) {
  if (line.empty() || line.front() != '[') return std::nullopt;
  std::string_view rest = line.substr(1);
  const bool torchrun = starts_with(rest, "rank");
  const bool mpi = !torchrun && !starts_with(rest, "Rank ");
  if (mpi) {
    const std::size_t comma = rest.find_first_not_of("0123456789");
    if (comma == 0 || comma == std::string_view::npos || rest[comma] != ',') return std::nullopt;
    rest.remove_prefix(comma + 1);
  } else {
    rest.remove_prefix(torchrun ? 4 : 5);
  }
  std::uint32_t rank = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), rank);
  if (error != std::errc()) return std::nullopt;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  for (const std::string_view closing : {"]<stdout>:", "]<stderr>:", "]:", "]"}) {
    if (mpi != (closing.size() > 2) || torchrun != (closing == "]:") || !starts_with(rest, closing)) continue;
    line = rest.substr(closing.size());
    return rank;
  }
  return std::nullopt;
}

bool is_rule(std::string_view text) {
  constexpr std::size_t kShortestRule = 10;
  return text.size() >= kShortestRule && (text[0] == '#' || text[0] == '=') &&
         text.find_first_not_of(text[0]) == std::string_view::npos;
}

/// `--- NAME ---`.
std::optional<std::string_view> header_name(std::string_view text) {
  constexpr std::string_view kOpen = "--- ";
  constexpr std::string_view kClose = " ---";
  if (text.size() <= kOpen.size() + kClose.size() || !starts_with(text, kOpen)) return std::nullopt;
  if (text.substr(text.size() - kClose.size()) != kClose) return std::nullopt;
  text = trimmed(text.substr(kOpen.size(), text.size() - kOpen.size() - kClose.size()));
  if (text.empty() || text.size() > kLongestName) return std::nullopt;
  return text;
}

/// The tracker's own text behind what a logger, `docker compose`, Ray or `grep -n` put before it; a line that
/// is not the tracker's as it is.
std::string_view without_prefix(std::string_view text) {
  for (const std::string_view own : {"DRAM: Segment Peak", "DRAM: Cumulative Peak", "L1: Peak CB"}) {
    if (const std::size_t at = text.find(own); at != std::string_view::npos) return text.substr(at);
  }
  const std::size_t at = text.find("--- ");
  if (at == std::string_view::npos || at == 0) return text;
  const std::string_view own = text.substr(at);
  const bool is_apart = is_blank(text[at - 1]) || text[at - 1] == ':';
  return is_apart && header_name(own) ? own : text;
}

/// Takes `label` and the number behind it; `Segment Peak 1.00 MB` as printed, `Segment Peak: 1.00 MB` as the
/// tracker's document shows it.
bool take_label(std::string_view& text, std::string_view label) {
  if (!starts_with(text, label)) return false;
  std::string_view rest = text.substr(label.size());
  if (rest.empty() || (rest.front() != ' ' && rest.front() != ':')) return false;
  text = rest.front() == ':' ? rest.substr(1) : rest;
  return true;
}

/// The next part of a list that is separated by a comma and a blank; a comma alone may stand in a number.
std::string_view next_part(std::string_view& list) {
  const std::size_t comma = list.find(", ");
  const std::string_view part = trimmed(list.substr(0, comma));
  list = comma == std::string_view::npos ? std::string_view() : list.substr(comma + 2);
  return part;
}

bool read_dram(std::string_view text, PhaseLine& line) {
  constexpr std::array<std::string_view, kDramFieldCount> kLabels = {"Segment Peak",    "Allocations",
                                                                     "Deallocations",   "Segment Change",
                                                                     "Cumulative Peak", "Cumulative Current"};
  const bool marked = starts_with(text, "DRAM:");
  std::string_view rest = marked ? trimmed(text.substr(5)) : text;
  bool any = false;
  while (!rest.empty()) {
    std::string_view part = next_part(rest);
    bool known = false;
    for (std::size_t field = 0; field < kDramFieldCount && !known; ++field) {
      if (!take_label(part, kLabels[field])) continue;
      known = true;
      line.dram_mb[field] = read_mb(part);
      line.damaged |= !line.dram_mb[field].has_value();
    }
    if (!marked && !known && !any) return false;
    any |= known;
    line.damaged |= !known;
  }
  line.damaged |= !any;
  return true;
}

bool read_l1(std::string_view text, PhaseLine& line) {
  if (!starts_with(text, "L1:")) return false;
  std::string_view rest = trimmed(text.substr(3));
  int found = 0;
  while (!rest.empty()) {
    std::string_view part = next_part(rest);
    double* to = nullptr;
    if (take_label(part, "Peak CB")) {
      to = &line.l1.peak_cb_mb;
    } else if (take_label(part, "Peak Buffer")) {
      to = &line.l1.peak_buffer_mb;
    } else if (take_label(part, "Peak Total")) {
      to = &line.l1.peak_total_mb;
    }
    const std::optional<double> size = to == nullptr ? std::nullopt : read_mb(part);
    if (!size) continue;
    *to = *size;
    ++found;
  }
  line.damaged = found != 3;
  return true;
}

bool read_totals(std::string_view text, PhaseLine& line) {
  if (!skip_past(text, "Overall DRAM Peak:")) return false;
  const std::optional<double> peak = read_mb(text);
  line.damaged = !peak.has_value();
  line.number = peak.value_or(0);
  if (!skip_past(text, "Final DRAM Usage:")) return true;
  line.final_mb = read_mb(text);
  line.damaged |= !line.final_mb.has_value();
  return true;
}

/// `word` at the start, then blanks and a number: a row of the trainer's table.
std::optional<double> table_number(std::string_view text, std::string_view word) {
  if (!starts_with(text, word) || text.size() == word.size() || !is_blank(text[word.size()]))
    return std::nullopt;
  return read_log_number(text.substr(word.size()), nullptr);
}

std::optional<double> parameters_of(std::string_view text) {
  for (const std::string_view words : {"Total parameters:", "umber of parameters:"}) {
    std::string_view rest = text;
    if (skip_past(rest, words)) return read_log_number(rest, nullptr);
  }
  return table_number(text, "params");
}

std::optional<double> device_memory_of(std::string_view text) {
  std::string_view rest = text;
  if (skip_past(rest, "Available Device Memory:")) return read_mb(rest);
  constexpr std::string_view kWord = "memory";
  if (!starts_with(text, kWord) || text.size() == kWord.size() || !is_blank(text[kWord.size()]))
    return std::nullopt;
  return read_mb(text.substr(kWord.size()));
}

/// `mesh  2x4` and `(bf16, 8 devices)`.
std::optional<double> devices_of(std::string_view text) {
  std::size_t used = 0;
  if (starts_with(text, "mesh ")) {
    const std::optional<double> rows = read_log_number(text.substr(5), &used);
    std::string_view rest = text.substr(5);
    if (!rows || used >= rest.size() || rest[used] != 'x') return std::nullopt;
    const std::optional<double> columns = read_log_number(rest.substr(used + 1), nullptr);
    return columns ? std::optional<double>(*rows * *columns) : std::nullopt;
  }
  std::string_view rest = text;
  if (text.find(" devices)") == std::string_view::npos || !skip_past(rest, "Mesh peak:") ||
      !skip_past(rest, ", ")) {
    return std::nullopt;
  }
  return read_log_number(rest, nullptr);
}

std::optional<double> batch_of(std::string_view text) {
  std::string_view rest = text;
  for (const std::string_view words : {"Batch size:", "batch_size:", "Batch size "}) {
    if (skip_past(rest, words)) return read_log_number(rest, nullptr);
  }
  return table_number(text, "batch");
}

bool read_facts(std::string_view text, PhaseLine& line) {
  constexpr double kMostParameters = 1e15;
  constexpr double kMostDevices = 65536;
  const auto take = [&](std::optional<double> number, Kind kind, double most) {
    if (!number || !(*number > 0) || *number > most) return false;
    line.kind = kind;
    line.number = *number;
    return true;
  };
  return take(parameters_of(text), Kind::kParameters, kMostParameters) ||
         take(device_memory_of(text), Kind::kDeviceMemory, kMostParameters) ||
         take(devices_of(text), Kind::kDevices, kMostDevices) ||
         take(batch_of(text), Kind::kBatch, kMostDevices);
}

Kind kind_of_message(std::string_view text) {
  if (text.find("Out of Memory: Not enough space to allocate") != std::string_view::npos)
    return Kind::kFailure;
  if (!starts_with(text, "WARNING: ")) return Kind::kOther;
  if (text.find("No traces captured") != std::string_view::npos) return Kind::kNothingCaptured;
  return text.find("already exists, overwriting") == std::string_view::npos ? Kind::kOther
                                                                            : Kind::kOverwritten;
}

}  // namespace

std::optional<double> read_mb(std::string_view text) {
  std::size_t used = 0;
  const std::optional<double> number = read_log_number(text, &used);
  if (!number) return std::nullopt;
  text.remove_prefix(used);
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  if (!starts_with(text, "MB")) return std::nullopt;
  constexpr double kMostMb = 1e9;  // 1 PB: sums of such figures stay far from overflow
  return *number > kMostMb || *number < -kMostMb ? std::nullopt : number;
}

PhaseLine read_phase_line(std::string_view raw, std::string& clean) {
  PhaseLine line;
  std::string_view text = without_colours(raw.substr(0, kLongestLine), clean);
  line.rank = take_rank(text);
  text = without_prefix(trimmed(text));
  line.text = text;
  if (text.empty()) {
    line.kind = Kind::kBlank;
  } else if (text.find("=== Memory Usage Summary ===") != std::string_view::npos) {
    line.kind = Kind::kSummaryStart;
  } else if (is_rule(text)) {
    line.kind = Kind::kRule;
  } else if (const auto name = header_name(text)) {
    line.kind = Kind::kPhaseHeader;
    line.text = *name;
  } else if (read_dram(text, line)) {
    line.kind = Kind::kDram;
  } else if (read_l1(text, line)) {
    line.kind = Kind::kL1;
  } else if (read_totals(text, line)) {
    line.kind = Kind::kTotals;
  } else if (!read_facts(text, line)) {
    line.kind = kind_of_message(text);
  }
  return line;
}

}  // namespace ttscope::phases
