#include "mem/write/words/trust_text.h"

#include <fmt/format.h>

#include "report/number_text.h"

namespace ttscope::mem {
namespace {

std::string place_text(const RuntimeTrace& trace, const Place& place) {
  if (trace.files.size() < 2 || place.file >= trace.files.size())
    return fmt::format("line {}", report::count_text(place.line));
  return fmt::format("{}:{}", trace.files[place.file], place.line);
}

std::string problem_text(const RuntimeTrace& trace, LogProblem problem) {
  std::string text =
      fmt::format("{}: {}", info_of(problem).sentence, report::count_text(trace.problems.count(problem)));
  const auto& places = trace.problems.places(problem);
  if (!places.empty()) text += fmt::format(", first at {}", place_text(trace, places.front()));
  return text;
}

std::string recognised_text(const RuntimeTrace& trace) {
  std::uint64_t lines = 0;
  for (const std::uint64_t file_lines : trace.file_lines) lines += file_lines;
  std::uint64_t op_lines = 0;
  std::uint64_t blocks = 0;
  std::uint64_t programs = 0;
  for (const RankTrace& rank : trace.ranks) {
    for (const ExecutedOp& op : rank.ops) op_lines += op.text == kNone || trace.is_from_modules() ? 0 : 1;
    blocks += rank.blocks.size();
    programs += rank.programs.size();
  }
  return fmt::format("{}, {}, {}, {}, {}", report::counted(lines, "line"),
                     report::counted(op_lines, "op line"), report::counted(blocks, "memory block"),
                     report::counted(programs, "program run"),
                     report::counted(trace.modules.size(), "module dump"));
}

}  // namespace

TrustText trust_of(const ProfileView& view) {
  TrustText trust;
  trust.recognised = recognised_text(view.trace);
  for (std::size_t i = 0; i < kLogProblemCount; ++i) {
    const LogProblem problem = static_cast<LogProblem>(i);
    if (view.trace.problems.count(problem) == 0) continue;
    auto& list = info_of(problem).repaired ? trust.repaired : trust.skipped;
    list.push_back(problem_text(view.trace, problem));
  }
  return trust;
}

std::string trust_headline(const ProfileView& view) {
  std::uint64_t repaired = 0;
  std::uint64_t skipped = 0;
  for (std::size_t i = 0; i < kLogProblemCount; ++i) {
    const LogProblem problem = static_cast<LogProblem>(i);
    (info_of(problem).repaired ? repaired : skipped) += view.trace.problems.count(problem);
  }
  const Confidence confidence =
      view.rank_profile(view.profile.main_rank).peaks[index_of(Memory::kDram)].confidence;
  // What is printed is not the peak where most of what was printed could not be read: as the verdict says.
  const std::string_view source =
      confidence == Confidence::kNone ? "unknown" : name_of(view.profile.verdict.trust);
  return fmt::format("DRAM peak is {}; repaired {}, skipped {}, missing {}", source,
                     report::count_text(repaired), report::count_text(skipped), view.profile.missing.size());
}

}  // namespace ttscope::mem
