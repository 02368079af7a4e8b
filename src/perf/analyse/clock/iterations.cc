#include "perf/analyse/clock/iterations.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <tuple>

#include "perf/analyse/ops/op_sections.h"

namespace ttscope::perf {
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
      : table_(table), clock_(clock), replays_(replays), signposts_(last_signposts(table)) {}

  Iterations find() {
    for (const DeviceLane& lane : clock_.lanes) {
      for (const TimedOp& op : lane.ops) add(lane.device, op);
    }
    number();
    return std::move(result_);
  }

 private:
  void add(std::int32_t device, const TimedOp& op) {
    const OpRow& row = table_.rows[op.row];
    const std::uint64_t file = static_cast<std::uint64_t>(row.file) << 32;
    if (has_number(static_cast<double>(row.replay_session))) {
      // Of numbers from zero on the bits are in the order of the numbers.
      add_to({IterationKind::kReplay, file | std::bit_cast<std::uint32_t>(row.trace_id),
              std::bit_cast<std::uint32_t>(row.replay_session)},
             device, op);
    }
    if (const std::uint32_t signpost = signposts_[op.row]; signpost != 0) {
      const std::uint32_t text = table_.kind_of(table_.rows[signpost - 1]).op_code;
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
    series.name = !is_replay                               ? std::string(table_.text(low))
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
    series.least_ns = *std::min_element(walls.begin(), walls.end());
    series.most_ns = *std::max_element(walls.begin(), walls.end());
    if (walls.size() < 2) return;
    double squares = 0;
    for (const double wall : walls) squares += (wall - series.mean_ns) * (wall - series.mean_ns);
    series.spread_ns = std::sqrt(squares / static_cast<double>(walls.size() - 1));
  }

  const OpsReport& table_;
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

}  // namespace ttscope::perf
