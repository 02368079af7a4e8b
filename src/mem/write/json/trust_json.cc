// Sections of mem/write/json/document.h: trust and verdict.
#include <algorithm>

#include "mem/write/json/document.h"
#include "mem/write/words/finding_text.h"
#include "mem/write/words/verdict_text.h"

namespace ttscope::mem {
namespace {

struct Recognised {
  std::uint64_t lines = 0;
  std::uint64_t op_lines = 0;
  std::uint64_t memory_blocks = 0;
  std::uint64_t programs = 0;
  std::uint64_t failures = 0;
};

Recognised count_records(const RuntimeTrace& trace) {
  Recognised counts;
  for (const std::uint64_t lines : trace.file_lines) counts.lines += lines;
  for (const RankTrace& rank : trace.ranks) {
    const auto from_line = [&](const ExecutedOp& op) { return op.text != kNone && !trace.is_from_modules(); };
    counts.op_lines += static_cast<std::uint64_t>(std::count_if(rank.ops.begin(), rank.ops.end(), from_line));
    counts.memory_blocks += rank.blocks.size();
    counts.programs += rank.programs.size();
    counts.failures += rank.failures.size();
  }
  return counts;
}

void write_recognised(MemDocument& document) {
  const RuntimeTrace& trace = document.trace;
  const Recognised counts = count_records(trace);
  JsonWriter& json = document.json;
  json.key("recognised");
  json.begin_object();
  json.field("bytes", trace.input_bytes);
  json.field("lines", counts.lines);
  json.field("op_lines", counts.op_lines);
  json.field("memory_blocks", counts.memory_blocks);
  json.field("programs", counts.programs);
  json.field("modules", trace.modules.size());
  json.field("ranks", trace.ranks.size());
  json.field("distinct_op_texts", trace.op_texts.size());
  json.field("distinct_tensor_types", trace.types.size());
  json.field("arguments", document.profile.arguments.size());
  json.field("out_of_memory_messages", counts.failures);
  json.end_object();
}

void write_problem(MemDocument& document, LogProblem problem) {
  const LogProblems& problems = document.trace.problems;
  JsonWriter& json = document.json;
  json.key(info_of(problem).key);
  json.begin_object();
  json.field("count", problems.count(problem));
  json.field("what", info_of(problem).sentence);
  json.key("first_places");
  json.begin_array();
  for (const Place& place : problems.places(problem)) {
    json.begin_object();
    write_file(json, document, place.file);
    json.field("line", place.line);
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void write_problems(MemDocument& document, std::string_view name, bool repaired) {
  document.json.key(name);
  document.json.begin_object();
  for (std::size_t i = 0; i < kLogProblemCount; ++i) {
    const LogProblem problem = static_cast<LogProblem>(i);
    if (info_of(problem).repaired != repaired || document.trace.problems.count(problem) == 0) continue;
    write_problem(document, problem);
  }
  document.json.end_object();
}

void write_texts(JsonWriter& json, std::string_view name, const std::vector<std::string>& texts) {
  json.key(name);
  json.begin_array();
  for (const std::string& text : texts) json.value(text);
  json.end_array();
}

/// Where a finding is: the op that made the peak, or that was running.
void write_finding_place(MemDocument& document, const Finding& finding) {
  JsonWriter& json = document.json;
  json.key("place");
  if (finding.rank >= document.trace.ranks.size()) return json.value(nullptr);
  json.begin_object();
  write_rank(json, document, finding.rank);
  write_op(json, document, finding.rank, finding.op);
  json.field("message_line", line_or_null(finding.message_line));
  json.end_object();
}

/// Rows of the table of findings, with their words and where they are.
void write_findings(MemDocument& document) {
  const std::vector<Finding>& findings = document.profile.findings;
  table::JsonRows severity = document.rows_of(findings_spec(), findings.size(), {{"severity"}});
  table::JsonRows figures =
      document.rows_of(findings_spec(), findings.size(),
                       {{"cause"}, {"memory"}, {"bytes_per_bank"}, {"capacity_bytes_per_bank"}});
  JsonWriter& json = document.json;
  json.key("findings");
  json.begin_array();
  for (const Finding& finding : findings) {
    json.begin_object();
    severity.write_next(json);
    json.field("text", finding_text(finding));
    figures.write_next(json);
    // Rounded, as all percentages of the document; the table has them as they are.
    json.field("percent", finding.fraction ? std::optional<double>(rounded(100 * *finding.fraction, 1000))
                                           : std::optional<double>());
    if (finding.cause == FindingCause::kOutOfMemory) {
      json.field("diagnosis", name_of(finding.bank.cause));
      json.field("free_bytes_per_bank", known_or_null(finding.bank.free_bytes));
      json.field("largest_free_bytes_per_bank", known_or_null(finding.bank.largest_free_bytes));
    }
    write_finding_place(document, finding);
    json.end_object();
  }
  json.end_array();
}

std::optional<std::string_view> text_or_null(bool there, std::string_view text) {
  return there ? std::optional<std::string_view>(text) : std::nullopt;
}

void write_outcome(MemDocument& document, const std::string& text) {
  const RunVerdict& verdict = document.profile.verdict;
  const bool crashed = verdict.outcome == Outcome::kCrashed;
  JsonWriter& json = document.json;
  json.key("outcome_detail");
  json.begin_object();
  json.field("text", text);
  json.field("why", name_of(verdict.outcome_reason));
  json.field("crash", text_or_null(crashed, name_of(verdict.crash)));
  json.field("crash_text", text_or_null(crashed, verdict.crash_text));
  json.field("message_line", line_or_null(verdict.line));
  json.key("place");
  if (verdict.rank >= document.trace.ranks.size()) {
    json.value(nullptr);
  } else {
    json.begin_object();
    write_rank(json, document, verdict.rank);
    write_op(json, document, verdict.rank, verdict.op);
    // The program of the op itself, which may be a const-eval one inside the program that was left open.
    const auto& ops = document.trace.ranks[verdict.rank].ops;
    const std::uint32_t instance = verdict.op < ops.size() ? ops[verdict.op].instance : verdict.program;
    json.field("program", program_name(document, verdict.rank, instance));
    json.end_object();
  }
  json.end_object();
}

void write_fit(MemDocument& document, const std::string& text) {
  const RunVerdict& verdict = document.profile.verdict;
  JsonWriter& json = document.json;
  json.key("fit_detail");
  json.begin_object();
  json.field("text", text);
  json.field("why", name_of(verdict.fit_reason));
  json.key("headroom");
  json.begin_array();
  for (const Headroom& room : verdict.headroom) {
    json.begin_object();
    json.field("memory", name_of(room.memory));
    write_rank(json, document, room.rank);
    json.field("bytes_per_bank", room.bytes_per_bank);
    json.field("percent", percent(room.bytes_per_bank, room.capacity_bytes_per_bank));
    json.end_object();
  }
  json.end_array();
  json.end_object();
}

void write_verdict_trust(MemDocument& document, const std::string& text) {
  const RunVerdict& verdict = document.profile.verdict;
  JsonWriter& json = document.json;
  json.key("trust_detail");
  json.begin_object();
  json.field("text", text);
  json.field("why", name_of(verdict.trust_reason));
  json.field("memory_lines", verdict.memory_views);
  json.field("skipped_memory_lines", verdict.skipped_memory_views);
  json.field("repaired", verdict.repaired);
  json.field("skipped", verdict.skipped);
  json.end_object();
}

}  // namespace

void write_trust(MemDocument& document) {
  JsonWriter& json = document.json;
  json.key("trust");
  json.begin_object();
  write_recognised(document);
  write_problems(document, "skipped", false);
  write_problems(document, "repaired", true);
  write_texts(json, "missing", missing_texts(document.profile));
  write_texts(json, "notes", note_texts(document.profile));
  json.end_object();
}

void write_verdict(MemDocument& document) {
  JsonWriter& json = document.json;
  const RunVerdict& verdict = document.profile.verdict;
  json.key("verdict");
  json.begin_object();
  json.field("outcome", name_of(verdict.outcome));
  json.field("fit", name_of(verdict.fit));
  json.field("trust", name_of(verdict.trust));
  const VerdictText text = verdict_text({document.trace, document.profile});
  write_outcome(document, text.outcome);
  write_fit(document, text.fit);
  write_verdict_trust(document, text.trust);
  json.field("severity", name_of(document.profile.severity));
  write_findings(document);
  json.end_object();
}

}  // namespace ttscope::mem
