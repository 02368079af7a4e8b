#include "perf/analyse/executions/dispatch.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/number_text.h"
#include "base/text_search.h"
#include "perf/analyse/executions/dispatch_meta.h"

namespace ttscope::perf {
namespace {

constexpr std::uint64_t kIdShift = 10;
constexpr std::uint64_t kDispatchIds = 0xffff;

/// One program as its dispatch core saw it.
struct Dispatched {
  std::uint64_t id = 0;
  CycleSpan commands;
  std::int64_t go_cycles = kNoFigure;
};

/// `CQ-DISPATCH:1024:CQ_DISPATCH_CMD_WRITE_PACKED` names its program; 0: not named.
std::uint64_t id_in_zone(std::string_view zone) {
  const std::size_t first = zone.find(':');
  if (first == std::string_view::npos) return 0;
  const std::string_view rest = zone.substr(first + 1);
  return parse_unsigned(rest.substr(0, rest.find(':'))).value_or(0);
}

/// The markers of one dispatch core, put together to programs.
class DispatchCore {
 public:
  void take(const DispatchMarker& marker) {
    if (marker.risc == RiscSlot::kNcrisc) {
      take_subordinate(marker);
    } else if (marker.risc == RiscSlot::kBrisc) {
      take_main(marker);
    }
  }

  std::vector<Dispatched> finish() {
    close();
    for (std::size_t i = 0; i < programs_.size() && i < goes_.size(); ++i) programs_[i].go_cycles = goes_[i];
    return std::move(programs_);
  }

 private:
  void take_main(const DispatchMarker& marker) {
    const std::uint64_t said = std::max(id_in_zone(marker.zone), op_id_in_meta(marker.meta).value_or(0));
    if (!marker.meta.empty() && !contains(marker.zone, "CQ-DISPATCH")) {
      current_.id = said;
      return;
    }
    if (!contains(marker.zone, "CQ-DISPATCH") || contains(marker.zone, "SUBORDINATE:")) return;
    if (said != 0) current_.id = said;
    if (marker.is_start) {
      current_.commands.start = std::min(current_.commands.start, marker.cycle);
    } else {
      current_.commands.end =
          current_.commands.end == kNoCycle ? marker.cycle : std::max(current_.commands.end, marker.cycle);
      if (contains(marker.zone, "NOTIFY_SUBORDINATE_GO_SIGNAL")) close();
    }
  }

  void take_subordinate(const DispatchMarker& marker) {
    if (!contains(marker.zone, "SEND_GO_SIGNAL")) return;
    if (marker.is_start) {
      go_start_ = marker.cycle;
    } else if (go_start_ != kNoCycle) {
      goes_.push_back(static_cast<std::int64_t>(marker.cycle - go_start_));
      go_start_ = kNoCycle;
    }
  }

  void close() {
    if (current_.id != 0 && current_.commands.is_whole()) programs_.push_back(current_);
    current_ = {};
  }

  Dispatched current_;
  std::vector<Dispatched> programs_;
  std::vector<std::int64_t> goes_;
  std::uint64_t go_start_ = kNoCycle;
};

/// Executions of a device by the id that a dispatch core uses, in order of time.
class ProgramIndex {
 public:
  explicit ProgramIndex(const std::vector<Execution>& executions) {
    for (std::uint32_t i = 0; i < executions.size(); ++i) {
      const ExecutionKey& key = executions[i].key;
      whole_[{key.device, key.op_id}].push_back(i);
      low_[{key.device, (key.op_id >> kIdShift) & kDispatchIds}].push_back(i);
    }
  }

  /// The next execution of that program without dispatch times.
  std::uint32_t* next(std::uint32_t device, std::uint64_t id) {
    for (auto* index : {&whole_, &low_}) {
      const auto found = index->find({device, id});
      if (found == index->end()) continue;
      std::size_t& used = used_[{index == &whole_, device, id}];
      if (used < found->second.size()) return &found->second[used++];
    }
    return nullptr;
  }

 private:
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<std::uint32_t>> whole_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<std::uint32_t>> low_;
  std::map<std::tuple<bool, std::uint32_t, std::uint64_t>, std::size_t> used_;
};

}  // namespace

void add_dispatch_times(const DeviceProfile& log, const DeviceClocks& clocks,
                        std::vector<Execution>& executions, PerfProblems& problems) {
  std::map<std::tuple<std::uint32_t, std::uint16_t, std::uint16_t>, std::vector<const DispatchMarker*>> cores;
  for (const DispatchMarker& marker : log.dispatch)
    cores[{marker.device, marker.x, marker.y}].push_back(&marker);
  ProgramIndex index(executions);
  for (auto& [place, markers] : cores) {
    std::stable_sort(markers.begin(), markers.end(),
                     [](const DispatchMarker* a, const DispatchMarker* b) { return a->cycle < b->cycle; });
    DispatchCore core;
    for (const DispatchMarker* marker : markers) core.take(*marker);
    const std::uint32_t device = std::get<0>(place);
    const auto clock = clocks.find(device);
    for (const Dispatched& program : core.finish()) {
      const std::uint32_t* execution = index.next(device, program.id);
      if (execution == nullptr) {
        problems.add(PerfProblem::kDispatchUnmatched,
                     "program " + std::to_string(program.id) + " on device " + std::to_string(device));
        continue;
      }
      if (clock == clocks.end() || clock->second <= 0) continue;
      Figures& figures = executions[*execution].figures;
      figures[Figure::kDispatchTotalNs] = to_ns(program.commands.cycles(), clock->second);
      if (program.go_cycles != kNoFigure)
        figures[Figure::kDispatchGoNs] = to_ns(program.go_cycles, clock->second);
    }
  }
}

}  // namespace ttscope::perf
