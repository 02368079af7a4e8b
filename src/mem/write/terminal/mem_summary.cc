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

}  // namespace

std::string mem_summary_text(const RuntimeTrace& trace, const MemoryProfile& profile,
                             const report::TextOptions& options, MemDetail detail) {
  const ProfileView view{trace, profile};
  report::Painter out = painter_for(options);
  const auto top = static_cast<std::size_t>(std::max(options.top, 0));
  const bool all = detail == MemDetail::kAll;
  constexpr std::size_t kFixesShown = 3;
  paint_verdict(view, out);
  if (profile.ranks.empty()) return out.take();
  paint_input(view, out);
  paint_failures(view, out);
  paint_peaks(view, out);
  paint_fixes(view, all ? view.profile.fixes.size() : std::min(top, kFixesShown), all, out);
  paint_ranks(view, out);
  paint_programs(view, top, out);
  paint_growth(view, top, out);
  paint_live_set(view, top, out);
  paint_live_moment(view, top, out);
  paint_waste(view, all, out);
  paint_trust(view, all, out);
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
  paint_peaks(view, out);
  return out.take();
}

}  // namespace ttscope::mem
