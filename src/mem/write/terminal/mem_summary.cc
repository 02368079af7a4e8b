#include "mem/write/terminal/mem_summary.h"

#include <algorithm>

#include "mem/write/terminal/mem_sections.h"

namespace ttscope::mem {
namespace {

constexpr int kNarrowest = 60;  // below, the tables would break; the terminal wraps them
constexpr int kWidest = 140;    // above, the eye loses the line

report::Painter painter_for(const report::TextOptions& options) {
  return report::Painter(options.color,
                         static_cast<std::size_t>(std::clamp(options.width, kNarrowest, kWidest)));
}

constexpr std::size_t kAllRanks = 64;

void paint_all(const ProfileView& view, std::size_t top, report::Painter& out) {
  paint_input(view, MemDetail::kAll, out);
  paint_failures(view, out);
  paint_peaks(view, MemDetail::kAll, out);
  paint_fixes(view, view.profile.fixes.size(), true, out);
  paint_ranks(view, kAllRanks, out);
  paint_programs(view, top, MemDetail::kAll, out);
  paint_growth(view, {top, std::min<std::size_t>(top, 3)}, out);
  paint_live_set(view, top, out);
  paint_live_moment(view, top, out);
  paint_waste(view, MemDetail::kAll, out);
  paint_trust(view, MemDetail::kAll, out);
}

/// After a failure it matters who held the memory then, which stands with the failure; otherwise what made
/// the peak.
void paint_usual(const ProfileView& view, std::size_t top, report::Painter& out) {
  constexpr std::size_t kFixesShown = 3;
  constexpr std::size_t kRanksShown = 4;
  paint_input(view, MemDetail::kUsual, out);
  paint_failures(view, out);
  paint_peaks(view, MemDetail::kUsual, out);
  paint_fixes(view, std::min(top, kFixesShown), false, out);
  paint_ranks(view, kRanksShown, out);
  if (view.profile.failures.empty()) {
    paint_programs(view, top, MemDetail::kUsual, out);
    paint_live_set(view, top, out);
    if (view.profile.ranks.size() == 1) paint_growth(view, {top, std::min<std::size_t>(top, 1)}, out);
  }
  paint_live_moment(view, top, out);
  paint_waste(view, MemDetail::kUsual, out);
  paint_trust(view, MemDetail::kUsual, out);
  out.blank_line();
  out.paragraph(0,
                view.profile.failures.empty()
                    ? "--verbose adds programs, padding and waste, and what the figures include"
                    : "`ttscope oom` explains the failure; --verbose adds what was live at the peak",
                report::Painter::Ink::kDim);
}

}  // namespace

std::string mem_summary_text(const RuntimeTrace& trace, const MemoryProfile& profile,
                             const report::TextOptions& options, MemDetail detail) {
  const ProfileView view{trace, profile};
  report::Painter out = painter_for(options);
  const auto top = static_cast<std::size_t>(std::max(options.top, 0));
  paint_verdict(view, out);
  if (profile.ranks.empty()) return out.take();
  if (detail == MemDetail::kAll) {
    paint_all(view, top, out);
  } else {
    paint_usual(view, top, out);
  }
  return out.take();
}

std::string mem_closing_text(const RuntimeTrace& trace, const MemoryProfile& profile,
                             const report::TextOptions& options) {
  report::Painter out = painter_for(options);
  if (profile.ranks.empty()) return {};
  out.blank_line();
  paint_verdict_line({trace, profile}, out);
  return out.take();
}

std::string mem_brief_text(const RuntimeTrace& trace, const MemoryProfile& profile,
                           const report::TextOptions& options) {
  const ProfileView view{trace, profile};
  report::Painter out = painter_for(options);
  paint_verdict(view, out);
  if (profile.ranks.empty()) return out.take();
  paint_failures(view, out);
  paint_peaks(view, MemDetail::kAll, out);
  return out.take();
}

}  // namespace ttscope::mem
