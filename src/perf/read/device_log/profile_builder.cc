#include "perf/read/device_log/profile_builder.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "base/parallel.h"

namespace ttscope::perf {
namespace {

/// A damaged log may hold any number; what is not a count of cycles is none, or the most there can be.
std::uint64_t cycles_of(double value) {
  constexpr double kMost = 9.2e18;
  return value > 0 ? static_cast<std::uint64_t>(std::min(value, kMost)) : 0;
}

/// Times of one device continued beyond the end of its timer: each is taken to be within half a turn of the
/// one before it in the log.
class Unwrapper {
 public:
  explicit Unwrapper(bool wraps) : wraps_(wraps) {}

  std::uint64_t unwrap(std::uint64_t time) {
    if (!wraps_) return time;
    if (!started_) {
      started_ = true;
      last_ = time + kTimerSpan;  // earlier ones may follow
    } else {
      last_ += static_cast<std::uint64_t>(timer_step(last_, time));
    }
    least_ = std::min(least_, last_);
    most_ = std::max(most_, last_);
    return last_;
  }
  /// What to take off all times, so that those that did not wrap are as recorded.
  std::uint64_t base() const { return started_ ? least_ / kTimerSpan * kTimerSpan : 0; }
  bool has_wrapped() const { return started_ && most_ / kTimerSpan != least_ / kTimerSpan; }

 private:
  bool wraps_;
  bool started_ = false;
  std::uint64_t last_ = 0;
  std::uint64_t least_ = UINT64_MAX;
  std::uint64_t most_ = 0;
};

/// Whether a zone ends before it starts, as no clock does.
bool is_reversed(const CoreRun& run) {
  const auto reversed = [](const CycleSpan& span) { return span.is_whole() && span.end < span.start; };
  return reversed(run.fw) || reversed(run.compute_fw) ||
         std::any_of(run.kernel.begin(), run.kernel.end(), reversed);
}

/// What one thread met while it filled runs.
struct RunProblems {
  PerfProblems problems;
  std::uint64_t repeated = 0;
};

class Builder {
 public:
  Builder(LogPart& part, TimerOrder order, unsigned threads, DeviceProfile& profile)
      : part_(part), order_(order), threads_(threads), profile_(profile) {}

  void build() {
    number_executions();
    unwrap_times();
    order_executions();
    fill_runs();
    fill_samples();
    profile_.rows = part_.rows;
    profile_.user_marks = part_.user_marks;
    profile_.dispatch = std::move(part_.dispatch);
    report_problems();
  }

 private:
  /// Executions of a key are numbered one after the other.
  void number_executions() {
    std::vector<std::uint32_t> counts(part_.keys.size(), 0);
    for (const CoreRecord& record : part_.records) {
      counts[record.key] = std::max(counts[record.key], record.occurrence + 1);
    }
    first_of_key_.resize(counts.size() + 1, 0);
    std::partial_sum(counts.begin(), counts.end(), first_of_key_.begin() + 1);
    profile_.executions.resize(first_of_key_.back());
    for (std::size_t key = 0; key < counts.size(); ++key) {
      for (std::uint32_t n = 0; n < counts[key]; ++n) {
        Execution& execution = profile_.executions[first_of_key_[key] + n];
        execution.key = part_.keys[key].key;
        execution.occurrence = n;
        execution.first_cycle = kNoCycle;
        execution.arch = profile_.arch;
        execution.figures[Figure::kSubDevice] = part_.keys[key].sub_device;
      }
    }
    for (const CoreRecord& record : part_.records) {
      Execution& execution = profile_.executions[execution_of(record)];
      ++execution.run_count;
      if (record.first_cycle != kNoCycle) order_.keep_first(execution.first_cycle, record.first_cycle);
    }
  }

  std::uint32_t execution_of(const CoreRecord& record) const {
    return first_of_key_[record.key] + record.occurrence;
  }

  void unwrap_times() {
    std::map<std::uint32_t, Unwrapper> devices;
    offsets_.assign(profile_.executions.size(), 0);
    for (std::size_t i = 0; i < profile_.executions.size(); ++i) {
      const Execution& execution = profile_.executions[i];
      Unwrapper& unwrapper = devices.try_emplace(execution.key.device, order_.wraps()).first->second;
      if (execution.first_cycle == kNoCycle) continue;
      offsets_[i] = unwrapper.unwrap(execution.first_cycle) - execution.first_cycle;
    }
    for (std::size_t i = 0; i < profile_.executions.size(); ++i) {
      Execution& execution = profile_.executions[i];
      if (execution.first_cycle == kNoCycle) continue;
      offsets_[i] -= devices.at(execution.key.device).base();
      execution.first_cycle += offsets_[i];
    }
    for (const auto& [device, unwrapper] : devices) {
      profile_.devices.push_back(device);
      if (!unwrapper.has_wrapped()) continue;
      profile_.problems.add(PerfProblem::kTimestampWrapped, "device " + std::to_string(device));
    }
  }

  void order_executions() {
    std::vector<std::uint32_t> by_time(profile_.executions.size());
    std::iota(by_time.begin(), by_time.end(), 0u);
    const auto& executions = profile_.executions;
    std::stable_sort(by_time.begin(), by_time.end(), [&](std::uint32_t a, std::uint32_t b) {
      if (executions[a].key.device != executions[b].key.device) {
        return executions[a].key.device < executions[b].key.device;
      }
      return executions[a].first_cycle < executions[b].first_cycle;
    });
    place_of_.resize(by_time.size());
    std::vector<Execution> sorted;
    sorted.reserve(by_time.size());
    std::vector<std::uint64_t> sorted_offsets;
    std::uint32_t first_run = 0;
    for (const std::uint32_t index : by_time) {
      place_of_[index] = static_cast<std::uint32_t>(sorted.size());
      sorted.push_back(std::move(profile_.executions[index]));
      sorted_offsets.push_back(offsets_[index]);
      sorted.back().first_run = first_run;
      first_run += sorted.back().run_count;
    }
    profile_.executions = std::move(sorted);
    offsets_ = std::move(sorted_offsets);
    run_count_ = first_run;
  }

  /// Records of an execution by core.
  std::vector<std::uint32_t> order_records() const {
    std::vector<std::uint32_t> used(profile_.executions.size(), 0);
    std::vector<std::uint32_t> order(run_count_);
    for (std::uint32_t i = 0; i < part_.records.size(); ++i) {
      const std::uint32_t place = place_of_[execution_of(part_.records[i])];
      order[profile_.executions[place].first_run + used[place]++] = i;
    }
    const auto by_core = [&](std::uint32_t a, std::uint32_t b) {
      const CorePlace& first = part_.cores[part_.records[a].core];
      const CorePlace& second = part_.cores[part_.records[b].core];
      return first.x != second.x ? first.x < second.x : first.y < second.y;
    };
    for (const Execution& execution : profile_.executions) {
      const auto first = order.begin() + execution.first_run;
      const auto last = first + execution.run_count;
      if (!std::is_sorted(first, last, by_core)) std::sort(first, last, by_core);
    }
    return order;
  }

  /// Executions are independent of each other, so that several threads fill their runs.
  void fill_runs() {
    const std::vector<std::uint32_t> order = order_records();
    profile_.runs.resize(order.size());
    const std::size_t executions = profile_.executions.size();
    constexpr std::size_t kLeastRuns = 10000;
    const std::size_t parts = std::clamp<std::size_t>(order.size() / kLeastRuns, 1, threads_);
    std::vector<RunProblems> problems(parts);
    run_parallel(parts, threads_, [&](std::size_t part) {
      for (std::size_t place = executions * part / parts; place < executions * (part + 1) / parts; ++place) {
        const Execution& execution = profile_.executions[place];
        for (std::uint32_t i = execution.first_run; i < execution.first_run + execution.run_count; ++i) {
          fill_run(part_.records[order[i]], offsets_[place], profile_.runs[i], problems[part]);
        }
      }
    });
    for (const RunProblems& found : problems) {
      repeated_ += found.repeated;
      profile_.problems.merge(found.problems);
    }
  }

  /// Times within an execution continue from its first one.
  void fill_run(const CoreRecord& record, std::uint64_t offset, CoreRun& run, RunProblems& found) const {
    const auto moved = [&](std::uint64_t time) {
      if (time == kNoCycle) return time;
      const bool after_wrap = order_.wraps() && time < record.first_cycle;
      // The record's own first time may lie behind the wrap of the execution's first one.
      const std::uint64_t first = record.first_cycle;
      const bool record_after_wrap = order_.wraps() && first + offset < execution_start_of(record);
      return time + offset + (after_wrap ? kTimerSpan : 0) + (record_after_wrap ? kTimerSpan : 0);
    };
    run.x = part_.cores[record.core].x;
    run.y = part_.cores[record.core].y;
    run.fw = {moved(record.fw.start), moved(record.fw.end)};
    run.compute_fw = {moved(record.compute_fw.start), moved(record.compute_fw.end)};
    run.last_kernel_start = moved(record.last_kernel_start);
    for (std::size_t slot = 0; slot < kRiscSlotCount; ++slot) {
      run.kernel[slot] = {moved(record.kernel[slot].start), moved(record.kernel[slot].end)};
    }
    run.damaged = record.is_damaged() || is_reversed(run);
    if (record.repeated) ++found.repeated;
    if (record.fw_starts != record.fw_ends || record.kernel_starts != record.kernel_ends) {
      found.problems.add(PerfProblem::kMarkerUnmatched, describe(record));
    }
  }

  std::uint64_t execution_start_of(const CoreRecord& record) const {
    return profile_.executions[place_of_[execution_of(record)]].first_cycle;
  }

  std::string describe(const CoreRecord& record) const {
    const CorePlace& core = part_.cores[record.core];
    return "op " + std::to_string(part_.keys[record.key].key.op_id) + " on device " +
           std::to_string(core.device) + ", core " + std::to_string(core.x) + "-" + std::to_string(core.y);
  }

  void fill_samples() {
    const auto place = [&](const LogPart::Sample& sample) {
      return place_of_[execution_of(part_.records[sample.record])];
    };
    for (const LogPart::Sample& wait : part_.waits) {
      profile_.sums.push_back({place(wait), false, cycles_of(wait.value)});
    }
    for (const LogPart::Sample& reserve : part_.reserves) {
      profile_.sums.push_back({place(reserve), true, cycles_of(reserve.value)});
    }
    for (std::uint32_t i = 0; i < part_.counter_names.size(); ++i) {
      profile_.counter_names.emplace_back(part_.counter_names[i]);
    }
    for (const LogPart::Sample& counter : part_.counters) {
      const CorePlace& core = part_.cores[part_.records[counter.record].core];
      profile_.counters.push_back(
          {place(counter), counter.counter, core.x, core.y, counter.value, counter.reference});
    }
  }

  void report_problems() {
    profile_.problems.add(PerfProblem::kMarkerRepeated, repeated_, {});
    for (const KeyEntry& entry : part_.keys) {
      if (!entry.sub_device_conflict) continue;
      profile_.problems.add(PerfProblem::kSubDeviceConflict, "op " + std::to_string(entry.key.op_id));
    }
  }

  LogPart& part_;
  TimerOrder order_;
  unsigned threads_;
  DeviceProfile& profile_;
  std::vector<std::uint32_t> first_of_key_;
  std::vector<std::uint32_t> place_of_;
  std::vector<std::uint64_t> offsets_;
  std::uint32_t run_count_ = 0;
  std::uint64_t repeated_ = 0;
};

}  // namespace

void build_profile(LogPart& part, TimerOrder order, unsigned threads, DeviceProfile& profile) {
  Builder(part, order, threads, profile).build();
}

}  // namespace ttscope::perf
