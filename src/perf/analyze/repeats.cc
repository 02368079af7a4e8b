#include "perf/analyze/repeats.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "base/ids.h"
#include "perf/analyze/window.h"

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
using Neighbors = std::pair<std::uint32_t, std::uint32_t>;

/// Calls `use(neighbors, place of the second one in the lane)`.
template <typename Use>
void for_each_pair(const OpsReport& table, const DeviceLane& lane, const Stretch& replay, Use use) {
  std::uint32_t before = kNone;
  for (std::size_t i = replay.first; i <= replay.last; ++i) {
    const std::uint32_t kind = table.rows[lane.ops[i].row].kind;
    use(Neighbors{before, kind}, i);
    before = kind;
  }
  use(Neighbors{before, kNone}, replay.last + 1);
}

}  // namespace

Replays::Replays(const OpsReport& table) : report_(table) {
  std::map<std::pair<TraceKey, float>, std::uint32_t> sizes;
  for (const OpRow& row : table.rows) {
    if (is_replayed(row) && !row.is_repeated) ++sizes[{trace_of(row), row.replay_session}];
  }
  if (sizes.empty()) return;
  std::map<TraceKey, std::uint32_t> usual;
  for (const auto& [key, size] : sizes) usual[key.first] = std::max(usual[key.first], size);
  typical_ops_.reserve(table.rows.size());
  for (const OpRow& row : table.rows) typical_ops_.push_back(is_replayed(row) ? usual[trace_of(row)] : 0);
}

bool Replays::is_cut(std::uint32_t row, std::size_t ops) const {
  return !typical_ops_.empty() && ops < typical_ops_[row];
}

std::vector<bool> Replays::find_holes(const RunClock& clock) const {
  std::vector<bool> holes(report_.rows.size());
  for (const DeviceLane& lane : clock.lanes) {
    for (const AbsentOp& absent : lane.absent) holes[lane.ops[absent.before].row] = true;
  }
  if (typical_ops_.empty()) return holes;
  for (const DeviceLane& lane : clock.lanes) {
    const auto first_row = [&](const Stretch& replay) { return lane.ops[replay.first].row; };
    const std::vector<Stretch> replays = replays_of(report_, lane);
    std::map<TraceKey, std::set<Neighbors>> known;  // of whole replays
    for (const Stretch& replay : replays) {
      if (is_cut(first_row(replay), replay.ops())) continue;
      std::set<Neighbors>& pairs = known[trace_of(report_.rows[first_row(replay)])];
      for_each_pair(report_, lane, replay, [&](Neighbors pair, std::size_t) { pairs.insert(pair); });
    }
    for (const Stretch& replay : replays) {
      const auto pairs = known.find(trace_of(report_.rows[first_row(replay)]));
      if (pairs == known.end() || !is_cut(first_row(replay), replay.ops())) continue;
      for_each_pair(report_, lane, replay, [&](Neighbors pair, std::size_t second) {
        if (second < lane.ops.size() && pairs->second.count(pair) == 0) holes[lane.ops[second].row] = true;
      });
    }
  }
  return holes;
}

namespace {

/// Where an op belongs: the same series on all devices, and its number there.
struct IterationKey {
  IterationKind kind = IterationKind::kReplay;
  std::uint64_t series = 0;     ///< trace id and file, or the signpost's text
  std::uint64_t iteration = 0;  ///< replay session, or the signpost's row
  auto tie() const { return std::tie(kind, series, iteration); }
  bool operator<(const IterationKey& other) const { return tie() < other.tie(); }
};

class IterationFinder {
 public:
  IterationFinder(const OpsReport& table, const RunClock& clock, const Replays& replays)
      : report_(table), clock_(clock), replays_(replays), signposts_(last_signposts(table)) {}

  Iterations find() {
    for (const DeviceLane& lane : clock_.lanes) {
      for (const TimedOp& op : lane.ops) add(lane.device, op);
    }
    number();
    return std::move(result_);
  }

 private:
  void add(std::int32_t device, const TimedOp& op) {
    const OpRow& row = report_.rows[op.row];
    const std::uint64_t file = static_cast<std::uint64_t>(row.file) << 32;
    if (has_number(static_cast<double>(row.replay_session))) {
      // Of numbers from zero on the bits are in the order of the numbers.
      add_to({IterationKind::kReplay, file | std::bit_cast<std::uint32_t>(row.trace_id),
              std::bit_cast<std::uint32_t>(row.replay_session)},
             device, op);
    }
    if (const std::uint32_t signpost = signposts_[op.row]; signpost != 0) {
      const std::uint32_t text = report_.kind_of(report_.rows[signpost - 1]).op_code;
      add_to({IterationKind::kSignpost, file | text, signpost}, device, op);
    }
  }
  void add_to(const IterationKey& key, std::int32_t device, const TimedOp& op) {
    DeviceLane& lane = found_[key][device];
    lane.device = device;
    lane.ops.push_back(op);
  }

  void number() {
    auto first = found_.begin();
    while (first != found_.end()) {
      auto last = first;
      std::uint32_t count = 0;
      while (last != found_.end() && last->first.kind == first->first.kind &&
             last->first.series == first->first.series) {
        ++last;
        ++count;
      }
      // One replay is a replay; one signpost of a name is no iteration.
      if (count > 1 || first->first.kind == IterationKind::kReplay) add_series(first, last, count);
      first = last;
    }
  }

  using Found = std::map<IterationKey, std::map<std::int32_t, DeviceLane>>;

  void add_series(Found::iterator first, Found::iterator last, std::uint32_t count) {
    IterationSeries series;
    series.kind = first->first.kind;
    const auto low = static_cast<std::uint32_t>(first->first.series & 0xffffffff);
    const bool is_replay = series.kind == IterationKind::kReplay;
    const auto trace = std::bit_cast<float>(low);
    series.name = !is_replay                               ? std::string(report_.text(low))
                  : has_number(static_cast<double>(trace)) ? fmt::format("{:.0f}", trace)
                                                           : std::string("?");
    series.count = count;
    const auto place = static_cast<std::uint32_t>(result_.series.size());
    std::vector<double> whole;
    std::vector<double> cut;
    std::size_t devices = 0;
    for (auto at = first; at != last; ++at) devices = std::max(devices, at->second.size());
    for (std::uint32_t number = 0; first != last; ++first, ++number) {
      double longest = 0;
      bool is_cut = is_replay && first->second.size() < devices;
      for (auto& [device, lane] : first->second) {
        measure_lane(lane);
        const std::uint32_t row = lane.ops.front().row;
        const bool lacks_ops = is_replay && replays_.is_cut(row, lane.ops.size());
        result_.times.push_back(
            {place, number, row, device, lacks_ops, lane.ops.front().start_ns, lane.wall_ns, lane.busy_ns});
        longest = std::max(longest, lane.wall_ns);
        is_cut = is_cut || lacks_ops;
      }
      (is_cut ? cut : whole).push_back(longest);
    }
    series.cut = static_cast<std::uint32_t>(cut.size());
    describe(whole.empty() ? cut : whole, series);
    result_.series.push_back(std::move(series));
  }

  static void describe(const std::vector<double>& walls, IterationSeries& series) {
    double sum = 0;
    for (const double wall : walls) sum += wall;
    series.mean_ns = sum / static_cast<double>(walls.size());
    series.min_ns = *std::min_element(walls.begin(), walls.end());
    series.max_ns = *std::max_element(walls.begin(), walls.end());
    if (walls.size() < 2) return;
    double squares = 0;
    for (const double wall : walls) squares += (wall - series.mean_ns) * (wall - series.mean_ns);
    series.spread_ns = std::sqrt(squares / static_cast<double>(walls.size() - 1));
  }

  const OpsReport& report_;
  const RunClock& clock_;
  const Replays& replays_;
  std::vector<std::uint32_t> signposts_;
  Found found_;
  Iterations result_;
};

}  // namespace

std::string_view key_of(IterationKind kind) { return kind == IterationKind::kReplay ? "replay" : "signpost"; }

Iterations find_iterations(const OpsReport& table, const RunClock& clock, const Replays& replays) {
  return IterationFinder(table, clock, replays).find();
}

namespace {

bool has_cache_misses(const OpsReport& table, const std::vector<std::uint32_t>& window) {
  bool has_hit = false;
  bool has_miss = false;
  for (const std::uint32_t row : window) {
    has_hit = has_hit || table.rows[row].cache_hit == 1;
    has_miss = has_miss || table.rows[row].cache_hit == 0;
  }
  return has_hit && has_miss;
}

/// What an op is when a pass comes again: its name and the shape that it works on.
std::uint64_t program_signature(const OpsReport& table, const OpRow& row) {
  const OpKind& kind = table.kind_of(row);
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
  std::size_t after_cold = 0;      ///< no op from here on is the first run of its program
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
  if (device.after_cold == 0 || period * 2 > device.sequence.size()) return {};
  const std::size_t ops = (device.after_cold + period - 1) / period * period;
  return ops + period <= device.sequence.size() ? WarmPart{ops, period} : WarmPart{};
}

using OpsByDevice = std::map<std::int32_t, std::size_t>;

/// How many ops of each device are passes of warm-up; none where one device has no such pass.
OpsByDevice find_warm_up_passes(const std::map<std::int32_t, DevicePasses>& devices, WarmUp& found) {
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
OpsByDevice find_set_up_ops(const std::map<std::int32_t, DevicePasses>& devices, WarmUp& found) {
  OpsByDevice left_out;
  std::uint64_t ops = 0;
  for (const auto& [id, device] : devices) {
    const bool is_cold = device.after_cold > 0 && device.after_cold <= device.before_replays;
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

WarmUp exclude_warm_up(const OpsReport& table, const std::vector<bool>& first_runs,
                       std::vector<std::uint32_t>& window) {
  WarmUp found;
  found.is_by_cache_misses = has_cache_misses(table, window);
  std::map<std::int32_t, DevicePasses> devices;
  for (const std::uint32_t index : window) {
    const OpRow& row = table.rows[index];
    if (row.type != OpRowType::kDevice) continue;
    DevicePasses& device = devices[row.device];
    device.sequence.push_back(program_signature(table, row));
    if (has_number(static_cast<double>(row.replay_session)) && row.replay_session != device.replay) {
      device.replay = row.replay_session;
      ++device.replays;
    }
    if (device.replays == 0) device.before_replays = device.sequence.size();
    // The gap of the first op lies before the window.
    const bool has_compile_gap =
        device.sequence.size() > 1 && first_runs[index] && row.op_to_op_ns > kMinCompileUs * 1000;
    if (row.kernel_duration_ns > 0) device.ops_ns += row.kernel_duration_ns;
    if (found.is_by_cache_misses ? row.cache_hit != 0 : !has_compile_gap) continue;
    device.after_cold = device.sequence.size();
    device.cold_ops_ns = device.ops_ns;
    if (has_compile_gap) device.cold_gaps_ns += row.op_to_op_ns;
  }
  std::map<std::int32_t, std::size_t> left_out = find_warm_up_passes(devices, found);
  if (left_out.empty()) left_out = find_set_up_ops(devices, found);
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
    if (!is_first && op.op_to_op_ns > kMinCompileUs * 1000) {
      is_compile[row] = first_runs[row] || host.made_between_ns(before->second, row) > op.op_to_op_ns / 2;
    }
    before->second = row;
  }
  return is_compile;
}

}  // namespace ttscope::perf
