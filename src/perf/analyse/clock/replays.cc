#include "perf/analyse/clock/replays.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace ttscope::perf {
namespace {

bool is_replayed(const OpRow& row) {
  return row.type == OpRowType::kDevice && has_number(static_cast<double>(row.replay_session));
}

/// A trace on a device. A report without ids of traces has one.
using TraceKey = std::tuple<std::uint8_t, float, std::int32_t>;

TraceKey trace_of(const OpRow& row) {
  return {row.file, has_number(static_cast<double>(row.trace_id)) ? row.trace_id : -1, row.device};
}

bool is_same_replay(const OpRow& a, const OpRow& b) {
  return is_replayed(a) && is_replayed(b) && trace_of(a) == trace_of(b) &&
         a.replay_session == b.replay_session;
}

/// A replay in a lane: its ops stand one behind the other.
struct Stretch {
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t ops() const { return last - first + 1; }
};

std::vector<Stretch> replays_of(const OpsReport& table, const DeviceLane& lane) {
  std::vector<Stretch> found;
  const auto row = [&](std::size_t index) -> const OpRow& { return table.rows[lane.ops[index].row]; };
  for (std::size_t i = 0; i < lane.ops.size(); ++i) {
    if (!is_replayed(row(i))) continue;
    const bool goes_on = !found.empty() && found.back().last + 1 == i && is_same_replay(row(i - 1), row(i));
    if (goes_on) {
      found.back().last = i;
    } else {
      found.push_back({i, i});
    }
  }
  return found;
}

/// An op and the one behind it in a replay, by kind; kNone: before the first, behind the last.
using Neighbours = std::pair<std::uint32_t, std::uint32_t>;

/// Calls `use(neighbours, place of the second one in the lane)`.
template <typename Use>
void for_each_pair(const OpsReport& table, const DeviceLane& lane, const Stretch& replay, Use use) {
  std::uint32_t before = kNone;
  for (std::size_t i = replay.first; i <= replay.last; ++i) {
    const std::uint32_t kind = table.rows[lane.ops[i].row].kind;
    use(Neighbours{before, kind}, i);
    before = kind;
  }
  use(Neighbours{before, kNone}, replay.last + 1);
}

}  // namespace

Replays::Replays(const OpsReport& table) : table_(table) {
  std::map<std::pair<TraceKey, float>, std::uint32_t> sizes;
  for (const OpRow& row : table.rows) {
    if (is_replayed(row) && !row.is_repeated) ++sizes[{trace_of(row), row.replay_session}];
  }
  if (sizes.empty()) return;
  std::map<TraceKey, std::uint32_t> usual;
  for (const auto& [key, size] : sizes) usual[key.first] = std::max(usual[key.first], size);
  usual_ops_.reserve(table.rows.size());
  for (const OpRow& row : table.rows) usual_ops_.push_back(is_replayed(row) ? usual[trace_of(row)] : 0);
}

bool Replays::is_cut(std::uint32_t row, std::size_t ops) const {
  return !usual_ops_.empty() && ops < usual_ops_[row];
}

std::vector<bool> Replays::find_holes(const RunClock& clock) const {
  std::vector<bool> holes(table_.rows.size());
  for (const DeviceLane& lane : clock.lanes) {
    for (const AbsentOp& absent : lane.absent) holes[lane.ops[absent.before].row] = true;
  }
  if (usual_ops_.empty()) return holes;
  for (const DeviceLane& lane : clock.lanes) {
    const auto first_row = [&](const Stretch& replay) { return lane.ops[replay.first].row; };
    const std::vector<Stretch> replays = replays_of(table_, lane);
    std::map<TraceKey, std::set<Neighbours>> known;  // of whole replays
    for (const Stretch& replay : replays) {
      if (is_cut(first_row(replay), replay.ops())) continue;
      std::set<Neighbours>& pairs = known[trace_of(table_.rows[first_row(replay)])];
      for_each_pair(table_, lane, replay, [&](Neighbours pair, std::size_t) { pairs.insert(pair); });
    }
    for (const Stretch& replay : replays) {
      const auto pairs = known.find(trace_of(table_.rows[first_row(replay)]));
      if (pairs == known.end() || !is_cut(first_row(replay), replay.ops())) continue;
      for_each_pair(table_, lane, replay, [&](Neighbours pair, std::size_t second) {
        if (second < lane.ops.size() && pairs->second.count(pair) == 0) holes[lane.ops[second].row] = true;
      });
    }
  }
  return holes;
}

}  // namespace ttscope::perf
