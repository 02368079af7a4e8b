// Sections of mem/write/terminal/mem_sections.h: padding, weights and fragmentation.
#include <fmt/format.h>

#include <algorithm>

#include "base/text_escape.h"
#include "mem/analyse/fragmentation.h"
#include "mem/write/terminal/mem_sections.h"
#include "report/number_text.h"

namespace ttscope::mem {
namespace {

using Ink = report::Painter::Ink;

constexpr std::size_t kWorstTypesShown = 3;
constexpr std::string_view kHardlyAny = " never more than 0.1%";

std::string weights_text(const ProfileView& view) {
  const RankProfile& rank = view.rank_profile(view.profile.main_rank);
  std::string text = fmt::format("{}, {}", report::counted(view.profile.weight_count, "tensor"),
                                 report::size_text(view.profile.weight_bytes));
  if (rank.duplicated_weight_bytes > 0) {
    text += fmt::format("; at the DRAM peak {} of const-eval copies lie beside their originals",
                        report::size_text(rank.duplicated_weight_bytes));
  } else if (rank.duplicated_weight_bytes_highest > 0) {
    text += fmt::format("; at most {} of const-eval copies lie beside their originals",
                        report::size_text(rank.duplicated_weight_bytes_highest));
  }
  return text;
}

/// Types that differ only in where they lie read the same and are shown once.
void paint_worst_types(const ProfileView& view, report::Painter& out) {
  std::vector<std::string> shown;
  for (const PaddingEntry& entry : view.profile.worst_padding) {
    if (shown.size() == kWorstTypesShown || entry.type >= view.trace.types.size()) break;
    const TensorType& type = view.trace.types[entry.type];
    const std::string text =
        terminal_safe(fmt::format("{} as {}: {}", tensor_text(type), shape_text(padded_shape(type)),
                                  report::size_text(entry.waste_bytes)));
    if (std::find(shown.begin(), shown.end(), text) != shown.end()) continue;
    shown.push_back(text);
    const OpPlace op = place_of(view, entry.rank, entry.op);
    const std::string made_by =
        fmt::format("{}, line {}", terminal_safe(op.name), report::count_text(op.line));
    out.item(shown.size() == 1 ? "  worst" : "", fmt::format("{} ({})", text, made_by), Ink::kDim);
  }
}

std::string fragmentation_text(const ProfileView& view, Memory memory) {
  const RankTrace& trace = view.rank_trace(view.profile.main_rank);
  const RankProfile& rank = view.rank_profile(view.profile.main_rank);
  const Peak& peak = rank.peaks[index_of(memory)];
  const FragmentationMoment& worst = rank.worst_fragmentation[index_of(memory)];
  if (worst.block >= trace.blocks.size()) return {};
  constexpr double kTooLittle = 0.001;
  if (worst.fraction < kTooLittle) return fmt::format("{}{}", name_of(memory), kHardlyAny);
  const std::uint32_t line = trace.blocks[worst.block].line;
  const std::string place = line == 0 ? "" : " at line " + report::count_text(line);
  if (peak.block >= trace.blocks.size()) {  // a failure's message tells the peak
    return fmt::format("{} worst {}{}", name_of(memory), report::percent_text(worst.fraction), place);
  }
  return fmt::format("{} {} at its peak, worst {}{}", name_of(memory),
                     report::percent_text(fragmentation_of(trace.blocks[peak.block], memory)),
                     report::percent_text(worst.fraction), place);
}

void paint_weights(const ProfileView& view, report::Painter& out) {
  if (view.profile.weight_count > 0) out.item("weights", weights_text(view));
}

void paint_padding(const ProfileView& view, bool all, report::Painter& out) {
  const LiveSet& live = view.rank_profile(view.profile.main_rank).live_at_peak[index_of(Memory::kDram)];
  if (live.padded_bytes == 0) return;
  const std::int64_t waste = live.padded_bytes - live.logical_bytes;
  out.item("padding", fmt::format("{} at the DRAM peak: {} of the {} of data", report::size_text(waste),
                                  report::percent_text(report::ratio(waste, live.logical_bytes)),
                                  report::size_text(live.logical_bytes)));
  if (all) paint_worst_types(view, out);
}

/// A buffer of fewer pages than there are banks, or of an odd number, takes a page in every bank all the
/// same.
void paint_lockstep(const ProfileView& view, report::Painter& out) {
  const RankProfile& rank = view.rank_profile(view.profile.main_rank);
  const LiveSet& live = rank.live_at_peak[index_of(Memory::kDram)];
  if (live.lockstep_bytes_per_bank == 0) return;
  out.item("lockstep", fmt::format("{} of the {} per bank at the DRAM peak: pages taken in every bank and "
                                   "filled in some",
                                   report::size_text(live.lockstep_bytes_per_bank),
                                   report::size_text(live.accounted_bytes_per_bank)));
}

/// Padding of a tenth of the data and more.
bool costs_much(const ProfileView& view) {
  constexpr double kMuch = 0.1;
  const LiveSet& live = view.rank_profile(view.profile.main_rank).live_at_peak[index_of(Memory::kDram)];
  return report::ratio(live.padded_bytes - live.logical_bytes, live.logical_bytes) >= kMuch;
}

void paint_fragmentation(const ProfileView& view, bool all, report::Painter& out) {
  std::string_view label = "fragmented";
  for (const Memory memory : kTensorMemories) {
    const std::string text = fragmentation_text(view, memory);
    if (!all && text.ends_with(kHardlyAny)) continue;
    if (text.empty()) continue;
    out.item(label, text);
    label = "";
  }
}

}  // namespace

void paint_waste(const ProfileView& view, MemDetail detail, report::Painter& out) {
  const bool all = detail == MemDetail::kAll;
  report::Painter items = out.same_form();
  if (all) paint_weights(view, items);
  if (all || costs_much(view)) paint_padding(view, all, items);
  if (all) paint_lockstep(view, items);
  if (all) paint_fragmentation(view, all, items);
  const std::string text = items.take();
  if (text.empty()) return;
  out.heading(all ? "Weights and waste" : "Waste");
  out.append(text);
}

}  // namespace ttscope::mem
