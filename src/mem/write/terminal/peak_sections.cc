// Sections of mem/write/terminal/mem_sections.h: peaks and growth.
#include <fmt/format.h>

#include <algorithm>

#include "base/text_escape.h"
#include "mem/analyse/growth_groups.h"
#include "mem/write/terminal/mem_sections.h"
#include "report/number_text.h"

namespace ttscope::mem {
namespace {

using Ink = report::Painter::Ink;

Ink ink_of_use(Memory memory, double use) {
  const bool l1 = memory == Memory::kL1;
  if (use > (l1 ? 0.95 : 0.90)) return Ink::kRed;
  return use > (l1 ? 0.90 : 0.80) ? Ink::kYellow : Ink::kGreen;
}

std::string seen_text(const RankTrace& rank, Memory memory, const Peak& peak) {
  if (peak.message_line != 0)
    return fmt::format("measured, says the failure's message at line {}",
                       report::count_text(peak.message_line));
  if (peak.block >= rank.blocks.size()) return std::string(name_of(peak.confidence));
  const MemoryBlock& block = rank.blocks[peak.block];
  const std::uint32_t view_line = block.view_line[index_of(memory)];
  const std::uint32_t line = view_line != 0 ? view_line : block.line;
  if (line == 0) return std::string(name_of(peak.confidence));  // files of a run may not record lines
  return fmt::format("{}, seen at line {}", name_of(peak.confidence), report::count_text(line));
}

/// Two short lines: which op at which location; where in the log.
void paint_maker(const ProfileView& view, Memory memory, const Peak& peak, report::Painter& out) {
  const std::uint32_t rank = view.profile.main_rank;
  const std::string seen = seen_text(view.rank_trace(rank), memory, peak);
  if (peak.op >= view.rank_trace(rank).ops.size()) {
    out.paragraph(4, seen, Ink::kDim);
    return;
  }
  const OpPlace op = place_of(view, rank, peak.op);
  const std::string program = terminal_safe(op.program);
  if (peak.at_program_start) {
    out.paragraph(4, fmt::format("at program start of {}: inputs moved to the device",
                                 program.empty() ? "the first program" : program));
    const std::string before =
        op.line == 0 ? "" : fmt::format("before line {}; ", report::count_text(op.line));
    out.paragraph(4, before + seen, Ink::kDim);
    return;
  }
  const std::string name = report::fit(terminal_safe(op.name), out.width() - 4);
  const std::string loc = report::fit(terminal_safe(op.loc), out.width() - 4);
  const bool one_line = report::display_width(name) + 2 + report::display_width(loc) + 4 <= out.width();
  out.line(fmt::format("    {}{}", out.paint(name, Ink::kBold), one_line && !loc.empty() ? "  " + loc : ""));
  if (!one_line) out.line("    " + loc);
  const std::string line = op.line == 0 ? "" : fmt::format("line {}", report::count_text(op.line));
  const std::string where = program + (program.empty() || line.empty() ? "" : ", ") + line;
  out.paragraph(4, where + (where.empty() ? "" : "; ") + seen, Ink::kDim);
}

void paint_peak(const ProfileView& view, Memory memory, MemDetail detail, report::Painter& out) {
  const RankProfile& rank = view.rank_profile(view.profile.main_rank);
  const Peak& peak = rank.peaks[index_of(memory)];
  const std::int64_t capacity = rank.device.capacity_bytes_per_bank[index_of(memory)];
  const std::int64_t total = report::all_banks(peak.bytes_per_bank, rank.device.banks[index_of(memory)]);
  const double use = report::ratio(peak.bytes_per_bank, capacity);
  const Ink ink = ink_of_use(memory, use);
  const std::string percent = capacity == 0 ? "?" : report::percent_text(use);
  const std::size_t cells = std::min<std::size_t>(out.width() - 48, 40);
  out.line(fmt::format("  {}{}{}{}  {}", report::pad_right(name_of(memory), 10),
                       report::pad_left(report::size_text(peak.bytes_per_bank), 12),
                       report::pad_left(report::size_text(total), 12),
                       out.paint(report::pad_left(percent, 10), ink),
                       out.paint(report::gauge(use, cells), ink)));
  constexpr double kFar = 0.5;
  const bool is_far = memory != Memory::kDram && capacity > 0 && use < kFar;
  const bool is_told = peak.message_line != 0;  // with the failure, above
  if (detail == MemDetail::kAll || !(is_far || is_told)) paint_maker(view, memory, peak, out);
}

/// One line of the growth table.
struct GrowthRow {
  std::string growth;
  std::string_view memory;
  std::string name;
  std::string loc;
  std::string place;
};

GrowthRow growth_row(const ProfileView& view, const GrowthGroup& group) {
  const OpPlace op = place_of(view, group.rank, group.op);
  const std::string times = group.times > 1 ? fmt::format(" x{}", report::count_text(group.times)) : "";
  return {report::signed_size_text(group.bytes_per_bank), name_of(kTensorMemories[group.memory]),
          report::fit(terminal_safe(op.name), 24), terminal_safe(op.loc),
          op.line == 0 ? times : fmt::format("line {}{}", report::count_text(op.line), times)};
}

/// Without room for the location in its line.
void paint_narrow_growth(const std::vector<GrowthRow>& rows, report::Painter& out) {
  for (const GrowthRow& row : rows) {
    const std::size_t used = 2 + 11 + 2 + 5 + 1 + report::display_width(row.place);
    const std::size_t room = std::max<std::size_t>(out.width(), used + 4) - used;
    out.line(fmt::format("  {}  {}{} {}", report::pad_left(row.growth, 11), report::pad_right(row.memory, 5),
                         report::pad_right(report::fit(row.name, room), room),
                         out.paint(row.place, Ink::kDim)));
  }
}

/// The location gets what the others leave.
void paint_growth_rows(const std::vector<GrowthRow>& rows, report::Painter& out) {
  std::size_t name_width = 0;
  std::size_t place_width = 0;
  for (const GrowthRow& row : rows) {
    name_width = std::max(name_width, report::display_width(row.name));
    place_width = std::max(place_width, report::display_width(row.place));
  }
  constexpr std::size_t kLeastRoom = 8;  // a shorter location tells nothing
  const std::size_t used = 2 + 11 + 2 + 5 + name_width + 2 + 2 + place_width;
  if (out.width() < used + kLeastRoom) return paint_narrow_growth(rows, out);
  const std::size_t room = out.width() - used;
  for (const GrowthRow& row : rows) {
    out.line(fmt::format("  {}  {}{}  {}  {}", report::pad_left(row.growth, 11),
                         report::pad_right(row.memory, 5), report::pad_right(row.name, name_width),
                         report::pad_right(report::fit(row.loc, room), room),
                         out.paint(report::pad_left(row.place, place_width), Ink::kDim)));
  }
}

std::string rank_peak_text(const RankProfile& rank, Memory memory) {
  const std::int64_t peak = rank.peaks[index_of(memory)].bytes_per_bank;
  const std::int64_t capacity = rank.device.capacity_bytes_per_bank[index_of(memory)];
  if (capacity == 0) return report::size_text(peak);
  return fmt::format("{} ({})", report::size_text(peak), report::percent_text(report::ratio(peak, capacity)));
}

}  // namespace

void paint_peaks(const ProfileView& view, MemDetail detail, report::Painter& out) {
  const RankProfile& rank = view.rank_profile(view.profile.main_rank);
  out.blank_line();
  out.line(fmt::format("{}{}{}{}", out.paint(report::pad_right("Peak memory", 12), Ink::kBold),
                       out.paint(report::pad_left("per bank", 12), Ink::kDim),
                       out.paint(report::pad_left("all banks", 12), Ink::kDim),
                       out.paint(report::pad_left("of bank", 10), Ink::kDim)));
  std::string unused;
  for (const Memory memory : kMemories) {
    if (rank.peaks[index_of(memory)].bytes_per_bank > 0) {
      paint_peak(view, memory, detail, out);
    } else {
      unused += fmt::format("{}{}", unused.empty() ? "" : ", ", name_of(memory));
    }
  }
  const RankTrace& seen = view.rank_trace(view.profile.main_rank);
  const std::string_view what = is_told(seen, Peak()) ? "not used" : "not told";
  if (!unused.empty()) out.paragraph(2, fmt::format("{}: {}", what, unused), Ink::kDim);
}

void paint_ranks(const ProfileView& view, std::size_t most, report::Painter& out) {
  const std::size_t ranks = view.profile.ranks.size();
  if (ranks < 2) return;
  out.heading("Ranks", "highest state per bank");
  for (std::uint32_t rank = 0; rank < std::min(ranks, most); ++rank) {
    const RankProfile& profile = view.rank_profile(rank);
    const bool narrow = out.width() < 78;
    out.line(fmt::format(
        "  {}{}{}{}",
        report::pad_right(fmt::format("rank {}", view.rank_trace(rank).number), narrow ? 8 : 10),
        report::pad_right(fmt::format("DRAM {}", rank_peak_text(profile, Memory::kDram)), narrow ? 25 : 28),
        report::pad_right(fmt::format("L1 {}", rank_peak_text(profile, Memory::kL1)), narrow ? 0 : 25),
        narrow ? "" : report::counted(profile.counted_ops, "op")));
  }
  if (ranks > most) out.paragraph(2, fmt::format("and {} more", ranks - most), Ink::kDim);
}

void paint_growth(const ProfileView& view, GrowthRows shown, report::Painter& out) {
  std::vector<GrowthRow> rows;
  for (const GrowthGroup& group : top_growth(view.trace, view.profile, Memory::kDram, shown.dram))
    rows.push_back(growth_row(view, group));
  for (const GrowthGroup& group : top_growth(view.trace, view.profile, Memory::kL1, shown.l1))
    rows.push_back(growth_row(view, group));
  if (rows.empty()) return;
  out.heading("Top growth", "what an op itself added per bank; xN: it grew N times");
  paint_growth_rows(rows, out);
}

}  // namespace ttscope::mem
