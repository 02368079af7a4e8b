// The sections that ttscope adds to the report.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text_escape.h"
#include "mem/analyse/growth_groups.h"
#include "mem/write/markdown/markdown_sections.h"
#include "mem/write/words/candidate_text.h"
#include "mem/write/words/culprit_text.h"
#include "mem/write/words/failure_text.h"
#include "mem/write/words/finding_text.h"
#include "mem/write/words/fix_text.h"
#include "mem/write/words/trust_text.h"
#include "report/number_text.h"

namespace ttscope::mem {
namespace {

constexpr std::size_t kGrowthRows = 20;
constexpr std::size_t kTensorRows = 20;
constexpr std::size_t kChangeRows = 10;
constexpr std::size_t kFailureRows = 5;

void add_list(std::string& text, std::string_view label, const std::vector<std::string>& items) {
  for (const std::string& item : items) text += fmt::format("\n- {}: {}", label, markdown_cell(item));
}

std::string growth_row(const MarkdownContext& view, const GrowthGroup& group) {
  const OpPlace op = place_of(view, group.rank, group.op);
  return fmt::format("\n| {} | {} | {} | {} | {} | {} | {} | {} |", name_of(kTensorMemories[group.memory]),
                     op_number(view, group.rank, group.op), op.line, markdown_code(op.name),
                     location_cell(op.loc), report::mb_text(group.bytes_per_bank, 3),
                     report::count_text(group.times), name_of(group.confidence));
}

/// What came and went between programs on the main rank, largest first.
std::string changes_table(const MarkdownContext& view) {
  const std::uint32_t main = view.profile.main_rank;
  std::vector<BoundaryChange> changes = view.rank_profile(main).changes;
  if (changes.empty()) return {};
  const auto size = [](const BoundaryChange& change) {
    return std::abs(change.delta[0]) + std::abs(change.delta[1]);
  };
  const std::size_t shown = std::min(changes.size(), kChangeRows);
  std::partial_sort(changes.begin(), changes.begin() + static_cast<std::ptrdiff_t>(shown), changes.end(),
                    [&](const auto& a, const auto& b) {
                      return size(a) != size(b) ? size(a) > size(b) : a.before_op < b.before_op;
                    });
  std::string text = fmt::format(
      "\n\nChanges that no op made (inputs moved to the device, buffers freed at a program's end; {} in "
      "all):\n\n"
      "| Cause | Program | DRAM (MB) | L1 (MB) |\n"
      "|-------|---------|-----------|---------|",
      report::count_text(changes.size()));
  for (std::size_t i = 0; i < shown; ++i) {
    text += fmt::format("\n| {} | {} | {} | {} |", name_of(changes[i].cause),
                        location_cell(instance_label(view, main, changes[i].instance)),
                        report::mb_text(changes[i].delta[0], 3), report::mb_text(changes[i].delta[1], 3));
  }
  return text;
}

/// A difference that the rounding of the log explains is shown as none.
std::string kinds_table(const LiveSet& live, std::int64_t peak) {
  std::string text =
      "| Kind | MB/bank | Share |\n"
      "|------|---------|-------|";
  const auto row = [&](std::string_view kind, std::int64_t size_bytes) {
    text += fmt::format("\n| {} | {} | {:.1f}% |", kind, report::mb_text(size_bytes, 3),
                        report::ratio(size_bytes, peak) * 100);
  };
  for (std::size_t kind = 0; kind < kTensorKindCount; ++kind) {
    if (live.kind_bytes_per_bank[kind] != 0)
      row(name_of(static_cast<TensorKind>(kind)), live.kind_bytes_per_bank[kind]);
  }
  row("unaccounted", is_rounding(live.unaccounted_bytes_per_bank) ? 0 : live.unaccounted_bytes_per_bank);
  row("total", peak);
  return text;
}

std::string tensor_row(const MarkdownContext& view, const Buffer& buffer) {
  const std::uint32_t main = view.profile.main_rank;
  const TensorType& type = type_of(view.trace, view.rank_profile(main), buffer);
  const auto& ops = view.rank_trace(main).ops;
  const std::string made_by =
      buffer.producer_op < ops.size()
          ? fmt::format("{} (line {})", markdown_code(place_of(view, main, buffer.producer_op).name),
                        ops[buffer.producer_op].line)
          : "program argument";
  return fmt::format("\n| {} | {} | {} | {} | {} | {} | {} | {} |",
                     location_cell(buffer_label(view, main, buffer)), name_of(buffer.kind),
                     type.shape.empty() ? "scalar" : shape_text(type.shape), markdown_cell(type.dtype),
                     report::size_text(type.logical_bytes), report::size_text(type.padded_bytes),
                     report::mb_text(buffer.bytes_per_bank, 3), made_by);
}

std::string live_set_of(const MarkdownContext& view, Memory memory) {
  const RankProfile& rank = view.rank_profile(view.profile.main_rank);
  const std::int64_t peak = rank.peaks[index_of(memory)].bytes_per_bank;
  const LiveSet& live = rank.live_at_peak[index_of(memory)];
  if (peak == 0) return {};
  std::string text = fmt::format("\n\n### {} ({} MB/bank)\n", name_of(memory), report::mb_text(peak, 3));
  text += kinds_table(live, peak);
  if (live.buffers.empty()) return text;
  text +=
      "\n\n| Tensor | Kind | Shape | Type | Logical | Padded | MB/bank | Made by |\n"
      "|--------|------|-------|------|---------|--------|---------|---------|";
  const std::size_t shown = std::min(live.buffers.size(), kTensorRows);
  for (std::size_t i = 0; i < shown; ++i) text += tensor_row(view, rank.buffers[live.buffers[i]]);
  if (shown < live.buffers.size())
    text += fmt::format("\n\n*... and {} more tensors*", report::count_text(live.buffers.size() - shown));
  return text;
}

}  // namespace

std::string fixes_section(const MarkdownContext& view) {
  if (view.profile.fixes.empty()) return {};
  std::string text =
      "## What to Do\nEach alone, by a replay of the run: what several save together is not the sum.\n\n"
      "| What | Saves (MB/bank) | Peak after (MB/bank) | Enough | Largest tensors |\n"
      "|------|-----------------|----------------------|--------|-----------------|";
  for (const Fix& fix : view.profile.fixes) {
    const FixText words = fix_text(view, fix);
    text += fmt::format("\n| {} | {} | {} | {} | {} |", markdown_cell(words.what),
                        report::mb_text(fix.saves_bytes_per_bank, 3),
                        report::mb_text(fix.peak_after_bytes_per_bank, 3),
                        fix.enough ? (*fix.enough ? "yes" : "no") : "-", markdown_cell(words.evidence));
  }
  return text;
}

std::string op_number(const MarkdownContext& view, std::uint32_t rank, std::uint32_t op) {
  if (view.profile.ranks.size() < 2) return std::to_string(op);
  return fmt::format("{} (rank {})", op, view.rank_trace(rank).number);
}

std::string trust_section(const MarkdownContext& view) {
  if (view.profile.ranks.empty()) return {};
  const TrustText trust = trust_of(view);
  std::string text = fmt::format("## Trust\n- recognised: {}", trust.recognised);
  add_list(text, "repaired", trust.repaired);
  add_list(text, "skipped", trust.skipped);
  add_list(text, "missing", missing_texts(view.profile));
  add_list(text, "note", note_texts(view.profile));
  text +=
      "\n- note: MB is 1,048,576 bytes; Op# is op_index: it counts all executed ops of a rank from 0, "
      "deallocate and get_device included; --at op:N shows what is live before one";
  return text;
}

std::string growth_section(const MarkdownContext& view) {
  auto groups = top_growth(view.trace, view.profile, Memory::kDram, kGrowthRows);
  const auto l1 = top_growth(view.trace, view.profile, Memory::kL1, kGrowthRows / 2);
  groups.insert(groups.end(), l1.begin(), l1.end());
  const std::string changes = view.profile.ranks.empty() ? std::string() : changes_table(view);
  if (groups.empty() && changes.empty()) return {};
  std::string text =
      "## Growth\nWhat each op itself added to every bank (frees in between taken out); Times: executions in "
      "which it grew.";
  if (!groups.empty()) {
    text +=
        "\n\n| Memory | Op# | Line | Operation | Location | MB/bank | Times | Figure |\n"
        "|--------|-----|------|-----------|----------|---------|-------|--------|";
    for (const GrowthGroup& group : groups) text += growth_row(view, group);
  }
  return text + changes;
}

std::string live_section(const MarkdownContext& view) {
  if (view.profile.ranks.empty()) return {};
  std::string text;
  for (const Memory memory : kTensorMemories) text += live_set_of(view, memory);
  return text.empty() ? text : "## Live at Peak" + text;
}

namespace {

std::string culprit_lines(const MarkdownContext& view, std::uint32_t rank, std::uint32_t failure) {
  std::string text;
  for (const FailureReport& report : view.profile.failures) {
    if (report.rank != rank || report.failure != failure) continue;
    if (!report.candidates.empty()) {
      text += fmt::format("\n  - tensor: {}",
                          markdown_cell(candidate_text(view.profile, report.candidates.front(), view.names)));
    }
    for (const Holder& holder : report.holders) {
      text += fmt::format("\n  - held by: {} {}", report::size_text(holder.bytes_per_bank),
                          holder_word(holder.kind));
    }
    const std::string late = freed_late_text(view, report);
    const std::string grew = run_growth_text(view, report);
    if (!late.empty()) text += fmt::format("\n  - freed late: {}", markdown_cell(late));
    if (!grew.empty()) text += fmt::format("\n  - grew: {}", markdown_cell(grew));
  }
  return text;
}

}  // namespace

std::string failure_section(const MarkdownContext& view) {
  std::string text;
  for (std::uint32_t rank = 0; rank < view.profile.ranks.size(); ++rank) {
    const auto& failures = view.rank_trace(rank).failures;
    for (std::size_t i = 0; i < std::min(failures.size(), kFailureRows); ++i) {
      const FailureText words = describe_failure(view, rank, failures[i]);
      text += fmt::format("\n- rank {}: {}\n  - by: {}", view.rank_trace(rank).number,
                          markdown_cell(words.what), markdown_cell(words.where));
      if (!words.state.empty()) text += fmt::format("\n  - found: {}", markdown_cell(words.state));
      text += fmt::format("\n  - diagnosis: {}", markdown_cell(words.diagnosis));
      text += culprit_lines(view, rank, static_cast<std::uint32_t>(i));
    }
  }
  return text.empty() ? text : "## Failure" + text;
}

}  // namespace ttscope::mem
