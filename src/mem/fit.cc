#include "mem/fit.h"

#include <algorithm>

#include "mem/fit_search.h"
#include "mem/fit_verdict.h"

namespace ttscope::mem {
namespace {

using fit::Omission;

/// What no replay of a log can know, and what this log does not tell.
std::vector<Omission> general_omissions(const Profile& profile, const fit::Agreement& agreement) {
  std::vector<Omission> omissions = {Omission::kCircularBuffers, Omission::kTemporaries};
  if (agreement.states == 0) omissions.push_back(Omission::kKernels);
  if (agreement.states == 0) omissions.push_back(Omission::kNoStates);
  if (agreement.unexplained_bytes_per_bank > 0) omissions.push_back(Omission::kUnexplained);
  if (profile.trace.problems.count(LogProblem::kTypeUnparsed) > 0)
    omissions.push_back(Omission::kUnreadTypes);
  const Outcome outcome = profile.memory.verdict.outcome;
  const bool is_cut_module = profile.trace.problems.count(LogProblem::kModuleCut) > 0 &&
                             profile.trace.source == TraceSource::kModule;
  if (outcome == Outcome::kCut || outcome == Outcome::kRunning || outcome == Outcome::kCrashed ||
      is_cut_module)
    omissions.push_back(Omission::kAfterCut);
  return omissions;
}

void add_missing(std::vector<Omission>& to, const std::vector<Omission>& from) {
  for (const Omission omission : from) {
    if (std::find(to.begin(), to.end(), omission) == to.end()) to.push_back(omission);
  }
}

bool ended_at_failure(const Profile& profile) {
  const auto& ranks = profile.trace.ranks;
  return std::any_of(ranks.begin(), ranks.end(),
                     [](const RankTrace& rank) { return own_failure(rank) != nullptr; });
}

/// What is wrong with an input that gives nothing to place; nothing where it gives something.
Result<void> check_content(const Profile& profile, const FitRun& run) {
  if (ended_at_failure(profile) || run.has_anything_to_place()) return {};
  if (profile.trace.problems.count(LogProblem::kTypeUnparsed) > 0)
    return failure(
        bad_input("the types of its tensors cannot be read (were lines cut?): `ttscope mem` names "
                  "their lines; nothing can be placed"));
  return failure(nothing_found(
      "no tensor on a device, no memory line and no failed allocation: there is nothing to place"));
}

/// Whether so many of its states could not be read that no replay could be checked or trusted. One that was
/// cut behind its figures of DRAM is read.
bool has_hardly_a_state(const Profile& profile, std::uint64_t unread) {
  std::uint64_t read = 0;
  for (const RankTrace& rank : profile.trace.ranks) {
    read += static_cast<std::uint64_t>(
        std::count_if(rank.blocks.begin(), rank.blocks.end(),
                      [](const MemoryBlock& block) { return block.has(Memory::kDram); }));
  }
  return unread > read;
}

}  // namespace

Result<fit::Report> fit_profile(const Profile& profile, const fit::Question& question) {
  if (profile.recorded)
    return failure(bad_input(
        "the files of a report do not tell when tensors are freed: give the log that it was made from"));
  const LogProblems& problems = profile.trace.problems;
  const std::uint64_t unread =
      problems.count(LogProblem::kBadMemoryNumber) + problems.count(LogProblem::kBlockIncomplete);
  if (has_hardly_a_state(profile, unread))
    return failure(
        bad_input("its memory lines cannot be read (were lines broken or cut?): `ttscope mem` names them; "
                  "nothing can be placed"));
  const FitRun run(profile);
  if (auto content = check_content(profile, run); !content) return failure(content.error());
  fit::Report report;
  report.inputs = profile.trace.files;
  report.ranks = profile.trace.ranks.size();
  report.joined = report.inputs.size() > 1 && report.ranks > 1 ? fit::Joined::kRanks : fit::Joined::kSingle;
  if (auto same = run.check_devices(); !same) return failure(same.error());
  const bool is_module = profile.trace.source == TraceSource::kModule;
  report.input_kind = is_module ? "module" : "runtime log";
  const fit::Agreement agreement = run.agreement();
  report.omissions = general_omissions(profile, agreement);
  if (!is_module) report.replay = agreement;
  Result<std::vector<fit::Device>> devices = fit::asked_devices(question, run.reservations());
  if (!devices) return failure(bad_input("--device " + devices.error().message));
  if (devices->empty() || question.own_too) devices->insert(devices->begin(), run.own_device());
  if (devices->front().is_assumed) report.omissions.push_back(Omission::kDeviceAssumed);
  if (devices->front().is_own && run.device_by_message())
    report.omissions.push_back(Omission::kDeviceByMessage);
  for (const fit::Device& device : *devices) {
    Result<FitRun::Answer> answer = run.ask(device, question.changes);
    if (!answer) return failure(answer.error());
    report.changes = answer->applied;
    add_missing(report.omissions, answer->omissions);
    report.devices.push_back(std::move(answer->verdict));
  }
  if (question.search) {
    Result<fit::Search> search = search_changes(run, devices->front(), question);
    if (!search) return failure(search.error());
    report.search = std::move(*search);
  }
  if (question.maximum) {
    Result<fit::Maximum> maximum = find_maximum(run, devices->front(), question.changes, *question.maximum);
    if (!maximum) return failure(maximum.error());
    report.maximum = *maximum;
  }
  // What is found there lets the run pass its failure; what it would have needed then is not recorded.
  const bool found = (report.search && report.search->answer) || (report.maximum && report.maximum->largest);
  if (found && ended_at_failure(profile)) add_missing(report.omissions, {Omission::kAfterFailure});
  return report;
}

std::shared_ptr<const fit::Report> fit_for_page(const Profile& profile) {
  fit::Question question;
  question.devices = {"all"};
  question.own_too = true;
  Result<fit::Report> report = fit_profile(profile, question);
  return report ? std::make_shared<const fit::Report>(std::move(*report)) : nullptr;
}

}  // namespace ttscope::mem
