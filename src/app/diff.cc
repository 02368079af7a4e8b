#include "app/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "app/compared_run.h"
#include "diff/analyse/compare_runs.h"
#include "diff/analyse/join_ops.h"
#include "diff/write/diff_text.h"

namespace ttscope::app {
namespace {

/// One side: runs, each with a profile for each of its subjects.
using OpenedSide = std::vector<std::vector<Profile>>;

Result<OpenedSide> open_side(const RunInputs& inputs, const OpenOptions& options) {
  OpenedSide side;
  for (const std::vector<std::string>& paths : inputs) {
    Result<std::vector<Profile>> run = open_run(paths, options);
    if (!run) return failure(run.error());
    side.push_back(std::move(*run));
  }
  return side;
}

const Profile* profile_of(const std::vector<Profile>& run, Subject subject) {
  const auto found =
      std::find_if(run.begin(), run.end(), [&](const Profile& one) { return one.subject() == subject; });
  return found == run.end() ? nullptr : &*found;
}

/// The subjects of every run of a side must be those of its first.
std::string missing_in(const OpenedSide& side) {
  for (const std::vector<Profile>& run : side) {
    for (const Profile& profile : side.front()) {
      if (profile_of(run, profile.subject()) != nullptr) continue;
      return fmt::format(
          "{} is of `{}` and has no partner of that kind in {}: runs of one side must be alike",
          profile.paths.front(), name_of(profile.subject()), run.front().paths.front());
    }
  }
  return {};
}

diff::Side side_of(const OpenedSide& opened, Subject subject, const ComparedPeak& peak = {}) {
  diff::Side side;
  for (std::size_t i = 0; i < opened.size(); ++i) {
    diff::ComparedRun run = compared_run(*profile_of(opened[i], subject), peak);
    if (i == 0) {
      side.run = std::move(run);
    } else {
      side.repeats.push_back(std::move(run));
    }
  }
  return side;
}

const diff::DiffTotal* total_of(const diff::DiffReport& report, std::string_view name) {
  const auto found = std::find_if(report.totals.begin(), report.totals.end(),
                                  [&](const diff::DiffTotal& total) { return total.name == name; });
  return found == report.totals.end() ? nullptr : &*found;
}

std::string_view repeats_of(const diff::ComparedRun& run) {
  const auto found = std::find_if(run.settings.begin(), run.settings.end(), [](const diff::Fact& setting) {
    return setting.name == diff::kRepeatsInWindow;
  });
  return found == run.settings.end() ? std::string_view() : found->value;
}

/// Every replay of the windows of a side as a run; none: some window cannot be taken apart.
std::optional<diff::Side> side_of_replays(const OpenedSide& opened) {
  diff::Side side;
  bool is_first = true;
  for (const std::vector<Profile>& run : opened) {
    std::vector<diff::ComparedRun> replays = compared_replays(*profile_of(run, Subject::kPerf));
    if (replays.empty()) return std::nullopt;
    for (diff::ComparedRun& replay : replays) {
      if (is_first) {
        side.run = std::move(replay);
      } else {
        side.repeats.push_back(std::move(replay));
      }
      is_first = false;
    }
  }
  return side;
}

/// Windows that hold the same ops another number of times would differ by that alone: then one replay is
/// compared.
diff::DiffReport compare_times(const OpenedSide& before, const OpenedSide& after) {
  const diff::Side old = side_of(before, Subject::kPerf);
  const diff::Side later = side_of(after, Subject::kPerf);
  if (repeats_of(old.run) != repeats_of(later.run)) {
    const std::optional<diff::Side> old_replays = side_of_replays(before);
    const std::optional<diff::Side> later_replays = side_of_replays(after);
    if (old_replays && later_replays) {
      diff::DiffReport report = diff::compare_runs(*old_replays, *later_replays);
      for (diff::Caution& caution : report.cautions) {
        if (caution.name == diff::kRepeatsInWindow) caution.what = diff::Caution::What::kReplays;
      }
      return report;
    }
  }
  return diff::compare_runs(old, later);
}

diff::DiffReport compare_subject(const OpenedSide& before, const OpenedSide& after, Subject subject,
                                 ComparedMemory memory) {
  if (subject == Subject::kPerf) return compare_times(before, after);
  std::vector<const Profile*> profiles;
  for (const OpenedSide* side : {&before, &after}) {
    for (const std::vector<Profile>& run : *side) profiles.push_back(profile_of(run, subject));
  }
  const auto of_memory = [&](bool is_of_l1) {
    const ComparedPeak peak = peak_of_all(profiles, is_of_l1);
    return diff::compare_runs(side_of(before, subject, peak), side_of(after, subject, peak));
  };
  const bool has_l1 = subject == Subject::kMem || subject == Subject::kGraph;
  if (!has_l1 || memory == ComparedMemory::kDram) return of_memory(false);
  if (memory == ComparedMemory::kL1) return of_memory(true);
  diff::DiffReport dram = of_memory(false);
  const diff::DiffTotal* const peak_dram = total_of(dram, "peak_dram");
  const diff::DiffTotal* const peak_l1 = total_of(dram, "peak_l1");
  const bool only_l1 =
      peak_dram != nullptr && !peak_dram->is_other() && peak_l1 != nullptr && peak_l1->is_other();
  return only_l1 ? of_memory(true) : dram;
}

/// Time first: what people look at where both are given.
constexpr std::array kOrder = {Subject::kPerf, Subject::kMem, Subject::kPhases, Subject::kGraph};

/// Two empty windows are equal, and tell nothing.
std::optional<Error> emptiness_of(const diff::DiffReport& report) {
  for (const diff::Caution& caution : report.cautions) {
    if (caution.what == diff::Caution::What::kEmpty) return nothing_found(diff::caution_text(caution));
  }
  return std::nullopt;
}

}  // namespace

Result<std::vector<diff::DiffReport>> compare(const RunInputs& before, const RunInputs& after,
                                              const DiffOptions& options) {
  const Result<OpenedSide> first = open_side(before, options.open);
  if (!first) return failure(first.error());
  const Result<OpenedSide> second = open_side(after, options.open);
  if (!second) return failure(second.error());
  for (const OpenedSide* side : {&*first, &*second}) {
    if (const std::string missing = missing_in(*side); !missing.empty()) return failure(bad_input(missing));
  }
  std::vector<diff::DiffReport> reports;
  for (const Subject subject : kOrder) {
    if (profile_of(first->front(), subject) == nullptr || profile_of(second->front(), subject) == nullptr)
      continue;
    reports.push_back(compare_subject(*first, *second, subject, options.memory));
    if (const std::optional<Error> empty = emptiness_of(reports.back()); empty) return failure(*empty);
  }
  if (reports.size() > 1) reports[0].joined = diff::join_ops(reports[0], reports[1]);
  if (!reports.empty()) return reports;
  const Profile& old = first->front().front();
  const Profile& later = second->front().front();
  return failure(bad_input(
      fmt::format("{} is of `{}` and {} is of `{}`: only runs of the same kind can be compared",
                  old.paths.front(), name_of(old.subject()), later.paths.front(), name_of(later.subject()))));
}

}  // namespace ttscope::app
