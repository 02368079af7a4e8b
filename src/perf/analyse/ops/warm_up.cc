#include "perf/analyse/ops/warm_up.h"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace ttscope::perf {
namespace {

bool tells_cache_misses(const OpsReport& table, const std::vector<std::uint32_t>& window) {
  bool has_hit = false;
  bool has_miss = false;
  for (const std::uint32_t row : window) {
    has_hit = has_hit || table.rows[row].cache_hit == 1;
    has_miss = has_miss || table.rows[row].cache_hit == 0;
  }
  return has_hit && has_miss;
}

/// What an op is when a pass comes again: its name and the shape that it works on.
std::uint64_t likeness_of(const OpsReport& table, const OpRow& row) {
  const ReportKind& kind = table.kind_of(row);
  std::uint64_t hash = kind.op_code;
  if (const OpTensor* input = table.input(kind, 0)) {
    for (const std::int64_t size : input->padded)
      hash = hash * 1000003 + static_cast<std::uint64_t>(size) + 1;
  }
  return hash;
}

/// The length of the stretch that a sequence repeats from its beginning to its end (the last one may be cut);
/// its whole length where there is none.
std::size_t period_of(const std::vector<std::uint64_t>& sequence) {
  std::vector<std::size_t> border(sequence.size() + 1, 0);
  for (std::size_t i = 1, length = 0; i < sequence.size(); ++i) {
    while (length > 0 && sequence[i] != sequence[length]) length = border[length];
    if (sequence[i] == sequence[length]) ++length;
    border[i + 1] = length;
  }
  return sequence.size() - border[sequence.size()];
}

struct DevicePasses {
  std::vector<std::uint64_t> sequence;
  std::size_t behind_cold = 0;     ///< no op from here on is the first run of its program
  double cold_gaps_ns = 0;         ///< that the host took to make programs
  double cold_ops_ns = 0;          ///< device time up to there
  double ops_ns = 0;               ///< device time so far
  std::size_t before_replays = 0;  ///< ops before the first replay
  float replay = -1;               ///< the last one
  std::size_t replays = 0;
};

/// How many ops of a device are warm-up, and how long a pass is; 0: none.
struct WarmPart {
  std::size_t ops = 0;
  std::size_t pass = 0;
};

WarmPart warm_part(const DevicePasses& device, bool is_by_gaps) {
  // A few late launches are no warm-up: making programs takes longer than running them.
  if (is_by_gaps && device.cold_gaps_ns < device.cold_ops_ns) return {};
  const std::size_t period = period_of(device.sequence);
  if (device.behind_cold == 0 || period * 2 > device.sequence.size()) return {};
  const std::size_t ops = (device.behind_cold + period - 1) / period * period;
  return ops + period <= device.sequence.size() ? WarmPart{ops, period} : WarmPart{};
}

using OpsByDevice = std::map<std::int32_t, std::size_t>;

/// How many ops of each device are passes of warm-up; none where one device has no such pass.
OpsByDevice passes_to_leave(const std::map<std::int32_t, DevicePasses>& devices, WarmUp& found) {
  OpsByDevice left_out;
  WarmUp passes = found;
  for (const auto& [id, device] : devices) {
    const WarmPart part = warm_part(device, !found.is_by_cache_misses);
    if (part.ops == 0) return {};
    const auto kept = static_cast<std::uint32_t>((device.sequence.size() - part.ops) / part.pass);
    passes.passes = std::max(passes.passes, static_cast<std::uint32_t>(part.ops / part.pass));
    passes.kept_passes = passes.ops == 0 ? kept : std::min(passes.kept_passes, kept);
    passes.ops += part.ops;
    left_out[id] = part.ops;
  }
  found = passes;
  return left_out;
}

/// How many ops of each device stand before its first replay; none where a device has no replay that comes
/// again, made no program there or goes on making some later.
OpsByDevice set_up_to_leave(const std::map<std::int32_t, DevicePasses>& devices, WarmUp& found) {
  OpsByDevice left_out;
  std::uint64_t ops = 0;
  for (const auto& [id, device] : devices) {
    const bool is_cold = device.behind_cold > 0 && device.behind_cold <= device.before_replays;
    const bool takes_long = found.is_by_cache_misses || device.cold_gaps_ns >= device.cold_ops_ns;
    if (device.replays < 2 || !is_cold || !takes_long) return {};
    left_out[id] = device.before_replays;
    ops += device.before_replays;
  }
  found.is_set_up = true;
  found.ops = ops;
  return left_out;
}

}  // namespace

std::vector<bool> find_first_runs(const OpsReport& table) {
  std::unordered_set<std::uint64_t> seen;
  std::vector<bool> is_first(table.rows.size());
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const OpRow& row = table.rows[i];
    if (row.type != OpRowType::kDevice) continue;
    const std::uint32_t hash = table.kind_of(row).program_hash;
    // Reports of the device alone have no names: nothing tells one program from another.
    if (hash == 0 && table.kind_of(row).op_code == 0) continue;
    const std::uint64_t program = hash != 0 ? (std::uint64_t{1} << 32) | hash : row.kind;
    is_first[i] = seen.insert(program ^ (static_cast<std::uint64_t>(row.device + 1) << 34)).second;
  }
  return is_first;
}

WarmUp leave_out_warm_up(const OpsReport& table, const std::vector<bool>& first_runs,
                         std::vector<std::uint32_t>& window) {
  WarmUp found;
  found.is_by_cache_misses = tells_cache_misses(table, window);
  std::map<std::int32_t, DevicePasses> devices;
  for (const std::uint32_t index : window) {
    const OpRow& row = table.rows[index];
    if (row.type != OpRowType::kDevice) continue;
    DevicePasses& device = devices[row.device];
    device.sequence.push_back(likeness_of(table, row));
    if (has_number(static_cast<double>(row.replay_session)) && row.replay_session != device.replay) {
      device.replay = row.replay_session;
      ++device.replays;
    }
    if (device.replays == 0) device.before_replays = device.sequence.size();
    // The gap of the first op lies before the window.
    const bool has_compile_gap =
        device.sequence.size() > 1 && first_runs[index] && row.op_to_op_ns > kLeastCompileUs * 1000;
    if (row.kernel_duration_ns > 0) device.ops_ns += row.kernel_duration_ns;
    if (found.is_by_cache_misses ? row.cache_hit != 0 : !has_compile_gap) continue;
    device.behind_cold = device.sequence.size();
    device.cold_ops_ns = device.ops_ns;
    if (has_compile_gap) device.cold_gaps_ns += row.op_to_op_ns;
  }
  std::map<std::int32_t, std::size_t> left_out = passes_to_leave(devices, found);
  if (left_out.empty()) left_out = set_up_to_leave(devices, found);
  if (left_out.empty()) return {};
  std::vector<std::uint32_t> kept;
  for (const std::uint32_t index : window) {
    const OpRow& row = table.rows[index];
    if (row.type == OpRowType::kDevice) {
      std::size_t& left = left_out[row.device];
      if (left == 0) {
        kept.push_back(index);
      } else {
        --left;
      }
    } else if (!kept.empty()) {
      kept.push_back(index);
    }
  }
  window = std::move(kept);
  return found;
}

}  // namespace ttscope::perf
