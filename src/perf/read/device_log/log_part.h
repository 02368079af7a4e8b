#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/none.h"
#include "base/string_pool.h"
#include "perf/model/device_profile.h"
#include "perf/model/device_timer.h"
#include "perf/read/device_log/log_row.h"

namespace ttscope::perf {

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

struct CorePlace {
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
  std::vector<CorePlace> cores;
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
  std::uint64_t user_marks = 0;  ///< values and events, which have no length
  bool wide = false;             ///< a time beyond 44 bits was seen

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

}  // namespace ttscope::perf
