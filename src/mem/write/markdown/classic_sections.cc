// The sections of the report as `ttmem --llm` has always had them: same headings, same columns.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/text_escape.h"
#include "mem/analyse/growth_groups.h"
#include "mem/analyse/op_kinds.h"
#include "mem/write/markdown/markdown_sections.h"
#include "mem/write/words/finding_text.h"
#include "mem/write/words/trust_text.h"
#include "mem/write/words/verdict_text.h"
#include "report/number_text.h"

namespace ttscope::mem {
namespace {

constexpr std::size_t kTopRows = 10;
constexpr std::size_t kWeightRows = 20;
constexpr std::size_t kDistributionRows = 15;

/// One more decimal where the first would be all there is.
std::string headline_mb(std::int64_t size_bytes) {
  constexpr std::int64_t kTenMb = std::int64_t{10} << 20;
  return report::mb_text(size_bytes, size_bytes < kTenMb ? 2 : 1);
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
    text += fmt::format(" ({})", plain_percent(report::ratio(peak.bytes_per_bank, capacity)));
  }
  return text + " | ";
}

std::string headline(const MarkdownContext& view) {
  const RankProfile& rank = view.rank_profile(view.profile.main_rank);
  std::string text = "> ";
  for (const Memory memory : kTensorMemories) text += peak_part(rank, memory);
  text += fmt::format("Ops: {}", report::count_text(op_counts(view).counted));
  if (view.profile.weight_bytes > 0)
    text += fmt::format(" | Weights: {} MB", headline_mb(view.profile.weight_bytes));
  const LiveSet& live = rank.live_at_peak[index_of(Memory::kDram)];
  if (live.padded_bytes > live.logical_bytes && live.logical_bytes > 0) {
    text +=
        fmt::format(" | Padding Overhead: {}",
                    plain_percent(report::ratio(live.padded_bytes - live.logical_bytes, live.logical_bytes)));
  }
  return text;
}

/// Shapes of one side of an op, as the compiler wrote them.
std::string shapes_cell(const MarkdownContext& view, const ExecutedOp& op, IdRange OpText::*side) {
  if (op.text == kNone) return "N/A";
  std::string text;
  for (const std::uint32_t id : view.trace.ids(view.trace.op_texts[op.text].*side)) {
    if (id >= view.trace.types.size() || !view.trace.types[id].is_tensor) continue;
    const TensorType& type = view.trace.types[id];
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
  if (peak.bytes_per_bank > 0 && peak.op < view.rank_trace(main).ops.size()) {
    const OpPlace op = place_of(view, main, peak.op);
    maker = peak.at_program_start ? fmt::format("- | program start | {}", location_cell(op.program))
                                  : fmt::format("{} | {} | {}", op_number(view, main, peak.op),
                                                markdown_code(op.name), location_cell(op.loc));
  }
  return fmt::format("\n| {} | {} | {} MB | {} | {} |", name_of(memory), maker,
                     report::mb_text(peak.bytes_per_bank),
                     capacity > 0 || rank.measured ? report::mb_text(capacity) + " MB" : "N/A",
                     capacity > 0 ? plain_percent(report::ratio(peak.bytes_per_bank, capacity)) : "N/A");
}

std::string weight_row(const Argument& weight) {
  return fmt::format("\n| {} | {} | {} | {} |", markdown_code(weight.name),
                     weight.shape.empty() ? "scalar" : shape_text(weight.shape), markdown_cell(weight.dtype),
                     report::size_text(weight.logical_bytes));
}

}  // namespace

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
                        is_known ? report::mb_text(capacity) + " MB/bank" : "?");
    separator = " | ";
  }
  if (device.chips > 1) text += fmt::format(" | figures are of one chip of {}", device.chips);
  if (device.source == FactSource::kAssumed) text += " (assumed: no line of the log tells)";
  const OpCounts counts = op_counts(view);
  text += fmt::format("\n- Operations: {} total ({} weight, {} activation)",
                      report::count_text(counts.counted), report::count_text(counts.weight),
                      report::count_text(counts.counted - std::min(counts.weight, counts.counted)));
  if (view.profile.ranks.size() > 1) {
    text += fmt::format("\n- Ranks: {}; memory figures are of rank {}, the one with the highest DRAM peak",
                        view.profile.ranks.size(), view.rank_trace(view.profile.main_rank).number);
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
  const auto groups = top_growth(view.trace, view.profile, Memory::kDram, kTopRows);
  if (groups.empty()) return {};
  std::string text =
      "## Top 10 Memory Consumers (DRAM)\n"
      "DRAM (MB) is what the op itself added to every bank, the largest of its executions.\n\n"
      "| Rank | Op# | Operation | Location | DRAM (MB) | Input | Output |\n"
      "|------|-----|-----------|----------|-----------|-------|--------|";
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const ExecutedOp& record = view.rank_trace(groups[i].rank).ops[groups[i].op];
    const OpPlace op = place_of(view, groups[i].rank, groups[i].op);
    text += fmt::format(
        "\n| {} | {} | {} | {} | {} | {} | {} |", i + 1, op_number(view, groups[i].rank, groups[i].op),
        markdown_code(op.name), location_cell(op.loc), report::mb_text(groups[i].bytes_per_bank),
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
    const TensorType& type = view.trace.types[worst[i].type];
    const OpPlace op = place_of(view, worst[i].rank, worst[i].op);
    text += fmt::format("\n| {} | {} | {} | {} ({}) | {} | {} MB ({}) |", i + 1,
                        op_number(view, worst[i].rank, worst[i].op), markdown_code(op.name),
                        type.shape.empty() ? "scalar" : shape_text(type.shape), markdown_cell(type.dtype),
                        shape_text(padded_shape(type)), report::mb_text(worst[i].waste_bytes),
                        plain_percent(report::ratio(worst[i].waste_bytes, type.logical_bytes)));
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
    text += fmt::format("\n\n*... and {} more weights*", report::count_text(weights.size() - shown));
  return text;
}

std::string distribution_section(const MarkdownContext& view) {
  const auto counts = counted_names(view.trace);
  if (counts.empty()) return {};
  const auto sum = [](auto begin, auto end) {
    return std::accumulate(begin, end, std::uint64_t{0},
                           [](std::uint64_t total, const OpNameCount& c) { return total + c.times; });
  };
  const std::uint64_t total = sum(counts.begin(), counts.end());
  const std::size_t shown = std::min(counts.size(), kDistributionRows);
  std::string text = "## Operation Distribution";
  for (std::size_t i = 0; i < shown; ++i) {
    text += fmt::format("\n- {}: {} ({})", markdown_code(counts[i].name), report::count_text(counts[i].times),
                        plain_percent(static_cast<double>(counts[i].times) / static_cast<double>(total)));
  }
  if (shown < counts.size()) {
    text += fmt::format(
        "\n- *other*: {}",
        report::count_text(sum(counts.begin() + static_cast<std::ptrdiff_t>(shown), counts.end())));
  }
  return text;
}

}  // namespace ttscope::mem
