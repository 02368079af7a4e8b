// Sections of mem/write/terminal/mem_sections.h: the live sets.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text_escape.h"
#include "mem/write/terminal/mem_sections.h"
#include "mem/write/words/labels.h"
#include "report/number_text.h"

namespace ttscope::mem {
namespace {

using Ink = report::Painter::Ink;

constexpr std::array<TensorKind, kTensorKindCount> kKindOrder = {TensorKind::kWeight, TensorKind::kConstEval,
                                                                 TensorKind::kActivation, TensorKind::kInput,
                                                                 TensorKind::kUnknown};

/// One row of the table by kind.
struct KindRow {
  std::string_view name;
  std::int64_t bytes_per_bank = 0;
  std::int64_t whole = 0;
  std::string remark;
};

void paint_kind(const KindRow& row, report::Painter& out) {
  const double share = report::ratio(row.bytes_per_bank, row.whole);
  constexpr std::size_t kOtherColumns = 37 + 2 + 20;
  const std::size_t cells = std::max<std::size_t>(out.width(), kOtherColumns + 1) - kOtherColumns;
  out.line(fmt::format("  {}{}{}  {}  {}", report::pad_right(row.name, 12),
                       report::pad_left(report::size_text(row.bytes_per_bank), 12),
                       report::pad_left(report::percent_text(share), 9),
                       out.paint(report::pad_right(report::bar(share, cells), cells), Ink::kCyan),
                       row.remark));
}

void paint_kinds(const RankProfile& rank, const LiveSet& live, std::int64_t peak, report::Painter& out) {
  std::array<std::uint64_t, kTensorKindCount> tensors{};
  for (const std::uint32_t buffer : live.buffers)
    ++tensors[static_cast<std::size_t>(rank.buffers[buffer].kind)];
  for (const TensorKind kind : kKindOrder) {
    const auto index = static_cast<std::size_t>(kind);
    if (tensors[index] == 0) continue;
    paint_kind(
        {name_of(kind), live.kind_bytes_per_bank[index], peak, report::counted(tensors[index], "tensor")},
        out);
  }
  if (is_rounding(live.unaccounted_bytes_per_bank)) return;
  const bool too_much = live.unaccounted_bytes_per_bank < 0;
  paint_kind({"unaccounted", live.unaccounted_bytes_per_bank, peak,
              too_much ? "more than measured" : "no op line names it"},
             out);
}

/// `12.00 MB weight  name  shape  line 12`; the name gets what the others leave.
void paint_tensor(const ProfileView& view, std::uint32_t rank, const Buffer& buffer, report::Painter& out) {
  const auto& ops = view.rank_trace(rank).ops;
  const std::size_t shape_width = out.width() < 72 ? 12 : 17;
  const std::string shape =
      report::fit(terminal_safe(tensor_text(type_of(view.trace, view.rank_profile(rank), buffer))),
                  out.width() < 72 ? shape_width : 22);
  const std::string place = buffer.producer_op < ops.size()
                                ? fmt::format("line {}", report::count_text(ops[buffer.producer_op].line))
                                : "argument";
  const std::size_t used = 2 + 10 + 2 + 11 + 1 +
                           std::max<std::size_t>(report::display_width(shape), shape_width) + 1 +
                           std::max<std::size_t>(report::display_width(place), 11);
  const std::size_t room = std::max<std::size_t>(out.width(), used + 8) - used;
  out.line(
      fmt::format("  {}  {}{} {} {}", report::pad_left(report::size_text(buffer.bytes_per_bank), 10),
                  report::pad_right(name_of(buffer.kind), 11),
                  report::pad_right(report::fit(terminal_safe(buffer_label(view, rank, buffer)), room), room),
                  report::pad_right(shape, shape_width), out.paint(report::pad_left(place, 11), Ink::kDim)));
}

/// What is live in one memory of a rank, and the bytes of a bank that it is a part of.
struct LiveInMemory {
  std::uint32_t rank;
  const LiveSet& live;
  std::int64_t whole_per_bank;
};

void paint_set(const ProfileView& view, const LiveInMemory& set, std::size_t top, report::Painter& out) {
  const RankProfile& profile = view.rank_profile(set.rank);
  paint_kinds(profile, set.live, set.whole_per_bank, out);
  const std::size_t shown = std::min(top, set.live.buffers.size());
  if (shown == 0) return;
  out.paragraph(2, "largest tensors:", Ink::kDim);
  for (std::size_t i = 0; i < shown; ++i) {
    paint_tensor(view, set.rank, profile.buffers[set.live.buffers[i]], out);
  }
}

}  // namespace

void paint_live_set(const ProfileView& view, std::size_t top, report::Painter& out) {
  const std::uint32_t rank = view.profile.main_rank;
  const std::int64_t peak = view.rank_profile(rank).peaks[index_of(Memory::kDram)].bytes_per_bank;
  const LiveSet& live = view.rank_profile(rank).live_at_peak[index_of(Memory::kDram)];
  // The files of a run do not tell what is live, and say so in the trust section.
  const bool is_known = !live.buffers.empty() || live.unaccounted_bytes_per_bank != 0;
  if (peak == 0 || !is_known) return;
  out.heading("Live at the DRAM peak", "per bank");
  paint_set(view, {rank, live, peak}, top, out);
}

void paint_live_moment(const ProfileView& view, std::size_t top, report::Painter& out) {
  if (!view.profile.live_at) return;
  const LiveMoment& moment = *view.profile.live_at;
  const OpPlace op = place_of(view, moment.rank, moment.op);
  for (const Memory memory : kTensorMemories) {
    const std::size_t m = index_of(memory);
    if (moment.bytes_per_bank[m] == 0 && moment.live[m].buffers.empty()) continue;
    out.heading(fmt::format("{} before line {}, op {}", name_of(memory), report::count_text(op.line),
                            report::count_text(moment.op)),
                fmt::format("{} per bank", report::size_text(moment.bytes_per_bank[m])));
    out.paragraph(2, fmt::format("{}  {}", terminal_safe(op.name), terminal_safe(op.loc)), Ink::kDim);
    paint_set(view, {moment.rank, moment.live[m], moment.bytes_per_bank[m]}, top, out);
  }
}

}  // namespace ttscope::mem
