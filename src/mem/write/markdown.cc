#include "mem/write/markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "base/text.h"
#include "mem/analyze/growth.h"
#include "mem/write/failure_text.h"
#include "mem/write/labels.h"
#include "mem/write/verdict_text.h"
#include "ui/json_text.h"
#include "ui/text.h"

namespace ttscope::mem {
namespace {

/// What all sections are made from.
using MarkdownContext = ProfileView;

/// The Op# column: `op_index` as in `ttscope.mem/1`; with several ranks also whose: `17 (rank 1)`.
std::string op_number(const MarkdownContext& view, std::uint32_t rank, std::uint32_t op);

/// Each returns a section without a final newline, empty when there is nothing to say.
std::string headline_section(const MarkdownContext& view, const std::string& name);
std::string configuration_section(const MarkdownContext& view);
std::string peak_section(const MarkdownContext& view);
std::string consumers_section(const MarkdownContext& view);
std::string padding_section(const MarkdownContext& view);
std::string weights_section(const MarkdownContext& view);
std::string distribution_section(const MarkdownContext& view);

std::string fixes_section(const MarkdownContext& view);
std::string trust_section(const MarkdownContext& view);
std::string growth_section(const MarkdownContext& view);
std::string live_section(const MarkdownContext& view);
std::string failure_section(const MarkdownContext& view);

/// A location for a table cell: escaped, at most 50 characters, `N/A` when unknown.
std::string location_cell(const std::string& loc);

}  // namespace

void write_mem_markdown(const RuntimeLog& log, const MemoryProfile& profile, const std::string& name,
                        Writer& out) {
  const MarkdownContext view{log, profile, Names::kMarked};
  out.write(headline_section(view, name));
  out.write(fmt::format("\n\n{}", ui::kDataNotice));
  for (const auto section :
       {configuration_section, peak_section, consumers_section, padding_section, weights_section,
        distribution_section, fixes_section, trust_section, growth_section, live_section, failure_section}) {
    const std::string text = section(view);
    if (text.empty()) continue;
    out.write("\n\n");
    out.write(text);
  }
  out.write('\n');
}

namespace {

// The sections of the report as `ttmem --llm` has always had them: same headings, same columns.

constexpr std::size_t kTopRows = 10;
constexpr std::size_t kWeightRows = 20;
constexpr std::size_t kDistributionRows = 15;

/// One more decimal where the first would be all there is.
std::string headline_mb(std::int64_t size_bytes) {
  constexpr std::int64_t kTenMb = std::int64_t{10} << 20;
  return ui::mb_text(size_bytes, size_bytes < kTenMb ? 2 : 1);
}

std::string plain_percent(double fraction) { return fmt::format("{:.1f}%", fraction * 100); }

struct OpCounts {
  std::uint64_t counted = 0;
  std::uint64_t weight = 0;
};

OpCounts op_counts(const MarkdownContext& view) {
  OpCounts counts;
  for (const RankProfile& rank : view.profile.ranks) {
    counts.counted += rank.counted_ops;
    counts.weight += rank.weight_ops;
  }
  return counts;
}

std::string peak_part(const RankProfile& rank, Memory memory) {
  const Peak& peak = rank.peaks[index_of(memory)];
  if (peak.confidence == Confidence::kNone) return {};
  const std::int64_t capacity = rank.device.capacity_bytes_per_bank[index_of(memory)];
  std::string text = fmt::format("Peak {}: {} MB/bank", name_of(memory), headline_mb(peak.bytes_per_bank));
  if (memory == Memory::kDram && capacity > 0) {
    text += fmt::format(" ({})", plain_percent(ui::ratio(peak.bytes_per_bank, capacity)));
  }
  return text + " | ";
}

std::string headline(const MarkdownContext& view) {
  const RankProfile& rank = view.rank_profile(view.profile.main_rank);
  std::string text = "> ";
  for (const Memory memory : kTensorMemories) text += peak_part(rank, memory);
  text += fmt::format("Ops: {}", ui::count_text(op_counts(view).counted));
  if (view.profile.weight_bytes > 0)
    text += fmt::format(" | Weights: {} MB", headline_mb(view.profile.weight_bytes));
  const LiveSet& live = rank.live_at_peak[index_of(Memory::kDram)];
  if (live.padded_bytes > live.logical_bytes && live.logical_bytes > 0) {
    text += fmt::format(" | Padding Overhead: {}",
                        plain_percent(ui::ratio(live.padded_bytes - live.logical_bytes, live.logical_bytes)));
  }
  return text;
}

/// Shapes of one side of an op, as the compiler wrote them.
std::string shapes_cell(const MarkdownContext& view, const ExecutedOp& op, IdRange OpText::*side) {
  if (op.text == kNone) return "N/A";
  std::string text;
  for (const std::uint32_t id : view.log.ids(view.log.op_texts[op.text].*side)) {
    if (id >= view.log.types.size() || !view.log.types[id].is_tensor) continue;
    const TensorType& type = view.log.types[id];
    if (!text.empty()) text += ", ";
    text += type.shape.empty() ? "scalar" : shape_text(type.shape);
  }
  return text.empty() ? "N/A" : text;
}

std::string peak_row(const MarkdownContext& view, Memory memory) {
  const std::uint32_t main = view.profile.main_rank;
  const RankProfile& rank = view.rank_profile(main);
  const Peak& peak = rank.peaks[index_of(memory)];
  const std::int64_t capacity = rank.device.capacity_bytes_per_bank[index_of(memory)];
  std::string maker = "- | - | -";
  if (peak.bytes_per_bank > 0 && peak.op < view.rank_log(main).ops.size()) {
    const OpPlace op = place_of(view, main, peak.op);
    maker = peak.at_program_start ? fmt::format("- | program start | {}", location_cell(op.program))
                                  : fmt::format("{} | {} | {}", op_number(view, main, peak.op),
                                                markdown_code(op.name), location_cell(op.loc));
  }
  return fmt::format("\n| {} | {} | {} MB | {} | {} |", name_of(memory), maker,
                     ui::mb_text(peak.bytes_per_bank),
                     capacity > 0 || rank.measured ? ui::mb_text(capacity) + " MB" : "N/A",
                     capacity > 0 ? plain_percent(ui::ratio(peak.bytes_per_bank, capacity)) : "N/A");
}

std::string weight_row(const Argument& weight) {
  return fmt::format("\n| {} | {} | {} | {} |", markdown_code(weight.name),
                     weight.shape.empty() ? "scalar" : shape_text(weight.shape), markdown_cell(weight.dtype),
                     ui::size_text(weight.logical_bytes));
}

std::string location_cell(const std::string& loc) {
  if (loc.empty()) return "N/A";
  std::size_t columns = 0;
  std::size_t cut = loc.size();
  for (std::size_t i = 0; i < loc.size(); ++i) {
    if ((static_cast<unsigned char>(loc[i]) & 0xC0) == 0x80) continue;
    if (++columns == 48) cut = i;
  }
  return markdown_code(columns <= 50 ? loc : loc.substr(0, cut) + "...");
}

std::string headline_section(const MarkdownContext& view, const std::string& name) {
  std::string text = fmt::format("# Memory Profile: {}\n\n", markdown_code(name));
  if (view.profile.ranks.empty()) return text + "> No operations recorded.";
  text += headline(view);
  const VerdictText verdict = verdict_text(view);
  text += fmt::format("\n>\n> Outcome: {}\n>\n> Fit: {}", markdown_cell(verdict.outcome),
                      markdown_cell(verdict.fit));
  text += fmt::format("\n>\n> Verdict: {}", name_of(view.profile.severity));
  std::string_view separator = ": ";
  for (const Finding& finding : view.profile.findings) {
    text += fmt::format("{}{}", separator, markdown_cell(finding_text(finding)));
    separator = "; ";
  }
  return text + fmt::format("\n>\n> Trust: {}; {} (see Trust below)", verdict.trust, trust_headline(view));
}

std::string configuration_section(const MarkdownContext& view) {
  if (view.profile.ranks.empty()) return {};
  const DeviceFacts& device = view.rank_profile(view.profile.main_rank).device;
  std::string text = "## Configuration\n- Memory: ";
  std::string_view separator;
  for (const Memory memory : kMemories) {
    const std::int64_t capacity = device.capacity_bytes_per_bank[index_of(memory)];
    const bool is_known = capacity > 0 || device.source == FactSource::kMemoryLines;
    text += fmt::format("{}{} {} x {}", separator, name_of(memory), device.banks[index_of(memory)],
                        is_known ? ui::mb_text(capacity) + " MB/bank" : "?");
    separator = " | ";
  }
  if (device.chips > 1) text += fmt::format(" | figures are of one chip of {}", device.chips);
  if (device.source == FactSource::kAssumed) text += " (assumed: no line of the log tells)";
  const OpCounts counts = op_counts(view);
  text += fmt::format("\n- Operations: {} total ({} weight, {} activation)", ui::count_text(counts.counted),
                      ui::count_text(counts.weight),
                      ui::count_text(counts.counted - std::min(counts.weight, counts.counted)));
  if (view.profile.ranks.size() > 1) {
    text += fmt::format("\n- Ranks: {}; memory figures are of rank {}, the one with the highest DRAM peak",
                        view.profile.ranks.size(), view.rank_log(view.profile.main_rank).number);
  }
  return text;
}

std::string peak_section(const MarkdownContext& view) {
  if (view.profile.ranks.empty()) return {};
  std::string text =
      "## Peak Memory\n"
      "| Type | Op# | Operation | Location | Allocated | Capacity | Utilization |\n"
      "|------|-----|-----------|----------|-----------|----------|-------------|";
  const RankProfile& rank = view.rank_profile(view.profile.main_rank);
  for (const Memory memory : kMemories) {
    if (rank.peaks[index_of(memory)].confidence != Confidence::kNone || rank.measured)
      text += peak_row(view, memory);
  }
  return text;
}

std::string consumers_section(const MarkdownContext& view) {
  const auto groups = top_growth(view.log, view.profile, Memory::kDram, kTopRows);
  if (groups.empty()) return {};
  std::string text =
      "## Top 10 Memory Consumers (DRAM)\n"
      "DRAM (MB) is what the op itself added to every bank, the largest of its executions.\n\n"
      "| Rank | Op# | Operation | Location | DRAM (MB) | Input | Output |\n"
      "|------|-----|-----------|----------|-----------|-------|--------|";
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const ExecutedOp& record = view.rank_log(groups[i].rank).ops[groups[i].op];
    const OpPlace op = place_of(view, groups[i].rank, groups[i].op);
    text += fmt::format(
        "\n| {} | {} | {} | {} | {} | {} | {} |", i + 1, op_number(view, groups[i].rank, groups[i].op),
        markdown_code(op.name), location_cell(op.loc), ui::mb_text(groups[i].bytes_per_bank),
        shapes_cell(view, record, &OpText::input_types), shapes_cell(view, record, &OpText::result_types));
  }
  return text;
}

std::string padding_section(const MarkdownContext& view) {
  const auto& worst = view.profile.worst_padding;
  if (worst.empty()) return {};
  std::string text =
      "## Top 10 Padding Overhead\n"
      "| Rank | Op# | Operation | Logical | Padded | Overhead |\n"
      "|------|-----|-----------|---------|--------|----------|";
  for (std::size_t i = 0; i < std::min(worst.size(), kTopRows); ++i) {
    const TensorType& type = view.log.types[worst[i].type];
    const OpPlace op = place_of(view, worst[i].rank, worst[i].op);
    text += fmt::format("\n| {} | {} | {} | {} ({}) | {} | {} MB ({}) |", i + 1,
                        op_number(view, worst[i].rank, worst[i].op), markdown_code(op.name),
                        type.shape.empty() ? "scalar" : shape_text(type.shape), markdown_cell(type.dtype),
                        shape_text(padded_shape(type)), ui::mb_text(worst[i].waste_bytes),
                        plain_percent(ui::ratio(worst[i].waste_bytes, type.logical_bytes)));
  }
  return text;
}

std::string weights_section(const MarkdownContext& view) {
  std::vector<const Argument*> weights;
  for (const Argument& argument : view.profile.arguments) {
    if (argument.counted_weight) weights.push_back(&argument);
  }
  if (weights.empty()) return {};
  std::stable_sort(weights.begin(), weights.end(),
                   [](const Argument* a, const Argument* b) { return a->logical_bytes > b->logical_bytes; });
  std::string text = fmt::format(
      "## Model Weights ({} MB total)\n"
      "| Name | Shape | Type | Size |\n"
      "|------|-------|------|------|",
      headline_mb(view.profile.weight_bytes));
  const std::size_t shown = std::min(weights.size(), kWeightRows);
  for (std::size_t i = 0; i < shown; ++i) text += weight_row(*weights[i]);
  if (shown < weights.size())
    text += fmt::format("\n\n*... and {} more weights*", ui::count_text(weights.size() - shown));
  return text;
}

std::string distribution_section(const MarkdownContext& view) {
  const auto counts = counted_names(view.log);
  if (counts.empty()) return {};
  const auto sum = [](auto begin, auto end) {
    return std::accumulate(begin, end, std::uint64_t{0},
                           [](std::uint64_t total, const OpNameCount& c) { return total + c.times; });
  };
  const std::uint64_t total = sum(counts.begin(), counts.end());
  const std::size_t shown = std::min(counts.size(), kDistributionRows);
  std::string text = "## Operation Distribution";
  for (std::size_t i = 0; i < shown; ++i) {
    text += fmt::format("\n- {}: {} ({})", markdown_code(counts[i].name), ui::count_text(counts[i].times),
                        plain_percent(static_cast<double>(counts[i].times) / static_cast<double>(total)));
  }
  if (shown < counts.size()) {
    text +=
        fmt::format("\n- *other*: {}",
                    ui::count_text(sum(counts.begin() + static_cast<std::ptrdiff_t>(shown), counts.end())));
  }
  return text;
}

// The sections that ttscope adds to the report.

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
                     location_cell(op.loc), ui::mb_text(group.bytes_per_bank, 3), ui::count_text(group.times),
                     name_of(group.confidence));
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
      ui::count_text(changes.size()));
  for (std::size_t i = 0; i < shown; ++i) {
    text += fmt::format("\n| {} | {} | {} | {} |", name_of(changes[i].cause),
                        location_cell(instance_label(view, main, changes[i].instance)),
                        ui::mb_text(changes[i].delta[0], 3), ui::mb_text(changes[i].delta[1], 3));
  }
  return text;
}

/// A difference that the rounding of the log explains is shown as none.
std::string kinds_table(const LiveSet& live, std::int64_t peak) {
  std::string text =
      "| Kind | MB/bank | Share |\n"
      "|------|---------|-------|";
  const auto row = [&](std::string_view kind, std::int64_t size_bytes) {
    text += fmt::format("\n| {} | {} | {:.1f}% |", kind, ui::mb_text(size_bytes, 3),
                        ui::ratio(size_bytes, peak) * 100);
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
  const TensorType& type = type_of(view.log, view.rank_profile(main), buffer);
  const auto& ops = view.rank_log(main).ops;
  const std::string made_by =
      buffer.producer_op < ops.size()
          ? fmt::format("{} (line {})", markdown_code(place_of(view, main, buffer.producer_op).name),
                        ops[buffer.producer_op].line)
          : "program argument";
  return fmt::format("\n| {} | {} | {} | {} | {} | {} | {} | {} |",
                     location_cell(buffer_label(view, main, buffer)), name_of(buffer.kind),
                     type.shape.empty() ? "scalar" : shape_text(type.shape), markdown_cell(type.dtype),
                     ui::size_text(type.logical_bytes), ui::size_text(type.padded_bytes),
                     ui::mb_text(buffer.bytes_per_bank, 3), made_by);
}

std::string live_set_of(const MarkdownContext& view, Memory memory) {
  const RankProfile& rank = view.rank_profile(view.profile.main_rank);
  const std::int64_t peak = rank.peaks[index_of(memory)].bytes_per_bank;
  const LiveSet& live = rank.live_at_peak[index_of(memory)];
  if (peak == 0) return {};
  std::string text = fmt::format("\n\n### {} ({} MB/bank)\n", name_of(memory), ui::mb_text(peak, 3));
  text += kinds_table(live, peak);
  if (live.buffers.empty()) return text;
  text +=
      "\n\n| Tensor | Kind | Shape | Type | Logical | Padded | MB/bank | Made by |\n"
      "|--------|------|-------|------|---------|--------|---------|---------|";
  const std::size_t shown = std::min(live.buffers.size(), kTensorRows);
  for (std::size_t i = 0; i < shown; ++i) text += tensor_row(view, rank.buffers[live.buffers[i]]);
  if (shown < live.buffers.size())
    text += fmt::format("\n\n*... and {} more tensors*", ui::count_text(live.buffers.size() - shown));
  return text;
}

std::string fixes_section(const MarkdownContext& view) {
  if (view.profile.fixes.empty()) return {};
  std::string text =
      "## What to Do\nEach alone, by a replay of the run: what several save together is not the sum.\n\n"
      "| What | Saves (MB/bank) | Peak after (MB/bank) | Enough | Largest tensors |\n"
      "|------|-----------------|----------------------|--------|-----------------|";
  for (const Fix& fix : view.profile.fixes) {
    const FixText words = fix_text(view, fix);
    text +=
        fmt::format("\n| {} | {} | {} | {} | {} |", markdown_cell(words.what),
                    ui::mb_text(fix.saves_bytes_per_bank, 3), ui::mb_text(fix.peak_after_bytes_per_bank, 3),
                    fix.enough ? (*fix.enough ? "yes" : "no") : "-", markdown_cell(words.evidence));
  }
  return text;
}

std::string op_number(const MarkdownContext& view, std::uint32_t rank, std::uint32_t op) {
  if (view.profile.ranks.size() < 2) return std::to_string(op);
  return fmt::format("{} (rank {})", op, view.rank_log(rank).number);
}

std::string trust_section(const MarkdownContext& view) {
  if (view.profile.ranks.empty()) return {};
  const TrustText trust = trust_of(view);
  std::string text = fmt::format("## Trust\n- recognised: {}", trust.recognized);
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
  auto groups = top_growth(view.log, view.profile, Memory::kDram, kGrowthRows);
  const auto l1 = top_growth(view.log, view.profile, Memory::kL1, kGrowthRows / 2);
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

std::string culprit_lines(const MarkdownContext& view, std::uint32_t rank, std::uint32_t failure) {
  std::string text;
  for (const FailureReport& report : view.profile.failures) {
    if (report.rank != rank || report.failure != failure) continue;
    if (!report.candidates.empty()) {
      text += fmt::format("\n  - tensor: {}",
                          markdown_cell(candidate_text(view.profile, report.candidates.front(), view.names)));
    }
    for (const Holder& holder : report.holders) {
      text += fmt::format("\n  - held by: {} {}", ui::size_text(holder.bytes_per_bank),
                          holder_label(holder.kind));
    }
    const std::string late = freed_late_text(view, report);
    const std::string grew = run_growth_text(view, report);
    if (!late.empty()) text += fmt::format("\n  - freed late: {}", markdown_cell(late));
    if (!grew.empty()) text += fmt::format("\n  - grew: {}", markdown_cell(grew));
  }
  return text;
}

std::string failure_section(const MarkdownContext& view) {
  std::string text;
  for (std::uint32_t rank = 0; rank < view.profile.ranks.size(); ++rank) {
    const auto& failures = view.rank_log(rank).failures;
    for (std::size_t i = 0; i < std::min(failures.size(), kFailureRows); ++i) {
      const FailureText words = describe_failure(view, rank, failures[i]);
      text += fmt::format("\n- rank {}: {}\n  - by: {}", view.rank_log(rank).number,
                          markdown_cell(words.what), markdown_cell(words.where));
      if (!words.state.empty()) text += fmt::format("\n  - found: {}", markdown_cell(words.state));
      text += fmt::format("\n  - diagnosis: {}", markdown_cell(words.diagnosis));
      text += culprit_lines(view, rank, static_cast<std::uint32_t>(i));
    }
  }
  return text.empty() ? text : "## Failure" + text;
}

constexpr std::size_t kPacketRows = 5;
constexpr std::size_t kAllRows = 200;

void write_report(const OomLog& log, const FailureReport& report, std::size_t rows, Writer& out) {
  out.write(fmt::format("\n## {}\n\n{}\n\n", name_of(report.bank.verdict),
                        markdown_cell(oom_headline(log, report, Names::kMarked))));
  for (const OomItem& item : oom_items(log, report, rows, Names::kMarked)) {
    if (item.label.empty()) {
      out.write(fmt::format("  - {}\n", markdown_cell(item.text)));
    } else {
      out.write(fmt::format("- {}: {}\n", item.label, markdown_cell(item.text)));
    }
  }
}

void write_groups(const std::vector<OomLog>& logs, Writer& out) {
  const std::vector<FailurePrint> prints = prints_of(logs);
  std::string text;
  for (const FailureGroup& group : groups_of(logs, prints)) {
    if (group.prints.size() < 2) continue;
    text += fmt::format("- {}:", fingerprint_text(group.fingerprint));
    for (const std::uint32_t print : group.prints) {
      text += fmt::format(" {}:{}", markdown_code(log_label(logs[prints[print].log])), prints[print].line);
    }
    text += '\n';
  }
  if (!text.empty()) out.write("\n## Same failure\n\n" + text);
}

}  // namespace

void write_oom_markdown(const std::vector<OomLog>& logs, Writer& out, const OomMarkdownOptions& options) {
  out.write(
      "# Out-of-memory report\n\nMB is 1,048,576 bytes; figures are per bank of one device where they say "
      "so. ");
  out.write(ui::kDataNotice);
  out.write('\n');
  bool any = false;
  for (const OomLog& log : logs) {
    for (const FailureReport& report : log.reports()) {
      write_report(log, report, options.everything ? kAllRows : kPacketRows, out);
      any = true;
    }
    for (const UnexplainedCrash& report : log.crashes)
      out.write(fmt::format("\n## {}\n\n{}\n", name_of(FailureVerdict::kCrashed),
                            markdown_cell(crash_headline(log, report, Names::kMarked))));
  }
  if (!any) out.write(fmt::format("\n{}\n", markdown_cell(no_failure_text(logs))));
  write_groups(logs, out);
}

}  // namespace ttscope::mem
