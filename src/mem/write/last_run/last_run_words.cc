#include "mem/write/last_run/last_run_words.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/number_text.h"

namespace ttscope::mem {
namespace {

std::string basis_text(const std::vector<RankCut>& cuts) {
  const bool by_markers = std::any_of(
      cuts.begin(), cuts.end(), [](const RankCut& cut) { return cut.basis == RankCut::Basis::kMarkers; });
  return by_markers ? "\"Got output shape:\" lines" : "programs that repeat";
}

}  // namespace

std::string last_run_words(const std::vector<RankCut>& cuts, const CopiedLines& lines) {
  std::uint64_t kept = 0;
  std::uint64_t dropped = 0;
  for (const RankCut& cut : cuts) {
    kept += cut.kept_programs;
    dropped += cut.dropped_programs;
  }
  if (kept + dropped == 0) {
    return fmt::format("no program lines found: the whole log is kept ({})",
                       report::counted(lines.kept, "line"));
  }
  if (dropped == 0) {
    return fmt::format("only one run found: the whole log is kept ({})", report::counted(lines.kept, "line"));
  }
  return fmt::format("kept the last run, found by {}: {} of {}, {} of {}", basis_text(cuts),
                     report::count_text(kept), report::counted(kept + dropped, "program run"),
                     report::count_text(lines.kept), report::counted(lines.read, "line"));
}

}  // namespace ttscope::mem
