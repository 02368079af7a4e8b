#include "app/compared_run.h"

#include "graph/diff_run.h"
#include "mem/diff_run.h"
#include "perf/diff_run.h"
#include "phases/diff_run.h"

namespace ttscope::app {

diff::ComparedRun compared_run(const Profile& profile, bool of_l1) {
  struct Visitor {
    bool of_l1;
    diff::ComparedRun operator()(const std::shared_ptr<const mem::Profile>& run) const {
      return mem::diff_run_of(*run, of_l1 ? mem::Memory::kL1 : mem::Memory::kDram);
    }
    diff::ComparedRun operator()(const std::shared_ptr<const phases::Profile>& run) const {
      return phases::diff_run_of(*run);
    }
    diff::ComparedRun operator()(const std::shared_ptr<const graph::Profile>& run) const {
      return graph::diff_run_of(*run, !of_l1);
    }
    diff::ComparedRun operator()(const std::shared_ptr<const perf::Profile>& run) const {
      return perf::diff_run_of(*run);
    }
    /// open_run() lets none pass.
    diff::ComparedRun operator()(const std::shared_ptr<const timeline::Profile>& /*run*/) const { return {}; }
  };
  diff::ComparedRun run = std::visit(Visitor{of_l1}, profile.data);
  if (!profile.paths.empty()) run.name = profile.paths.front();
  return run;
}

std::vector<diff::ComparedRun> compared_replays(const Profile& profile) {
  const auto* const run = std::get_if<std::shared_ptr<const perf::Profile>>(&profile.data);
  return run == nullptr ? std::vector<diff::ComparedRun>() : perf::diff_replays_of(**run);
}

}  // namespace ttscope::app
