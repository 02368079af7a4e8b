#include "perf/analyse/ops/compile_gaps.h"

#include <algorithm>
#include <map>

#include "base/none.h"
#include "perf/analyse/ops/warm_up.h"

namespace ttscope::perf {
namespace {

/// What the host did, op after op: how long it was busy with those that ran for the first time.
class HostWork {
 public:
  HostWork(const OpsReport& table, const std::vector<bool>& first_runs,
           const std::vector<std::uint32_t>& window)
      : place_(table.rows.size(), kNone) {
    std::vector<std::uint32_t> sent;
    for (const std::uint32_t row : window) {
      const OpRow& op = table.rows[row];
      // Replayed ops carry the time of their capture.
      const bool is_replay = has_number(static_cast<double>(op.replay_session));
      if (op.type == OpRowType::kDevice && has_number(op.host_start_ns) && !is_replay) sent.push_back(row);
    }
    std::stable_sort(sent.begin(), sent.end(), [&](std::uint32_t a, std::uint32_t b) {
      return table.rows[a].host_start_ns < table.rows[b].host_start_ns;
    });
    made_ns_.push_back(0);
    for (std::uint32_t i = 0; i < sent.size(); ++i) {
      const OpRow& op = table.rows[sent[i]];
      place_[sent[i]] = i;
      double took_ns = op.host_duration_ns > 0 ? op.host_duration_ns : 0;
      if (i + 1 < sent.size())
        took_ns = std::max(took_ns, table.rows[sent[i + 1]].host_start_ns - op.host_start_ns);
      made_ns_.push_back(made_ns_.back() + (first_runs[sent[i]] ? took_ns : 0));
    }
  }

  /// What it made programs between sending two ops.
  double made_between_ns(std::uint32_t before, std::uint32_t row) const {
    if (place_[before] == kNone || place_[row] == kNone || place_[row] <= place_[before]) return 0;
    return made_ns_[place_[row]] - made_ns_[place_[before] + 1];
  }

 private:
  std::vector<std::uint32_t> place_;  ///< by row of the report
  std::vector<double> made_ns_;       ///< by place: before it
};

}  // namespace

std::vector<bool> find_compile_gaps(const OpsReport& table, const std::vector<bool>& first_runs,
                                    const std::vector<std::uint32_t>& window) {
  const HostWork host(table, first_runs, window);
  std::vector<bool> is_compile(table.rows.size());
  std::map<std::int32_t, std::uint32_t> last;  // by device
  for (const std::uint32_t row : window) {
    const OpRow& op = table.rows[row];
    if (op.type != OpRowType::kDevice) continue;
    const auto [before, is_first] = last.try_emplace(op.device, row);
    if (!is_first && op.op_to_op_ns > kLeastCompileUs * 1000) {
      is_compile[row] = first_runs[row] || host.made_between_ns(before->second, row) > op.op_to_op_ns / 2;
    }
    before->second = row;
  }
  return is_compile;
}

}  // namespace ttscope::perf
