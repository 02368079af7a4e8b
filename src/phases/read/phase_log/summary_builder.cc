#include "phases/read/phase_log/summary_builder.h"

#include <utility>

namespace ttscope::phases {
namespace {

constexpr std::size_t kMostRanks = 4096;  // a hostile log must not open streams without end

using Kind = PhaseLineKind;

template <typename T>
void age(std::optional<RunFact<T>>& fact) {
  if (fact) fact->own = false;
}

/// The title of a report about memory says nothing about the run.
bool is_title(std::string_view text) { return text != "Memory Usage Report"; }

/// A line above a summary that names the run: words, no figures of a step, no message.
bool is_bare_title(std::string_view text) {
  constexpr std::size_t kLongest = 80;
  if (text.ends_with(':')) text.remove_suffix(1);
  const bool letter =
      !text.empty() && ((text[0] >= 'A' && text[0] <= 'Z') || (text[0] >= 'a' && text[0] <= 'z'));
  return letter && is_title(text) && text.size() >= 3 && text.size() <= kLongest && !text.ends_with("...") &&
         text.find_first_of(":=|%<>[]{}") == std::string_view::npos;
}

}  // namespace

SummaryBuilder::Stream& SummaryBuilder::stream_of(const PhaseLine& line) {
  if (!line.rank) return plain_;
  const auto known = ranks_.find(*line.rank);
  if (known != ranks_.end()) return known->second;
  return ranks_.size() < kMostRanks ? ranks_[*line.rank] : plain_;
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
    stream.open->headless = true;
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

}  // namespace ttscope::phases
