// Sections of mem/write/terminal/mem_sections.h: what to do.
#include <fmt/format.h>

#include <algorithm>

#include "base/text_escape.h"
#include "mem/write/terminal/mem_sections.h"
#include "mem/write/words/fix_text.h"
#include "report/number_text.h"

namespace ttscope::mem {

void paint_fixes(const ProfileView& view, std::size_t top, bool with_evidence, report::Painter& out) {
  const auto& fixes = view.profile.fixes;
  if (fixes.empty() || top == 0) return;
  const bool replayed =
      std::any_of(fixes.begin(), fixes.end(), [](const Fix& fix) { return fix.tensors > 0; });
  out.heading("What to do", replayed ? "off the peak of a bank, each alone, by a replay of the run" : "");
  const std::size_t shown = std::min(top, fixes.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const FixText text = fix_text(view, fixes[i]);
    const std::int64_t saved = fixes[i].saves_bytes_per_bank;
    const bool is_setting = fixes[i].kind == FixKind::kLargerRegion;
    out.item(saved > 0    ? fmt::format("-{}", report::size_text(saved))
             : is_setting ? "setting"
                          : "change",
             fmt::format("{}: {}", text.what, text.effect));
    if (with_evidence && !text.evidence.empty())
      out.item("", terminal_safe(text.evidence), report::Painter::Ink::kDim);
  }
  if (shown < fixes.size())
    out.item("", fmt::format("{} more with less: --verbose", fixes.size() - shown),
             report::Painter::Ink::kDim);
}

}  // namespace ttscope::mem
