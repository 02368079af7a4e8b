#include "perf/read/device_log.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/csv.h"
#include "base/ids.h"
#include "base/number_text.h"
#include "base/resources.h"
#include "base/string_pool.h"
#include "perf/model/device_profile.h"
#include "perf/read/log_rows.h"

namespace ttscope::perf {
namespace {

/// Which of two times of a timer comes first. The timer has 44 bits and starts again from zero.
class TimerOrder {
 public:
  explicit TimerOrder(bool wraps) : shift_(wraps ? 64 - kTimerBits : 0) {}
  bool wraps() const { return shift_ != 0; }
  bool is_before(std::uint64_t a, std::uint64_t b) const {
    return shift_ == 0 ? a < b : static_cast<std::int64_t>((a - b) << shift_) < 0;
  }
  void keep_first(std::uint64_t& kept, std::uint64_t time) const {
    if (kept == kNoCycle || is_before(time, kept)) kept = time;
  }
  void keep_last(std::uint64_t& kept, std::uint64_t time) const {
    if (kept == kNoCycle || is_before(kept, time)) kept = time;
  }

 private:
  unsigned shift_;
};

/// One core's markers of one execution, as collected.
struct CoreRecord {
  std::uint32_t key = 0;       ///< into LogPart::keys
  std::uint32_t core = 0;      ///< into LogPart::cores
  std::uint32_t next = kNone;  ///< the record of the next execution with the same key
  std::uint32_t occurrence = 0;
  std::uint8_t fw_starts = 0;  ///< a bit for each processor
  std::uint8_t fw_ends = 0;
  std::uint8_t kernel_starts = 0;
  std::uint8_t kernel_ends = 0;
  bool repeated = false;
  CycleSpan fw;
  CycleSpan compute_fw;  ///< of Quasar's compute processors, which reports show apart
  std::uint64_t last_kernel_start = kNoCycle;
  std::uint64_t first_cycle = kNoCycle;
  std::array<CycleSpan, kRiscSlotCount> kernel;

  bool is_damaged() const { return repeated || fw_starts != fw_ends || kernel_starts != kernel_ends; }
};

struct CoreKey {
  std::uint32_t device = 0;
  std::uint16_t x = 0;
  std::uint16_t y = 0;
};

struct KeyEntry {
  ExecutionKey key;
  std::int64_t sub_device = kNoFigure;
  bool sub_device_conflict = false;
};

/// What one contiguous part of a device log says; parts are read on several threads and then joined in order.
/// Memory follows executions and cores, not rows. Not thread safe.
class LogPart {
 public:
  /// `substrings`: tell zones as the runtime's own report does.
  LogPart(TimerOrder order, bool substrings) : order_(order), substrings_(substrings) {}

  /// Address space for what a text of this size usually holds; what is not used costs nothing.
  void expect(std::size_t text_bytes);
  void take(const LogRow& row);
  /// A line that could not be read, at this offset.
  void reject(std::size_t offset);
  /// Takes over all of a later part.
  void join(LogPart& later);

  /// One sample of a sum or a counter; `record` is where its execution is.
  struct Sample {
    std::uint32_t record = 0;
    std::uint32_t counter = 0;
    double value = 0;
    double reference = 0;
  };

  std::vector<KeyEntry> keys;
  std::vector<CoreKey> cores;
  std::vector<CoreRecord> records;
  std::vector<Sample> waits;
  std::vector<Sample> reserves;
  std::vector<Sample> counters;
  StringPool counter_names;
  std::vector<DispatchMarker> dispatch;
  std::uint64_t rows = 0;
  std::uint64_t rejected = 0;
  std::vector<std::size_t> rejected_offsets;  ///< the first ones
  std::uint64_t user_starts = 0;
  std::uint64_t user_ends = 0;
  std::uint64_t user_markers = 0;  ///< values and events, which have no length
  bool wide = false;               ///< a time beyond 44 bits was seen

 private:
  /// The executions of one key on a core, where there are several: the current one of each processor.
  using Chain = std::array<std::uint32_t, kRiscSlotCount>;

  /// A table from 64-bit keys to numbers, open addressing.
  class Index {
   public:
    std::uint32_t* find_or_add(std::uint64_t key, bool& added);

   private:
    void grow();
    struct Slot {
      std::uint64_t key = 0;
      std::uint32_t value = kNone;
    };
    std::vector<Slot> slots_;
    std::size_t size_ = 0;
  };

  std::uint32_t key_index(const ExecutionKey& key);
  std::uint32_t core_index(std::uint32_t device, std::uint16_t x, std::uint16_t y);
  std::uint32_t base_record(std::uint32_t key, std::uint32_t core);
  /// The same for a record of another part, with numbers that are ours.
  std::uint32_t take_over(CoreRecord record);
  std::uint32_t current_record(std::uint32_t base, RiscSlot risc);
  std::uint32_t next_record(std::uint32_t base, RiscSlot risc);
  void take_zone(const LogRow& row, ZoneRole role);
  void take_meta(const LogRow& row);
  void take_counter(const LogRow& row);
  void take_dispatch(const LogRow& row);
  void locate(const LogRow& row);
  void widen(CycleSpan& span, const CycleSpan& other) const;
  std::vector<std::uint32_t> join_records(const LogPart& later, const std::vector<std::uint32_t>& new_keys);
  void index_core(std::uint32_t core);
  std::uint32_t join_record(const CoreRecord& from, std::uint32_t base);

  TimerOrder order_;
  bool substrings_;
  Index key_slots_;
  Index pair_slots_;
  std::vector<std::uint32_t> key_next_;  ///< keys with the same hash
  std::unordered_map<std::uint64_t, std::uint32_t> core_slots_;
  std::unordered_map<std::uint32_t, Chain> chains_;
  std::vector<bool> unindexed_cores_;  ///< whose records are not in pair_slots_ yet
  std::string last_meta_;

  // Where the last row belonged: rows of one processor and op stand together.
  std::uint32_t key_ = kNone;
  std::uint32_t core_ = kNone;
  std::uint32_t base_ = kNone;
};

/// The value of `"name":` in meta data, up to the next `;` or `}`; without quotes.
std::string_view meta_value(std::string_view meta, std::string_view name) {
  const std::size_t found = meta.find(name);
  if (found == std::string_view::npos) return {};
  std::string_view rest = meta.substr(found + name.size());
  if (rest.substr(0, 2) != "\":") return {};
  rest.remove_prefix(2);
  rest = trimmed(rest.substr(0, rest.find_first_of(";}")));
  if (rest.size() >= 2 && rest.front() == '"' && rest.back() == '"') rest = rest.substr(1, rest.size() - 2);
  return rest;
}

/// Zones of the dispatcher, and its note which program it is about to start.
bool is_dispatch(const LogRow& row) {
  if (row.type == MarkerType::kData) return row.meta.find("workers_runtime_id") != std::string_view::npos;
  return row.zone.size() > 3 && row.zone[0] == 'C' && row.zone[1] == 'Q' && row.zone[2] == '-';
}

/// Whether the start of this firmware zone begins the next execution on its processor. Processors that share
/// a slot with their master do not.
bool begins_execution(const LogRow& row) {
  if (row.zone.substr(0, 11) == "SUBORDINATE" || row.zone == "ERISC-IDLE-FW" || row.zone == "DM-FW")
    return false;
  return row.risc_text.substr(0, 6) != "QUASAR" || row.zone == "DM0-FW";
}

bool is_quasar_compute(const LogRow& row) {
  return row.risc == RiscSlot::kTrisc0 && row.risc_text.front() == 'Q';
}

std::uint32_t* LogPart::Index::find_or_add(std::uint64_t key, bool& added) {
  if ((size_ + 1) * 4 > slots_.size() * 3) grow();
  std::size_t at = ExecutionKeyHash::mixed(key) & (slots_.size() - 1);
  while (slots_[at].value != kNone && slots_[at].key != key) at = (at + 1) & (slots_.size() - 1);
  added = slots_[at].value == kNone;
  if (added) {
    slots_[at].key = key;
    ++size_;
  }
  return &slots_[at].value;
}

void LogPart::Index::grow() {
  std::vector<Slot> old = std::move(slots_);
  slots_.assign(old.empty() ? 1024 : old.size() * 2, Slot{});
  for (const Slot& slot : old) {
    if (slot.value == kNone) continue;
    std::size_t at = ExecutionKeyHash::mixed(slot.key) & (slots_.size() - 1);
    while (slots_[at].value != kNone) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
}

void LogPart::expect(std::size_t text_bytes) {
  constexpr std::size_t kBytesOfRun = 2600;  // five processors with four markers each
  records.reserve(text_bytes / kBytesOfRun + 1);
}

std::uint32_t LogPart::key_index(const ExecutionKey& key) {
  bool added = false;
  std::uint32_t* slot = key_slots_.find_or_add(ExecutionKeyHash{}(key), added);
  const std::uint32_t first = added ? kNone : *slot;
  for (std::uint32_t at = first; at != kNone; at = key_next_[at]) {
    if (keys[at].key == key) return at;
  }
  const auto index = static_cast<std::uint32_t>(keys.size());
  keys.push_back({key, kNoFigure, false});
  key_next_.push_back(first);
  *slot = index;
  return index;
}

std::uint32_t LogPart::core_index(std::uint32_t device, std::uint16_t x, std::uint16_t y) {
  const std::uint64_t place = (std::uint64_t{device} << 32) | (std::uint64_t{x} << 16) | y;
  const auto [slot, added] = core_slots_.try_emplace(place, static_cast<std::uint32_t>(cores.size()));
  if (added) cores.push_back({device, x, y});
  return slot->second;
}

std::uint32_t LogPart::base_record(std::uint32_t key, std::uint32_t core) {
  if (core < unindexed_cores_.size() && unindexed_cores_[core]) index_core(core);
  bool added = false;
  std::uint32_t* slot = pair_slots_.find_or_add((std::uint64_t{key} << 32) | core, added);
  if (added) {
    *slot = static_cast<std::uint32_t>(records.size());
    CoreRecord& record = records.emplace_back();
    record.key = key;
    record.core = core;
  }
  return *slot;
}

std::uint32_t LogPart::current_record(std::uint32_t base, RiscSlot risc) {
  if (records[base].next == kNone) return base;
  return chains_.at(base)[static_cast<std::size_t>(risc)];
}

/// The first execution, from the processor's current one on, where it has not started yet.
std::uint32_t LogPart::next_record(std::uint32_t base, RiscSlot risc) {
  const auto bit = static_cast<std::uint8_t>(1u << static_cast<unsigned>(risc));
  std::uint32_t at = current_record(base, risc);
  while ((records[at].fw_starts & bit) != 0) {
    if (records[at].next == kNone) {
      CoreRecord added;
      added.key = records[at].key;
      added.core = records[at].core;
      added.occurrence = records[at].occurrence + 1;
      records[at].next = static_cast<std::uint32_t>(records.size());
      records.push_back(added);
      if (chains_.find(base) == chains_.end()) chains_[base].fill(base);
    }
    at = records[at].next;
  }
  if (records[base].next != kNone) chains_.at(base)[static_cast<std::size_t>(risc)] = at;
  return at;
}

void LogPart::locate(const LogRow& row) {
  const bool same_core = core_ != kNone && cores[core_].x == row.x && cores[core_].y == row.y &&
                         cores[core_].device == row.device;
  if (!same_core) core_ = core_index(row.device, row.x, row.y);
  const ExecutionKey key{row.device, row.op_id, row.trace, row.replay};
  const bool same_key = key_ != kNone && keys[key_].key == key;
  if (same_core && same_key) return;
  // The next processor of a core goes through the same executions in the same order.
  const std::uint32_t hint = base_ + 1;
  if (base_ != kNone && hint < records.size() && records[hint].core == core_ &&
      records[hint].occurrence == 0 && keys[records[hint].key].key == key) {
    key_ = records[hint].key;
    base_ = hint;
    return;
  }
  if (!same_key) key_ = key_index(key);
  base_ = base_record(key_, core_);
}

void LogPart::take(const LogRow& row) {
  ++rows;
  wide |= (row.time >> kTimerBits) != 0;
  if (is_dispatch(row)) take_dispatch(row);
  user_markers += is_user_marker(row) ? 1 : 0;
  if (row.op_id == 0 || row.risc == RiscSlot::kCount) return;
  const ZoneRole role = zone_role(row.zone, substrings_);
  const bool is_sum =
      row.type == MarkerType::kTotal && (role == ZoneRole::kCbWait || role == ZoneRole::kCbReserve);
  const bool is_zone = row.type == MarkerType::kStart || row.type == MarkerType::kEnd;
  if (role == ZoneRole::kOther && is_zone) ++(row.type == MarkerType::kStart ? user_starts : user_ends);
  const bool is_counter =
      row.timer == kPerfCounterTimer && row.type == MarkerType::kData && !row.meta.empty();
  const bool matters = is_sum || is_counter || (is_zone && role != ZoneRole::kOther);
  // Data of the dispatcher name programs too; only what a program itself recorded makes it an execution.
  if (!matters && row.meta.find("sub_device_id") == std::string_view::npos) return;
  locate(row);
  if (is_counter) {
    take_counter(row);
  } else if (!row.meta.empty()) {
    take_meta(row);
  }
  if (is_sum) {
    (role == ZoneRole::kCbWait ? waits : reserves)
        .push_back({current_record(base_, row.risc), 0, static_cast<double>(row.data), 0});
  } else if (is_zone && (role == ZoneRole::kFw || role == ZoneRole::kKernel)) {
    take_zone(row, role);
  }
}

void LogPart::take_zone(const LogRow& row, ZoneRole role) {
  const bool start = row.type == MarkerType::kStart;
  const bool new_run = role == ZoneRole::kFw && start && begins_execution(row);
  CoreRecord& record = records[new_run ? next_record(base_, row.risc) : current_record(base_, row.risc)];
  const auto bit = static_cast<std::uint8_t>(1u << static_cast<unsigned>(row.risc));
  order_.keep_first(record.first_cycle, row.time);
  if (role == ZoneRole::kFw) {
    (start ? record.fw_starts : record.fw_ends) |= bit;
    CycleSpan& fw = is_quasar_compute(row) ? record.compute_fw : record.fw;
    if (start) {
      order_.keep_first(fw.start, row.time);
    } else {
      order_.keep_last(fw.end, row.time);
    }
    return;
  }
  CycleSpan& kernel = record.kernel[static_cast<std::size_t>(row.risc)];
  std::uint8_t& seen = start ? record.kernel_starts : record.kernel_ends;
  const bool shared = row.risc == RiscSlot::kErisc || row.risc_text.substr(0, 6) == "QUASAR" || substrings_;
  record.repeated |= (seen & bit) != 0 && !shared;
  seen |= bit;
  if (start) {
    order_.keep_first(kernel.start, row.time);
    order_.keep_last(record.last_kernel_start, row.time);
  } else {
    order_.keep_last(kernel.end, row.time);
  }
}

/// `{"sub_device_id":0;"sub_device_manager_id":7}`
void LogPart::take_meta(const LogRow& row) {
  KeyEntry& entry = keys[key_];
  if (entry.sub_device != kNoFigure && row.meta == last_meta_) return;
  const auto id = parse_whole(meta_value(row.meta, "sub_device_id"));
  if (!id) return;
  last_meta_ = row.meta;
  if (entry.sub_device != kNoFigure && entry.sub_device != *id) entry.sub_device_conflict = true;
  entry.sub_device = *id;
}

/// `{"counter type":"FPU_COUNTER";"ref cnt":5000;"value":123}`
void LogPart::take_counter(const LogRow& row) {
  const std::string_view name = meta_value(row.meta, "counter type");
  const auto value = parse_number(meta_value(row.meta, "value"));
  const auto reference = parse_number(meta_value(row.meta, "ref cnt"));
  if (name.empty() || !value || !reference) return;
  counters.push_back({current_record(base_, row.risc), counter_names.intern(name), *value, *reference});
}

void LogPart::take_dispatch(const LogRow& row) {
  if (row.risc == RiscSlot::kCount || row.risc == RiscSlot::kErisc) return;
  DispatchMarker& marker = dispatch.emplace_back();
  marker.device = row.device;
  marker.x = row.x;
  marker.y = row.y;
  marker.risc = row.risc;
  marker.is_start = row.type == MarkerType::kStart;
  marker.cycle = row.time;
  marker.op_id = row.op_id;
  marker.zone = row.zone;
  marker.meta = row.meta;
}

void LogPart::reject(std::size_t offset) {
  ++rejected;
  if (rejected_offsets.size() < PerfProblems::kPlacesKept) rejected_offsets.push_back(offset);
}

/// A damaged log may hold any number; what is not a count of cycles is none, or the most there can be.
std::uint64_t cycles_of(double value) {
  constexpr double kMax = 9.2e18;
  return value > 0 ? static_cast<std::uint64_t>(std::min(value, kMax)) : 0;
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
    min_ = std::min(min_, last_);
    max_ = std::max(max_, last_);
    return last_;
  }
  /// What to take off all times, so that those that did not wrap are as recorded.
  std::uint64_t base() const { return started_ ? min_ / kTimerSpan * kTimerSpan : 0; }
  bool has_wrapped() const { return started_ && max_ / kTimerSpan != min_ / kTimerSpan; }

 private:
  bool wraps_;
  bool started_ = false;
  std::uint64_t last_ = 0;
  std::uint64_t min_ = UINT64_MAX;
  std::uint64_t max_ = 0;
};

/// Whether a zone ends before it starts, as no clock does.
bool is_reversed(const CoreRun& run) {
  const auto reversed = [](const CycleSpan& span) { return span.is_whole() && span.end < span.start; };
  return reversed(run.fw) || reversed(run.compute_fw) ||
         std::any_of(run.kernel.begin(), run.kernel.end(), reversed);
}

/// What one thread met while it filled runs.
struct ThreadProblems {
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
    profile_.user_markers = part_.user_markers;
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
      const CoreKey& first = part_.cores[part_.records[a].core];
      const CoreKey& second = part_.cores[part_.records[b].core];
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
    constexpr std::size_t kMinRuns = 10000;
    const std::size_t parts = std::clamp<std::size_t>(order.size() / kMinRuns, 1, threads_);
    std::vector<ThreadProblems> problems(parts);
    run_parallel(parts, threads_, [&](std::size_t part) {
      for (std::size_t place = executions * part / parts; place < executions * (part + 1) / parts; ++place) {
        const Execution& execution = profile_.executions[place];
        for (std::uint32_t i = execution.first_run; i < execution.first_run + execution.run_count; ++i) {
          fill_run(part_.records[order[i]], offsets_[place], profile_.runs[i], problems[part]);
        }
      }
    });
    for (const ThreadProblems& found : problems) {
      repeated_ += found.repeated;
      profile_.problems.merge(found.problems);
    }
  }

  /// Times within an execution continue from its first one.
  void fill_run(const CoreRecord& record, std::uint64_t offset, CoreRun& run, ThreadProblems& found) const {
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
    const CoreKey& core = part_.cores[record.core];
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
      const CoreKey& core = part_.cores[part_.records[counter.record].core];
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

/// Makes executions and their runs from what was collected: device by device in order of time, runs ordered
/// by core, times unwrapped.
void build_profile(LogPart& part, TimerOrder order, unsigned threads, DeviceProfile& profile) {
  Builder(part, order, threads, profile).build();
}

constexpr std::size_t kMinPartBytes = std::size_t{1} << 20;

/// A place at or after `at` where a line of another processor begins. The markers of one processor stay
/// together there, so that the executions of an op can be counted by its firmware zones.
std::size_t cut_after(std::string_view text, std::size_t at) {
  next_line(text, at);
  if (at >= text.size()) return text.size();
  std::size_t next = at;
  const std::string_view processor = processor_of(next_line(text, next));
  constexpr std::size_t kMaxLines = 100000;
  for (std::size_t i = 0; i < kMaxLines && next < text.size(); ++i) {
    at = next;
    if (processor_of(next_line(text, next)) != processor) return at;
  }
  return at;
}

std::vector<std::size_t> cut_into_parts(std::string_view text, std::size_t from,
                                        const DeviceLogOptions& options) {
  std::vector<std::size_t> cuts = {from};
  const std::size_t size = text.size() - from;
  const std::size_t for_threads = std::min<std::size_t>(options.threads, size / kMinPartBytes);
  const std::size_t parts = std::max<std::size_t>(1, options.parts > 0 ? options.parts : for_threads);
  for (std::size_t i = 1; i < parts; ++i) {
    const std::size_t cut = cut_after(text, from + size / parts * i);
    if (cut > cuts.back() && cut < text.size()) cuts.push_back(cut);
  }
  cuts.push_back(text.size());
  return cuts;
}

/// Headers stand again in logs that were put together from several.
bool is_header_line(std::string_view line) {
  return line.substr(0, 4) == "PCIe" || line.substr(0, 5) == "ARCH:";
}

/// `text` ends where the part does.
template <typename Parse>
void read_part(std::string_view text, std::size_t from, LogPart& part, Parse parse) {
  LogRow row;
  for (std::size_t at = from; at < text.size();) {
    const std::size_t start = at;
    const std::string_view line = next_line(text, at);
    if (line.empty()) continue;
    if (line.size() <= kMaxLineBytes && parse(line, row)) {
      part.take(row);
    } else if (!is_header_line(line)) {
      part.reject(start);
    }
  }
}

LogPart read_parts(std::string_view text, const DeviceLogHeader& header, const DeviceLogOptions& options,
                   TimerOrder order) {
  const std::vector<std::size_t> cuts = cut_into_parts(text, header.rows_at, options);
  std::vector<std::unique_ptr<LogPart>> parts(cuts.size() - 1);
  run_parallel(parts.size(), options.threads, [&](std::size_t i) {
    parts[i] = std::make_unique<LogPart>(order, options.substrings);
    parts[i]->expect(cuts[i + 1] - cuts[i]);
    if (header.current_columns) {
      RowReader reader;
      read_part(text.substr(0, cuts[i + 1]), cuts[i], *parts[i],
                [&reader](std::string_view line, LogRow& row) { return reader.parse(line, row); });
    } else {
      NamedRowReader reader(header.columns);
      read_part(text.substr(0, cuts[i + 1]), cuts[i], *parts[i],
                [&reader](std::string_view line, LogRow& row) { return reader.parse(line, row); });
    }
  });
  for (std::size_t i = 1; i < parts.size(); ++i) {
    parts[0]->join(*parts[i]);
    parts[i] = nullptr;
  }
  return std::move(*parts[0]);
}

std::string place_of_line(std::ptrdiff_t line) { return "profile_log_device.csv:" + std::to_string(line); }

void report_rejected(std::string_view text, const LogPart& part, PerfProblems& problems) {
  if (part.rejected == 0) return;
  problems.add(PerfProblem::kRowUnreadable, part.rejected, {});
  for (const std::size_t offset : part.rejected_offsets) {
    const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n') + 1;
    problems.add_place(PerfProblem::kRowUnreadable, place_of_line(line));
  }
}

}  // namespace

Result<DeviceProfile> read_device_log(std::string_view text, const DeviceLogOptions& options) {
  DeviceLogHeader header;
  if (!read_device_log_header(text, header)) {
    return failure(bad_input("not a device log: the first line must begin with \"ARCH:\""));
  }
  DeviceProfile profile;
  profile.arch = header.arch;
  profile.clock_mhz = header.clock_mhz;
  profile.max_compute_cores = header.max_compute_cores;
  profile.quasar = header.arch.find("quasar") != std::string::npos;
  if (header.clock_mhz <= 0 || header.max_compute_cores == kNoFigure) {
    profile.problems.add(PerfProblem::kHeaderIncomplete, place_of_line(1));
  }
  const bool has_rows = header.rows_at < text.size();
  if (has_rows && !header.current_columns && !NamedRowReader(header.columns).is_usable()) {
    return failure(
        bad_input("not a device log: the second line must name core_x, core_y, zone name and type"));
  }
  TimerOrder order(options.unwrap);
  LogPart part = read_parts(text, header, options, order);
  if (part.wide && order.wraps()) {
    order = TimerOrder(false);
    part = read_parts(text, header, options, order);
  }
  report_rejected(text, part, profile.problems);
  build_profile(part, order, options.threads, profile);
  return profile;
}

namespace {

constexpr std::string_view kCurrentColumns =
    "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, run host ID, "
    "trace id, trace id counter, zone name, type, source line, source file, meta data";

std::string_view take_line(std::string_view text, std::size_t& at) {
  const std::size_t end = text.find('\n', at);
  std::string_view line = text.substr(at, end == std::string_view::npos ? end : end - at);
  at = end == std::string_view::npos ? text.size() : end + 1;
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

/// `ARCH: wormhole_b0, CHIP_FREQ[MHz]: 1000, Max Compute Cores: 64`; the third since November 2025.
void read_device_line(std::string_view line, DeviceLogHeader& header) {
  while (!line.empty()) {
    const std::size_t comma = line.find(',');
    const std::string_view field = line.substr(0, comma);
    line = comma == std::string_view::npos ? std::string_view{} : line.substr(comma + 1);
    const std::size_t colon = field.find(':');
    if (colon == std::string_view::npos) continue;
    const std::string_view name = trimmed(field.substr(0, colon));
    const std::string_view value = trimmed(field.substr(colon + 1));
    if (name == "ARCH") header.arch = value;
    if (name == "CHIP_FREQ[MHz]") header.clock_mhz = parse_number(value).value_or(0);
    if (name == "Max Compute Cores") header.max_compute_cores = parse_whole(value).value_or(kNoFigure);
  }
  if (header.clock_mhz < 0) header.clock_mhz = 0;
}

}  // namespace

bool read_device_log_header(std::string_view text, DeviceLogHeader& header) {
  header = {};
  std::size_t at = 0;
  const std::string_view first = take_line(text, at);
  const bool old = first.substr(0, 16) == "Chip clock is at";
  if (first.substr(0, 5) != "ARCH:" && !old) return false;
  if (old) {
    constexpr double kGrayskullMhz = 1200;
    header.arch = "grayskull";
    header.clock_mhz = kGrayskullMhz;
  } else {
    read_device_line(first, header);
  }
  header.header_lines = 1;
  header.rows_at = at;
  if (at >= text.size()) return true;
  const std::string_view names = take_line(text, at);
  if (names.substr(0, 4) != "PCIe") return true;
  header.header_lines = 2;
  header.rows_at = at;
  CsvScanner scanner(names);
  scanner.next();
  header.columns = CsvHeader(scanner.cells()).names();
  header.current_columns = names == kCurrentColumns;
  return true;
}

namespace {

void LogPart::widen(CycleSpan& span, const CycleSpan& other) const {
  if (other.start != kNoCycle) order_.keep_first(span.start, other.start);
  if (other.end != kNoCycle) order_.keep_last(span.end, other.end);
}

std::uint32_t LogPart::join_record(const CoreRecord& from, std::uint32_t base) {
  std::uint32_t last = base;
  for (std::size_t slot = 0; slot < kRiscSlotCount; ++slot) {
    const auto bit = static_cast<std::uint8_t>(1u << slot);
    const auto risc = static_cast<RiscSlot>(slot);
    if (((from.fw_starts | from.fw_ends | from.kernel_starts | from.kernel_ends) & bit) == 0) continue;
    last = (from.fw_starts & bit) != 0 ? next_record(base, risc) : current_record(base, risc);
    CoreRecord& to = records[last];
    to.fw_starts |= from.fw_starts & bit;
    to.fw_ends |= from.fw_ends & bit;
    to.kernel_starts |= from.kernel_starts & bit;
    to.kernel_ends |= from.kernel_ends & bit;
    widen(to.kernel[slot], from.kernel[slot]);
  }
  CoreRecord& to = records[last];
  to.repeated |= from.repeated;
  widen(to.fw, from.fw);
  widen(to.compute_fw, from.compute_fw);
  if (from.last_kernel_start != kNoCycle) order_.keep_last(to.last_kernel_start, from.last_kernel_start);
  if (from.first_cycle != kNoCycle) order_.keep_first(to.first_cycle, from.first_cycle);
  return last;
}

std::uint32_t LogPart::take_over(CoreRecord record) {
  const std::size_t known = records.size();
  const std::uint32_t base = base_record(record.key, record.core);
  const bool is_new = records.size() > known;
  if (!is_new || record.occurrence != 0) return join_record(record, base);
  // Nothing to join with: a core's rows are mostly in one part.
  record.next = kNone;
  records[base] = record;
  return base;
}

void LogPart::index_core(std::uint32_t core) {
  unindexed_cores_[core] = false;
  for (std::uint32_t i = 0; i < records.size(); ++i) {
    if (records[i].core != core || records[i].occurrence != 0) continue;
    bool added = false;
    *pair_slots_.find_or_add((std::uint64_t{records[i].key} << 32) | core, added) = i;
  }
}

/// Mostly a core's rows are in one part: what is about cores that were not seen here is taken as it is,
/// without looking for what to join it with. The new numbers of the records.
std::vector<std::uint32_t> LogPart::join_records(const LogPart& later,
                                                 const std::vector<std::uint32_t>& new_keys) {
  const std::size_t known_cores = cores.size();
  std::vector<std::uint32_t> new_cores;
  new_cores.reserve(later.cores.size());
  for (const CoreKey& core : later.cores) new_cores.push_back(core_index(core.device, core.x, core.y));
  unindexed_cores_.resize(known_cores, false);
  unindexed_cores_.resize(cores.size(), true);
  const auto is_new = [&](const CoreRecord& record) { return new_cores[record.core] >= known_cores; };
  std::vector<std::uint32_t> new_records(later.records.size());
  records.reserve(records.size() + later.records.size());
  // A chain's records follow their base, so the first ones come first.
  for (std::size_t i = 0; i < later.records.size(); ++i) {
    CoreRecord record = later.records[i];
    record.key = new_keys[record.key];
    record.core = new_cores[record.core];
    if (is_new(later.records[i])) {
      new_records[i] = static_cast<std::uint32_t>(records.size());
      records.push_back(record);
    } else {
      new_records[i] = take_over(record);
    }
  }
  for (std::size_t i = 0; i < later.records.size(); ++i) {
    std::uint32_t& next = records[new_records[i]].next;
    if (is_new(later.records[i]) && next != kNone) next = new_records[next];
  }
  for (const auto& [base, chain] : later.chains_) {
    if (!is_new(later.records[base])) continue;
    Chain& mine = chains_[new_records[base]];
    for (std::size_t slot = 0; slot < kRiscSlotCount; ++slot) mine[slot] = new_records[chain[slot]];
  }
  return new_records;
}

void LogPart::join(LogPart& later) {
  std::vector<std::uint32_t> new_keys;
  for (const KeyEntry& entry : later.keys) {
    new_keys.push_back(key_index(entry.key));
    KeyEntry& mine = keys[new_keys.back()];
    mine.sub_device_conflict |=
        entry.sub_device_conflict || (mine.sub_device != kNoFigure && entry.sub_device != kNoFigure &&
                                      mine.sub_device != entry.sub_device);
    if (entry.sub_device != kNoFigure) mine.sub_device = entry.sub_device;
  }
  const std::vector<std::uint32_t> new_records = join_records(later, new_keys);
  std::vector<std::uint32_t> new_counters;
  for (std::uint32_t i = 0; i < later.counter_names.size(); ++i) {
    new_counters.push_back(counter_names.intern(later.counter_names[i]));
  }
  const auto take_samples = [&](std::vector<Sample>& to, const std::vector<Sample>& from, bool counted) {
    for (Sample sample : from) {
      sample.record = new_records[sample.record];
      if (counted) sample.counter = new_counters[sample.counter];
      to.push_back(sample);
    }
  };
  take_samples(waits, later.waits, false);
  take_samples(reserves, later.reserves, false);
  take_samples(counters, later.counters, true);
  dispatch.insert(dispatch.end(), later.dispatch.begin(), later.dispatch.end());
  rows += later.rows;
  rejected += later.rejected;
  for (const std::size_t offset : later.rejected_offsets) {
    if (rejected_offsets.size() < PerfProblems::kPlacesKept) rejected_offsets.push_back(offset);
  }
  user_starts += later.user_starts;
  user_ends += later.user_ends;
  user_markers += later.user_markers;
  wide |= later.wide;
}

}  // namespace

}  // namespace ttscope::perf
