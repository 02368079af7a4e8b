#include "app/compared_run.h"

#include "graph/diff_run.h"
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

}  // namespace ttscope::app
