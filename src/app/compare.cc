#include "app/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "diff/align.h"
#include "diff/compare_runs.h"
#include "diff/outputs.h"
#include "gate/budget.h"
#include "gate/judge.h"
#include "graph/diff_run.h"
#include "io/open_input.h"
#include "perf/diff_run.h"
#include "phases/diff_run.h"

namespace ttscope::app {
namespace {

mem::Memory memory_of(bool is_of_l1) { return is_of_l1 ? mem::Memory::kL1 : mem::Memory::kDram; }

}  // namespace

diff::ComparedRun compared_run(const Profile& profile, const ComparedPeak& peak) {
  struct Visitor {
    const ComparedPeak& peak;
    diff::ComparedRun operator()(const std::shared_ptr<const mem::Profile>& run) const {
      return mem::diff_run_of(*run, memory_of(peak.is_of_l1), peak.shared);
    }
    diff::ComparedRun operator()(const std::shared_ptr<const phases::Profile>& run) const {
      return phases::diff_run_of(*run);
    }
    diff::ComparedRun operator()(const std::shared_ptr<const graph::Profile>& run) const {
      return graph::diff_run_of(*run, !peak.is_of_l1);
    }
    diff::ComparedRun operator()(const std::shared_ptr<const perf::Profile>& run) const {
      return perf::diff_run_of(*run);
    }
    /// open_run() lets none pass.
    diff::ComparedRun operator()(const std::shared_ptr<const timeline::Profile>& /*run*/) const { return {}; }
  };
  diff::ComparedRun run = std::visit(Visitor{peak}, profile.data);
  if (!profile.paths.empty()) run.name = profile.paths.front();
  return run;
}

ComparedPeak peak_of_all(const std::vector<const Profile*>& profiles, bool is_of_l1) {
  std::vector<const mem::Profile*> logs;
  for (const Profile* profile : profiles) {
    if (const auto* const log = std::get_if<std::shared_ptr<const mem::Profile>>(&profile->data))
      logs.push_back(log->get());
  }
  return {is_of_l1, mem::shared_by(logs, memory_of(is_of_l1))};
}

std::vector<diff::ComparedRun> compared_replays(const Profile& profile) {
  const auto* const run = std::get_if<std::shared_ptr<const perf::Profile>>(&profile.data);
  return run == nullptr ? std::vector<diff::ComparedRun>() : perf::diff_replays_of(**run);
}

namespace {

/// One side: runs, each with a profile for each of its subjects.
using OpenedSide = std::vector<std::vector<Profile>>;

Result<OpenedSide> open_side(const RunInputs& inputs, const OpenOptions& options) {
  OpenedSide side;
  for (const std::vector<std::string>& paths : inputs) {
    ASSIGN_OR_RETURN(std::vector<Profile> run, open_run(paths, options));
    side.push_back(std::move(run));
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
std::optional<Error> empty_window_error(const diff::DiffReport& report) {
  for (const diff::Caution& caution : report.cautions) {
    if (caution.what == diff::Caution::What::kEmpty) return nothing_found(diff::caution_text(caution));
  }
  return std::nullopt;
}

}  // namespace

Result<std::vector<diff::DiffReport>> compare(const RunInputs& before, const RunInputs& after,
                                              const DiffOptions& options) {
  ASSIGN_OR_RETURN(const OpenedSide first, open_side(before, options.open));
  ASSIGN_OR_RETURN(const OpenedSide second, open_side(after, options.open));
  for (const OpenedSide* side : {&first, &second}) {
    if (const std::string missing = missing_in(*side); !missing.empty()) return failure(bad_input(missing));
  }
  std::vector<diff::DiffReport> reports;
  for (const Subject subject : kOrder) {
    if (profile_of(first.front(), subject) == nullptr || profile_of(second.front(), subject) == nullptr)
      continue;
    reports.push_back(compare_subject(first, second, subject, options.memory));
    if (const std::optional<Error> empty = empty_window_error(reports.back()); empty) return failure(*empty);
  }
  if (reports.size() > 1) reports[0].joined = diff::join_ops(reports[0], reports[1]);
  if (!reports.empty()) return reports;
  const Profile& old = first.front().front();
  const Profile& later = second.front().front();
  return failure(bad_input(
      fmt::format("{} is of `{}` and {} is of `{}`: only runs of the same kind can be compared",
                  old.paths.front(), name_of(old.subject()), later.paths.front(), name_of(later.subject()))));
}

namespace {

gate::Section section_of(Subject subject) {
  return subject == Subject::kPerf ? gate::Section::kTime : gate::Section::kMemory;
}

/// Opens arguments: runs of one subject must be given in one, so that it is known what they are to each
/// other.
class GatedInputs {
 public:
  explicit GatedInputs(const OpenOptions& options) : options_(options) {}

  Result<void> add(const std::string& argument) {
    std::map<Subject, gate::RunRepeats> own;
    for (const std::vector<std::string>& files : run_inputs(argument)) {
      ASSIGN_OR_RETURN(const std::vector<Profile> opened, open_run(files, options_));
      for (const Profile& profile : opened) {
        gate::RunRepeats& runs = own[profile.subject()];
        runs.section = section_of(profile.subject());
        runs.subject = name_of(profile.subject());
        runs.repeats.push_back(compared_run(profile));
      }
    }
    for (auto& [subject, runs] : own) {
      const auto [place, is_new] = first_of_.try_emplace(subject, argument);
      if (!is_new) {
        return failure(bad_input(fmt::format(
            "{} and {} are both of `{}`; repeats are written {},{} and files of "
            "one run {}+{}",
            place->second, argument, name_of(subject), place->second, argument, place->second, argument)));
      }
      runs_.push_back(std::move(runs));
    }
    return {};
  }

  std::vector<gate::RunRepeats> take() { return std::move(runs_); }

 private:
  const OpenOptions& options_;
  std::map<Subject, std::string> first_of_;
  std::vector<gate::RunRepeats> runs_;
};

Result<std::vector<gate::RunRepeats>> measured(const std::vector<std::string>& arguments,
                                               const OpenOptions& options) {
  GatedInputs inputs(options);
  for (const std::string& argument : arguments) {
    RETURN_IF_ERROR(inputs.add(argument));
  }
  return inputs.take();
}

Result<gate::Budget> load_budget(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    return failure(bad_input(fmt::format("{}: a folder; expected a budgets file", path)));
  ASSIGN_OR_RETURN(const io::WholeText text, io::open_whole_text(path));
  return gate::read_budget(path, text.bytes());
}

/// A path of a budgets file is one from its folder; parts of `a,b+c` each.
std::string from_folder(const std::string& budget_path, const std::string& written) {
  const std::filesystem::path folder = std::filesystem::path(budget_path).parent_path();
  if (folder.empty()) return written;
  std::string all;
  std::size_t begin = 0;
  while (begin <= written.size()) {
    const std::size_t end = std::min(written.find_first_of(",+", begin), written.size());
    const std::string part = written.substr(begin, end - begin);
    all += part.starts_with('/') ? part : (folder / part).string();
    if (end < written.size()) all += written[end];
    begin = end + 1;
  }
  std::error_code error;
  const std::string whole = (folder / written).string();
  return std::filesystem::exists(whole, error) ? whole : all;
}

Result<std::vector<gate::RunRepeats>> baseline_of(const gate::Budget& budget, const GateOptions& options) {
  const auto asking = std::find_if(budget.bounds.begin(), budget.bounds.end(),
                                   [](const gate::Bound& bound) { return bound.needs_baseline(); });
  if (asking == budget.bounds.end()) return std::vector<gate::RunRepeats>{};
  std::vector<std::string> paths = options.baseline;
  if (paths.empty()) {
    for (const std::string& written : budget.baseline) paths.push_back(from_folder(budget.path, written));
  }
  if (paths.empty()) {
    return failure(
        bad_input(fmt::format("{}:{}: {} = \"{}\" is against a baseline, and none is given; expected "
                              "baseline = \"main.csv\" in the file, or --baseline",
                              budget.path, asking->line, asking->path(), asking->written)));
  }
  Result<std::vector<gate::RunRepeats>> runs = measured(paths, options.open);
  if (!runs) return failure(Error{runs.error().code, "baseline: " + runs.error().message});
  return runs;
}

}  // namespace

Result<gate::GateResult> gate_runs(const std::vector<std::string>& arguments, const std::string& budget_path,
                                   const GateOptions& options) {
  ASSIGN_OR_RETURN(const gate::Budget budget, load_budget(budget_path));
  ASSIGN_OR_RETURN(const std::vector<gate::RunRepeats> baseline, baseline_of(budget, options));
  ASSIGN_OR_RETURN(const std::vector<gate::RunRepeats> runs, measured(arguments, options.open));
  return gate::judge(budget, runs, baseline);
}

}  // namespace ttscope::app
