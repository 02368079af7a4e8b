#include "mem/write/words/oom_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "mem/write/words/candidate_text.h"
#include "mem/write/words/culprit_text.h"
#include "mem/write/words/failure_text.h"
#include "mem/write/words/fix_text.h"
#include "mem/write/words/verdict_text.h"
#include "report/number_text.h"

namespace ttscope::mem {
namespace {

using report::size_text;

/// The name of the file is enough beside its figures; the whole path stands above them.
std::string cite(const OomLog& log, std::uint32_t line) {
  const std::string label = log_label(log);
  return fmt::format("{}:{}", label.substr(label.rfind('/') + 1), line);
}

std::string cited(const OomLog& log, const TensorCandidate& candidate, Names names) {
  const std::string text = candidate_text(log.profile.memory, candidate, names);
  return candidate.source_line == 0 ? text : fmt::format("{} ({})", text, cite(log, candidate.source_line));
}

void add_holders(const FailureReport& report, std::vector<OomItem>& items) {
  std::string label = "held by";
  for (const Holder& holder : report.holders) {
    std::string text = fmt::format("{} {}", size_text(holder.bytes_per_bank), holder_word(holder.kind));
    text += fmt::format(
        " ({})", report::percent_text(report::ratio(holder.bytes_per_bank, report.held_bytes_per_bank)));
    if (holder.tensors > 0) text += fmt::format(", {}", report::counted(holder.tensors, "tensor"));
    items.push_back({std::move(label), std::move(text)});
    label.clear();
  }
}

std::uint32_t line_of(const RankTrace& rank, const Buffer& buffer) {
  if (buffer.producer_op < rank.ops.size()) return rank.ops[buffer.producer_op].line;
  return buffer.instance < rank.programs.size() ? rank.programs[buffer.instance].start_line : 0;
}

void add_largest(const ProfileView& view, const OomLog& log, const FailureReport& report, std::size_t rows,
                 std::vector<OomItem>& items) {
  const RankProfile& rank = view.rank_profile(report.rank);
  const std::size_t shown =
      rows == 0 ? report.live.buffers.size() : std::min(rows, report.live.buffers.size());
  std::string label = "largest";
  for (std::size_t i = 0; i < shown; ++i) {
    const Buffer& buffer = rank.buffers[report.live.buffers[i]];
    std::string text = fmt::format("{} {}, {}, {}", size_text(buffer.bytes_per_bank),
                                   in_sentence(view.names, buffer_label(view, report.rank, buffer)),
                                   tensor_text(type_of(view.trace, rank, buffer)), name_of(buffer.kind));
    if (const std::uint32_t line = line_of(view.rank_trace(report.rank), buffer); line != 0)
      text += fmt::format(" ({})", cite(log, line));
    items.push_back({std::move(label), std::move(text)});
    label.clear();
  }
}

void add_candidates(const ProfileView& view, const OomLog& log, const FailureReport& report, std::size_t rows,
                    std::vector<OomItem>& items) {
  const std::size_t shown = rows == 0 ? report.candidates.size() : std::min(rows, report.candidates.size());
  std::string label = "tensor";
  for (std::size_t i = 0; i < shown; ++i) {
    items.push_back({std::move(label), cited(log, report.candidates[i], view.names)});
    label.clear();
  }
}

void add_fixes(const ProfileView& view, const FailureReport& report, std::size_t rows,
               std::vector<OomItem>& items) {
  const std::size_t shown = rows == 0 ? report.fixes.size() : std::min(rows, report.fixes.size());
  std::string label = "what to do";
  for (std::size_t i = 0; i < shown; ++i) {
    const Fix& fix = report.fixes[i];
    const FixText text = fix_text(view, fix);
    const std::string saved = fix.saves_bytes_per_bank > 0
                                  ? fmt::format("saves {}, ", report::size_text(fix.saves_bytes_per_bank))
                                  : std::string();
    items.push_back({std::move(label), fmt::format("{}: {}{}", text.what, saved, text.effect)});
    label.clear();
  }
}

std::string printed_text(const OomLog& log, const FailureReport& report) {
  constexpr std::size_t kMostLines = 8;
  std::size_t times = 0;
  std::string lines;
  for (const FailureMessage& message : log.profile.trace.ranks[report.rank].failure_messages) {
    if (message.failure != report.failure) continue;
    if (times++ < kMostLines) lines += fmt::format("{}{}", lines.empty() ? "" : ", ", message.printed.line);
  }
  if (times > kMostLines) lines += ", ...";
  return times <= 1 ? "" : fmt::format("{} times: lines {}", report::count_text(times), lines);
}

}  // namespace

std::string log_label(const OomLog& log) {
  const auto& files = log.profile.trace.files;
  return files.empty() || files.front() == "-" ? "standard input" : files.front();
}

std::string fingerprint_text(std::uint64_t fingerprint) { return fmt::format("{:016x}", fingerprint); }

std::string oom_headline(const OomLog& log, const FailureReport& report, Names names) {
  const ProfileView view{log.profile.trace, log.profile.memory, names};
  const OutOfMemory& failure = report.message(view.trace);
  const FailureText words = describe_failure(view, report.rank, failure);
  return fmt::format("{} ({})", words.diagnosis, cite(log, failure.line));
}

std::vector<OomItem> oom_items(const OomLog& log, const FailureReport& report, std::size_t rows,
                               Names names) {
  const ProfileView view{log.profile.trace, log.profile.memory, names};
  const OutOfMemory& failure = report.message(view.trace);
  const FailureText words = describe_failure(view, report.rank, failure);
  std::vector<OomItem> items;
  items.push_back({"asked for", fmt::format("{} ({})", words.what, cite(log, failure.line))});
  if (!words.state.empty()) {
    const std::uint32_t line = report.bank.from_message ? failure.line : report.bank.block_line;
    items.push_back({"found", fmt::format("{} ({})", words.state, cite(log, line))});
  }
  if (failure.is_cut)
    items.push_back(
        {"cut", fmt::format("the text ends inside of a figure of the message, which is not believed ({})",
                            cite(log, failure.line))});
  items.push_back({"why", words.diagnosis});
  items.push_back({"during", words.where});
  add_candidates(view, log, report, rows, items);
  add_holders(report, items);
  add_largest(view, log, report, rows, items);
  if (std::string late = freed_late_text(view, report); !late.empty())
    items.push_back({"freed late", std::move(late)});
  if (std::string grew = run_growth_text(view, report); !grew.empty())
    items.push_back({"grew", std::move(grew)});
  add_fixes(view, report, rows, items);
  if (const std::string printed = printed_text(log, report); !printed.empty())
    items.push_back({"printed", printed});
  for (const std::string& warning : log.profile.trace.warnings) items.push_back({"input", warning});
  items.push_back({"fingerprint", fingerprint_text(report.fingerprint)});
  return items;
}

namespace {

/// What followed may be what was looked for.
std::string cut_text(const OomLog& log) {
  const ProfileView view{log.profile.trace, log.profile.memory};
  if (!view.trace.warnings.empty()) return fmt::format("; {}", view.trace.warnings.front());
  if (view.profile.verdict.outcome != Outcome::kCut) return {};
  return fmt::format("; {}", verdict_text(view).outcome);
}

}  // namespace

std::string crash_headline(const OomLog& log, const CrashReport& report, Names names) {
  const Crash& crash = log.profile.trace.ranks[report.rank].crashes[report.crash];
  const std::string_view what =
      crash.kind == CrashKind::kKilled
          ? "killed from outside, as the kernel does when the host's memory ends (its log, dmesg, tells)"
          : "no failure of memory";
  return fmt::format("{}: {} ({})", what, in_sentence(names, crash.text), cite(log, crash.line));
}

std::string no_failure_text(const std::vector<OomLog>& logs) {
  std::uint64_t lines = 0;
  for (const OomLog& log : logs) {
    for (const std::uint64_t of_file : log.profile.trace.file_lines) lines += of_file;
  }
  const std::string where =
      logs.size() == 1 ? log_label(logs.front()) : report::counted(logs.size(), "text", "texts");
  std::string text =
      fmt::format("{}: no failure of memory found in {}", where, report::counted(lines, "line"));
  for (const OomLog& log : logs) text += cut_text(log);
  return text;
}

}  // namespace ttscope::mem
