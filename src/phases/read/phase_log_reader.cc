#include "phases/read/phase_log_reader.h"

#include <array>
#include <charconv>
#include <cstring>
#include <utility>

#include "base/result.h"
#include "base/text.h"

namespace ttscope::phases {
namespace {

constexpr std::size_t kMaxRanks = 4096;  // a hostile log must not open streams without end

using Kind = PhaseLineKind;

template <typename T>
void age(std::optional<RunFact<T>>& fact) {
  if (fact) fact->own = false;
}

/// The title of a report about memory says nothing about the run.
bool is_title(std::string_view text) { return text != "Memory Usage Report"; }

/// A line above a summary that names the run: words, no figures of a step, no message.
bool is_bare_title(std::string_view text) {
  constexpr std::size_t kMaxLength = 80;
  if (text.ends_with(':')) text.remove_suffix(1);
  const bool letter =
      !text.empty() && ((text[0] >= 'A' && text[0] <= 'Z') || (text[0] >= 'a' && text[0] <= 'z'));
  return letter && is_title(text) && text.size() >= 3 && text.size() <= kMaxLength &&
         !text.ends_with("...") && text.find_first_of(":=|%<>[]{}") == std::string_view::npos;
}

}  // namespace

SummaryBuilder::Stream& SummaryBuilder::stream_of(const PhaseLine& line) {
  if (!line.rank) return plain_;
  const auto known = ranks_.find(*line.rank);
  if (known != ranks_.end()) return known->second;
  return ranks_.size() < kMaxRanks ? ranks_[*line.rank] : plain_;
}

void SummaryBuilder::add(const PhaseLine& line, std::uint32_t number) {
  Stream& stream = stream_of(line);
  if (line.kind == Kind::kBlank) {
    stream.heading.after_rule = false;
    return;
  }
  // A header is one only with figures behind it: `--- x ---` is also an ornament.
  if (!stream.open && line.kind != Kind::kDram && line.kind != Kind::kPhaseHeader) stream.phase.reset();
  switch (line.kind) {
    case Kind::kSummaryStart:
      start_summary(stream, line.rank, number);
      break;
    case Kind::kPhaseHeader:
      start_phase(stream, line, number);
      break;
    case Kind::kDram:
    case Kind::kL1:
      add_figures(stream, line, number);
      break;
    case Kind::kTotals:
      add_totals(stream, line, number);
      break;
    case Kind::kOverwritten:
      count(PhaseProblem::kSegmentOverwritten, number);
      break;
    case Kind::kNothingCaptured:
      count(PhaseProblem::kNothingCaptured, number);
      break;
    case Kind::kFailure:
      add_failure(stream, line.rank, number);
      break;
    default:
      add_fact(stream, line, number);
  }
}

void SummaryBuilder::start_summary(Stream& stream, std::optional<std::uint32_t> rank, std::uint32_t number) {
  if (stream.open) {
    count(PhaseProblem::kSummaryCut, stream.open->line);
    stream.open->cut = true;
    close_summary(stream);
  }
  stream.phase.reset();
  stream.open.emplace();
  stream.open->file = file_;
  stream.open->line = number;
  stream.open->rank = rank;
  stream.open->facts = facts_for(stream);
  stream.open->heading = stream.heading.found.empty() ? plain_.heading.found : stream.heading.found;
  if (stream.open->heading.empty()) stream.open->heading = std::exchange(stream.line_above, {});
}

void SummaryBuilder::start_phase(Stream& stream, const PhaseLine& line, std::uint32_t number) {
  if (stream.open) close_phase(stream);
  stream.phase.emplace();
  stream.phase->name = std::string(line.text);
  stream.phase->line = number;
  stream.phase_has_figures = false;
}

void SummaryBuilder::add_figures(Stream& stream, const PhaseLine& line, std::uint32_t number) {
  if (!stream.phase) {
    count(PhaseProblem::kFigureOutsidePhase, number);
    return;
  }
  if (!stream.open) {
    PhaseRecord phase = std::move(*stream.phase);
    count(PhaseProblem::kSummaryHeaderMissing, phase.line);
    start_summary(stream, line.rank, phase.line);
    stream.open->is_header_missing = true;
    stream.phase = std::move(phase);
  }
  if (line.damaged) count(PhaseProblem::kFigureUnreadable, number);
  if (line.kind == Kind::kL1) {
    if (!line.damaged) stream.phase->l1 = line.l1;
    return;
  }
  for (std::size_t field = 0; field < kDramFieldCount; ++field) {
    if (!line.dram_mb[field] || stream.phase->dram_mb[field]) continue;
    stream.phase->dram_mb[field] = line.dram_mb[field];
    stream.phase_has_figures = true;
  }
}

void SummaryBuilder::add_totals(Stream& stream, const PhaseLine& line, std::uint32_t number) {
  if (!stream.open) return;
  if (line.damaged) count(PhaseProblem::kFigureUnreadable, number);
  if (line.number != 0 || !line.damaged) stream.open->overall_peak_mb = line.number;
  stream.open->final_usage_mb = line.final_mb;
  close_summary(stream);
}

/// A run prints its summary after its first iteration and may fail in a later one.
void SummaryBuilder::add_failure(Stream& stream, std::optional<std::uint32_t> rank, std::uint32_t number) {
  PhaseSummary* of = stream.open ? &*stream.open : nullptr;
  if (of == nullptr && !log_.summaries.empty()) {
    PhaseSummary& last = log_.summaries.back();
    if (last.file == file_ && (!rank || last.rank == rank)) of = &last;
  }
  if (of != nullptr && of->failure_line == 0) of->failure_line = number;
}

void SummaryBuilder::add_fact(Stream& stream, const PhaseLine& line, std::uint32_t number) {
  if (line.kind == Kind::kParameters) {
    stream.facts.parameters = {static_cast<std::uint64_t>(line.number), number, true};
  } else if (line.kind == Kind::kDeviceMemory) {
    stream.facts.device_memory_mb = {line.number, number, true};
  } else if (line.kind == Kind::kDevices) {
    stream.facts.devices = {static_cast<std::uint32_t>(line.number), number, true};
  } else if (line.kind == Kind::kBatch) {
    stream.facts.batch = {static_cast<std::uint32_t>(line.number), number, true};
  }
  stream.line_above.clear();
  if (line.kind == Kind::kOther && is_bare_title(line.text)) {
    stream.line_above = line.text.substr(0, line.text.size() - (line.text.ends_with(':') ? 1 : 0));
  }
  Heading& heading = stream.heading;
  if (line.kind == Kind::kRule) {
    if (!heading.candidate.empty()) heading.found = std::exchange(heading.candidate, {});
    heading.after_rule = true;
    return;
  }
  heading.candidate.clear();
  if (heading.after_rule && line.kind == Kind::kOther && is_title(line.text))
    heading.candidate = std::string(line.text);
  heading.after_rule = false;
}

void SummaryBuilder::close_phase(Stream& stream) {
  if (!stream.phase) return;
  if (stream.phase_has_figures) {
    stream.open->phases.push_back(std::move(*stream.phase));
  } else {
    count(PhaseProblem::kPhaseWithoutFigures, stream.phase->line);
  }
  stream.phase.reset();
}

void SummaryBuilder::close_summary(Stream& stream) {
  close_phase(stream);
  if (!stream.open->phases.empty() || stream.open->overall_peak_mb)
    log_.summaries.push_back(std::move(*stream.open));
  stream.open.reset();
  stream.heading = {};
  age(stream.facts.parameters);
  age(stream.facts.device_memory_mb);
  age(stream.facts.devices);
  age(stream.facts.batch);
}

/// What a rank did not print itself stands in the lines without a prefix.
RunFacts SummaryBuilder::facts_for(const Stream& stream) const {
  RunFacts facts = stream.facts;
  if (!facts.parameters) facts.parameters = plain_.facts.parameters;
  if (!facts.device_memory_mb) facts.device_memory_mb = plain_.facts.device_memory_mb;
  if (!facts.devices) facts.devices = plain_.facts.devices;
  if (!facts.batch) facts.batch = plain_.facts.batch;
  return facts;
}

void SummaryBuilder::finish() {
  const auto end = [&](Stream& stream) {
    if (!stream.open) return;
    count(PhaseProblem::kSummaryCut, stream.open->line);
    stream.open->cut = true;
    close_summary(stream);
  };
  end(plain_);
  for (auto& [rank, stream] : ranks_) end(stream);
}

namespace {

class LogLines {
 public:
  LogLines(PhaseLog& log, std::uint32_t file) : log_(log), file_(file), builder_(log, file) {}

  Result<void> read(io::ChunkSource& source) {
    while (true) {
      ASSIGN_OR_RETURN(io::Chunk chunk, source.next());
      if (chunk.bytes.empty()) break;
      add_lines(chunk.bytes);
      if (chunk.cut_line) log_.problems.add(PhaseProblem::kLineTooLong, {file_, lines_});
    }
    builder_.finish();
    log_.lines.push_back(lines_);
    if (std::string warning = source.warning(); !warning.empty()) log_.warnings.push_back(std::move(warning));
    return {};
  }

 private:
  void add_lines(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::size_t end = bytes.find('\n');
      builder_.add(read_phase_line(bytes.substr(0, end), clean_), ++lines_);
      bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
    }
  }

  PhaseLog& log_;
  std::uint32_t file_;
  SummaryBuilder builder_;
  std::uint32_t lines_ = 0;
  std::string clean_;
};

/// `\r\n` and `\r` alone become `\n`.
void append_with_newlines(std::string& text, std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] != '\r') {
      text += bytes[i];
    } else if (i + 1 >= bytes.size() || bytes[i + 1] != '\n') {
      text += '\n';
    }
  }
}

}  // namespace

Result<PhaseLog> read_phase_logs(const std::vector<std::string>& paths, const io::SourceOptions& options) {
  PhaseLog log;
  for (const std::string& path : paths) {
    ASSIGN_OR_RETURN(std::unique_ptr<io::ChunkSource> source, io::open_source(path, options));
    log.files.push_back(path);
    LogLines reader(log, static_cast<std::uint32_t>(log.files.size() - 1));
    RETURN_IF_ERROR(reader.read(*source));
  }
  return log;
}

Result<std::string> read_log_text(const std::string& path) {
  ASSIGN_OR_RETURN(std::unique_ptr<io::ChunkSource> source, io::open_source(path));
  std::string text;
  while (true) {
    ASSIGN_OR_RETURN(io::Chunk chunk, source->next());
    if (chunk.bytes.empty()) return text;
    append_with_newlines(text, chunk.bytes);
  }
}

std::optional<double> read_log_number(std::string_view text, std::size_t* used) {
  constexpr std::size_t kMaxLength = 64;
  std::array<char, kMaxLength> digits{};
  std::size_t size = 0;
  std::size_t at = 0;
  bool point = false;
  bool any = false;
  while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) {
    if (text[at] == '-') digits[size++] = '-';
    ++at;
  }
  for (; at < text.size() && size < kMaxLength; ++at) {
    const char c = text[at];
    const bool digit = c >= '0' && c <= '9';
    const bool next_is_digit = at + 1 < text.size() && text[at + 1] >= '0' && text[at + 1] <= '9';
    if (digit) {
      digits[size++] = c;
      any = true;
    } else if (c == '.' && !point && any) {
      digits[size++] = c;
      point = true;
    } else if (c != ',' || point || !any || !next_is_digit) {
      break;
    }
  }
  double number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + size, number);
  if (!any || size == kMaxLength || error != std::errc()) return std::nullopt;
  if (used != nullptr) *used = at;
  return number;
}

namespace {

constexpr std::size_t kMaxNameLength = 400;
constexpr std::size_t kMaxLineLength = 4096;  // all that we read is far shorter

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
std::string_view without_colors(std::string_view line, std::string& clean) {
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
  constexpr std::size_t kMinRuleLength = 10;
  return text.size() >= kMinRuleLength && (text[0] == '#' || text[0] == '=') &&
         text.find_first_not_of(text[0]) == std::string_view::npos;
}

/// `--- NAME ---`.
std::optional<std::string_view> header_name(std::string_view text) {
  constexpr std::string_view kOpen = "--- ";
  constexpr std::string_view kClose = " ---";
  if (text.size() <= kOpen.size() + kClose.size() || !starts_with(text, kOpen)) return std::nullopt;
  if (text.substr(text.size() - kClose.size()) != kClose) return std::nullopt;
  text = trimmed(text.substr(kOpen.size(), text.size() - kOpen.size() - kClose.size()));
  if (text.empty() || text.size() > kMaxNameLength) return std::nullopt;
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
  constexpr double kMaxParameters = 1e15;
  constexpr double kMaxDevices = 65536;
  const auto take = [&](std::optional<double> number, Kind kind, double most) {
    if (!number || !(*number > 0) || *number > most) return false;
    line.kind = kind;
    line.number = *number;
    return true;
  };
  return take(parameters_of(text), Kind::kParameters, kMaxParameters) ||
         take(device_memory_of(text), Kind::kDeviceMemory, kMaxParameters) ||
         take(devices_of(text), Kind::kDevices, kMaxDevices) ||
         take(batch_of(text), Kind::kBatch, kMaxDevices);
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
  constexpr double kMaxMb = 1e9;  // 1 PB: sums of such figures stay far from overflow
  return *number > kMaxMb || *number < -kMaxMb ? std::nullopt : number;
}

PhaseLine read_phase_line(std::string_view raw, std::string& clean) {
  PhaseLine line;
  std::string_view text = without_colors(raw.substr(0, kMaxLineLength), clean);
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

namespace {

bool holds(std::string_view text, std::string_view wanted) {
  return ::memmem(text.data(), text.size(), wanted.data(), wanted.size()) != nullptr;
}

}  // namespace

bool has_summary_lines(std::string_view text) {
  // A summary whose first line was lost still has its phases: `DRAM: Segment Peak 1.00 MB, Allocations ...`.
  return holds(text, "=== Memory Usage Summary ===") || holds(text, "DRAM: Segment Peak");
}

}  // namespace ttscope::phases
